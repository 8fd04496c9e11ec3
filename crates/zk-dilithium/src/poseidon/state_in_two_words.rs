//! One state, its halves in the two words of a register: see [`permutation`](super::permutation).

use moissanite_core::backend::{Simd, mul_add_word, reduce_word};
use moissanite_core::secret::{Zeroed, wipe};

use super::arithmetic::{
    Constant, Multiply, Rows, add_constants, canonical, raise_to_3_and_217, raise_to_7161,
    raise_to_the_rest, rows,
};
use super::constants::padded_constants;
use super::constants::pairs_of_quarters;
use super::constants::{HALF, PADDED};
use super::constants::{ROUNDS, WIDTH};
use super::matrix::multiply_half;
use super::product_tree::ProductTree;
use crate::params::ZkField;

/// Elements i and 18 + i of a state in each row, and the variables of a round.
pub(super) struct StateInTwoWords {
    state: Rows<HALF, 2>,
    x: Rows<HALF, 2>,
    /// All ones where x = 0, else 0.
    zero: Rows<HALF, 2>,
    others: ProductTree<2>,
    /// The product of all elements, twice.
    all: [u64; 2],
    /// The product of all other elements of the state, and the same with its halves exchanged.
    beside: Rows<HALF, 2>,
    swapped: Rows<HALF, 2>,
    /// Products with the matrix: of each half with its own, and with the other's.
    own: Rows<HALF, 2>,
    other: Rows<HALF, 2>,
}

impl Zeroed for StateInTwoWords {
    const ZERO: Self = Self {
        state: Zeroed::ZERO,
        x: Zeroed::ZERO,
        zero: Zeroed::ZERO,
        others: Zeroed::ZERO,
        all: Zeroed::ZERO,
        beside: Zeroed::ZERO,
        swapped: Zeroed::ZERO,
        own: Zeroed::ZERO,
        other: Zeroed::ZERO,
    };
}

/// The constants of each round, those of elements i and 18 + i side by side.
const fn pairs_of_constants() -> [Rows<HALF, 2>; ROUNDS] {
    let constants = padded_constants::<PADDED>();
    let mut pairs = [[[0; 2]; HALF]; ROUNDS];
    let mut r = 0;
    while r < ROUNDS {
        let mut i = 0;
        while i < HALF {
            pairs[r][i] = [constants[r][i], constants[r][HALF + i]];
            i += 1;
        }
        r += 1;
    }
    pairs
}

/// A number in a general register.
#[derive(Clone, Copy)]
struct InOneWord;

impl Multiply for InOneWord {
    type Number = u64;
    #[inline(always)]
    fn multiply(self, a: u64, b: u64) -> u64 {
        reduce_word::<ZkField>(mul_add_word(0, a, b))
    }
}

/// All ones for the 36th element.
const PADDING: [u64; 2] = [0, u64::MAX];

impl StateInTwoWords {
    /// The permutation. In: elements less than 2q. Out: less than q.
    #[inline(always)]
    pub(super) fn permute<S: Simd>(s: S, state: &mut [u64; WIDTH]) {
        const { assert!(S::WORDS != 2 || S::RADIX == 1 << 32) };
        let mut halves = Self::ZERO;
        let (low, high) = state.split_at(HALF);
        for (row, element) in halves.state.iter_mut().zip(low) {
            row[0] = *element;
        }
        for (row, element) in halves.state.iter_mut().zip(high) {
            row[1] = *element;
        }
        for constants in const { &pairs_of_constants() } {
            halves.round(s, constants);
        }
        let Self {
            state: from, x: to, ..
        } = &mut halves;
        canonical(s, rows::<S, _, _>(from), rows::<S, _, _>(to));
        let (low, high) = state.split_at_mut(HALF);
        for (row, element) in halves.x.iter().zip(low) {
            *element = row[0];
        }
        for (row, element) in halves.x.iter().zip(high) {
            *element = row[1];
        }
        wipe(core::slice::from_mut(&mut halves));
    }

    #[inline(always)]
    fn round<S: Simd>(&mut self, s: S, constants: &Rows<HALF, 2>) {
        let state = rows::<S, _, _>(&mut self.state);
        let x = rows::<S, _, _>(&mut self.x);
        let zero = rows::<S, _, _>(&mut self.zero);
        add_constants(s, state, constants, x, zero);
        // The product of all elements is inverted in one general register, where a step takes less
        // time. Each half has only the product of its own elements.
        let halves = self.others.all(s, x);
        let swapped = s.swap_words(halves);
        let all = &mut S::word_chunks_mut(&mut self.all)[0];
        s.store_words(s.mul_words::<ZkField>(halves, swapped), all);
        let (x3, x217) = raise_to_3_and_217(InOneWord, self.all[0]);
        self.others.scale(s, swapped);
        let beside = rows::<S, _, _>(&mut self.beside);
        self.others.each(s, x, beside);
        let x7161 = raise_to_7161(InOneWord, x217);
        let swapped = rows::<S, _, _>(&mut self.swapped);
        for ((beside, swapped), zero) in beside.iter_mut().zip(&mut *swapped).zip(&*zero) {
            let nonzero = s.and_not_words(s.load_words(zero), s.load_words(beside));
            s.store_words(nonzero, beside);
            s.store_words(s.swap_words(nonzero), swapped);
        }
        let [own, other] = const { &pairs_of_quarters(1 << 32) };
        let from_own = rows::<S, _, _>(&mut self.own);
        let from_other = rows::<S, _, _>(&mut self.other);
        multiply_half(s, own, beside, from_own);
        let inverse = s.splat_word(raise_to_the_rest(InOneWord, x3, x7161));
        multiply_half(s, other, swapped, from_other);
        for ((own, other), element) in from_own.iter().zip(&*from_other).zip(&mut *state) {
            let sum = s.add_words(s.load_words(own), s.load_words(other));
            let sum = s.reduce_words::<ZkField>(sum);
            s.store_words(s.mul_words::<ZkField>(sum, inverse), element);
        }
        let [.., last] = state else { return };
        s.store_words(s.and_not_words(PADDING.words(s), s.load_words(last)), last);
    }
}
