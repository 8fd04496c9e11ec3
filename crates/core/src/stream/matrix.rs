//! Â, an entry at a time.

use core::marker::PhantomData;

use super::Coefficients;
use super::packed::Packed;
use crate::backend::{add_accepted, montgomery_product};
use crate::field::Field;
use crate::hash::Shake128;
use crate::kernels::reject::coeff_from_three_bytes;
use crate::params::{Dim, ParameterSet};
use crate::poly::N;
use crate::secret::Zeroed;

/// The first `ENTRIES` entries of Â, row by row: 768 bytes each. Those are not made again.
pub struct Kept<const ENTRIES: usize>([Packed; ENTRIES]);

impl<const ENTRIES: usize> Zeroed for Kept<ENTRIES> {
    const ZERO: Self = Self([Packed::ZERO; ENTRIES]);
}

impl<const ENTRIES: usize> Default for Kept<ENTRIES> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const ENTRIES: usize> Kept<ENTRIES> {
    /// Room for them. `const`, so that it can be a static.
    pub const fn new() -> Self {
        Self::ZERO
    }

    /// For [`Matrix::with`].
    pub fn entries(&self) -> &[Packed] {
        &self.0
    }

    /// Makes them from ρ.
    pub fn set<P: ParameterSet>(&mut self, rho: &[u8; 32]) {
        for (entry, (r, s)) in self.0.iter_mut().zip(indices::<P>()) {
            reject_uniform::<P::Field>(rho, [s, r], |j, a| {
                if let Some(entry) = entry.get_mut(j) {
                    entry.set(a);
                }
            });
        }
    }
}

/// r and s of every entry, row by row.
fn indices<P: ParameterSet>() -> impl Iterator<Item = (u8, u8)> {
    (0..P::K::N as u8).flat_map(|r| (0..P::L::N as u8).map(move |s| (r, s)))
}

/// ExpandA(ρ): its entries are made when they are needed, but for those that are kept.
pub struct Matrix<'a, P> {
    rho: &'a [u8; 32],
    kept: &'a [Packed],
    set: PhantomData<P>,
}

impl<'a, P: ParameterSet> Matrix<'a, P> {
    /// All of it is made when it is needed.
    pub fn new(rho: &'a [u8; 32]) -> Self {
        Self {
            rho,
            kept: &[],
            set: PhantomData,
        }
    }

    /// With what is kept of the matrix of the same ρ.
    #[must_use]
    pub fn with(self, kept: &'a [Packed]) -> Self {
        Self { kept, ..self }
    }

    /// w_hat ← w_hat + Â_rs ∘ y_hat · 2⁻³². In: |y_hat_j| ≤ 9q. Out: |w_hat_j| < q.
    #[inline(never)]
    pub(crate) fn add_product(&self, r: usize, s: usize, y_hat: &Coefficients, w_hat: &mut Packed) {
        if let Some(entry) = self.kept.get(r * P::L::N + s) {
            return w_hat.add_product::<P::Field>(entry, y_hat);
        }
        reject_uniform::<P::Field>(self.rho, [s as u8, r as u8], |j, a| {
            if let (Some(w), Some(y)) = (w_hat.get_mut(j), y_hat.get(j)) {
                w.add_product::<P::Field>(a, *y);
            }
        });
    }

    /// [`Self::add_product`], unreduced: adds at most 0.52q to |w_hat_j|.
    #[inline(never)]
    pub(crate) fn add_unreduced(
        &self,
        r: usize,
        s: usize,
        y_hat: &Coefficients,
        w_hat: &mut Coefficients,
    ) {
        if let Some(entry) = self.kept.get(r * P::L::N + s) {
            for ((w, y), a) in w_hat.iter_mut().zip(y_hat).zip(entry.iter()) {
                *w += montgomery_product::<P::Field>(a, *y);
            }
            return;
        }
        let mut xof = Shake128::new();
        xof.absorb(self.rho);
        xof.absorb(&[s as u8, r as u8]);
        let mut xof = xof.squeeze_in_place();
        let mut filled = 0;
        while filled < N {
            filled = add_accepted::<P::Field>(&xof.lanes(), y_hat, w_hat, filled);
        }
    }
}

/// FIPS 204, Algorithm 30 (RejNTTPoly), of ρ ‖ s ‖ r: `take` is given each coefficient and its number.
/// Public.
#[inline(always)]
fn reject_uniform<F: Field>(rho: &[u8; 32], index: [u8; 2], mut take: impl FnMut(usize, i32)) {
    let mut xof = Shake128::new();
    xof.absorb(rho);
    xof.absorb(&index);
    let mut xof = xof.squeeze_in_place();
    let mut filled = 0;
    while filled < N {
        filled = take_accepted::<F>(&xof.lanes(), filled, &mut take);
    }
}

/// The same on eight times three bytes, from number `filled` on. Returns how far that came. Not
/// inlined: what it needs is not to be on the stack beside a permutation.
#[inline(never)]
fn take_accepted<F: Field>(
    bytes: &[u64; 3],
    mut filled: usize,
    take: &mut impl FnMut(usize, i32),
) -> usize {
    let bytes = bytes.map(u64::to_le_bytes);
    for bytes in bytes.as_flattened().as_chunks().0 {
        if let Some(a) = coeff_from_three_bytes::<F>(*bytes)
            && filled < N
        {
            take(filled, a);
            filled += 1;
        }
    }
    filled
}
