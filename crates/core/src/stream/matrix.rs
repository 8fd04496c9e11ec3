//! Â, an entry at a time.

use core::marker::PhantomData;

use super::Coefficients;
use super::packed::Packed;
use crate::backend::{add_accepted, montgomery_product};
use crate::hash::Shake128;
use crate::kernels::reject::take_accepted;
use crate::params::ParameterSet;
use crate::secret::Zeroed;
use crate::shape::Dim;
use crate::shape::N;

/// The first `ENTRIES` entries of Â, row by row: 768 bytes each. Those are not made again.
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
            let mut set = |j, a| {
                if let Some(entry) = entry.get_mut(j) {
                    entry.set(a);
                }
            };
            reject_uniform(rho, [s, r], |bytes, filled| {
                take_accepted::<P::Field>(bytes, filled, &mut set)
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
        let mut add = |j, a| {
            if let (Some(w), Some(y)) = (w_hat.get_mut(j), y_hat.get(j)) {
                w.add_product::<P::Field>(a, *y);
            }
        };
        reject_uniform(self.rho, [s as u8, r as u8], |bytes, filled| {
            take_accepted::<P::Field>(bytes, filled, &mut add)
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
                *w = w.wrapping_add(montgomery_product::<P::Field>(a, *y));
            }
            return;
        }
        reject_uniform(self.rho, [s as u8, r as u8], |bytes, filled| {
            add_accepted::<P::Field>(bytes, y_hat, w_hat, filled)
        });
    }
}

/// FIPS 204, Algorithm 30 (RejNTTPoly), of ρ ‖ s ‖ r: `take` is given eight times three bytes, and how
/// many coefficients there are already, and returns how many there are then. Public.
#[inline(always)]
fn reject_uniform(rho: &[u8; 32], index: [u8; 2], mut take: impl FnMut(&[u64; 3], usize) -> usize) {
    let mut xof = Shake128::new();
    xof.absorb(rho);
    xof.absorb(&index);
    let mut xof = xof.squeeze_in_place();
    let mut filled = 0;
    while filled < N {
        filled = take(&xof.lanes(), filled);
    }
}
