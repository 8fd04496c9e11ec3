//! Signing of many messages at once.

use moissanite_keccak::{Keccak, hash_many};

use crate::backend::Backend;
use crate::backend::MAX_KECCAK_WIDTH;
use crate::encode::signature::{MOST_C_TILDE, committed};
use crate::hash::PURE;
use crate::params::ParameterSet;
use crate::poly::{Poly, Vector};
use crate::prepared::SigningState;
use crate::sample::{self, H_RATE};
use crate::scheme::Scheme;
use crate::secret::{Secret, Zeroed, wipe};
use crate::shape::Dim;
use crate::sign::{self, Attempt, AttemptsExhausted, Rnd};

/// A message to be signed.
pub struct Item<'a, P: ParameterSet> {
    key: &'a SigningState<P>,
    message: &'a [u8],
    rnd: Rnd<'a>,
    sigma: &'a mut P::Signature,
    mu: [u8; 64],
    rho_second: Secret<[u8; 64]>,
    /// The number of attempts so far.
    attempts: u16,
    result: Result<(), AttemptsExhausted>,
}

impl<'a, P: ParameterSet> Item<'a, P> {
    /// Returns an item for the signature of this message with this key and this randomness.
    pub fn new(
        key: &'a SigningState<P>,
        message: &'a [u8],
        rnd: Rnd<'a>,
        sigma: &'a mut P::Signature,
    ) -> Self {
        Self {
            key,
            message,
            rnd,
            sigma,
            mu: [0; 64],
            rho_second: Secret::ZERO,
            attempts: 0,
            result: Err(AttemptsExhausted),
        }
    }

    /// Returns μ. It is valid only after a call of [`sign()`].
    pub fn mu(&self) -> &[u8; 64] {
        &self.mu
    }

    /// Returns whether there is a signature. The result is valid only after a call of [`sign()`].
    ///
    /// # Errors
    /// The same as of [`sign::sign_mu`].
    pub fn result(&self) -> Result<(), AttemptsExhausted> {
        self.result
    }
}

/// The variables of one item that is being signed. All of them are wiped when the value is dropped.
pub struct Scratch<P: ParameterSet> {
    y: Secret<Vector<Poly<P::Field>, P::L>>,
    attempt: Attempt<P>,
    c_tilde: Secret<[u8; MOST_C_TILDE]>,
    /// The first block of H(c̃).
    ball: [u8; H_RATE],
}

impl<P: ParameterSet> Zeroed for Scratch<P> {
    const ZERO: Self = Self {
        y: Secret::ZERO,
        attempt: Attempt::ZERO,
        c_tilde: Secret::ZERO,
        ball: [0; H_RATE],
    };
}

/// The item in each place, if there is one.
type Places<'p, 'a, P> = [Option<&'p mut Item<'a, P>>; MAX_KECCAK_WIDTH];

/// FIPS 204, Algorithm 2, for each item, with at most `attempts` attempts for each. The context has
/// at most 255 bytes, and none in round 3; the caller has checked this.
///
/// The places, one for each element of `scratch` and at most eight, make their attempts in step.
/// When an item has its signature, the next item takes its place.
pub fn sign<P: ParameterSet, B: Backend>(
    backend: B,
    context: &[u8],
    attempts: u16,
    items: &mut [Item<'_, P>],
    scratch: &mut [Scratch<P>],
) {
    let keccak = backend.keccak();
    let frame = P::Scheme::frame(PURE, context.len() as u8);
    let messages = items.iter_mut().map(|item| {
        let tr = &item.key.tr()[..P::TR_LEN];
        let parts = [tr, frame.as_ref(), context, item.message];
        (parts, &mut item.mu)
    });
    hash_many(keccak, messages);
    let seeds = items
        .iter_mut()
        .filter_map(|item| match item.rnd.hashed::<P::Scheme>() {
            Ok(rnd) => {
                let parts = [&item.key.k[..], rnd, &item.mu];
                Some((parts, &mut *item.rho_second))
            }
            Err(rho_second) => {
                *item.rho_second = *rho_second;
                None
            }
        });
    hash_many(keccak, seeds);

    let attempts = attempts.min(P::ATTEMPTS_CEILING);
    let mut waiting = items.iter_mut().filter(|_| attempts > 0);
    let mut places: Places<'_, '_, P> = [const { None }; MAX_KECCAK_WIDTH];
    loop {
        for place in places.iter_mut().take(scratch.len()) {
            if place.is_none() {
                *place = waiting.next();
            }
        }
        if places.iter().all(Option::is_none) {
            return;
        }
        attempt_each(backend, &mut places, scratch);
        for place in &mut places {
            if place
                .as_ref()
                .is_some_and(|item| item.result.is_ok() || item.attempts == attempts)
            {
                *place = None;
            }
        }
    }
}

/// Makes one attempt for each item: FIPS 204, Algorithm 7, from line 11 on.
fn attempt_each<P: ParameterSet, B: Backend>(
    backend: B,
    places: &mut Places<'_, '_, P>,
    scratch: &mut [Scratch<P>],
) {
    let keccak = backend.keccak();
    let masks = taken(places, scratch).flat_map(|(item, scratch)| {
        let kappa = item.attempts * P::L::N as u16;
        sample::mask::<P>(&item.rho_second, kappa, &mut scratch.y)
    });
    let mut blocks = <B::Keccak as Keccak>::blocks();
    sample::expand_masks::<P, B>(backend, &mut [], masks, &mut blocks);
    wipe(blocks.as_mut());

    for (item, Scratch { y, attempt, .. }) in taken(places, scratch) {
        sign::commit(backend, item.key, (**y).as_ref(), attempt);
    }
    let commitments = taken(places, scratch).map(|(item, scratch)| {
        let parts = committed::<P>(&item.mu, &scratch.attempt.w1_bytes);
        (parts, &mut *scratch.c_tilde)
    });
    hash_many(keccak, commitments);
    let challenges = taken(places, scratch).map(|(_, scratch)| {
        (
            [sign::challenge_hash::<P>(&mut scratch.c_tilde)],
            &mut scratch.ball,
        )
    });
    hash_many(keccak, challenges);
    for (item, scratch) in taken(places, scratch) {
        let Scratch {
            y,
            attempt,
            c_tilde,
            ball,
        } = scratch;
        let c_tilde = &c_tilde[..P::C_TILDE_LEN];
        sample::sample_in_ball_from::<P>(ball, c_tilde, &mut attempt.c);
        let y = (**y).as_mut();
        if sign::answer(backend, item.key, c_tilde, y, attempt, item.sigma).is_some() {
            item.result = Ok(());
        }
        item.attempts += 1;
    }
}

/// Returns the occupied places, each with its scratch memory.
fn taken<'t, 'p, 'a, P: ParameterSet>(
    places: &'t mut Places<'p, 'a, P>,
    scratch: &'t mut [Scratch<P>],
) -> impl Iterator<Item = (&'t mut Item<'a, P>, &'t mut Scratch<P>)> + use<'t, 'p, 'a, P> {
    let places = places.iter_mut().zip(scratch);
    places.filter_map(|(item, scratch)| Some((&mut **item.as_mut()?, scratch)))
}
