//! Â, an entry at a time.

use core::marker::PhantomData;

use super::packed::Packed;
use super::{Coefficients, product};
use crate::field::Field;
use crate::hash::Shake128;
use crate::params::{Dim, ParameterSet};
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
            let mut room = entry.iter_mut();
            reject_uniform::<P::Field>(rho, [s, r], |a| {
                if let Some(entry) = room.next() {
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
        let mut terms = w_hat.iter_mut().zip(y_hat);
        self.each(r, s, |a| {
            if let Some((w, y)) = terms.next() {
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
        let mut terms = w_hat.iter_mut().zip(y_hat);
        self.each(r, s, |a| {
            if let Some((w, y)) = terms.next() {
                *w += product::<P::Field>(a, *y);
            }
        });
    }

    /// Gives `take` each coefficient of Â_rs.
    #[inline(always)]
    fn each(&self, r: usize, s: usize, take: impl FnMut(i32)) {
        if let Some(entry) = self.kept.get(r * P::L::N + s) {
            entry.iter().for_each(take);
        } else {
            reject_uniform::<P::Field>(self.rho, [s as u8, r as u8], take);
        }
    }
}

/// FIPS 204, Algorithm 30 (RejNTTPoly), of ρ ‖ s ‖ r: `take` is given each coefficient. Public.
#[inline(always)]
fn reject_uniform<F: Field>(rho: &[u8; 32], index: [u8; 2], mut take: impl FnMut(i32)) {
    let mut xof = Shake128::new();
    xof.absorb(rho);
    xof.absorb(&index);
    let mut xof = xof.squeeze_in_place();
    let mut left = crate::poly::N;
    loop {
        // A seventh of a block: eight times three bytes.
        let [a, b, c] = xof.lanes();
        let candidates = [
            a,
            a >> 24,
            a >> 48 | b << 16,
            b >> 8,
            b >> 32,
            b >> 56 | c << 8,
            c >> 16,
            c >> 40,
        ];
        for candidate in candidates {
            let a = candidate as i32 & 0x7f_ffff;
            if a < F::Q {
                take(a);
                left -= 1;
                if left == 0 {
                    return;
                }
            }
        }
    }
}
