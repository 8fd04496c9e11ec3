//! Polynomials with three bytes for each coefficient.

use super::Coefficients;
use super::pieces::CHUNK;
use crate::backend::{Portable, montgomery_product};
use crate::bounds::check;
use crate::field::Field;
use crate::secret::Zeroed;
use crate::shape::N;
use crate::simd::Simd;

/// A polynomial whose coefficients are signed 24-bit integers: |w_j| < 2²³. It has 768 bytes.
pub struct Packed {
    low: [u16; N],
    high: [i8; N],
}

impl Zeroed for Packed {
    const ZERO: Self = Self {
        low: [0; N],
        high: [0; N],
    };
}

impl Default for Packed {
    fn default() -> Self {
        Self::new()
    }
}

impl Packed {
    /// Returns a polynomial of zeros. This is `const`, so that the value can be a static.
    pub const fn new() -> Self {
        Self::ZERO
    }

    #[inline(always)]
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = i32> {
        let halves = self.low.iter().zip(&self.high);
        halves.map(|(low, high)| get(*low, *high))
    }

    pub(crate) fn clear(&mut self) {
        (self.low, self.high) = ([0; N], [0; N]);
    }

    pub(crate) fn unpack(&self, w: &mut Coefficients) {
        for (w, packed) in w.iter_mut().zip(self.iter()) {
            *w = packed;
        }
    }

    /// w ← w + a ∘ b · 2⁻³², with the bounds of [`Coefficient::add_product`].
    #[inline(never)]
    pub(crate) fn add_product<F: Field>(&mut self, a: &Self, b: &Coefficients) {
        for ((w, a), b) in self.iter_mut().zip(a.iter()).zip(b) {
            w.add_product::<F>(a, *b);
        }
    }

    /// Returns the coefficients, eight at a time.
    #[inline(always)]
    pub(crate) fn pieces(&self) -> impl Iterator<Item = [i32; CHUNK]> {
        let low = self.low.as_chunks::<CHUNK>().0;
        let high = self.high.as_chunks::<CHUNK>().0;
        low.iter()
            .zip(high)
            .map(|(low, high)| core::array::from_fn(|i| get(low[i], high[i])))
    }

    /// Returns the coefficients by mutable reference.
    #[inline(always)]
    pub(crate) fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = Coefficient<'_>> {
        let halves = self.low.iter_mut().zip(&mut self.high);
        halves.map(|(low, high)| Coefficient { low, high })
    }

    /// Returns coefficient `j`.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, j: usize) -> Option<Coefficient<'_>> {
        let (low, high) = (self.low.get_mut(j)?, self.high.get_mut(j)?);
        Some(Coefficient { low, high })
    }
}

/// A mutable reference to one coefficient.
pub(crate) struct Coefficient<'a> {
    low: &'a mut u16,
    high: &'a mut i8,
}

impl Coefficient<'_> {
    #[inline(always)]
    pub(crate) fn get(&self) -> i32 {
        get(*self.low, *self.high)
    }
    #[inline(always)]
    pub(crate) fn set(self, w: i32) {
        check(|| (w << 8) >> 8 == w);
        (*self.low, *self.high) = (w as u16, (w >> 16) as i8);
    }
    /// w ← w + a · b · 2⁻³². In: |w| ≤ 2²², |a| < q, |b| ≤ 9q. Out: |w| ≤ 2²².
    ///
    /// The product is below 0.52q, so that the sum w is between −2²³ − 2²² and 2²³ + 2²², and
    /// t = ⌊(w + 2²²) / 2²³⌋ is −1, 0 or 1. Because q = 2²³ − 2¹³ + 1, |w − tq| ≤ 2²².
    #[inline(always)]
    pub(crate) fn add_product<F: Field>(self, a: i32, b: i32) {
        const { assert!(F::Q < 1 << 23 && F::Q > (1 << 23) - (1 << 13)) };
        let w = Portable.add(self.get(), montgomery_product::<F>(a, b));
        let times = Portable.add(w, 1 << 22) >> 23;
        self.set(Portable.sub(w, Portable.mul(times, F::Q)));
    }
}

#[inline(always)]
fn get(low: u16, high: i8) -> i32 {
    i32::from(high) << 16 | i32::from(low)
}
