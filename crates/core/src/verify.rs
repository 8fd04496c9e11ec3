//! FIPS 204, Algorithm 8. All data in this module is public.

use crate::backend::Backend;
use crate::encode::signature::committed;
use crate::encode::{bits, hint, signature};
use crate::hash;
use crate::params::{D, ParameterSet};
use crate::poly::{BytePoly, NttPoly, Poly, Vector};
use crate::prepared::PublicRows;
use crate::sample;
use crate::secret::Zeroed;

/// The variables of verification.
pub struct Scratch<P: ParameterSet> {
    /// One polynomial of z, then c, then one polynomial of w'.
    pub(crate) poly: Poly<P::Field>,
    z_hat: Vector<NttPoly<P::Field>, P::L>,
    c_hat: NttPoly<P::Field>,
    w_hat: NttPoly<P::Field>,
    h: Vector<BytePoly, P::K>,
}

impl<P: ParameterSet> Zeroed for Scratch<P> {
    const ZERO: Self = Self {
        poly: Poly::ZERO,
        z_hat: Vector::ZERO,
        c_hat: NttPoly::ZERO,
        w_hat: NttPoly::ZERO,
        h: Vector::ZERO,
    };
}

/// The source of μ in line 7 of Algorithm 8. This is not a type parameter, so that a program
/// contains one copy of the verification for all kinds of messages.
#[derive(Clone, Copy)]
pub enum MessageRepresentative<'a> {
    /// μ is known.
    Mu(&'a [u8; 64]),
    /// This function computes μ from tr, the hash of the public key.
    OfTr(&'a dyn Fn(&[u8; 64]) -> [u8; 64]),
}

impl MessageRepresentative<'_> {
    /// Returns whether μ is computed from tr.
    pub fn takes_tr(&self) -> bool {
        matches!(self, Self::OfTr(_))
    }

    fn mu(self, tr: impl FnOnce() -> [u8; 64]) -> [u8; 64] {
        match self {
            Self::Mu(mu) => *mu,
            Self::OfTr(mu) => mu(&tr()),
        }
    }
}

/// FIPS 204, Algorithm 8 (ML-DSA.Verify_internal); `message` is line 7.
///
/// w' is computed one row of Â at a time, and the hint is applied to each row. Unless the key is
/// prepared, its rows are also computed one at a time. μ is computed last, because the key is hashed
/// alongside the rows.
#[must_use]
pub fn verify<P: ParameterSet, B: Backend>(
    backend: B,
    mut key: impl PublicRows<P>,
    message: MessageRepresentative<'_>,
    sigma: &P::Signature,
    scratch: &mut Scratch<P>,
) -> bool {
    let parts = signature::sig_split::<P>(sigma);
    if decode(backend, &parts, scratch).is_none() {
        return false;
    }
    sample::sample_in_ball::<P>(parts.c_tilde, &mut scratch.poly);
    let mut w1_bytes = [0; signature::MOST_W1];
    if commitment(backend, &mut key, scratch, &mut w1_bytes).is_none() {
        return false;
    }
    let mu = message.mu(|| key.tr());
    let c_tilde = hash::h::<{ signature::MOST_C_TILDE }>(&committed::<P>(&mu, &w1_bytes));
    *parts.c_tilde == c_tilde[..P::C_TILDE_LEN]
}

/// Returns whether a signature passes the checks of [`verify`] that need no key, which are those of
/// decoding.
#[must_use]
pub fn is_well_formed<P: ParameterSet, B: Backend>(
    backend: B,
    sigma: &P::Signature,
    scratch: &mut Scratch<P>,
) -> bool {
    decode(backend, &signature::sig_split::<P>(sigma), scratch).is_some()
}

/// Lines 2 to 4 of Algorithm 8, and the first half of line 13: decodes z and h. Returns `None` if
/// they are malformed or if z is not short.
pub(crate) fn decode<P: ParameterSet, B: Backend>(
    backend: B,
    parts: &signature::Parts<'_>,
    scratch: &mut Scratch<P>,
) -> Option<()> {
    let Scratch { poly, z_hat, h, .. } = scratch;
    hint::hint_bit_unpack::<P>(parts.h, h)?;
    for (bytes, z_hat) in parts.z.chunks_exact(32 * P::Z_BITS).zip(z_hat.iter_mut()) {
        bits::bit_unpack(backend, P::Z_BITS, P::GAMMA1, bytes, poly);
        if backend.norm_at_least(poly, P::GAMMA1 - P::BETA) != 0 {
            return None;
        }
        backend.ntt(poly, z_hat);
    }
    Some(())
}

/// Lines 9 and 10 of Algorithm 8, and w1Encode of line 12, with z and h from [`decode`], and c in
/// `poly`. Returns `None` if the key has fewer than K rows, which no key has.
pub(crate) fn commitment<P: ParameterSet, B: Backend>(
    backend: B,
    key: &mut impl PublicRows<P>,
    scratch: &mut Scratch<P>,
    w1_bytes: &mut [u8; signature::MOST_W1],
) -> Option<()> {
    let Scratch {
        poly,
        z_hat,
        c_hat,
        w_hat,
        h,
    } = scratch;
    // Line 9 contains NTT(c) ∘ NTT(t₁ · 2^d). The factor 2^d is multiplied into c once, instead of
    // into each of the K polynomials of t₁.
    for c in &mut poly.0 {
        *c <<= D;
    }
    backend.ntt(poly, c_hat);
    for (h, bytes) in (h.iter_mut()).zip(w1_bytes.chunks_exact_mut(32 * P::W1_BITS)) {
        let (a_hat, t1_hat) = key.next_row()?;
        backend.inner_product_minus(a_hat, z_hat.as_ref(), (c_hat, t1_hat), w_hat);
        backend.inverse_ntt(w_hat, poly);
        backend.use_hint::<P>(poly, h);
        bits::simple_bit_pack_bytes(backend, P::W1_BITS, h, bytes);
    }
    Some(())
}
