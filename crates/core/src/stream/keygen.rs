//! FIPS 204, Algorithm 6, one row of Â at a time, and the check of imported keys.

use core::convert::Infallible;

use super::Coefficients;
use super::key::{Encoded, EncodedSmall, Seeds};
use super::matrix::Matrix;
use super::packed::Packed;
use super::pieces::{CHUNK, pack};
use super::row::{Small, row};
use crate::backend::Portable;
use crate::encode::keys;
use crate::hash::{Shake256, public_key_hash};
use crate::kernels::round::power2round;
use crate::keygen::InvalidPrivateKey;
use crate::params::{D, ParameterSet};
use crate::secret::{Secret, Zeroed, declassify_in_place, declassify_mask, difference_mask};
use crate::shape::Dim;
use crate::simd::Simd;

/// The polynomials of key generation. They are wiped when the value is dropped.
pub struct Scratch(Secret<Polynomials>);

struct Polynomials {
    /// One polynomial of s₁, then one of t.
    poly: Coefficients,
    t_hat: Packed,
}

impl Zeroed for Scratch {
    const ZERO: Self = Self(Secret::ZERO);
}

impl Zeroed for Polynomials {
    const ZERO: Self = Self {
        poly: Zeroed::ZERO,
        t_hat: Packed::ZERO,
    };
}

/// The bits of a coefficient of t₁, and of t₀.
const T1_BITS: usize = 10;
const T0_BITS: usize = D as usize;

/// FIPS 204, Algorithm 6 (ML-DSA.KeyGen_internal).
pub fn keygen_internal<P: ParameterSet>(
    xi: &[u8; 32],
    pk: &mut P::PublicKey,
    sk: &mut P::PrivateKey,
    scratch: &mut Scratch,
) {
    take_seeds::<P>(xi, sk);
    let (header, rest) = sk.as_mut().split_at_mut(64 + P::TR_LEN);
    let (s, t0) = rest.split_at_mut(32 * P::ETA_BITS * (P::L::N + P::K::N));
    let Some(rho) = header.first_chunk() else {
        return;
    };
    let (rho_out, t1) = pk.as_mut().split_at_mut(rho.len());
    rho_out.copy_from_slice(rho);
    let mut out = t1
        .chunks_exact_mut(T1_BITS)
        .zip(t0.chunks_exact_mut(T0_BITS));
    let Ok(()) = rows::<P, Infallible>(
        &Matrix::new(rho),
        &EncodedSmall { rho, s },
        scratch,
        |t1, t0| {
            if let Some((t1_out, t0_out)) = out.next() {
                t1_out.copy_from_slice(t1);
                t0_out.copy_from_slice(t0);
            }
            Ok(())
        },
    );
    let tr = public_key_hash(pk.as_ref());
    keys::sk_split_mut::<P>(sk)
        .tr
        .copy_from_slice(&tr[..P::TR_LEN]);
}

/// Lines 1 and 2: computes ρ, K, s₁ and s₂.
#[inline(never)]
fn take_seeds<P: ParameterSet>(xi: &[u8; 32], sk: &mut P::PrivateKey) {
    let mut seeds = Seeds::new();
    seeds.set::<P>(xi);
    let sk = keys::sk_split_mut::<P>(sk);
    *sk.rho = seeds.rho;
    *sk.k = *seeds.k;
    let len = 32 * P::ETA_BITS;
    let polys = sk
        .s1
        .chunks_exact_mut(len)
        .chain(sk.s2.chunks_exact_mut(len));
    for (r, bytes) in polys.enumerate() {
        let mut bytes = bytes.chunks_exact_mut(P::ETA_BITS);
        Small::<P>::each(&seeds, r, &mut |_, s| {
            if let Some(bytes) = bytes.next() {
                let codes = Secret::new(s.map(|s| Portable.sub(P::ETA as i32, s)));
                bytes.copy_from_slice(&pack(P::ETA_BITS, &codes)[..P::ETA_BITS]);
            }
        });
    }
}

/// Lines 5 to 8. `take` is called with eight encoded coefficients of t₁, and of t₀.
#[inline(always)]
fn rows<P: ParameterSet, E>(
    a_hat: &Matrix<'_, P>,
    small: &impl Small<P>,
    scratch: &mut Scratch,
    mut take: impl FnMut(&[u8], &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let Polynomials { poly, t_hat } = &mut *scratch.0;
    for i in 0..P::K::N {
        row(a_hat, small, i, poly, t_hat);
        for t in poly.as_chunks::<CHUNK>().0 {
            let (mut t1, mut t0) = ([0; CHUNK], Secret::new([0; CHUNK]));
            for ((t1, t0), t) in t1.iter_mut().zip(t0.iter_mut()).zip(t) {
                let (high, low) = power2round(Portable, *t);
                (*t1, *t0) = (high, Portable.sub(1 << (D - 1), low));
            }
            declassify_in_place(&mut t1, "t₁ is a part of the public key");
            take(
                &pack(T1_BITS, &t1)[..T1_BITS],
                &pack(T0_BITS, &t0)[..T0_BITS],
            )?;
        }
    }
    Ok(())
}

/// Writes the public key to `sink` in pieces, and returns tr, its hash.
///
/// # Errors
/// The error of the sink.
#[inline(never)]
pub fn public_key<P: ParameterSet, E>(
    a_hat: &Matrix<'_, P>,
    small: &impl Small<P>,
    scratch: &mut Scratch,
    sink: &mut dyn FnMut(&[u8]) -> Result<(), E>,
) -> Result<[u8; 64], E> {
    let mut xof = Shake256::new();
    let mut write = |piece: &[u8]| {
        xof.absorb(piece);
        sink(piece)
    };
    write(small.rho())?;
    rows(a_hat, small, scratch, |t1, _| write(t1))?;
    let mut tr = [0; 64];
    xof.squeeze_in_place().read(&mut tr);
    Ok(tr)
}

/// Checks all of an imported private key: the ranges of s₁ and s₂, t₀, and tr.
///
/// # Errors
/// [`InvalidPrivateKey`] if a check fails.
#[inline(never)]
pub fn check_private_key<P: ParameterSet>(
    a_hat: &Matrix<'_, P>,
    key: &Encoded<'_>,
    scratch: &mut Scratch,
) -> Result<(), InvalidPrivateKey> {
    check_ranges::<P>(key)?;
    let mut xof = Shake256::new();
    xof.absorb(Small::<P>::rho(key));
    let mut kept = key.t0().chunks_exact(T0_BITS);
    let mut difference = 0;
    let Ok(()) = rows(a_hat, key, scratch, |t1, t0| {
        xof.absorb(t1);
        difference |= difference_mask(kept.next().unwrap_or_default(), t0);
        Ok::<_, Infallible>(())
    });
    if declassify_mask(difference, "the error tells whether a key is malformed") {
        return Err(InvalidPrivateKey::T0Mismatch);
    }
    let mut tr = [0; 64];
    xof.squeeze_in_place().read(&mut tr);
    if tr.get(..P::TR_LEN) != Some(key.tr()) {
        return Err(InvalidPrivateKey::TrMismatch);
    }
    Ok(())
}

/// Checks only the ranges of s₁ and s₂.
///
/// # Errors
/// [`InvalidPrivateKey::OutOfRange`] if a coefficient is out of range.
#[inline(never)]
pub fn check_ranges<P: ParameterSet>(key: &Encoded<'_>) -> Result<(), InvalidPrivateKey> {
    // The bytes contain η − s, which is not negative: no coefficient is above η.
    let mut sums = 0;
    for r in 0..P::L::N + P::K::N {
        Small::<P>::each(key, r, &mut |_, s| {
            sums = s
                .iter()
                .fold(sums, |all, s| all | Portable.add(*s, P::ETA as i32));
        });
    }
    if declassify_mask(
        Portable.is_negative(sums),
        "the error tells whether a key is malformed",
    ) {
        return Err(InvalidPrivateKey::OutOfRange);
    }
    Ok(())
}
