//! Â, one entry at a time.

use core::marker::PhantomData;

use super::Coefficients;
#[cfg(tiny)]
use super::compact as profile;
#[cfg(not(tiny))]
use super::fast as profile;
use super::packed::Packed;
use crate::backend::montgomery_product;
use crate::params::ParameterSet;
use crate::secret::Zeroed;
use crate::shape::Dim;

/// The first `ENTRIES` entries of Â, row by row, with 768 bytes each. These entries are not
/// computed again.
pub struct CachedMatrix<const ENTRIES: usize>([Packed; ENTRIES]);

impl<const ENTRIES: usize> Zeroed for CachedMatrix<ENTRIES> {
    const ZERO: Self = Self([Packed::ZERO; ENTRIES]);
}

impl<const ENTRIES: usize> Default for CachedMatrix<ENTRIES> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const ENTRIES: usize> CachedMatrix<ENTRIES> {
    /// Returns memory for the entries. This is `const`, so that the value can be a static.
    pub const fn new() -> Self {
        Self::ZERO
    }

    /// Returns the entries for [`Matrix::with`].
    pub fn entries(&self) -> &[Packed] {
        &self.0
    }

    /// Returns the entries for [`set`].
    pub fn entries_mut(&mut self) -> &mut [Packed] {
        &mut self.0
    }

    /// Computes the entries from ρ.
    pub fn set<P: ParameterSet>(&mut self, rho: &[u8; 32]) {
        set::<P>(&mut self.0, rho);
    }
}

/// Computes the first entries of Â from ρ, row by row. Entries beyond those of the set are not changed.
pub fn set<P: ParameterSet>(entries: &mut [Packed], rho: &[u8; 32]) {
    for (entry, (r, s)) in entries.iter_mut().zip(indices::<P>()) {
        profile::each_of_entry::<P::Field>(rho, [s, r], |j, a| {
            if let Some(entry) = entry.get_mut(j) {
                entry.set(a);
            }
        });
    }
}

/// Returns r and s of every entry, row by row.
fn indices<P: ParameterSet>() -> impl Iterator<Item = (u8, u8)> {
    (0..P::K::N as u8).flat_map(|r| (0..P::L::N as u8).map(move |s| (r, s)))
}

/// ExpandA(ρ). Entries are computed when they are needed, unless they are stored.
pub struct Matrix<'a, P> {
    rho: &'a [u8; 32],
    kept: &'a [Packed],
    set: PhantomData<P>,
}

impl<'a, P: ParameterSet> Matrix<'a, P> {
    /// Returns a matrix without stored entries.
    pub fn new(rho: &'a [u8; 32]) -> Self {
        Self {
            rho,
            kept: &[],
            set: PhantomData,
        }
    }

    pub(crate) fn rho(&self) -> &[u8; 32] {
        self.rho
    }

    /// Adds the stored entries of the matrix of the same ρ.
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
        profile::each_of_entry::<P::Field>(self.rho, [s as u8, r as u8], |j, a| {
            if let (Some(w), Some(y)) = (w_hat.get_mut(j), y_hat.get(j)) {
                w.add_product::<P::Field>(a, *y);
            }
        });
    }

    /// [`Self::add_product`] without reduction: adds at most 0.52q to |w_hat_j|.
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
                *w = w.wrapping_add(montgomery_product::<P::Field>(a, *y));
            }
            return;
        }
        profile::add_entry_product::<P::Field>(self.rho, [s as u8, r as u8], y_hat, w_hat);
    }
}
