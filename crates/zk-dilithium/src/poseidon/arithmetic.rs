//! Products, powers and sums of elements of the field in registers, with their bounds.
//!
//! Elements are numbers of [`Simd::reduce_words`]. After a product, they are less than `REDUCED`,
//! which is slightly more than q. A product has a factor of 1/R, where R is [`Simd::RADIX`]. In
//! every order of multiplication, a product of n numbers therefore has a factor of R^(1 − n), and
//! x^(q − 2) for x ≠ 0 a factor of R^(3 − q) = R². The factor R that remains at the end of a round
//! is included in the matrix.
//!
//! No code here branches on an element or uses it as an index, and 0 is inverted like any other
//! element.

use moissanite_core::backend::Simd;

use super::constants::QUARTER;
use crate::params::{Q, ZkField};

/// The largest number of states that a backend permutes at once.
pub(crate) const MAX_STATES: usize = 8;

/// Numbers for this number of elements of each state, or of each part of a state.
pub(super) type Rows<const ELEMENTS: usize, const WORDS: usize> = [[u64; WORDS]; ELEMENTS];

/// One register in memory for each element; some have more words than are used.
#[inline(always)]
pub(super) fn rows<S: Simd, const ELEMENTS: usize, const WORDS: usize>(
    words: &mut Rows<ELEMENTS, WORDS>,
) -> &mut [S::WordChunk] {
    &mut S::word_chunks_mut(words.as_flattened_mut())[..ELEMENTS]
}

/// The bound of a reduced product of two numbers less than 3q.
const REDUCED_FIRST: u64 = Q as u64 + 1 + (1 << 17);
/// The bound of a reduced number less than 2⁴⁶, or of a reduced product of such a number and one
/// less than 3q.
const REDUCED: u64 = Q as u64 + 1 + (1 << 16);
/// The bound of a reduced number less than 2⁵².
pub(super) const REDUCED_SUM: u64 = Q as u64 + 1 + (1 << 20);
const _: () = {
    let q = Q as u64;
    // Elements of a state, and constants.
    assert!(REDUCED < 2 * q);
    assert!(3 * q * 3 * q < 1 << 49);
    assert!(REDUCED_FIRST * REDUCED_FIRST < 1 << 46);
    assert!(3 * q * REDUCED_FIRST < 1 << 48);
    // Products with the sum.
    assert!(REDUCED_SUM * REDUCED < 1 << 46);
    // Sums of the matrix; those of the quarters have four, two, two and one elements.
    assert!((4 + 2 + 2 + 1) * QUARTER as u64 * REDUCED * q < 1 << 52);
};

/// a · b / [`Simd::RADIX`] modulo q, for each kind of number. This is not a closure, because a
/// closure would not be compiled for the backend's instructions.
pub(super) trait Multiply: Copy {
    type Number: Copy;
    fn multiply(self, a: Self::Number, b: Self::Number) -> Self::Number;
}

/// Numbers in the words of `N` registers, which are processed in parallel.
#[derive(Clone, Copy)]
pub(super) struct InWords<S, const N: usize>(pub(super) S);

impl<S: Simd, const N: usize> Multiply for InWords<S, N> {
    type Number = [S::Words; N];
    #[inline(always)]
    fn multiply(self, mut a: [S::Words; N], b: [S::Words; N]) -> [S::Words; N] {
        for (a, b) in a.iter_mut().zip(b) {
            *a = self.0.mul_words::<ZkField>(*a, b);
        }
        a
    }
}

/// R² x^(q − 2), which is R²/x, or 0 where x = 0: with 22 squares and 6 other products, the fewest
/// that a search found. In: less than 2²⁴·⁵.
#[inline(always)]
pub(super) fn invert<M: Multiply>(m: M, x: M::Number) -> M::Number {
    let (x3, x217) = raise_to_3_and_217(m, x);
    raise_to_the_rest(m, x3, raise_to_7161(m, x217))
}

#[inline(always)]
pub(super) fn raise_to_3_and_217<M: Multiply>(m: M, x: M::Number) -> (M::Number, M::Number) {
    let x3 = m.multiply(squares(m, x, 1), x);
    let x27 = m.multiply(squares(m, x3, 3), x3);
    (x3, m.multiply(squares(m, x27, 3), x))
}

#[inline(always)]
pub(super) fn raise_to_7161<M: Multiply>(m: M, x217: M::Number) -> M::Number {
    m.multiply(squares(m, x217, 5), x217)
}

#[inline(always)]
pub(super) fn raise_to_the_rest<M: Multiply>(m: M, x3: M::Number, x7161: M::Number) -> M::Number {
    let power = m.multiply(squares(m, x7161, 9), x3);
    m.multiply(squares(m, power, 1), x7161)
}
const _: () = {
    let x3 = (1 << 1) + 1;
    let x27 = (x3 << 3) + x3;
    let x217 = (x27 << 3) + 1;
    let x7161 = (x217 << 5) + x217;
    assert!(Q - 2 == (((x7161 << 9) + x3) << 1) + x7161);
};

#[inline(always)]
fn squares<M: Multiply>(m: M, mut x: M::Number, times: u32) -> M::Number {
    for _ in 0..times {
        x = m.multiply(x, x);
    }
    x
}

/// A constant that is the same in every word, or one for each word.
pub(super) trait Constant<S: Simd> {
    fn words(&self, s: S) -> S::Words;
}

impl<S: Simd> Constant<S> for u64 {
    #[inline(always)]
    fn words(&self, s: S) -> S::Words {
        s.splat_word(*self)
    }
}

impl<S: Simd> Constant<S> for [u64; 2] {
    #[inline(always)]
    fn words(&self, s: S) -> S::Words {
        s.load_words(&S::word_chunks(self)[0])
    }
}

/// x ← state + constants, with 1 in place of 0; in these words, `zero` becomes all ones. In: less
/// than 2q; constants from 1 to q.
#[inline(always)]
pub(super) fn add_constants<S: Simd>(
    s: S,
    state: &[S::WordChunk],
    constants: &[impl Constant<S>],
    x: &mut [S::WordChunk],
    zero: &mut [S::WordChunk],
) {
    let (q, q2) = (s.splat_word(Q.into()), s.splat_word(2 * u64::from(Q)));
    for (((element, constant), x), zero) in state.iter().zip(constants).zip(x).zip(zero) {
        let sum = s.add_words(s.load_words(element), constant.words(s));
        let is_zero = s.add_words(s.equal_words(sum, q), s.equal_words(sum, q2));
        s.store_words(is_zero, zero);
        s.store_words(s.sub_words(sum, is_zero), x);
    }
}

/// out ← state modulo q. In: less than 2q. This is not done in place, because the compiler would
/// store only the changed elements.
#[inline(always)]
pub(super) fn canonical<S: Simd>(s: S, state: &[S::WordChunk], out: &mut [S::WordChunk]) {
    for (element, out) in state.iter().zip(out) {
        s.store_words(s.canonical_words::<ZkField>(s.load_words(element)), out);
    }
}
