//! FIPS 204, Algorithms 26 to 28.

use super::{bits, hint};
use crate::backend::Backend;
use crate::params::ParameterSet;
use crate::poly::{BytePoly, Poly, Vector};
use crate::shape::Dim;

/// FIPS 204, Algorithm 26 (sigEncode). In: ‖z‖∞ < γ₁, at most ω ones in h.
pub fn sig_encode<P: ParameterSet, B: Backend>(
    backend: B,
    c_tilde: &[u8],
    z: &[Poly<P::Field>],
    h: &Vector<BytePoly, P::K>,
    sigma: &mut P::Signature,
) {
    let (c_tilde_out, rest) = sigma.as_mut().split_at_mut(P::C_TILDE_LEN);
    let (z_out, h_out) = rest.split_at_mut(32 * P::Z_BITS * P::L::N);
    for (to, from) in c_tilde_out.iter_mut().zip(c_tilde) {
        *to = *from;
    }
    for (z, bytes) in z.iter().zip(z_out.chunks_exact_mut(32 * P::Z_BITS)) {
        bits::bit_pack(backend, P::Z_BITS, P::GAMMA1, z, bytes);
    }
    hint::hint_bit_pack::<P>(h, h_out);
}

/// The parts of a signature: c̃, and the encoded z and h.
pub struct Parts<'a> {
    /// c̃.
    pub c_tilde: &'a [u8],
    /// z, with 32 · `Z_BITS` bytes for each polynomial.
    pub z: &'a [u8],
    /// h, with ω + K bytes.
    pub h: &'a [u8],
}

/// FIPS 204, Algorithm 27 (sigDecode), line 1. The other lines are [`bits::bit_unpack`] of z, which
/// cannot fail, and [`hint::hint_bit_unpack`] of h.
pub fn sig_split<P: ParameterSet>(sigma: &P::Signature) -> Parts<'_> {
    let (c_tilde, rest) = sigma.as_ref().split_at(P::C_TILDE_LEN);
    let (z, h) = rest.split_at(32 * P::Z_BITS * P::L::N);
    Parts { c_tilde, z, h }
}

/// The largest length of c̃ in all sets.
pub const MOST_C_TILDE: usize = 64;

/// The number of bytes that FIPS 204, Algorithm 28 (w1Encode), returns.
/// [`bits::simple_bit_pack_bytes`] encodes each polynomial.
pub const fn w1_len<P: ParameterSet>() -> usize {
    P::K::N * 32 * P::W1_BITS
}

/// Returns the input of the hash c̃: μ ‖ w1Encode(w₁).
pub(crate) fn committed<'a, P: ParameterSet>(
    mu: &'a [u8; 64],
    w1_bytes: &'a [u8; MOST_W1],
) -> [&'a [u8]; 2] {
    [mu, &w1_bytes[..w1_len::<P>()]]
}

/// The largest result of w1Encode in all sets, in bytes.
pub const MOST_W1: usize = 1024;
const _: () = {
    use crate::params::{MlDsa44, MlDsa65, MlDsa87};
    assert!(w1_len::<MlDsa44>() <= MOST_W1 && w1_len::<MlDsa65>() <= MOST_W1);
    assert!(w1_len::<MlDsa87>() <= MOST_W1);
};
