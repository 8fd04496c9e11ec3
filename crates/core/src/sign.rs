//! FIPS 204, Algorithm 7.
//!
//! What becomes public, besides the signature: how many attempts there were,
//! and for each one that failed its c̃ and which check and polynomial failed
//! first. None of that depends on s₁, s₂ (round-3 specification, section 5.5);
//! y, w₀, w₁, z and r₀ of a failed attempt would, and stay secret.

use crate::backend::{Backend, Portable};
use crate::encode::bits;
use crate::encode::signature::{self, MOST_C_TILDE, committed};
use crate::hash;
use crate::params::{D, MlDsa87, ParameterSet};
use crate::poly::{BytePoly, Challenge, NttPoly, Poly, Vector};
use crate::prepared::SigningState;
use crate::sample;
use crate::scheme::Scheme;
use crate::secret::{Secret, Zeroed, declassify_in_place, declassify_mask};
use crate::simd::Simd;

/// How many attempts signing makes before it gives up.
///
/// An attempt succeeds with a probability of at least 0.19, so that giving up
/// has one of at most 2⁻³¹⁰: it means that the machine is broken. NIST asks
/// for no less than 821.
pub const MAX_ATTEMPTS: u16 = 1024;
const _: () = assert!(821 <= MAX_ATTEMPTS && MAX_ATTEMPTS <= MlDsa87::ATTEMPTS_CEILING);

/// The randomness of a signature: what ρ'', the seed of the masks, is made of besides K and μ
/// (FIPS 204, Algorithm 7, line 7).
#[derive(Clone, Copy)]
pub enum Rnd<'a> {
    /// None, so that the same message gives the same signature: ρ'' = H(K ‖ 0³² ‖ μ), in round 3
    /// H(K ‖ μ).
    Deterministic,
    /// ρ'' = H(K ‖ these bytes ‖ μ), in round 3 too. Whatever the bytes are, ρ'' is as secret as K
    /// and differs from message to message.
    Hedged(&'a [u8; 32]),
    /// ρ'' itself, as in the randomized mode of round 3's specification, whose test vectors need
    /// it. A party that knows these bytes of one signature, or has two signatures made with the
    /// same bytes, can compute the private key.
    RhoSecond(&'a [u8; 64]),
}

impl<'a> Rnd<'a> {
    /// What stands between K and μ in the hash; or ρ'', where there is nothing to hash.
    pub(crate) fn hashed<S: Scheme>(self) -> Result<&'a [u8], &'a [u8; 64]> {
        match self {
            Self::Deterministic => Ok(S::NO_RND),
            Self::Hedged(rnd) => Ok(rnd),
            Self::RhoSecond(rho_second) => Err(rho_second),
        }
    }
}

/// No attempt out of the allowed number gave a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptsExhausted;

/// The variables of signing. All of them are wiped when it is dropped.
pub struct Scratch<P: ParameterSet, B: Backend> {
    /// y of this attempt, which becomes z, and of next ones.
    y: Secret<B::Window<Poly<P::Field>, P::L>>,
    attempt: Attempt<P>,
}

/// On a stack of 128 KiB there must be room for it.
#[cfg(target_arch = "x86_64")]
const _: () = assert!(size_of::<Scratch<MlDsa87, crate::backend::Avx512>>() <= 112 << 10);

/// The variables of one attempt but for y.
pub(crate) struct Attempt<P: ParameterSet> {
    y_hat: Secret<Vector<NttPoly<P::Field>, P::L>>,
    w_hat: Secret<NttPoly<P::Field>>,
    /// w, then w₀, then r₀ = w₀ − cs₂, and then r₀ + ct₀.
    w: Secret<Vector<Poly<P::Field>, P::K>>,
    /// w₁, and then h.
    w1: Secret<Vector<BytePoly, P::K>>,
    pub(crate) w1_bytes: Secret<[u8; signature::MOST_W1]>,
    /// c, and then one polynomial of ct₀.
    pub(crate) c: Secret<Poly<P::Field>>,
}

impl<P: ParameterSet, B: Backend> Zeroed for Scratch<P, B> {
    const ZERO: Self = Self {
        y: Secret::ZERO,
        attempt: Attempt::ZERO,
    };
}

impl<P: ParameterSet> Zeroed for Attempt<P> {
    const ZERO: Self = Self {
        y_hat: Secret::ZERO,
        w_hat: Secret::ZERO,
        w: Secret::ZERO,
        w1: Secret::ZERO,
        w1_bytes: Secret::ZERO,
        c: Secret::ZERO,
    };
}

/// FIPS 204, Algorithm 7 (ML-DSA.Sign_internal), from line 7 on: `mu` is line 6.
///
/// # Errors
/// [`AttemptsExhausted`] after `attempts` attempts, normally [`MAX_ATTEMPTS`];
/// `sigma` is then untouched.
pub fn sign_mu<P: ParameterSet, B: Backend>(
    backend: B,
    key: &SigningState<P>,
    mu: &[u8; 64],
    rnd: Rnd<'_>,
    attempts: u16,
    scratch: &mut Scratch<P, B>,
    sigma: &mut P::Signature,
) -> Result<(), AttemptsExhausted> {
    let Scratch { y, attempt } = scratch;
    let rho_second = rho_second::<P>(&key.k, rnd, mu);
    let mut masks = sample::Masks::<P, B>::new(backend, &rho_second, 0, y);
    for _ in 0..attempts.min(P::ATTEMPTS_CEILING) {
        let y = masks.next_mask();
        commit(backend, key, y, attempt);
        let mut c_tilde = Secret::new([0; MOST_C_TILDE]);
        let y = masks.hash_alongside(committed::<P>(mu, &attempt.w1_bytes), &mut c_tilde);
        let c_tilde = challenge_hash::<P>(&mut c_tilde);
        sample::sample_in_ball::<P>(c_tilde, &mut attempt.c);
        if answer(backend, key, c_tilde, y, attempt, sigma).is_some() {
            return Ok(());
        }
    }
    Err(AttemptsExhausted)
}

/// Line 7: ρ'' ← H(K ‖ rnd ‖ μ). Not inlined, or the stack would hold the hash's state throughout.
#[inline(never)]
pub(crate) fn rho_second<P: ParameterSet>(
    k: &[u8; 32],
    rnd: Rnd<'_>,
    mu: &[u8; 64],
) -> Secret<[u8; 64]> {
    match rnd.hashed::<P::Scheme>() {
        Ok(rnd) => hash::h(&[k, rnd, mu]),
        Err(rho_second) => Secret::new(*rho_second),
    }
}

/// c̃ ← H(μ ‖ w1Encode(w₁)) of line 15, which is public.
pub(crate) fn challenge_hash<P: ParameterSet>(hash: &mut [u8; MOST_C_TILDE]) -> &[u8] {
    let c_tilde = &mut hash[..P::C_TILDE_LEN];
    declassify_in_place(c_tilde, "a hash of w1 and mu, which does not tell w1");
    c_tilde
}

/// Lines 12 and 13: w ← NTT⁻¹(Â ∘ NTT(y)), w₁ ← HighBits(w); and w1Encode(w₁) of line 15.
// Not inlined, so that its variables are not on the stack with those of the rest.
#[inline(never)]
pub(crate) fn commit<P: ParameterSet, B: Backend>(
    backend: B,
    key: &SigningState<P>,
    y: &[Poly<P::Field>],
    attempt: &mut Attempt<P>,
) {
    let Attempt {
        y_hat,
        w_hat,
        w,
        w1,
        w1_bytes,
        ..
    } = attempt;
    for (y, y_hat) in y.iter().zip(y_hat.iter_mut()) {
        backend.ntt(y, y_hat);
    }
    let rows = key.a_hat.iter().zip(w.iter_mut()).zip(w1.iter_mut());
    for (((a_hat, w), w1), bytes) in rows.zip(w1_bytes.chunks_exact_mut(32 * P::W1_BITS)) {
        backend.inner_product(a_hat.as_ref(), (**y_hat).as_ref(), w_hat);
        backend.inverse_ntt(w_hat, w);
        backend.decompose::<P>(w, w1);
        bits::simple_bit_pack_bytes(backend, P::W1_BITS, w1, bytes);
    }
}

/// Lines 17 to 33, where c is in `attempt`: the signature, if it passes the checks.
#[inline(never)]
pub(crate) fn answer<P: ParameterSet, B: Backend>(
    backend: B,
    key: &SigningState<P>,
    c_tilde: &[u8],
    y: &mut [Poly<P::Field>],
    attempt: &mut Attempt<P>,
    sigma: &mut P::Signature,
) -> Option<()> {
    let c = backend.challenge(&attempt.c);
    respond(backend, key, &c, y, attempt)?;
    hint(backend, key, &c, attempt)?;
    signature::sig_encode::<P, B>(backend, c_tilde, y, &attempt.w1, sigma);
    declassify_in_place(sigma, "a signature is public");
    Some(())
}

/// Lines 18 to 23: r₀ ← LowBits(w − cs₂) and z ← y + cs₁, unless one is too long.
///
/// w₀ − cs₂ stands for LowBits(w − cs₂): where it is below γ₂ − β, they are the
/// same; where it is not, |cs₂| ≤ β keeps both at or above that bound.
/// r₀ comes first, as it fails more often.
fn respond<P: ParameterSet, B: Backend>(
    backend: B,
    key: &SigningState<P>,
    c: &Challenge,
    y: &mut [Poly<P::Field>],
    attempt: &mut Attempt<P>,
) -> Option<()> {
    for (w0, s2) in attempt.w.iter_mut().zip(key.s2.iter()) {
        backend.sub_product(w0, c, s2, P::ETA);
        within(backend, w0, P::GAMMA2 - P::BETA)?;
    }
    for (y, s1) in y.iter_mut().zip(key.s1.iter()) {
        backend.add_product(y, c, s1, P::ETA);
        within(backend, y, P::GAMMA1 - P::BETA)?;
    }
    Some(())
}

/// Lines 25 to 28: h ← MakeHint(−ct₀, w − cs₂ + ct₀), unless ct₀ is too long or
/// there are too many ones.
fn hint<P: ParameterSet, B: Backend>(
    backend: B,
    key: &SigningState<P>,
    c: &Challenge,
    attempt: &mut Attempt<P>,
) -> Option<()> {
    let Attempt {
        w: r,
        w1: h,
        c: ct0,
        ..
    } = attempt;
    let mut ones = 0_i32;
    for ((t0, r), h) in key.t0.iter().zip(r.iter_mut()).zip(h.iter_mut()) {
        ct0.0.fill(0);
        backend.add_product(ct0, c, t0, 1 << (D - 1));
        within(backend, ct0, P::GAMMA2)?;
        backend.add(r, ct0);
        ones = ones.wrapping_add(backend.make_hint::<P>(r, h));
    }
    let too_many = Portable.gt(ones, P::OMEGA as i32);
    if declassify_mask(too_many, "which check fails") {
        return None;
    }
    declassify_in_place(&mut **h, "the hint of a signature is public");
    Some(())
}

/// ‖w‖∞ < bound.
fn within<B: Backend, F: crate::field::Field>(backend: B, w: &Poly<F>, bound: u32) -> Option<()> {
    let exceeded = backend.norm_at_least(w, bound);
    (!declassify_mask(exceeded, "which check and polynomial fails")).then_some(())
}
