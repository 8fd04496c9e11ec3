//! The layout of keys and signatures, and the encoding of elements of Z_q in three bytes.

use moissanite_core::backend::{Backend, Kernel, Simd};
use moissanite_core::encode::bits;
use moissanite_core::field::Field;
use moissanite_core::poly::Poly;

use crate::params::{
    C_TILDE, C_TILDE_LEN, ELEMENT_LEN, ETA_LEN, K, PRIVATE_KEY_LEN, PUBLIC_KEY_LEN, Q,
    SIGNATURE_LEN, T_LEN, Z_LEN, ZkField,
};

/// The parts of a public key: ρ and t.
pub(crate) fn split_public_key(pk: &[u8; PUBLIC_KEY_LEN]) -> (&[u8; 32], &[[u8; T_LEN]]) {
    let (rho, t) = split(pk);
    (rho, t.as_chunks().0)
}

/// The parts of a private key.
pub(crate) struct PrivateKeyParts<'a> {
    /// ρ. Public.
    pub(crate) rho: &'a [u8; 32],
    /// K.
    pub(crate) k: &'a [u8; 32],
    /// tr, the hash of the public key. Public.
    pub(crate) tr: &'a [u8; 32],
    /// s₁ and s₂.
    pub(crate) s: &'a [[u8; ETA_LEN]],
    /// t. Public.
    pub(crate) t: &'a [u8],
}

pub(crate) fn split_private_key(sk: &[u8; PRIVATE_KEY_LEN]) -> PrivateKeyParts<'_> {
    let (rho, rest) = split(sk);
    let (k, rest) = split(rest);
    let (tr, rest) = split(rest);
    let (s, t) = rest.split_at(2 * K * ETA_LEN);
    let (s, _) = s.as_chunks();
    PrivateKeyParts { rho, k, tr, s, t }
}

/// The parts of a private key that is to be written.
pub(crate) struct PrivateKeyPartsMut<'a> {
    pub(crate) rho: &'a mut [u8; 32],
    pub(crate) k: &'a mut [u8; 32],
    pub(crate) tr: &'a mut [u8; 32],
    pub(crate) s: &'a mut [[u8; ETA_LEN]],
    pub(crate) t: &'a mut [u8],
}

pub(crate) fn split_private_key_mut(sk: &mut [u8; PRIVATE_KEY_LEN]) -> PrivateKeyPartsMut<'_> {
    let (rho, rest) = split_mut(sk);
    let (k, rest) = split_mut(rest);
    let (tr, rest) = split_mut(rest);
    let (s, t) = rest.split_at_mut(2 * K * ETA_LEN);
    let (s, _) = s.as_chunks_mut();
    PrivateKeyPartsMut { rho, k, tr, s, t }
}

/// The parts of a signature: c̃ and z.
pub(crate) fn split_signature(sigma: &[u8; SIGNATURE_LEN]) -> (&[u8; C_TILDE_LEN], &[[u8; Z_LEN]]) {
    let (c_tilde, z) = split(sigma);
    (c_tilde, z.as_chunks().0)
}

pub(crate) fn split_signature_mut(
    sigma: &mut [u8; SIGNATURE_LEN],
) -> (&mut [u8; C_TILDE_LEN], &mut [[u8; Z_LEN]]) {
    let (c_tilde, z) = split_mut(sigma);
    (c_tilde, z.as_chunks_mut().0)
}

/// `split_first_chunk`, for lengths that the scheme fixes.
#[allow(clippy::expect_used, reason = "keys and signatures are that long")]
fn split<const LEN: usize>(bytes: &[u8]) -> (&[u8; LEN], &[u8]) {
    bytes.split_first_chunk().expect("a fixed length")
}

/// The same as [`split`], for memory that is to be written.
#[allow(clippy::expect_used, reason = "keys and signatures are that long")]
fn split_mut<const LEN: usize>(bytes: &mut [u8]) -> (&mut [u8; LEN], &mut [u8]) {
    bytes.split_first_chunk_mut().expect("a fixed length")
}

/// Encodes the elements of c̃, all of which are less than q.
pub(crate) fn pack_c_tilde(c_tilde: &[u32; C_TILDE], bytes: &mut [u8; C_TILDE_LEN]) {
    for (element, bytes) in c_tilde.iter().zip(bytes.as_chunks_mut().0) {
        let [low @ .., _] = element.to_le_bytes();
        *bytes = low;
    }
}

/// The elements of c̃. Public.
///
/// A number that is not less than q is refused: it represents an element that has another encoding,
/// so the same signature would have two encodings.
pub(crate) fn unpack_c_tilde(bytes: &[u8; C_TILDE_LEN]) -> Option<[u32; C_TILDE]> {
    let mut c_tilde = [0; C_TILDE];
    let (triples, _) = bytes.as_chunks::<ELEMENT_LEN>();
    for (element, [b0, b1, b2]) in c_tilde.iter_mut().zip(triples) {
        *element = u32::from_le_bytes([*b0, *b1, *b2, 0]);
    }
    c_tilde
        .iter()
        .all(|element| *element < Q)
        .then_some(c_tilde)
}

/// Encodes a polynomial of t. In: |t_j| < q. The coefficients become non-negative.
pub(crate) fn pack_t<B: Backend>(backend: B, t: &mut Poly<ZkField>, bytes: &mut [u8; T_LEN]) {
    backend.run(Canonical(t));
    bits::simple_bit_pack(backend, 8 * ELEMENT_LEN, t, bytes);
}

/// Decodes a polynomial of t, and fails if a coefficient is not less than q. Public.
pub(crate) fn unpack_t<B: Backend>(
    backend: B,
    bytes: &[u8; T_LEN],
    t: &mut Poly<ZkField>,
) -> Option<()> {
    bits::simple_bit_unpack(backend, 8 * ELEMENT_LEN, bytes, t);
    (backend.norm_at_least(t, Q) == 0).then_some(())
}

/// t modulo q. In: |t_j| < q. Out: 0 ≤ t_j < q.
struct Canonical<'a>(&'a mut Poly<ZkField>);

impl Kernel for Canonical<'_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for t in S::chunks_mut(&mut self.0.0) {
            let v = s.load(t);
            let q = s.and(s.is_negative(v), s.splat(ZkField::Q));
            s.store(s.add(v, q), t);
        }
    }
}
