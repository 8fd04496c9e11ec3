//! FIPS 204, Algorithm 6, line 5: a row of t, from s₁ and s₂ from any source.

use super::Coefficients;
use super::matrix::Matrix;
use super::packed::Packed;
use super::pieces::{CHUNK, piece};
use crate::backend::{Portable, inverse_ntt_in_place, ntt_in_place};
use crate::kernels::canonical;
use crate::params::ParameterSet;
use crate::shape::Dim;
use crate::simd::Simd;

/// A source of s₁ and s₂, and of ρ, which is public.
pub trait Small<P: ParameterSet> {
    /// Returns ρ.
    fn rho(&self) -> &[u8; 32];
    /// Calls `take` with each piece of polynomial `r` of s₁ and s₂ together: the index of the first
    /// of eight coefficients, and the coefficients. If the bytes are not a valid key, some
    /// coefficients are less than −η.
    fn each(&self, r: usize, take: &mut dyn FnMut(usize, &[i32; CHUNK]));
}

/// t ← NTT⁻¹(Â ∘ NTT(s₁)) + s₂ of line 5, row `i`, modulo q.
#[inline(never)]
pub(crate) fn row<P: ParameterSet>(
    a_hat: &Matrix<'_, P>,
    small: &impl Small<P>,
    i: usize,
    t: &mut Coefficients,
    t_hat: &mut Packed,
) {
    t_hat.clear();
    for j in 0..P::L::N {
        set(small, j, t);
        ntt_in_place::<P::Field>(t);
        a_hat.add_product(i, j, t, t_hat);
    }
    t_hat.unpack(t);
    inverse_ntt_in_place::<P::Field>(t);
    add(small, P::L::N + i, t);
}

/// s ← polynomial `r` of s₁ and s₂.
#[inline(never)]
fn set<P: ParameterSet>(small: &impl Small<P>, r: usize, s: &mut Coefficients) {
    small.each(r, &mut |at, from| {
        if let Some(s) = piece(s, at) {
            *s = *from;
        }
    });
}

/// t ← t + polynomial `r` of s₁ and s₂, modulo q.
#[inline(never)]
fn add<P: ParameterSet>(small: &impl Small<P>, r: usize, t: &mut Coefficients) {
    small.each(r, &mut |at, s| {
        let Some(t) = piece(t, at) else {
            return;
        };
        for (t, s) in t.iter_mut().zip(s) {
            *t = canonical::<P::Field, _>(Portable, Portable.add(*t, *s));
        }
    });
}
