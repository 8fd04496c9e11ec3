//! One state at a time, in five registers: see [`permutation`](super::permutation).

use moissanite_core::backend::Simd;
use moissanite_core::secret::wipe;

use super::arithmetic::MAX_STATES;
use super::arithmetic::{InWords, REDUCED_SUM, invert};
use super::constants::WIDTH;
use super::constants::columns;
use super::constants::padded_constants;
use crate::params::{Q, ZkField};

/// The number of registers of a state, and the number of elements in them.
const REGISTERS: usize = WIDTH.div_ceil(MAX_STATES);
const ROWS: usize = REGISTERS * MAX_STATES;

const _: () = {
    let q = Q as u64;
    // An element and a constant, squared; the matrix.
    let squared = (REDUCED_SUM + q) * (REDUCED_SUM + q);
    assert!(squared < 1 << 49 && q + 1 + (squared >> 32) < 1 << 23);
    assert!(WIDTH as u64 * (1 << 23) * q < 1 << 52);
    // The input of `canonical`.
    assert!(REDUCED_SUM < 2 * q);
};

/// The elements of one state side by side, in five registers of [`MAX_STATES`] words.
#[inline(always)]
pub(super) fn permute<S: Simd>(s: S, state: &mut [u32; WIDTH]) {
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
        let powers = invert(InWords::<_, REGISTERS>(s), x);
        for (x, words) in powers.into_iter().zip(S::word_chunks_mut(words)) {
            s.store_words(x, words);
        }
        // Separate sums of even and of odd columns, because each addition depends on the one
        // before.
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
        s.store_words(s.canonical_words::<ZkField>(x), words);
    }
    for (element, word) in state.iter_mut().zip(&*words) {
        *element = *word as u32;
    }
    wipe(&mut variables.0);
}

/// This alignment prevents registers from crossing cache lines.
#[repr(C, align(64))]
struct Aligned<T>(T);
