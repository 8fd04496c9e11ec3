//! FIPS 204, Algorithm 7.
//!
//! Besides the signature, these values become public: the number of attempts, and for each failed
//! attempt its c̃, and the check and polynomial that failed first. None of them depends on s₁ and
//! s₂ (round-3 specification, section 5.5). The values y, w₀, w₁, z and r₀ of a failed attempt
//! depend on them, and stay secret.

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

/// The number of attempts after which signing fails.
///
/// An attempt succeeds with a probability of at least 0.19. The probability that all attempts fail
/// is therefore at most 2⁻³¹⁰, and a failure means that the machine is faulty. NIST requires a
/// limit of at least 821 attempts.
pub const MAX_ATTEMPTS: u16 = 1024;
const _: () = assert!(821 <= MAX_ATTEMPTS && MAX_ATTEMPTS <= MlDsa87::ATTEMPTS_CEILING);

/// The randomness of a signature. ρ'', the seed of the masks, is computed from it and from K and μ
/// (FIPS 204, Algorithm 7, line 7).
#[derive(Clone, Copy)]
pub enum Rnd<'a> {
    /// No randomness, so that the same message gives the same signature: ρ'' = H(K ‖ 0³² ‖ μ), and
    /// H(K ‖ μ) in round 3.
    Deterministic,
    /// ρ'' = H(K ‖ these bytes ‖ μ), also in round 3. For all values of the bytes, ρ'' is as secret
    /// as K, and different for each message.
    Hedged(&'a [u8; 32]),
    /// The value of ρ'', as in the randomized mode of the round-3 specification, whose test vectors
    /// need it. A party that knows these bytes for one signature, or that has two signatures with
    /// the same bytes, can compute the private key.
    RhoSecond(&'a [u8; 64]),
}

impl<'a> Rnd<'a> {
    /// Returns the bytes between K and μ in the hash, or ρ'' as the error value if there is no
    /// hash.
    pub(crate) fn hashed<S: Scheme>(self) -> Result<&'a [u8], &'a [u8; 64]> {
        match self {
            Self::Deterministic => Ok(S::NO_RND),
            Self::Hedged(rnd) => Ok(rnd),
            Self::RhoSecond(rho_second) => Err(rho_second),
        }
    }
}

/// None of the allowed attempts gave a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptsExhausted;

/// The variables of signing. All of them are wiped when the value is dropped.
pub struct Scratch<P: ParameterSet, B: Backend> {
    /// y of this attempt, which becomes z, and the first polynomials of y of the next attempts.
    y: Secret<B::Window<Poly<P::Field>, P::L>>,
    attempt: Attempt<P>,
}

/// The variables of one attempt, except y.
pub(crate) struct Attempt<P: ParameterSet> {
    y_hat: Secret<Vector<NttPoly<P::Field>, P::L>>,
    w_hat: Secret<NttPoly<P::Field>>,
    /// w, then w₀, then r₀ = w₀ − cs₂, and then r₀ + ct₀.
    w: Secret<Vector<Poly<P::Field>, P::K>>,
    /// w₁, then h.
    w1: Secret<Vector<BytePoly, P::K>>,
    pub(crate) w1_bytes: Secret<[u8; signature::MOST_W1]>,
    /// c, then one polynomial of ct₀.
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

/// FIPS 204, Algorithm 7 (ML-DSA.Sign_internal), from line 7 on; `mu` is the result of line 6, and
/// [`SigningState::set`] is lines 1 and 5.
///
/// Lines 2 to 4, 17 to 19 and 25 transform c, s₁, s₂ and t₀. Here, c·s is a sum of τ rotations of s
/// instead (`kernels/challenge.rs`), and the result is the same polynomial.
///
/// # Errors
/// [`AttemptsExhausted`] after `attempts` attempts, which are normally [`MAX_ATTEMPTS`]; `sigma` is
/// then unchanged.
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
    // Lines 8 to 10, and the increments of κ of line 31.
    let mut masks = sample::Masks::<P, B>::new(backend, &rho_second, 0, y);
    for _ in 0..attempts.min(P::ATTEMPTS_CEILING) {
        // Line 11.
        let y = masks.next_mask();
        commit(backend, key, y, attempt);
        // Line 15.
        let mut c_tilde = Secret::new([0; MOST_C_TILDE]);
        let y = masks.hash_alongside(committed::<P>(mu, &attempt.w1_bytes), &mut c_tilde);
        let c_tilde = challenge_hash::<P>(&mut c_tilde);
        // Line 16.
        sample::sample_in_ball::<P>(c_tilde, &mut attempt.c);
        if answer(backend, key, c_tilde, y, attempt, sigma).is_some() {
            return Ok(());
        }
    }
    Err(AttemptsExhausted)
}

/// Line 7: ρ'' ← H(K ‖ rnd ‖ μ). This is not inlined, so that the state of the hash is on the stack
/// only while it is used.
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

/// c̃ ← H(μ ‖ w1Encode(w₁)) of line 15. c̃ is public.
pub(crate) fn challenge_hash<P: ParameterSet>(hash: &mut [u8; MOST_C_TILDE]) -> &[u8] {
    let c_tilde = &mut hash[..P::C_TILDE_LEN];
    declassify_in_place(
        c_tilde,
        "c̃ is a hash of w₁, from which w₁ cannot be computed",
    );
    c_tilde
}

/// Lines 12 and 13: w ← NTT⁻¹(Â ∘ NTT(y)), w₁ ← HighBits(w); and w1Encode(w₁) of line 15.
// This is not inlined, so that its variables are not on the stack during the other steps.
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

/// Lines 17 to 33, with c in `attempt`: writes the signature, or returns `None` if a check fails.
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
    declassify_in_place(sigma, "the signature is public");
    Some(())
}

/// Lines 18 to 23: r₀ ← LowBits(w − cs₂) and z ← y + cs₁. Returns `None` if one of them is too
/// long.
///
/// LowBits(w − cs₂) is replaced by w₀ − cs₂. Where w₀ − cs₂ is below γ₂ − β, the two are equal;
/// otherwise both are at or above that bound, because |cs₂| ≤ β. r₀ is checked first, because it fails
/// more often.
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

/// Lines 25 to 28: h ← MakeHint(−ct₀, w − cs₂ + ct₀). Returns `None` if ct₀ is too long or h has
/// more than ω ones.
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
    if declassify_mask(
        too_many,
        "the check and polynomial that fail first do not depend on s₁ and s₂",
    ) {
        return None;
    }
    declassify_in_place(&mut **h, "the hint is a part of the signature");
    Some(())
}

/// Returns `None` unless ‖w‖∞ < bound.
fn within<B: Backend, F: crate::field::Field>(backend: B, w: &Poly<F>, bound: u32) -> Option<()> {
    let exceeded = backend.norm_at_least(w, bound);
    (!declassify_mask(
        exceeded,
        "the check and polynomial that fail first do not depend on s₁ and s₂",
    ))
    .then_some(())
}
