//! FIPS 204, Algorithm 8. Everything here is public.

use crate::backend::Backend;
use crate::encode::{bits, hint, signature};
use crate::hash::Shake256;
use crate::params::ParameterSet;
use crate::poly::{BytePoly, NttPoly, Poly, Vector};
use crate::prepared::PublicRows;
use crate::sample;
use crate::secret::Zeroed;

/// The variables of verification.
pub struct Scratch<P: ParameterSet> {
    /// One polynomial of z, of c, and of w'.
    poly: Poly<P::Field>,
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

/// FIPS 204, Algorithm 8 (ML-DSA.Verify_internal), from line 8 on: `mu` is line 7.
///
/// w' is made, hinted and hashed a row of Â at a time; so is the key, unless it
/// is prepared.
#[must_use]
pub fn verify_mu<P: ParameterSet, B: Backend>(
    backend: B,
    mut key: impl PublicRows<P>,
    mu: &[u8; 64],
    sigma: &P::Signature,
    scratch: &mut Scratch<P>,
) -> bool {
    let Scratch {
        poly,
        z_hat,
        c_hat,
        w_hat,
        h,
    } = scratch;
    let parts = signature::sig_split::<P>(sigma);
    if hint::hint_bit_unpack::<P>(parts.h, h).is_none() {
        return false;
    }
    for (bytes, z_hat) in parts.z.chunks_exact(32 * P::Z_BITS).zip(z_hat.iter_mut()) {
        bits::bit_unpack(backend, P::Z_BITS, P::GAMMA1, bytes, poly);
        if backend.norm_at_least(poly, P::GAMMA1 - P::BETA) {
            return false;
        }
        backend.ntt(poly, z_hat);
    }
    sample::sample_in_ball::<P>(parts.c_tilde, poly);
    backend.ntt(poly, c_hat);

    let mut hash = Shake256::new();
    hash.absorb(mu);
    for h in h.iter_mut() {
        let (a_hat, t1_hat) = key.next_row();
        backend.inner_product_minus(a_hat, z_hat.as_ref(), (c_hat, t1_hat), w_hat);
        backend.inverse_ntt(w_hat, poly);
        backend.use_hint::<P>(poly, h);
        signature::absorb_w1::<P, B>(backend, h, &mut hash);
    }
    let mut c_tilde = [0; signature::MOST_C_TILDE];
    let c_tilde = &mut c_tilde[..P::C_TILDE_LEN];
    hash.squeeze().read(c_tilde);
    parts.c_tilde == c_tilde
}
