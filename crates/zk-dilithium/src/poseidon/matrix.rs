//! Products with a half of the matrix, in every word of a register.

use moissanite_core::backend::Simd;

use super::arithmetic::Constant;
use super::constants::{QUARTER, Quarter};

/// out ← a half of the matrix, from its [halves](super::constants::quarters), times x; not reduced.
#[inline(always)]
pub(super) fn multiply_half<S: Simd>(
    s: S,
    [middle, low, high]: &[Quarter<impl Constant<S>>; 3],
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

/// A quarter of the matrix times x; not reduced.
#[inline(always)]
fn multiply_quarter<S: Simd>(
    s: S,
    h: &Quarter<impl Constant<S>>,
    x: &[S::Words; QUARTER],
) -> [S::Words; QUARTER] {
    let mut sums = [s.splat_word(0); QUARTER];
    for (j, x) in x.iter().enumerate() {
        for (sum, h) in sums.iter_mut().zip(&h[j..]) {
            *sum = s.mul_add_words(*sum, *x, h.words(s));
        }
    }
    sums
}
