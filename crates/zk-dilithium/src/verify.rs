//! Verification. Everything here is public.

use moissanite_core::ParameterSet;
use moissanite_core::backend::Backend;
use moissanite_core::encode::bits;
use moissanite_core::poly::{BytePoly, NttPoly, Poly, Vector};
use moissanite_core::secret::{Secret, Zeroed};
use moissanite_core::shape::Rank;

use crate::encode;
use crate::hash::{self, MuBuilder};
use crate::params::{K, MU, SIGNATURE_LEN, ZkDilithium, ZkField};
use crate::prepared::PublicRows;
use crate::sample_in_ball::sample_in_ball;

/// The variables of verification.
pub(crate) struct Scratch {
    /// One polynomial of z, of c, and of w'.
    poly: Poly<ZkField>,
    z_hat: Vector<NttPoly<ZkField>, Rank<K>>,
    c_hat: NttPoly<ZkField>,
    w_hat: NttPoly<ZkField>,
    w1: [BytePoly; K],
}

impl Zeroed for Scratch {
    const ZERO: Self = Self {
        poly: Poly::ZERO,
        z_hat: Vector::ZERO,
        c_hat: NttPoly::ZERO,
        w_hat: NttPoly::ZERO,
        w1: Zeroed::ZERO,
    };
}

/// A message as verification receives it.
pub enum Message<'a> {
    /// The whole message, in parts.
    Parts(&'a [&'a [u8]]),
    /// μ after absorbing tr and the whole message.
    Hashed(&'a mut MuBuilder),
}

impl Message<'_> {
    fn mu<B: Backend>(self, backend: B, key: &mut impl PublicRows) -> Secret<[u32; MU]> {
        match self {
            Self::Parts(parts) => {
                let mut mu = key.mu(backend);
                for part in parts {
                    mu.update(backend, part);
                }
                mu.finish(backend)
            }
            Self::Hashed(mu) => mu.finish(backend),
        }
    }
}

/// Verify: returns whether c̃ is the hash of μ and HighBits(Az − ct), and z is short.
#[must_use]
pub(crate) fn verify<B: Backend>(
    backend: B,
    key: &mut impl PublicRows,
    message: Message<'_>,
    sigma: &[u8; SIGNATURE_LEN],
    scratch: &mut Scratch,
) -> bool {
    let (c_tilde, z) = encode::split_signature(sigma);
    let Some(c_tilde) = encode::unpack_c_tilde(c_tilde) else {
        return false;
    };
    let Scratch {
        poly,
        z_hat,
        c_hat,
        w_hat,
        w1,
    } = scratch;
    for (bytes, z_hat) in z.iter().zip(z_hat.iter_mut()) {
        bits::bit_unpack(
            backend,
            ZkDilithium::Z_BITS,
            ZkDilithium::GAMMA1,
            bytes,
            poly,
        );
        if backend.norm_at_least(poly, ZkDilithium::GAMMA1 - ZkDilithium::BETA) != 0 {
            return false;
        }
        backend.ntt(poly, z_hat);
    }
    if sample_in_ball(backend, &c_tilde, poly).is_none() {
        return false;
    }
    backend.ntt(poly, c_hat);
    for w1 in &mut *w1 {
        let (a_hat, t_hat) = key.next_row();
        backend.inner_product_minus(a_hat, z_hat.as_ref(), (c_hat, t_hat), w_hat);
        backend.inverse_ntt(w_hat, poly);
        backend.decompose::<ZkDilithium>(poly, w1);
    }
    let mu = message.mu(backend, key);
    hash::commitment(backend, &mu, w1) == c_tilde
}
