//! Several states at once, one in each word of a register: see [`permutation`](super::permutation).

use moissanite_core::backend::{Kernel, Simd};
use moissanite_core::secret::Zeroed;

use super::arithmetic::{
    InWords, MAX_STATES, Rows, add_constants, canonical, raise_to_3_and_217, raise_to_7161,
    raise_to_the_rest, rows,
};
use super::constants::WIDTH;
use super::constants::padded_constants;
use super::constants::quarters;
use super::constants::{HALF, PADDED};
use super::matrix::multiply_half;
use super::product_tree::{ProductTree, products};
use super::state_in_two_words::StateInTwoWords;
use crate::params::ZkField;

/// The permutation of as many states as [`CountLanes`] says. In: elements less than 2q.
/// Out: less than q.
pub(crate) struct PermuteLanes<'a>(pub(crate) &'a mut StatesInLanes);

impl Kernel for PermuteLanes<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        if S::WORDS == 2 {
            if let Some(state) = self.0.state.as_flattened_mut().first_chunk_mut() {
                StateInTwoWords::permute(s, state);
            }
        } else {
            self.0.permute(s);
        }
    }
}

/// The number of states that [`PermuteLanes`] permutes. Registers of two words hold the halves of
/// one state.
pub(crate) struct CountLanes;

impl Kernel for CountLanes {
    type Output = usize;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> usize {
        const { assert!(S::WORDS <= MAX_STATES) };
        if S::WORDS == 2 { 1 } else { S::WORDS }
    }
}

/// As many states as a register has words, and the variables of a round. Element i of state l is
/// word i · [`CountLanes`] + l of a field.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct StatesInLanes {
    /// The states, canonical.
    pub(crate) state: Rows<PADDED, MAX_STATES>,
    /// x, and then the product of all others of its state.
    x: Rows<PADDED, MAX_STATES>,
    /// All ones where x = 0, else 0.
    zero: Rows<PADDED, MAX_STATES>,
    /// Products of two x, and the products of the others.
    twos: Rows<HALF, MAX_STATES>,
    others: ProductTree<MAX_STATES>,
    beside_twos: Rows<HALF, MAX_STATES>,
    /// For the matrix: sums, and products.
    sums: Rows<HALF, MAX_STATES>,
    middle: Rows<HALF, MAX_STATES>,
    out: Rows<PADDED, MAX_STATES>,
}

impl Zeroed for StatesInLanes {
    const ZERO: Self = Self {
        state: Zeroed::ZERO,
        x: Zeroed::ZERO,
        zero: Zeroed::ZERO,
        twos: Zeroed::ZERO,
        others: Zeroed::ZERO,
        beside_twos: Zeroed::ZERO,
        sums: Zeroed::ZERO,
        middle: Zeroed::ZERO,
        out: Zeroed::ZERO,
    };
}

#[cfg(test)]
impl StatesInLanes {
    /// All of it.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> {
        let Self {
            state,
            x,
            zero,
            twos,
            others,
            beside_twos,
            sums,
            middle,
            out,
        } = self;
        let whole = [state, x, zero, out].into_iter().flatten();
        let halves = [twos, beside_twos, sums, middle].into_iter().flatten();
        whole.chain(halves).flatten().copied().chain(others.words())
    }
}

impl StatesInLanes {
    /// The permutation of each state. In: elements less than 2q. Out: less than q.
    #[inline(always)]
    fn permute<S: Simd>(&mut self, s: S) {
        let m = InWords(s);
        let [middle, low, high] = const { &quarters(S::RADIX) };
        for constants in const { &padded_constants::<PADDED>() } {
            self.add_constants(s, constants);
            let all = self.multiply_others(s);
            // 1/x is the product of the others divided by the product of all. The matrix does not
            // depend on this power, and runs while the dependent steps of the power wait.
            let (x_low, x_high) = rows::<S, _, _>(&mut self.x).split_at(HALF);
            let (out_low, out_high) = rows::<S, _, _>(&mut self.out).split_at_mut(HALF);
            let sums = rows::<S, _, _>(&mut self.sums);
            let product = rows::<S, _, _>(&mut self.middle);
            let (x3, x217) = raise_to_3_and_217(m, [all]);
            multiply_half(s, middle, sums, product);
            let x7161 = raise_to_7161(m, x217);
            multiply_half(s, low, x_low, out_low);
            let [inverse] = raise_to_the_rest(m, x3, x7161);
            multiply_half(s, high, x_high, out_high);
            let out = rows::<S, _, _>(&mut self.out).chunks(HALF);
            let state = rows::<S, _, _>(&mut self.state)[..WIDTH].chunks_mut(HALF);
            for (out, state) in out.zip(state) {
                for ((out, middle), element) in out.iter().zip(&*product).zip(state) {
                    let sum = s.add_words(s.load_words(out), s.load_words(middle));
                    let sum = s.reduce_words::<ZkField>(sum);
                    s.store_words(s.mul_words::<ZkField>(sum, inverse), element);
                }
            }
        }
        canonical(
            s,
            rows::<S, _, _>(&mut self.state),
            rows::<S, _, _>(&mut self.x),
        );
        self.state = self.x;
    }

    #[inline(always)]
    fn add_constants<S: Simd>(&mut self, s: S, constants: &[u64; PADDED]) {
        add_constants(
            s,
            rows::<S, _, _>(&mut self.state),
            constants,
            rows::<S, _, _>(&mut self.x),
            rows::<S, _, _>(&mut self.zero),
        );
    }

    /// Returns the product of all x of a state. Each x becomes the product of all others, or 0 if
    /// it was 1 in place of 0. The sums are those of both halves.
    #[inline(always)]
    fn multiply_others<S: Simd>(&mut self, s: S) -> S::Words {
        let (low, high) = rows::<S, _, _>(&mut self.x).split_at_mut(HALF);
        let twos = rows::<S, _, _>(&mut self.twos);
        products(s, twos, low, high);
        let all = self.others.all(s, twos);
        let beside_twos = rows::<S, _, _>(&mut self.beside_twos);
        self.others.each(s, twos, beside_twos);
        let (zero_low, zero_high) = rows::<S, _, _>(&mut self.zero).split_at(HALF);
        let pairs = low.iter_mut().zip(high).zip(beside_twos);
        let zero = zero_low.iter().zip(zero_high);
        let sums = rows::<S, _, _>(&mut self.sums);
        for ((((low, high), beside), (zero_low, zero_high)), sum) in pairs.zip(zero).zip(sums) {
            let beside = s.load_words(beside);
            let beside_low = s.mul_words::<ZkField>(s.load_words(high), beside);
            let beside_high = s.mul_words::<ZkField>(s.load_words(low), beside);
            let beside_low = s.and_not_words(s.load_words(zero_low), beside_low);
            let beside_high = s.and_not_words(s.load_words(zero_high), beside_high);
            s.store_words(beside_low, low);
            s.store_words(beside_high, high);
            s.store_words(s.add_words(beside_low, beside_high), sum);
        }
        all
    }
}
