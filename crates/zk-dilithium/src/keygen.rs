//! Key generation, and the check of an imported private key.

use moissanite_core::ParameterSet;
use moissanite_core::backend::Backend;
use moissanite_core::encode::{bits, keys};
use moissanite_core::hash;
use moissanite_core::poly::{NttPoly, Poly, Vector};
use moissanite_core::sample::{self, HashAlongside};
use moissanite_core::secret::{Secret, Zeroed, declassify_in_place};
use moissanite_core::shape::Rank;

use crate::encode::{self, PrivateKeyParts};
use crate::error::InvalidKey;
use crate::params::{ETA_LEN, K, PRIVATE_KEY_LEN, PUBLIC_KEY_LEN, T_LEN, ZkDilithium, ZkField};

/// The number of bytes that are almost always enough for an entry of Â: they give 336 candidates
/// for 256 coefficients, and one candidate in eight is rejected.
pub(crate) const ENTRY_LEN: usize = 6 * 168;

/// The rows of Â.
pub(crate) type Rows<'a, B> = sample::Rows<'a, ZkDilithium, B, ENTRY_LEN>;

/// The variables of key generation. Those that are secret are wiped when it is dropped.
pub(crate) struct Scratch<B: Backend> {
    s1: Secret<Vector<Poly<ZkField>, Rank<K>>>,
    s2: Secret<Vector<Poly<ZkField>, Rank<K>>>,
    s1_hat: Secret<Vector<NttPoly<ZkField>, Rank<K>>>,
    /// A row of Â.
    a_hat: B::Window<NttPoly<ZkField>, Rank<K>>,
    /// One polynomial of t̂, and of t.
    t_hat: Secret<NttPoly<ZkField>>,
    t: Secret<Poly<ZkField>>,
}

impl<B: Backend> Zeroed for Scratch<B> {
    const ZERO: Self = Self {
        s1: Secret::ZERO,
        s2: Secret::ZERO,
        s1_hat: Secret::ZERO,
        a_hat: Zeroed::ZERO,
        t_hat: Secret::ZERO,
        t: Secret::ZERO,
    };
}

/// KeyGen: (ρ, ρ', K) ← H(seed), (s₁, s₂) ← ExpandS(ρ'), t ← As₁ + s₂, tr ← H(ρ ‖ t).
pub(crate) fn keygen<B: Backend>(
    backend: B,
    seed: &[u8; 32],
    pk: &mut [u8; PUBLIC_KEY_LEN],
    sk: &mut [u8; PRIVATE_KEY_LEN],
    scratch: &mut Scratch<B>,
) {
    let seeds = hash::h::<128>(&[seed]);
    let (rho, rest) = seeds.split_at(32);
    let (rho_prime, k) = rest.split_at(64);
    let parts = encode::split_private_key_mut(sk);
    parts.rho.copy_from_slice(rho);
    parts.k.copy_from_slice(k);
    declassify_in_place(parts.rho, "ρ is a part of the public key");
    let mut secret = Secret::new([0; 64]);
    secret.copy_from_slice(rho_prime);
    let Scratch { s1, s2, .. } = scratch;
    sample::expand_s::<ZkDilithium, B>(backend, &secret, s1, s2);
    for (s, bytes) in s1.iter().chain(s2.iter()).zip(parts.s) {
        bits::bit_pack(backend, ZkDilithium::ETA_BITS, ZkDilithium::ETA, s, bytes);
    }
    derive_public_key(backend, parts.rho, scratch, pk, parts.tr);
    parts.t.copy_from_slice(&pk[32..]);
}

/// t ← NTT⁻¹(Â ∘ NTT(s₁)) + s₂, one row of Â at a time; pk ← ρ ‖ t, and tr ← H(pk) alongside.
fn derive_public_key<B: Backend>(
    backend: B,
    rho: &[u8; 32],
    scratch: &mut Scratch<B>,
    pk: &mut [u8; PUBLIC_KEY_LEN],
    tr: &mut [u8; 32],
) {
    let Scratch {
        s1,
        s2,
        s1_hat,
        a_hat,
        t_hat,
        t,
    } = scratch;
    for (s1, s1_hat) in s1.iter().zip(s1_hat.iter_mut()) {
        backend.ntt(s1, s1_hat);
    }
    pk[..rho.len()].copy_from_slice(rho);
    let mut rows = Rows::with_len(backend, rho, a_hat);
    for (s2, at) in s2.iter().zip((rho.len()..).step_by(T_LEN)) {
        let (known, rest) = pk.split_at_mut(at);
        let row = rows.next_row(HashAlongside::SoFar(known));
        backend.inner_product(row, (**s1_hat).as_ref(), t_hat);
        backend.inverse_ntt(t_hat, t);
        backend.add(t, s2);
        if let Some(bytes) = rest.first_chunk_mut() {
            encode::pack_t(backend, t, bytes);
            declassify_in_place(bytes, "t is a part of the public key");
        }
    }
    core::mem::take(rows.hashing()).finish([&*pk], tr);
}

/// Computes the public key of an imported private key, and checks the private key: the ranges of s₁
/// and s₂, t, and tr. After an error, `pk` is unspecified.
pub(crate) fn check_private_key<B: Backend>(
    backend: B,
    sk: &[u8; PRIVATE_KEY_LEN],
    pk: &mut [u8; PUBLIC_KEY_LEN],
    scratch: &mut Scratch<B>,
) -> Result<(), InvalidKey> {
    let PrivateKeyParts { rho, tr, s, t, .. } = encode::split_private_key(sk);
    let Scratch { s1, s2, .. } = scratch;
    for (s, bytes) in s1.iter_mut().chain(s2.iter_mut()).zip(s) {
        decode_small(backend, bytes, s)?;
    }
    let mut recomputed = [0; 32];
    derive_public_key(backend, rho, scratch, pk, &mut recomputed);
    // All of this is public.
    if pk[rho.len()..] != *t {
        return Err(InvalidKey::TMismatch);
    }
    if recomputed != *tr {
        return Err(InvalidKey::TrMismatch);
    }
    Ok(())
}

/// Decodes one polynomial of s₁ or s₂. The existence of a bad coefficient is public, but its
/// position is not.
pub(crate) fn decode_small<B: Backend>(
    backend: B,
    bytes: &[u8; ETA_LEN],
    s: &mut Poly<ZkField>,
) -> Result<(), InvalidKey> {
    keys::eta_decode::<ZkDilithium, B>(backend, bytes, s).map_err(|_| InvalidKey::SecretOutOfRange)
}
