//! The parts of batches that the facade cannot reach: limits on attempts, and fewer places than
//! lanes.

use std::vec::Vec;

use super::{Random, backends};
use crate::backend::Backend;
use crate::batch::sign::{Item, Scratch, sign};
use crate::batch::verify::{self, PublicKey, verify};
use crate::hash::MuBuilder;
use crate::params::{Fips204, MlDsa44, MlDsa65, MlDsa87};
use crate::prepared::{SigningState, VerifyingState};
use crate::reference::{self, Attempt, short_z, within_limits};
use crate::secret::Zeroed;
use crate::sign::{self, MAX_ATTEMPTS, Rnd, sign_mu};

on_every_backend_and_set! {
    the_bound_is_each_items_own
    a_long_z_that_fits_is_refused
}

const ITEMS: usize = 9;

/// Returns μ of a message in this context.
fn mu(tr: &[u8; 64], message: &[u8]) -> [u8; 64] {
    let mut mu: MuBuilder = MuBuilder::new(tr);
    mu.pure(b"context");
    mu.update(message);
    mu.finish()
}

/// The results are those of [`sign_mu`]: the same items have a signature, and the bytes of the
/// others are unchanged.
fn the_bound_is_each_items_own<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(40);
    let (_, sk) = reference::keygen::<P>(&random.bytes());
    let mut key = SigningState::ZERO;
    key.set(backend, &sk.as_slice().try_into().ok().unwrap())
        .unwrap();
    let messages: [[u8; 8]; ITEMS] = core::array::from_fn(|_| random.bytes());
    let rnds: [([u8; 32], [u8; 64]); ITEMS] =
        core::array::from_fn(|_| (random.bytes(), random.bytes()));
    let rnd = |i: usize| match i % 3 {
        0 => Rnd::Deterministic,
        1 => Rnd::Hedged(&rnds[i].0),
        _ => Rnd::RhoSecond(&rnds[i].1),
    };
    let mut untouched = P::Signature::ZERO;
    untouched.as_mut().fill(0xa5);
    let mut one = sign::Scratch::<P, B>::ZERO;
    for (attempts, places) in [
        (0, 8),
        (1, 8),
        (2, 3),
        (5, 1),
        (MAX_ATTEMPTS, 2),
        (u16::MAX, 8),
    ] {
        let mut sigmas: Vec<_> = messages.iter().map(|_| untouched.clone()).collect();
        let items = messages.iter().zip(&mut sigmas).enumerate();
        let items = items.map(|(i, (message, sigma))| Item::new(&key, message, rnd(i), sigma));
        let mut items: Vec<_> = items.collect();
        let mut scratch: Vec<_> = (0..places).map(|_| Scratch::ZERO).collect();
        sign(backend, b"context", attempts, &mut items, &mut scratch);
        let results: Vec<_> = items.iter().map(Item::result).collect();

        for (i, (result, sigma)) in results.into_iter().zip(&sigmas).enumerate() {
            let mut expected = untouched.clone();
            let alone = sign_mu(
                backend,
                &key,
                &mu(key.tr(), &messages[i]),
                rnd(i),
                attempts,
                &mut one,
                &mut expected,
            );
            assert_eq!(result, alone, "item {i} in {attempts} attempts");
            assert!(*sigma == expected, "item {i} in {attempts} attempts");
        }
    }
}

/// A signature that fails only the check of the norm, next to a valid one.
fn a_long_z_that_fits_is_refused<P: Fips204, B: Backend>(backend: B) {
    let (pk, sk) = reference::keygen::<P>(&[41; 32]);
    let pk = pk.as_slice().try_into().ok().unwrap();
    let mut key = VerifyingState::ZERO;
    key.set(backend, &pk);
    let mu = mu(key.tr(), b"message");
    let long = |attempt: &Attempt| {
        let [z, others @ ..] = *attempt;
        let fits = !short_z::<P>(z) && z < P::GAMMA1 as i32;
        fits && within_limits::<P>(&[0, others[0], others[1], others[2]])
    };
    let sign = |keep: &dyn Fn(&Attempt) -> bool| {
        let sigma = reference::sign::<P>(&sk, &mu, &[0; 32], keep).sigma;
        P::Signature::try_from(sigma.as_slice()).ok().unwrap()
    };
    let sigmas = [sign(&long), sign(&within_limits::<P>)];
    let items = (0..ITEMS).map(|i| {
        let key = match i % 3 {
            0 => PublicKey::Prepared(&key),
            _ => PublicKey::Encoded(&pk),
        };
        verify::Item::new(key, b"message", &sigmas[i % 2])
    });
    let mut items: Vec<_> = items.collect();
    let mut scratch = verify::Scratch::<P, B>::ZERO;
    verify(backend, b"context", &mut items, &mut scratch);
    for (i, item) in items.iter().enumerate() {
        assert_eq!(item.is_valid(), i % 2 == 1, "item {i}");
    }
}
