//! Signing.
//!
//! What becomes public, besides the signature: how many attempts there were, and for each one that
//! failed its c̃ (and with it whether that gives a c) and which check and polynomial failed first.
//! None of that depends on s₁, s₂ (round-3 specification of Dilithium, section 5.5); y, w₀, w₁, z
//! and r₀ of a failed attempt would, and stay secret.
//!
//! As many attempts are made at a time as a backend permutes states side by side. They are looked
//! at in their order, and the first that passes ends it, so that the signature is that of one
//! attempt after the other. Of those after it nothing becomes public.

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

/// How many attempts signing makes before it gives up.
///
/// An attempt succeeds with a probability of about 0.15, so that giving up has one of about 2⁻²⁴⁰:
/// it means that the machine is broken.
pub(crate) const MAX_ATTEMPTS: u16 = 1024;
const _: () = assert!(MAX_ATTEMPTS <= ZkDilithium::ATTEMPTS_CEILING);

/// The variables of signing. All of them are wiped when it is dropped.
pub(crate) struct Scratch<B: Backend> {
    /// y of an attempt, which becomes z, and of next ones.
    y: Secret<B::Window<Poly<ZkField>, Rank<K>>>,
    y_hat: Secret<Vector<NttPoly<ZkField>, Rank<K>>>,
    w_hat: Secret<NttPoly<ZkField>>,
    /// Of each attempt, of each polynomial of its y.
    pub(crate) checksums: Secret<[[u32; K]; MAX_STATES]>,
    /// Of each attempt w, then w₀, and then r₀.
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
    /// Inlined, so that a `Box` of it is made where it stays.
    #[inline(always)]
    fn default() -> Self {
        Self::ZERO
    }
}

/// Sign, with at most so many attempts; `sigma` is untouched if none of them passes.
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

/// y of one attempt and those after it.
fn masks<'a, B: Backend>(
    backend: B,
    rho_second: &'a [u8; 64],
    attempt: u16,
    window: &'a mut B::Window<Poly<ZkField>, Rank<K>>,
) -> Masks<'a, ZkDilithium, B> {
    Masks::new(backend, rho_second, attempt * K as u16, window)
}

/// w ← Ay, (w₁, w₀) ← Decompose(w), and what c̃ and c are made of, of so many attempts.
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
    declassify_in_place(&mut **c_tilde, "hashes of w1 and mu, which do not tell w1");
    sponges.balls(&c_tilde[..count.into()], &mut **balls);
}

/// The signature of attempt `attempt`, which is the one of number `i` that [`commit`] left, or
/// [`SigningError::Fault`]; none, if it does not pass: r₀ ← LowBits(w − cs₂) and z ← y + cs₁, unless one is too long.
///
/// w₀ − cs₂ stands for LowBits(w − cs₂): where it is below γ₂ − β, they are the same; where it is
/// not, |cs₂| ≤ β keeps both at or above that bound.
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
    // There is not room for y of all attempts; this one is made again. With another one, as of a
    // machine that makes mistakes, z could give s₁ away.
    let mut masks = masks(backend, rho_second, attempt, y);
    let z = masks.next_mask();
    let pairs = z.iter().zip(&checksums[i]);
    let differences = pairs.fold(0, |all, (y, sum)| all | (checksum(&y.0) ^ sum));
    if declassify_mask(nonzero_mask(differences), "whether the machine is faulty") {
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
    declassify_in_place(sigma, "a signature is public");
    Some(Ok(()))
}

/// ‖w‖∞ < bound. The absolute value counts: in the first reference it did not, so that about half
/// of its signatures differ, and some do not verify.
fn within<B: Backend>(backend: B, w: &Poly<ZkField>, bound: u32) -> Option<()> {
    let exceeded = backend.norm_at_least(w, bound);
    (!declassify_mask(exceeded, "which check and polynomial fails")).then_some(())
}
