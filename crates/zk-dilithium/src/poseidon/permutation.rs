//! The permutation, in two texts over one arithmetic.
//!
//! Signing has many states to permute: [`Lanes`], in lanes.rs, has a state in each word of a register. The
//! inverses of a state then take 3 products each and one power, and what waits for that power does
//! so beside the matrix. Verifying has one state at a time: [`permute`] has its elements in the
//! words of registers, each of which raises its own to the power, since the steps from one element
//! to the next would take longer.
//!
//! Elements are the numbers of [`Simd::reduce_words`], less than q and a little (`REDUCED`) after
//! a product, and a product has a factor of 1/R, R being [`Simd::RADIX`]. A product of n
//! numbers so has one of R^(1 − n), and x^(q − 2) for x ≠ 0 one of R^(3 − q) = R², in whatever
//! order they are multiplied. What is left of that at the end of a round, R, is in the matrix.
//!
//! Nothing here branches on an element or looks it up, and 0 is inverted as any other.

use moissanite_core::backend::{Kernel, Simd};
use moissanite_core::secret::{Zeroed, wipe};

use super::constants::{ROUND_CONSTANTS, columns};
use super::lanes::{Lanes, MOST_STATES, QUARTER};
use super::{ROUNDS, WIDTH};
use crate::params::{Q, ZkField};

/// Registers of a state in [`permute`], and room for elements in those.
const REGISTERS: usize = WIDTH.div_ceil(MOST_STATES);
const ROWS: usize = REGISTERS * MOST_STATES;

/// Below this is what a reduction gives of less than 2⁴⁶.
const REDUCED: u64 = Q as u64 + 1 + (1 << 14);
/// Below this is what it gives of less than 2⁵².
const REDUCED_SUM: u64 = Q as u64 + 1 + (1 << 20);
const _: () = {
    let q = Q as u64;
    // Products of those, products with the sum, and sums of the matrix: a quarter has the sums of
    // four, two, two and one elements.
    assert!(REDUCED * REDUCED < 1 << 46);
    assert!(REDUCED_SUM * REDUCED < 1 << 46);
    assert!((4 + 2 + 2 + 1) * QUARTER as u64 * REDUCED * q < 1 << 52);
    // One state: an element and a constant, squared; the matrix.
    let squared = (REDUCED_SUM + q) * (REDUCED_SUM + q);
    assert!(squared < 1 << 49 && q + 1 + (squared >> 32) < 1 << 23);
    assert!(WIDTH as u64 * (1 << 23) * q < 1 << 52);
    // What `canonical` takes.
    assert!(REDUCED_SUM < 2 * q);
};

/// R² x^(q − 2), which is R²/x, or 0 where x = 0: by 22 squares and 6 other products, the fewest
/// that a search has found. Registers in step, as each product waits for the one before.
/// In: less than 2²⁴·⁵.
#[inline(always)]
fn invert<S: Simd, const N: usize>(s: S, x: [S::Words; N]) -> [S::Words; N] {
    let (x3, x217) = raise_to_3_and_217(s, x);
    raise_to_the_rest(s, x3, raise_to_7161(s, x217))
}

#[inline(always)]
pub(super) fn raise_to_3_and_217<S: Simd, const N: usize>(
    s: S,
    x: [S::Words; N],
) -> ([S::Words; N], [S::Words; N]) {
    let x3 = multiply(s, squares(s, x, 1), x);
    let x27 = multiply(s, squares(s, x3, 3), x3);
    (x3, multiply(s, squares(s, x27, 3), x))
}

#[inline(always)]
pub(super) fn raise_to_7161<S: Simd, const N: usize>(s: S, x217: [S::Words; N]) -> [S::Words; N] {
    multiply(s, squares(s, x217, 5), x217)
}

#[inline(always)]
pub(super) fn raise_to_the_rest<S: Simd, const N: usize>(
    s: S,
    x3: [S::Words; N],
    x7161: [S::Words; N],
) -> [S::Words; N] {
    let power = multiply(s, squares(s, x7161, 9), x3);
    multiply(s, squares(s, power, 1), x7161)
}
const _: () = {
    let x3 = (1 << 1) + 1;
    let x27 = (x3 << 3) + x3;
    let x217 = (x27 << 3) + 1;
    let x7161 = (x217 << 5) + x217;
    assert!(Q - 2 == (((x7161 << 9) + x3) << 1) + x7161);
};

#[inline(always)]
fn multiply<S: Simd, const N: usize>(
    s: S,
    mut a: [S::Words; N],
    b: [S::Words; N],
) -> [S::Words; N] {
    for (a, b) in a.iter_mut().zip(b) {
        *a = s.mul_words::<ZkField>(*a, b);
    }
    a
}

#[inline(always)]
fn squares<S: Simd, const N: usize>(s: S, mut a: [S::Words; N], times: u32) -> [S::Words; N] {
    for _ in 0..times {
        a = multiply(s, a, a);
    }
    a
}

/// x modulo q. In: less than 2q.
#[inline(always)]
pub(super) fn canonical<S: Simd>(s: S, x: S::Words) -> S::Words {
    s.min_words(x, s.sub_words(x, s.splat_word(Q.into())))
}

/// The permutation of one state. In: elements less than 2q. Out: less than q.
pub(crate) struct Permute<'a>(pub(crate) &'a mut [u32; WIDTH]);

impl Kernel for Permute<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        if S::WORDS < MOST_STATES {
            let mut lanes = Lanes::ZERO;
            let words = lanes.state.as_flattened_mut().iter_mut();
            for (word, element) in words.step_by(S::WORDS).zip(&*self.0) {
                *word = (*element).into();
            }
            lanes.permute(s);
            let words = lanes.state.as_flattened().iter();
            for (word, element) in words.step_by(S::WORDS).zip(self.0) {
                *element = *word as u32;
            }
            wipe(core::slice::from_mut(&mut lanes));
        } else {
            permute(s, self.0);
        }
    }
}

/// The elements of one state side by side, in five registers of [`MOST_STATES`] words.
#[inline(always)]
fn permute<S: Simd>(s: S, state: &mut [u32; WIDTH]) {
    let Aligned(columns) = const { &Aligned(columns::<ROWS>(S::RADIX)) };
    let Aligned(constants) = const { &Aligned(padded_constants::<ROWS>()) };
    let mut variables = Aligned([0; ROWS]);
    let Aligned(words) = &mut variables;
    for (word, element) in words.iter_mut().zip(&*state) {
        *word = (*element).into();
    }
    let mut x = [s.splat_word(0); REGISTERS];
    for (x, words) in x.iter_mut().zip(S::word_chunks(words)) {
        *x = s.load_words(words);
    }
    for constants in constants {
        for (x, constants) in x.iter_mut().zip(S::word_chunks(constants)) {
            *x = s.add_words(*x, s.load_words(constants));
        }
        for (x, words) in invert(s, x).into_iter().zip(S::word_chunks_mut(words)) {
            s.store_words(x, words);
        }
        // Of even columns and of odd ones, as a sum waits for the one before.
        let mut sums = [[s.splat_word(0); REGISTERS]; 2];
        for (elements, columns) in words.as_chunks::<2>().0.iter().zip(columns) {
            for ((element, column), sums) in elements.iter().zip(columns).zip(&mut sums) {
                let element = s.splat_word(*element);
                for (sum, entries) in sums.iter_mut().zip(S::word_chunks(column)) {
                    *sum = s.mul_add_words(*sum, element, s.load_words(entries));
                }
            }
        }
        let [even, odd] = sums;
        for ((x, even), odd) in x.iter_mut().zip(even).zip(odd) {
            *x = s.reduce_words::<ZkField>(s.add_words(even, odd));
        }
    }
    for (x, words) in x.into_iter().zip(S::word_chunks_mut(words)) {
        s.store_words(canonical(s, x), words);
    }
    for (element, word) in state.iter_mut().zip(&*words) {
        *element = *word as u32;
    }
    wipe(&mut variables.0);
}

/// For registers not to cross cache lines.
#[repr(C, align(64))]
struct Aligned<T>(T);

pub(super) const fn padded_constants<const LEN: usize>() -> [[u64; LEN]; ROUNDS] {
    let mut padded = [[0; LEN]; ROUNDS];
    let mut r = 0;
    while r < ROUNDS {
        let mut i = 0;
        while i < WIDTH {
            padded[r][i] = ROUND_CONSTANTS[r][i] as u64;
            i += 1;
        }
        r += 1;
    }
    padded
}
