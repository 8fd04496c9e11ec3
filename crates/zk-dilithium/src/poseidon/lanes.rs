//! Several states at once, one in each word of a register: see [`super::permutation`].

use moissanite_core::backend::{Kernel, Simd};
use moissanite_core::secret::Zeroed;

use super::WIDTH;
use super::constants::quarters;
use super::permutation::{
    canonical, padded_constants, raise_to_3_and_217, raise_to_7161, raise_to_the_rest,
};
use crate::params::ZkField;

/// No backend permutes more states at once.
pub(crate) const MOST_STATES: usize = 8;

/// Elements of a state in [`Lanes`], which are halved twice, and in three; what is 36th is nothing.
const PADDED: usize = 2 * HALF;
const HALF: usize = 2 * QUARTER;
pub(super) const QUARTER: usize = 3 * THIRD;
const THIRD: usize = 3;
const _: () = assert!(PADDED == WIDTH + 1);

/// The permutation of as many states as a register has words. In: elements less than 2q.
/// Out: less than q.
pub(crate) struct PermuteLanes<'a>(pub(crate) &'a mut Lanes);

impl Kernel for PermuteLanes<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.0.permute(s);
    }
}

/// How many states [`PermuteLanes`] permutes.
pub(crate) struct CountLanes;

impl Kernel for CountLanes {
    type Output = usize;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> usize {
        const { assert!(S::WORDS <= MOST_STATES) };
        S::WORDS
    }
}

/// Numbers for so many elements of each state.
type Words<const ELEMENTS: usize> = [[u64; MOST_STATES]; ELEMENTS];

/// As many states as a register has words, and the variables of a round. Element i of state l is
/// word i · `WORDS` + l of a field.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct Lanes {
    /// The states, canonical.
    pub(crate) state: Words<PADDED>,
    /// x, and then what all others of its state give together.
    x: Words<PADDED>,
    /// 0 where x = 0, else all ones.
    nonzero: Words<PADDED>,
    /// Products of two x, of four, and of two of those.
    twos: Words<HALF>,
    fours: Words<QUARTER>,
    eights: Words<QUARTER>,
    /// What the others give together: for fours and for twos.
    beside_fours: Words<QUARTER>,
    beside_twos: Words<HALF>,
    /// Three products of twelve, and for each what the others give together.
    twelves: Words<THIRD>,
    beside_twelves: Words<THIRD>,
    /// For the matrix: sums, and products.
    sums: Words<HALF>,
    middle: Words<HALF>,
    out: Words<PADDED>,
}

impl Zeroed for Lanes {
    const ZERO: Self = Self {
        state: Zeroed::ZERO,
        x: Zeroed::ZERO,
        nonzero: Zeroed::ZERO,
        twos: Zeroed::ZERO,
        fours: Zeroed::ZERO,
        eights: Zeroed::ZERO,
        beside_fours: Zeroed::ZERO,
        beside_twos: Zeroed::ZERO,
        twelves: Zeroed::ZERO,
        beside_twelves: Zeroed::ZERO,
        sums: Zeroed::ZERO,
        middle: Zeroed::ZERO,
        out: Zeroed::ZERO,
    };
}

#[cfg(test)]
impl Lanes {
    /// All of it.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> {
        let Self {
            state,
            x,
            nonzero,
            twos,
            fours,
            eights,
            beside_fours,
            beside_twos,
            twelves,
            beside_twelves,
            sums,
            middle,
            out,
        } = self;
        let whole = [state, x, nonzero, out].into_iter().flatten();
        let halves = [twos, beside_twos, sums, middle].into_iter().flatten();
        let quarters = [fours, eights, beside_fours].into_iter().flatten();
        let twelves = [twelves, beside_twelves].into_iter().flatten();
        let all = whole.chain(halves).chain(quarters).chain(twelves);
        all.flatten().copied()
    }
}

impl Lanes {
    /// The permutation of each state. In: elements less than 2q. Out: less than q.
    #[inline(always)]
    pub(super) fn permute<S: Simd>(&mut self, s: S) {
        for constants in const { &padded_constants::<PADDED>() } {
            self.add_constants(s, constants);
            let all = self.multiply_others(s);
            // 1/x is what the others give over what all give. The matrix need not wait for that,
            // and fills what its steps wait for each other.
            let [middle, low, high] = const { &quarters(S::RADIX) };
            let (x_low, x_high) = rows::<S, _>(&mut self.x, PADDED).split_at(HALF);
            let (out_low, out_high) = rows::<S, _>(&mut self.out, PADDED).split_at_mut(HALF);
            let sums = rows::<S, _>(&mut self.sums, HALF);
            let (x3, x217) = raise_to_3_and_217(s, [all]);
            multiply_half(s, middle, sums, rows::<S, _>(&mut self.middle, HALF));
            let x7161 = raise_to_7161(s, x217);
            multiply_half(s, low, x_low, out_low);
            let [inverse] = raise_to_the_rest(s, x3, x7161);
            multiply_half(s, high, x_high, out_high);
            let products = rows::<S, _>(&mut self.out, PADDED).chunks(HALF);
            let state = rows::<S, _>(&mut self.state, WIDTH).chunks_mut(HALF);
            let middle = &*rows::<S, _>(&mut self.middle, HALF);
            for (products, state) in products.zip(state) {
                for ((product, middle), element) in products.iter().zip(middle).zip(state) {
                    let sum = s.add_words(s.load_words(product), s.load_words(middle));
                    let sum = s.reduce_words::<ZkField>(sum);
                    let product = s.mul_words::<ZkField>(sum, inverse);
                    s.store_words(canonical(s, product), element);
                }
            }
        }
    }

    /// x is a state and the constants of a round, with 1 for 0.
    #[inline(always)]
    fn add_constants<S: Simd>(&mut self, s: S, constants: &[u64; PADDED]) {
        let state = rows::<S, _>(&mut self.state, PADDED).iter().zip(constants);
        let nonzero = rows::<S, _>(&mut self.nonzero, PADDED);
        let x = rows::<S, _>(&mut self.x, PADDED).iter_mut().zip(nonzero);
        let (zero, one) = (s.splat_word(0), s.splat_word(1));
        for ((element, constant), (x, nonzero)) in state.zip(x) {
            let sum = s.add_words(s.load_words(element), s.splat_word(*constant));
            let sum = canonical(s, sum);
            let bit = s.min_words(sum, one);
            s.store_words(s.sub_words(zero, bit), nonzero);
            s.store_words(s.sub_words(s.add_words(sum, one), bit), x);
        }
    }

    /// The product of all x of a state. Each x becomes that of all others, or 0 where it was 1
    /// for 0: products of two, four and twelve on the way up, and what is beside those on the way
    /// down.
    #[inline(always)]
    fn multiply_others<S: Simd>(&mut self, s: S) -> S::Words {
        let (low, high) = rows::<S, _>(&mut self.x, PADDED).split_at_mut(HALF);
        let twos = rows::<S, _>(&mut self.twos, HALF);
        products(s, twos, low, high);
        let fours = rows::<S, _>(&mut self.fours, QUARTER);
        products(s, fours, &twos[..QUARTER], &twos[QUARTER..]);
        let eights = rows::<S, _>(&mut self.eights, QUARTER);
        beside_thirds(s, eights, fours, THIRD);
        let twelves = rows::<S, _>(&mut self.twelves, THIRD);
        products(s, twelves, eights, fours);
        let beside_twelves = rows::<S, _>(&mut self.beside_twelves, THIRD);
        beside_thirds(s, beside_twelves, twelves, 1);
        let all =
            s.mul_words::<ZkField>(s.load_words(&beside_twelves[0]), s.load_words(&twelves[0]));

        let beside_fours = rows::<S, _>(&mut self.beside_fours, QUARTER);
        let thirds = beside_fours.chunks_mut(THIRD).zip(eights.chunks(THIRD));
        for (beside_fours, eights) in thirds {
            products(s, beside_fours, eights, beside_twelves);
        }
        let beside_twos = rows::<S, _>(&mut self.beside_twos, HALF);
        products(
            s,
            &mut beside_twos[..QUARTER],
            &twos[QUARTER..],
            beside_fours,
        );
        products(
            s,
            &mut beside_twos[QUARTER..],
            &twos[..QUARTER],
            beside_fours,
        );
        let (nonzero_low, nonzero_high) = rows::<S, _>(&mut self.nonzero, PADDED).split_at(HALF);
        let pairs = low.iter_mut().zip(high).zip(beside_twos);
        let nonzero = nonzero_low.iter().zip(nonzero_high);
        let sums = rows::<S, _>(&mut self.sums, HALF);
        for ((((low, high), beside), (nonzero_low, nonzero_high)), sum) in
            pairs.zip(nonzero).zip(sums)
        {
            let beside = s.load_words(beside);
            let beside_low = s.mul_words::<ZkField>(s.load_words(high), beside);
            let beside_high = s.mul_words::<ZkField>(s.load_words(low), beside);
            // Not a minimum, of which the compiler has made a branch.
            let beside_low = s.and_words(beside_low, s.load_words(nonzero_low));
            let beside_high = s.and_words(beside_high, s.load_words(nonzero_high));
            s.store_words(beside_low, low);
            s.store_words(beside_high, high);
            s.store_words(s.add_words(beside_low, beside_high), sum);
        }
        all
    }
}

/// The first `len` registers in memory.
#[inline(always)]
fn rows<S: Simd, const ELEMENTS: usize>(
    words: &mut Words<ELEMENTS>,
    len: usize,
) -> &mut [S::WordChunk] {
    &mut S::word_chunks_mut(words.as_flattened_mut())[..len]
}

/// out ← ab, as far as there is of all.
#[inline(always)]
fn products<S: Simd>(s: S, out: &mut [S::WordChunk], a: &[S::WordChunk], b: &[S::WordChunk]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        let product = s.mul_words::<ZkField>(s.load_words(a), s.load_words(b));
        s.store_words(product, out);
    }
}

/// For each third of x, which is `third` long, the product of the other two.
#[inline(always)]
fn beside_thirds<S: Simd>(s: S, out: &mut [S::WordChunk], x: &[S::WordChunk], third: usize) {
    let (a, rest) = x.split_at(third);
    let (b, c) = rest.split_at(third);
    let (beside_a, rest) = out.split_at_mut(third);
    let (beside_b, beside_c) = rest.split_at_mut(third);
    products(s, beside_a, b, c);
    products(s, beside_b, c, a);
    products(s, beside_c, a, b);
}

/// A half of the matrix, from its [halves](super::constants::quarters), times x; not reduced.
#[inline(always)]
fn multiply_half<S: Simd>(
    s: S,
    [middle, low, high]: &[[u64; 2 * QUARTER - 1]; 3],
    x: &[S::WordChunk],
    out: &mut [S::WordChunk],
) {
    let mut x_low = [s.splat_word(0); QUARTER];
    let (mut x_high, mut sums) = (x_low, x_low);
    let (from_low, from_high) = x.split_at(QUARTER);
    for (i, (low, high)) in from_low.iter().zip(from_high).enumerate() {
        (x_low[i], x_high[i]) = (s.load_words(low), s.load_words(high));
        sums[i] = s.add_words(x_low[i], x_high[i]);
    }
    let middle = multiply_quarter(s, middle, &sums);
    let (out_low, out_high) = out.split_at_mut(QUARTER);
    for (h, x, out) in [(low, &x_low, out_low), (high, &x_high, out_high)] {
        let product = multiply_quarter(s, h, x);
        for ((out, product), middle) in out.iter_mut().zip(product).zip(middle) {
            s.store_words(s.add_words(product, middle), out);
        }
    }
}

/// A quarter of the matrix, whose entry in row i and column j is h(i + j), times x; not reduced.
#[inline(always)]
fn multiply_quarter<S: Simd>(
    s: S,
    h: &[u64; 2 * QUARTER - 1],
    x: &[S::Words; QUARTER],
) -> [S::Words; QUARTER] {
    let mut sums = [s.splat_word(0); QUARTER];
    for (j, x) in x.iter().enumerate() {
        for (sum, h) in sums.iter_mut().zip(&h[j..]) {
            *sum = s.mul_add_words(*sum, *x, s.splat_word(*h));
        }
    }
    sums
}
