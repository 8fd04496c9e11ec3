//! FIPS 204, Algorithm 6, and the check of imported keys.

use moissanite_keccak::Hashing;

use crate::backend::Backend;
use crate::encode::{bits, keys};
use crate::hash;
use crate::params::ParameterSet;
use crate::poly::{NttPoly, Poly, Vector};
use crate::sample::{self, HashAlongside};
use crate::scheme::Scheme;
use crate::secret::{Secret, Zeroed, declassify_in_place, declassify_mask, difference_mask};
use crate::shape::Dim;

/// The variables of key generation. The secret ones are wiped when the value is dropped.
pub struct Scratch<P: ParameterSet, B: Backend> {
    small: Small<P>,
    rows: Rows<P, B>,
}

/// The polynomials that are sampled from ρ'.
pub(crate) struct Small<P: ParameterSet> {
    pub(crate) s1: Secret<Vector<Poly<P::Field>, P::L>>,
    pub(crate) s2: Secret<Vector<Poly<P::Field>, P::K>>,
}

/// The variables of key generation except s₁ and s₂. The secret ones are wiped when the value is
/// dropped.
pub struct Rows<P: ParameterSet, B: Backend> {
    s1_hat: Secret<Vector<NttPoly<P::Field>, P::L>>,
    /// A row of Â.
    a_hat: B::Window<NttPoly<P::Field>, P::L>,
    /// `t_hat` is one polynomial of t̂; `t` is one of t and then of t₀; `t1` is one of t₁.
    t_hat: Secret<NttPoly<P::Field>>,
    t: Secret<Poly<P::Field>>,
    t1: Poly<P::Field>,
}

impl<P: ParameterSet, B: Backend> Zeroed for Scratch<P, B> {
    const ZERO: Self = Self {
        small: Small::ZERO,
        rows: Rows::ZERO,
    };
}

impl<P: ParameterSet> Zeroed for Small<P> {
    const ZERO: Self = Self {
        s1: Secret::ZERO,
        s2: Secret::ZERO,
    };
}

impl<P: ParameterSet, B: Backend> Zeroed for Rows<P, B> {
    const ZERO: Self = Self {
        s1_hat: Secret::ZERO,
        a_hat: Zeroed::ZERO,
        t_hat: Secret::ZERO,
        t: Secret::ZERO,
        t1: Poly::ZERO,
    };
}

/// FIPS 204, Algorithm 6 (ML-DSA.KeyGen_internal).
pub fn keygen_internal<P: ParameterSet, B: Backend>(
    backend: B,
    xi: &[u8; 32],
    pk: &mut P::PublicKey,
    sk: &mut P::PrivateKey,
    scratch: &mut Scratch<P, B>,
) {
    let seeds = hash::h::<SEEDS_LEN>(&[xi, dimensions::<P>().as_ref()]);
    let Scratch { small, rows } = scratch;
    let mut rho_prime = Secret::new([0; 64]);
    take_seeds::<P>(&seeds, sk, &mut rho_prime);
    sample::expand_s::<P, B>(backend, &rho_prime, &mut small.s1, &mut small.s2);
    let mut hashing = finish(backend, small, pk, sk, rows, true);
    let mut tr = [0; 64];
    hashing.finish([pk.as_ref()], &mut tr);
    keys::sk_split_mut::<P>(sk)
        .tr
        .copy_from_slice(&tr[..P::TR_LEN]);
}

/// The total length of ρ, ρ' and K in bytes.
pub(crate) const SEEDS_LEN: usize = 128;

/// Returns the bytes that follow ξ in the hash of line 1.
pub(crate) fn dimensions<P: ParameterSet>() -> impl AsRef<[u8]> {
    P::Scheme::dimensions(P::K::N as u8, P::L::N as u8)
}

/// Line 1 after the hash: copies ρ, K and ρ' to their places.
pub(crate) fn take_seeds<P: ParameterSet>(
    seeds: &[u8; SEEDS_LEN],
    sk: &mut P::PrivateKey,
    rho_prime_out: &mut [u8; 64],
) {
    let (rho, rest) = seeds.split_at(32);
    let (rho_prime, k) = rest.split_at(64);
    rho_prime_out.copy_from_slice(rho_prime);
    let sk = keys::sk_split_mut::<P>(sk);
    sk.rho.copy_from_slice(rho);
    sk.k.copy_from_slice(k);
    declassify_in_place(sk.rho, "ρ is a part of the public key");
}

/// Lines 3 to 10, except the end of the hash that gives tr. With `hash_tr`, a part of this hash is
/// computed; the caller finishes it.
pub(crate) fn finish<P: ParameterSet, B: Backend>(
    backend: B,
    small: &Small<P>,
    pk: &mut P::PublicKey,
    sk: &mut P::PrivateKey,
    rows: &mut Rows<P, B>,
    hash_tr: bool,
) -> Hashing {
    let sk = keys::sk_split_mut::<P>(sk);
    keys::eta_encode::<P, B, P::L>(backend, &small.s1, sk.s1);
    keys::eta_encode::<P, B, P::K>(backend, &small.s2, sk.s2);
    derive_public_key(backend, sk.rho, small, rows, pk, sk.t0, hash_tr)
}

/// Lines 5 to 8 of Algorithm 6, one row of Â at a time: t ← NTT⁻¹(Â ∘ NTT(s₁)) + s₂, (t₁,
/// t₀) ← Power2Round(t), pk ← pkEncode(ρ, t₁). If `hash_tr`, the known part of pk is hashed
/// alongside the rows of Â. Returns the state of this hash.
fn derive_public_key<P: ParameterSet, B: Backend>(
    backend: B,
    rho: &[u8; 32],
    small: &Small<P>,
    rows: &mut Rows<P, B>,
    pk: &mut P::PublicKey,
    t0_out: &mut [u8],
    hash_tr: bool,
) -> Hashing {
    let Small { s1, s2 } = small;
    let Rows {
        s1_hat,
        a_hat,
        t_hat,
        t,
        t1,
    } = rows;
    for (s1, s1_hat) in s1.iter().zip(s1_hat.iter_mut()) {
        backend.ntt(s1, s1_hat);
    }
    let pk = pk.as_mut();
    pk[..rho.len()].copy_from_slice(rho);
    let out = (rho.len()..)
        .step_by(keys::T1_LEN)
        .zip(t0_out.chunks_exact_mut(keys::T0_LEN));
    let mut rows = sample::Rows::<P, B>::new(backend, rho, a_hat);
    for (s2, (at, t0_out)) in s2.iter().zip(out) {
        let Some((known, t1_out)) = pk.split_at_mut_checked(at) else {
            break;
        };
        let Some(t1_out) = t1_out.get_mut(..keys::T1_LEN) else {
            break;
        };
        let alongside = if hash_tr {
            HashAlongside::SoFar(known)
        } else {
            HashAlongside::Nothing
        };
        backend.inner_product(rows.next_row(alongside), (**s1_hat).as_ref(), t_hat);
        backend.inverse_ntt(t_hat, t);
        backend.add(t, s2);
        backend.power2round(t, t1);
        bits::simple_bit_pack(backend, 10, t1, t1_out);
        declassify_in_place(t1_out, "t₁ is a part of the public key");
        keys::t0_encode(backend, t, t0_out);
    }
    core::mem::take(rows.hashing())
}

/// The reason why a private key in expanded form is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidPrivateKey {
    /// A coefficient of s₁ or s₂ is not between −η and η.
    OutOfRange,
    /// t₀ does not match ρ, s₁ and s₂.
    T0Mismatch,
    /// tr is not the hash of the public key that follows from ρ, s₁ and s₂.
    TrMismatch,
}

/// Computes the public key of an imported private key, and checks all of the private key: the
/// ranges of s₁ and s₂, t₀, and tr.
///
/// # Errors
/// [`InvalidPrivateKey`] if a check fails. `pk` is then unspecified, except after
/// [`InvalidPrivateKey::TrMismatch`]: all of the key except tr is right, and `pk` is its public key.
pub fn check_private_key<P: ParameterSet, B: Backend>(
    backend: B,
    sk: &P::PrivateKey,
    pk: &mut P::PublicKey,
    scratch: &mut Scratch<P, B>,
) -> Result<(), InvalidPrivateKey> {
    let parts = keys::sk_split::<P>(sk);
    let mut recomputed = Secret::new(P::PrivateKey::ZERO);
    let t0 = keys::sk_split_mut::<P>(&mut recomputed).t0;
    let mut hashing = public_key_unchecked::<P, B>(backend, sk, pk, t0, scratch)?;
    if declassify_mask(
        difference_mask(parts.t0, t0),
        "the error tells whether a key is malformed",
    ) {
        return Err(InvalidPrivateKey::T0Mismatch);
    }
    let mut tr = [0; 64];
    hashing.finish([pk.as_ref()], &mut tr);
    if tr[..P::TR_LEN] != *parts.tr {
        return Err(InvalidPrivateKey::TrMismatch);
    }
    Ok(())
}

/// Computes the public key and t₀ from ρ, s₁ and s₂ of a private key, and checks only the ranges of
/// s₁ and s₂. The length of `t0_out` is that of t₀. Returns the state of the hash of the public
/// key, which the caller finishes.
/// # Errors
/// [`InvalidPrivateKey::OutOfRange`] if a coefficient is out of range.
fn public_key_unchecked<P: ParameterSet, B: Backend>(
    backend: B,
    sk: &P::PrivateKey,
    pk: &mut P::PublicKey,
    t0_out: &mut [u8],
    scratch: &mut Scratch<P, B>,
) -> Result<Hashing, InvalidPrivateKey> {
    let parts = keys::sk_split::<P>(sk);
    let Scratch { small, rows } = scratch;
    let polys = small.s1.iter_mut().chain(small.s2.iter_mut());
    let len = 32 * P::ETA_BITS;
    for (s, bytes) in polys.zip(parts.s1.chunks_exact(len).chain(parts.s2.chunks_exact(len))) {
        keys::eta_decode::<P, B>(backend, bytes, s).map_err(|_| InvalidPrivateKey::OutOfRange)?;
    }
    Ok(derive_public_key(
        backend, parts.rho, small, rows, pk, t0_out, true,
    ))
}
