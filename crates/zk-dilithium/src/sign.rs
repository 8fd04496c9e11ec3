//! Signing.
//!
//! Besides the signature, these values become public: the number of attempts, and for each failed
//! attempt its c̃ (and therefore whether c̃ gives a c), and the check and polynomial that failed
//! first. None of them depends on s₁ and s₂ (round-3 specification of Dilithium, section 5.5). The
//! values y, w₀, w₁, z and r₀ of a failed attempt depend on them, and stay secret.
//!
//! As many attempts are made at once as a backend permutes states in parallel. They are checked in
//! order, and the first that passes gives the signature, which is therefore the same as with one
//! attempt after the other. Nothing about the later attempts becomes public.

use moissanite_core::ParameterSet;
use moissanite_core::backend::Backend;
use moissanite_core::encode::bits;
use moissanite_core::poly::{BytePoly, NttPoly, Poly, Vector, checksum};
use moissanite_core::sample::Masks;
use moissanite_core::secret::{Secret, Zeroed, declassify_in_place, declassify_mask, nonzero_mask};
use moissanite_core::shape::Rank;

use crate::encode;
use crate::error::SigningError;
use crate::hash::{Ball, MessageHasher, Sponges};
use crate::params::{C_TILDE, K, MU, SIGNATURE_LEN, ZkDilithium, ZkField};
use crate::poseidon::arithmetic::MAX_STATES;
use crate::poseidon::states_in_lanes::{CountLanes, StatesInLanes};
use crate::prepared::SigningState;
use crate::sample_in_ball::place;

/// The number of attempts after which signing fails.
///
/// An attempt succeeds with a probability of about 0.15, so this failure has a probability of about
/// 2⁻²⁴⁰ and means that the machine is faulty.
pub(crate) const MAX_ATTEMPTS: u16 = 1024;
const _: () = assert!(MAX_ATTEMPTS <= ZkDilithium::ATTEMPTS_CEILING);

/// The variables of signing. All of them are wiped when it is dropped.
pub(crate) struct Scratch<B: Backend> {
    /// y of an attempt, which becomes z, and y of the next attempts.
    y: Secret<B::Window<Poly<ZkField>, Rank<K>>>,
    y_hat: Secret<Vector<NttPoly<ZkField>, Rank<K>>>,
    w_hat: Secret<NttPoly<ZkField>>,
    /// For each attempt and each polynomial of its y.
    pub(crate) checksums: Secret<[[u32; K]; MAX_STATES]>,
    /// For each attempt w, then w₀, and then r₀.
    pub(crate) w: Secret<[[Poly<ZkField>; K]; MAX_STATES]>,
    pub(crate) w1: Secret<[[BytePoly; K]; MAX_STATES]>,
    pub(crate) lanes: Secret<StatesInLanes>,
    pub(crate) c_tilde: Secret<[[u32; C_TILDE]; MAX_STATES]>,
    pub(crate) balls: Secret<[Ball; MAX_STATES]>,
    c: Secret<Poly<ZkField>>,
}

impl<B: Backend> Zeroed for Scratch<B> {
    const ZERO: Self = Self {
        y: Secret::ZERO,
        y_hat: Secret::ZERO,
        w_hat: Secret::ZERO,
        checksums: Secret::ZERO,
        w: Secret::ZERO,
        w1: Secret::ZERO,
        lanes: Secret::ZERO,
        c_tilde: Secret::ZERO,
        balls: Secret::ZERO,
        c: Secret::ZERO,
    };
}

impl<B: Backend> Default for Scratch<B> {
    /// This is inlined, so that a `Box` is initialized in place.
    #[inline(always)]
    fn default() -> Self {
        Self::ZERO
    }
}

/// Sign, with at most this number of attempts. If none of them passes, `sigma` is not changed.
pub(crate) fn sign<B: Backend>(
    backend: B,
    key: &SigningState,
    message: &mut MessageHasher,
    attempts: u16,
    scratch: &mut Scratch<B>,
    sigma: &mut [u8; SIGNATURE_LEN],
) -> Result<(), SigningError> {
    let (mu, rho_second) = message.finish(backend, &key.k);
    let width = backend.run(CountLanes) as u16;
    let mut next = 0;
    while next < attempts {
        let count = width.min(attempts - next);
        commit(backend, key, &mu, &rho_second, next, count, scratch);
        for i in 0..count {
            let answered = answer(backend, key, &rho_second, next + i, i, scratch, sigma);
            if let Some(result) = answered {
                return result;
            }
        }
        next += count;
    }
    Err(SigningError::AttemptsExhausted)
}

/// Computes y of one attempt and of those after it.
fn masks<'a, B: Backend>(
    backend: B,
    rho_second: &'a [u8; 64],
    attempt: u16,
    window: &'a mut B::Window<Poly<ZkField>, Rank<K>>,
) -> Masks<'a, ZkDilithium, B> {
    Masks::new(backend, rho_second, attempt * K as u16, window)
}

/// For this number of attempts: w ← Ay, (w₁, w₀) ← Decompose(w), and the inputs of c̃ and c.
pub(crate) fn commit<B: Backend>(
    backend: B,
    key: &SigningState,
    mu: &[u32; MU],
    rho_second: &[u8; 64],
    first: u16,
    count: u16,
    scratch: &mut Scratch<B>,
) {
    let Scratch {
        y, y_hat, w_hat, ..
    } = scratch;
    let mut masks = masks(backend, rho_second, first, y);
    let attempts = scratch.w.iter_mut().zip(scratch.w1.iter_mut());
    let attempts = attempts.zip(scratch.checksums.iter_mut());
    for ((w, w1), checksums) in attempts.take(count.into()) {
        let y = masks.next_mask().iter().zip(checksums);
        for ((y, sum), y_hat) in y.zip(y_hat.iter_mut()) {
            *sum = checksum(&y.0);
            backend.ntt(y, y_hat);
        }
        for (a_hat, (w, w1)) in key.a_hat.iter().zip(w.iter_mut().zip(w1)) {
            backend.inner_product(a_hat.as_ref(), (**y_hat).as_ref(), w_hat);
            backend.inverse_ntt(w_hat, w);
            backend.decompose::<ZkDilithium>(w, w1);
        }
    }
    let Scratch {
        w1,
        lanes,
        c_tilde,
        balls,
        ..
    } = scratch;
    let mut sponges = Sponges::new(backend, lanes);
    sponges.commitments(mu, &w1[..count.into()], &mut **c_tilde);
    declassify_in_place(
        &mut **c_tilde,
        "c̃ is a hash of w₁, from which w₁ cannot be computed",
    );
    sponges.balls(&c_tilde[..count.into()], &mut **balls);
}

/// Returns the signature of attempt `attempt`, which has the index `i` in the results of
/// [`commit`]; none if the attempt does not pass; or [`SigningError::Fault`]. Computes r₀ ←
/// LowBits(w − cs₂) and z ← y + cs₁, and checks their norms.
///
/// w₀ − cs₂ replaces LowBits(w − cs₂): if it is below γ₂ − β, both are equal; otherwise, |cs₂| ≤ β
/// keeps both at or above that bound.
pub(crate) fn answer<B: Backend>(
    backend: B,
    key: &SigningState,
    rho_second: &[u8; 64],
    attempt: u16,
    i: u16,
    scratch: &mut Scratch<B>,
    sigma: &mut [u8; SIGNATURE_LEN],
) -> Option<Result<(), SigningError>> {
    let Scratch {
        y,
        checksums,
        w,
        c_tilde,
        balls,
        c,
        ..
    } = scratch;
    let i = usize::from(i);
    c.0.fill(0);
    for (cycle, taken) in balls[i].iter().enumerate() {
        place(cycle, taken, c)?;
    }
    let c = backend.challenge(c);
    for (w0, s2) in w[i].iter_mut().zip(key.s2.iter()) {
        backend.sub_product(w0, &c, s2, ZkDilithium::ETA);
        within(backend, w0, ZkDilithium::GAMMA2 - ZkDilithium::BETA)?;
    }
    // The memory does not hold y of all attempts, so y of this attempt is computed again. If a
    // fault made it different, z could reveal s₁.
    let mut masks = masks(backend, rho_second, attempt, y);
    let z = masks.next_mask();
    let pairs = z.iter().zip(&checksums[i]);
    let differences = pairs.fold(0, |all, (y, sum)| all | (checksum(&y.0) ^ sum));
    if declassify_mask(
        nonzero_mask(differences),
        "the error tells whether the machine is faulty",
    ) {
        return Some(Err(SigningError::Fault));
    }
    for (z, s1) in z.iter_mut().zip(key.s1.iter()) {
        backend.add_product(z, &c, s1, ZkDilithium::ETA);
        within(backend, z, ZkDilithium::GAMMA1 - ZkDilithium::BETA)?;
    }
    let (c_tilde_out, z_out) = encode::split_signature_mut(sigma);
    encode::pack_c_tilde(&c_tilde[i], c_tilde_out);
    for (z, bytes) in z.iter().zip(z_out) {
        bits::bit_pack(backend, ZkDilithium::Z_BITS, ZkDilithium::GAMMA1, z, bytes);
    }
    declassify_in_place(sigma, "the signature is public");
    Some(Ok(()))
}

/// Returns whether ‖w‖∞ < bound. The first reference does not use the absolute value, so about half
/// of its signatures differ, and some do not verify.
fn within<B: Backend>(backend: B, w: &Poly<ZkField>, bound: u32) -> Option<()> {
    let exceeded = backend.norm_at_least(w, bound);
    (!declassify_mask(
        exceeded,
        "the check and polynomial that fail first do not depend on s₁ and s₂",
    ))
    .then_some(())
}
