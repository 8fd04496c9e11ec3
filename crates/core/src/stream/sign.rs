//! FIPS 204, Algorithm 7. The module [`crate::sign`] describes which values become public, and why.
//!
//! Nothing is written before an attempt has passed all checks; its z is then computed again. If a
//! fault of the machine changed z in this second computation, the output would reveal s₁.
//! Therefore, the norm and a checksum of each polynomial are compared with those of the checked
//! polynomial before the polynomial is written.

use super::challenge::Challenge;
#[cfg(tiny)]
use super::compact as profile;
#[cfg(not(tiny))]
use super::fast as profile;
use super::key::PrivateKey;
use super::matrix::Matrix;
use super::packed::Packed;
use super::pieces::{CHUNK, pack};
use super::{Coefficients, absorb_w1, decompose, reduce};
use crate::backend::{Portable, inverse_ntt_in_place, ntt_in_place};
use crate::encode::hint::MOST_H;
use crate::encode::signature::MOST_C_TILDE;
use crate::hash::Shake256;
use crate::kernels::canonical;
use crate::params::ParameterSet;
use crate::poly::checksum;
use crate::secret::{
    Secret, Zeroed, declassify, declassify_in_place, declassify_mask, nonzero_mask,
};
use crate::shape::Dim;
use crate::sign::{Rnd, rho_second};
use crate::simd::Simd;

/// The polynomials of signing. They are wiped when the value is dropped.
pub struct Scratch<P: ParameterSet, K: PrivateKey<P>> {
    /// One polynomial of y, z, w, cs₂ or ct₀.
    poly: Secret<Coefficients>,
    /// ŵ, then w, then w − cs₂, then h.
    w: Secret<<P::K as Dim>::Array<Packed>>,
    t0: Secret<K::Room>,
}

impl<P: ParameterSet, K: PrivateKey<P>> Zeroed for Scratch<P, K> {
    const ZERO: Self = Self {
        poly: Secret::ZERO,
        w: Secret::ZERO,
        t0: Secret::ZERO,
    };
}

/// The reason why there is no signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure<E> {
    /// None of the allowed attempts gave a signature. Nothing was written.
    AttemptsExhausted,
    /// A polynomial of z was different when it was computed again: the machine is faulty. That
    /// polynomial was not written. The pieces that the sink received before are a part of a
    /// signature, and must be discarded.
    Fault,
    /// The sink failed. The pieces that it received before are a part of a signature.
    Sink(E),
}

/// The checksum of each checked polynomial of z.
type Checksums<P> = Secret<<<P as ParameterSet>::L as Dim>::Array<u32>>;

/// FIPS 204, Algorithm 7 (ML-DSA.Sign_internal), from line 7 on. `mu` is the result of line 6, and
/// `a_hat` that of line 5 for the ρ of the key. The signature is written to `sink` in pieces, in
/// order.
///
/// # Errors
/// [`Failure::AttemptsExhausted`] after `attempts` attempts, which are normally
/// [`MAX_ATTEMPTS`](crate::sign::MAX_ATTEMPTS); [`Failure::Fault`] if z changed; [`Failure::Sink`]
/// if the sink failed.
pub fn sign_mu<P: ParameterSet, K: PrivateKey<P>, E>(
    a_hat: &Matrix<'_, P>,
    key: &K,
    mu: &[u8; 64],
    rnd: Rnd<'_>,
    attempts: u16,
    scratch: &mut Scratch<P, K>,
    sink: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), Failure<E>> {
    let rho_second = rho_second::<P>(key.k(), rnd, mu);
    let (mut c_tilde, mut c) = ([0; MOST_C_TILDE], Challenge::ZERO);
    let mut checksums = Checksums::<P>::ZERO;
    let mut kappa = 0;
    for _ in 0..attempts.min(P::ATTEMPTS_CEILING) {
        let y = Mask {
            rho_second: &rho_second,
            kappa,
        };
        commit(a_hat, &y, scratch);
        challenge_hash(mu, scratch, &mut c_tilde);
        c.sample::<P>(&c_tilde[..P::C_TILDE_LEN], &mut scratch.poly);
        if respond(key, &c, &y, scratch, &mut checksums).is_some()
            && hint(a_hat, key, &c, scratch).is_some()
        {
            return write(key, &c_tilde, &c, &y, scratch, &checksums, sink);
        }
        kappa += P::L::N as u16;
    }
    Err(Failure::AttemptsExhausted)
}

/// FIPS 204, Algorithm 34 (ExpandMask).
struct Mask<'a> {
    rho_second: &'a [u8; 64],
    kappa: u16,
}

impl Mask<'_> {
    /// Computes polynomial `j` of y.
    #[inline(never)]
    fn expand<P: ParameterSet>(&self, j: usize, y: &mut Coefficients) {
        let nonce = self.kappa + j as u16;
        let mut xof = Shake256::new();
        xof.absorb(self.rho_second);
        xof.absorb(&nonce.to_le_bytes());
        profile::mask::<P>(xof.squeeze_in_place(), y);
    }
}

/// The first part of line 12: Â ∘ NTT(y).
#[inline(never)]
fn commit<P: ParameterSet, K: PrivateKey<P>>(
    a_hat: &Matrix<'_, P>,
    y: &Mask<'_>,
    scratch: &mut Scratch<P, K>,
) {
    let Scratch { poly, w, .. } = scratch;
    let w = w.as_mut();
    w.iter_mut().for_each(Packed::clear);
    for j in 0..P::L::N {
        y.expand::<P>(j, poly);
        ntt_in_place::<P::Field>(poly);
        for (i, w) in w.iter_mut().enumerate() {
            a_hat.add_product(i, j, poly, w);
        }
    }
}

/// The rest of line 12, after which 0 ≤ w < q, and lines 13 and 15.
#[inline(never)]
fn challenge_hash<P: ParameterSet, K: PrivateKey<P>>(
    mu: &[u8; 64],
    scratch: &mut Scratch<P, K>,
    c_tilde: &mut [u8; MOST_C_TILDE],
) {
    let Scratch { poly, w, .. } = scratch;
    let mut xof = Shake256::new();
    xof.absorb(mu);
    for w in w.as_mut() {
        w.unpack(poly);
        inverse_ntt_in_place::<P::Field>(poly);
        for (w, w1) in w.iter_mut().zip(poly.iter_mut()) {
            let r = canonical::<P::Field, _>(Portable, *w1);
            w.set(r);
            *w1 = decompose::<P>(r).0;
        }
        absorb_w1::<P>(poly, &mut xof);
    }
    // Not an index, whose check remains at opt-level z.
    let hash = c_tilde.get_mut(..P::C_TILDE_LEN).unwrap_or_default();
    xof.squeeze_in_place().read(hash);
    declassify_in_place(hash, "c̃ is a hash of w₁, from which w₁ cannot be computed");
}

/// Lines 18 to 23: w ← w − cs₂. Returns `None` if its low bits or z are too long. w is checked
/// first, because it fails more often.
#[inline(never)]
fn respond<P: ParameterSet, K: PrivateKey<P>>(
    key: &K,
    c: &Challenge,
    y: &Mask<'_>,
    scratch: &mut Scratch<P, K>,
    checksums: &mut Checksums<P>,
) -> Option<()> {
    let Scratch { poly, w, .. } = scratch;
    for (i, w) in w.as_mut().iter_mut().enumerate() {
        poly.fill(0);
        add_product(key, P::L::N + i, c, poly);
        subtract::<P>(w, poly);
        within(poly, P::GAMMA2 - P::BETA)?;
    }
    for (j, sum) in checksums.as_mut().iter_mut().enumerate() {
        z(key, c, y, j, poly);
        within(poly, P::GAMMA1 - P::BETA)?;
        *sum = checksum(poly);
    }
    Some(())
}

/// w ← w − cs₂, modulo q. The low bits of the result replace cs₂.
#[inline(never)]
fn subtract<P: ParameterSet>(w: &mut Packed, cs2: &mut Coefficients) {
    for (w, cs2) in w.iter_mut().zip(cs2) {
        let r = reduce::<P::Field>(Portable.sub(w.get(), *cs2));
        w.set(r);
        *cs2 = decompose::<P>(r).1;
    }
}

/// acc ← acc + c s, for polynomial `r` of s₁ and s₂: sums of a few terms in bytes are added to it.
#[cfg(not(tiny))]
#[inline(never)]
fn add_product<P: ParameterSet, K: PrivateKey<P>>(
    key: &K,
    r: usize,
    c: &Challenge,
    acc: &mut Coefficients,
) {
    let mut sums = Secret::new([0; crate::shape::N]);
    for first in (0..P::TAU).step_by(Challenge::terms::<P>()) {
        sums.fill(0);
        key.each(r, &mut |at, s| c.add_terms::<P>(first, &mut sums, at, s));
        let terms = Challenge::terms::<P>().min(P::TAU - first);
        let zero = P::ETA as i32 * terms as i32;
        for (acc, sum) in acc.iter_mut().zip(sums.iter()) {
            *acc = acc.wrapping_add(i32::from(*sum)).wrapping_sub(zero);
        }
    }
}

/// acc ← acc + c s, for polynomial `r` of s₁ and s₂.
#[cfg(tiny)]
fn add_product<P: ParameterSet, K: PrivateKey<P>>(
    key: &K,
    r: usize,
    c: &Challenge,
    acc: &mut Coefficients,
) {
    key.each(r, &mut |at, s| c.add_product::<P>(acc, at, s));
}

/// z ← y + cs₁, for polynomial `j`.
fn z<P: ParameterSet, K: PrivateKey<P>>(
    key: &K,
    c: &Challenge,
    y: &Mask<'_>,
    j: usize,
    z: &mut Coefficients,
) {
    y.expand::<P>(j, z);
    add_product(key, j, c, z);
}

/// Lines 25 to 28: h ← MakeHint(−ct₀, w − cs₂ + ct₀). Returns `None` if ct₀ is too long or h has
/// more than ω ones. Each coefficient of w − cs₂ is replaced by that of h.
#[inline(never)]
fn hint<P: ParameterSet, K: PrivateKey<P>>(
    a_hat: &Matrix<'_, P>,
    key: &K,
    c: &Challenge,
    scratch: &mut Scratch<P, K>,
) -> Option<()> {
    let Scratch { poly: ct0, w, t0 } = scratch;
    let mut ones = 0;
    for (i, w) in w.as_mut().iter_mut().enumerate() {
        key.t0_product(a_hat, i, c, t0, ct0);
        within(ct0, P::GAMMA2)?;
        for (w, ct0) in w.iter_mut().zip(ct0.iter()) {
            let r = w.get();
            let (r1, _) = decompose::<P>(r);
            let (v1, _) = decompose::<P>(reduce::<P::Field>(Portable.add(r, *ct0)));
            let h = nonzero_mask((r1 ^ v1).cast_unsigned()) & 1;
            w.set(h);
            ones = Portable.add(ones, h);
        }
    }
    let too_many = Portable.gt(ones, P::OMEGA as i32);
    (!declassify_mask(
        too_many,
        "the check and polynomial that fail first do not depend on s₁ and s₂",
    ))
    .then_some(())
}

/// Returns `None` unless ‖w‖∞ < bound.
#[inline(never)]
fn within(w: &Coefficients, bound: u32) -> Option<()> {
    let largest = bound as i32 - 1;
    // This is negative if a w_j is outside the bounds.
    let exceeded = w.iter().fold(0, |all, w| {
        all | largest.wrapping_sub(*w) | largest.wrapping_add(*w)
    });
    let exceeded = Portable.is_negative(exceeded);
    (!declassify_mask(
        exceeded,
        "the check and polynomial that fail first do not depend on s₁ and s₂",
    ))
    .then_some(())
}

/// FIPS 204, Algorithm 26 (sigEncode).
#[inline(never)]
fn write<P: ParameterSet, K: PrivateKey<P>, E>(
    key: &K,
    c_tilde: &[u8; MOST_C_TILDE],
    c: &Challenge,
    y: &Mask<'_>,
    scratch: &mut Scratch<P, K>,
    checksums: &Checksums<P>,
    mut sink: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), Failure<E>> {
    let Scratch { poly, w, .. } = scratch;
    sink(&c_tilde[..P::C_TILDE_LEN]).map_err(Failure::Sink)?;
    for (j, sum) in checksums.as_ref().iter().enumerate() {
        z(key, c, y, j, poly);
        within(poly, P::GAMMA1 - P::BETA).ok_or(Failure::Fault)?;
        let differs = nonzero_mask(checksum(poly) ^ sum);
        if declassify_mask(differs, "the error tells whether the machine is faulty") {
            return Err(Failure::Fault);
        }
        declassify_in_place(&mut **poly, "the signature is public");
        write_z::<P, E>(poly, &mut sink).map_err(Failure::Sink)?;
    }
    write_hint::<P, E>(w.as_ref(), &mut sink).map_err(Failure::Sink)
}

#[inline(never)]
fn write_z<P: ParameterSet, E>(
    z: &Coefficients,
    sink: &mut impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    for z in z.as_chunks::<CHUNK>().0 {
        let codes = z.map(|z| Portable.sub(P::GAMMA1 as i32, z));
        sink(&pack(P::Z_BITS, &codes)[..P::Z_BITS])?;
    }
    Ok(())
}

/// FIPS 204, Algorithm 20 (HintBitPack).
#[inline(never)]
fn write_hint<P: ParameterSet, E>(
    h: &[Packed],
    sink: &mut impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    const { assert!(P::OMEGA + P::K::N <= MOST_H) };
    let mut bytes = [0; MOST_H];
    // Cuts of constant lengths contain a panic if one function makes those of several sets.
    let bytes = bytes.get_mut(..P::OMEGA + P::K::N).unwrap_or_default();
    let (positions, counters) = bytes.split_at_mut_checked(P::OMEGA).unwrap_or_default();
    let mut positions = positions.iter_mut();
    for (h, counter) in h.iter().zip(counters) {
        for (place, h) in h.iter().enumerate() {
            if declassify(h, "the hint is a part of the signature") != 0
                && let Some(position) = positions.next()
            {
                *position = place as u8;
            }
        }
        *counter = (P::OMEGA - positions.len()) as u8;
    }
    sink(bytes)
}
