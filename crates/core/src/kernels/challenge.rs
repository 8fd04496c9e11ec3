//! Products with the challenge, as sums of rotations.
//!
//! c has τ ≤ 60 coefficients ±1, so that c·s is the sum of τ rotations of s. In lanes of 8 or 16
//! bits, this costs a fraction of the NTT product of Algorithm 7: it saves two transforms for each
//! polynomial, and those of s₁, s₂ and t₀ when the key is read. The sum needs no reduction:
//! |c·s| ≤ τ ‖s‖∞.

use super::append;
use crate::field::Field;
use crate::poly::{Challenge, Poly, Rotations, Small};
use crate::shape::N;
use crate::simd::{Kernel, Simd};

/// Finds the coefficients ±1 of c, which are public.
pub(crate) struct Find<'a, F> {
    pub(crate) c: &'a Poly<F>,
}

const INDICES: [i32; N] = {
    let mut indices = [0; N];
    let mut i = 0;
    while i < N {
        indices[i] = i as i32;
        i += 1;
    }
    indices
};

impl<F: Field> Kernel for Find<'_, F> {
    type Output = Challenge;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Challenge {
        let zero = s.splat(0);
        let (mut plus, mut minus) = (([0; N], 0), ([0; N], 0));
        for (c, i) in S::chunks(&self.c.0)
            .iter()
            .zip(S::chunks(const { &INDICES }))
        {
            let (c, i) = (s.load(c), s.load(i));
            plus.1 = append(s, i, s.gt_public(c, zero), &mut plus.0, plus.1);
            minus.1 = append(s, i, s.gt_public(zero, c), &mut minus.0, minus.1);
        }
        Challenge::new(&plus.0[..plus.1.min(N)], &minus.0[..minus.1.min(N)])
    }
}

/// acc ← acc ± c·s. In: sums that fit in 32 bits.
///
/// The positions of c are public (see `sign`), and may therefore be used as addresses. s is read in
/// full for each position.
pub(crate) struct AddProduct<'a, F, T> {
    pub(crate) acc: &'a mut Poly<F>,
    pub(crate) c: &'a Challenge,
    pub(crate) s: &'a Rotations<T>,
    /// Whether the result is acc − c·s.
    pub(crate) subtract: bool,
    /// ‖s‖∞.
    pub(crate) largest: usize,
}

impl<F: Field, T: Small> Kernel for AddProduct<'_, F, T> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let (plus, minus) = (self.c.plus(), self.c.minus());
        let (plus, minus) = if self.subtract {
            (minus, plus)
        } else {
            (plus, minus)
        };
        // This is the number of rotations whose sum cannot overflow.
        let group = T::fitting(self.largest);
        // The number of coefficients that are summed at once is chosen so that the sums stay in
        // registers.
        let acc = &mut self.acc.0;
        match (S::LANES, size_of::<T>()) {
            (4 | 16, 1) | (16, 2) => add_rotations::<256, T>(acc, self.s, plus, minus, group),
            (4, 2) => add_rotations::<128, T>(acc, self.s, plus, minus, group),
            _ => add_rotations::<64, T>(acc, self.s, plus, minus, group),
        }
    }
}

/// acc ← acc + Σ X^k · s over k in `plus` − Σ X^k · s over k in `minus`. Sums of at most `group`
/// terms fit in a T.
#[inline(always)]
fn add_rotations<const WINDOW: usize, T: Small>(
    acc: &mut [i32; N],
    s: &Rotations<T>,
    plus: &[u8],
    minus: &[u8],
    group: usize,
) {
    let (windows, _) = acc.as_chunks_mut::<WINDOW>();
    for (start, acc) in (0..).step_by(WINDOW).zip(windows) {
        for positions in plus.chunks(group) {
            let sum = sum_rotations::<WINDOW, T>(s, start, positions);
            for (acc, sum) in acc.iter_mut().zip(sum) {
                *acc = acc.wrapping_add(sum.into());
            }
        }
        for positions in minus.chunks(group) {
            let sum = sum_rotations::<WINDOW, T>(s, start, positions);
            for (acc, sum) in acc.iter_mut().zip(sum) {
                *acc = acc.wrapping_sub(sum.into());
            }
        }
    }
}

/// Returns coefficients `start` to `start + WINDOW` of Σ X^k · s.
#[inline(always)]
fn sum_rotations<const WINDOW: usize, T: Small>(
    s: &Rotations<T>,
    start: usize,
    positions: &[u8],
) -> [T; WINDOW] {
    let mut sum = [T::ZERO; WINDOW];
    // This is never `None`. The length tells the compiler that the window is within `s` for all
    // k < N.
    if let Some(s) = s.0.as_flattened().get(start..start + N + WINDOW) {
        for k in positions {
            let from = N - usize::from(*k);
            for (sum, s) in sum.iter_mut().zip(&s[from..from + WINDOW]) {
                *sum = T::wrapping_add(*sum, *s);
            }
        }
    }
    sum
}
