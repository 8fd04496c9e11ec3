//! FIPS 204, Algorithms 22 to 25.

use super::bits;
use crate::backend::Backend;
use crate::params::{D, ParameterSet};
use crate::poly::{Poly, Vector};
use crate::secret::{Secret, Zeroed, declassify_mask};
use crate::shape::Dim;

/// The length of an encoded polynomial of t₁, and of t₀, in bytes.
pub(crate) const T1_LEN: usize = 32 * 10;
pub(crate) const T0_LEN: usize = 32 * D as usize;

/// The parts of a public key (FIPS 204, Algorithms 22 (pkEncode) and 23 (pkDecode)).
pub struct PublicKeyParts<'a> {
    /// ρ, the seed of Â.
    pub rho: &'a [u8; 32],
    /// t₁, with 320 bytes for each polynomial: [`bits::simple_bit_unpack`] decodes it with 10 bits.
    pub t1: &'a [u8],
}

/// FIPS 204, Algorithm 23 (pkDecode), line 1.
pub fn pk_split<P: ParameterSet>(pk: &P::PublicKey) -> PublicKeyParts<'_> {
    let (rho, t1) = split_array(pk.as_ref());
    PublicKeyParts { rho, t1 }
}

/// The parts of a private key (FIPS 204, Algorithms 24 and 25).
pub struct PrivateKeyParts<'a> {
    /// ρ, the seed of Â. It is public.
    pub rho: &'a [u8; 32],
    /// K, from which ρ'' is computed.
    pub k: &'a [u8; 32],
    /// tr, the hash of the public key. It is public.
    pub tr: &'a [u8],
    /// s₁.
    pub s1: &'a [u8],
    /// s₂.
    pub s2: &'a [u8],
    /// t₀.
    pub t0: &'a [u8],
}

/// FIPS 204, Algorithm 25 (skDecode), line 1.
pub fn sk_split<P: ParameterSet>(sk: &P::PrivateKey) -> PrivateKeyParts<'_> {
    let (rho, rest) = split_array(sk.as_ref());
    let (k, rest) = split_array(rest);
    let (tr, rest) = rest.split_at(P::TR_LEN);
    let (s1, rest) = rest.split_at(32 * P::ETA_BITS * P::L::N);
    let (s2, t0) = rest.split_at(32 * P::ETA_BITS * P::K::N);
    PrivateKeyParts {
        rho,
        k,
        tr,
        s1,
        s2,
        t0,
    }
}

/// The parts of a private key as mutable references.
pub struct PrivateKeyPartsMut<'a> {
    /// ρ.
    pub rho: &'a mut [u8; 32],
    /// K.
    pub k: &'a mut [u8; 32],
    /// tr.
    pub tr: &'a mut [u8],
    /// s₁.
    pub s1: &'a mut [u8],
    /// s₂.
    pub s2: &'a mut [u8],
    /// t₀.
    pub t0: &'a mut [u8],
}

/// The layout of FIPS 204, Algorithm 24 (skEncode).
pub fn sk_split_mut<P: ParameterSet>(sk: &mut P::PrivateKey) -> PrivateKeyPartsMut<'_> {
    let (rho, rest) = split_array_mut(sk.as_mut());
    let (k, rest) = split_array_mut(rest);
    let (tr, rest) = rest.split_at_mut(P::TR_LEN);
    let (s1, rest) = rest.split_at_mut(32 * P::ETA_BITS * P::L::N);
    let (s2, t0) = rest.split_at_mut(32 * P::ETA_BITS * P::K::N);
    PrivateKeyPartsMut {
        rho,
        k,
        tr,
        s1,
        s2,
        t0,
    }
}

/// A coefficient of s₁ or s₂ in a private key is not between −η and η.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRange;

/// Encodes s₁ or s₂ (FIPS 204, Algorithm 24, lines 2 to 7).
pub fn eta_encode<P: ParameterSet, B: Backend, R: Dim>(
    backend: B,
    s: &Vector<Poly<P::Field>, R>,
    bytes: &mut [u8],
) {
    for (s, bytes) in s.iter().zip(bytes.chunks_exact_mut(32 * P::ETA_BITS)) {
        bits::bit_pack(backend, P::ETA_BITS, P::ETA, s, bytes);
    }
}

/// Decodes one polynomial of s₁ or s₂ (FIPS 204, Algorithm 25, lines 2 to 7). The existence of an
/// invalid coefficient may become public, but not its position.
///
/// # Errors
/// [`OutOfRange`] if a coefficient is not between −η and η.
pub fn eta_decode<P: ParameterSet, B: Backend>(
    backend: B,
    bytes: &[u8],
    s: &mut Poly<P::Field>,
) -> Result<(), OutOfRange> {
    bits::bit_unpack(backend, P::ETA_BITS, P::ETA, bytes, s);
    let bad = backend.norm_at_least(s, P::ETA + 1);
    if declassify_mask(bad, "the error tells whether a key is malformed") {
        Err(OutOfRange)
    } else {
        Ok(())
    }
}

/// Checks the ranges of s₁ and s₂ in a private key.
///
/// # Errors
/// [`OutOfRange`] if a coefficient is not between −η and η.
pub fn check_ranges<P: ParameterSet, B: Backend>(
    backend: B,
    sk: &P::PrivateKey,
) -> Result<(), OutOfRange> {
    let parts = sk_split::<P>(sk);
    let mut s = Secret::new(Poly::ZERO);
    let len = 32 * P::ETA_BITS;
    for bytes in parts.s1.chunks_exact(len).chain(parts.s2.chunks_exact(len)) {
        eta_decode::<P, B>(backend, bytes, &mut s)?;
    }
    Ok(())
}

/// Encodes one polynomial of t₀ (FIPS 204, Algorithm 24, lines 8 to 10).
pub fn t0_encode<B: Backend, F>(backend: B, t0: &Poly<F>, bytes: &mut [u8]) {
    bits::bit_pack(backend, D as usize, 1 << (D - 1), t0, bytes);
}

/// Decodes one polynomial of t₀ (FIPS 204, Algorithm 25, lines 8 to 10).
pub fn t0_decode<B: Backend, F>(backend: B, bytes: &[u8], t0: &mut Poly<F>) {
    bits::bit_unpack(backend, D as usize, 1 << (D - 1), bytes, t0);
}

/// `split_first_chunk` for lengths that the parameter sets determine.
#[allow(clippy::expect_used, reason = "every key is longer than 64 bytes")]
fn split_array<const LEN: usize>(bytes: &[u8]) -> (&[u8; LEN], &[u8]) {
    bytes
        .split_first_chunk()
        .expect("a key is longer than its seeds")
}

/// [`split_array`] for a mutable slice.
#[allow(clippy::expect_used, reason = "every key is longer than 64 bytes")]
fn split_array_mut<const LEN: usize>(bytes: &mut [u8]) -> (&mut [u8; LEN], &mut [u8]) {
    bytes
        .split_first_chunk_mut()
        .expect("a key is longer than its seeds")
}
