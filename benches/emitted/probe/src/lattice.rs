//! ML-DSA and Dilithium on one backend.

use alloc::boxed::Box;
use alloc::vec::Vec;

use moissanite::SigningKey;
use moissanite::prelude::*;
use moissanite_core::backend::Backend;
use moissanite_core::encode::keys;
use moissanite_core::prepared::SigningState;
use moissanite_core::secret::Zeroed;
use moissanite_core::sign::{MAX_ATTEMPTS, Rnd};
use moissanite_core::{ParameterSet, batch, keygen, sign};

use crate::secret::{Hedge, Secret};
use crate::step::step;

/// The number of keys and of signatures in a batch, which exceeds the number of lanes of some backends.
const BATCH: usize = 5;
const MU: [u8; 64] = [7; 64];

pub(crate) fn run<P: ParameterSet, B: Backend>(backend: B, secret: Secret) -> bool {
    step("key generation");
    let key = SigningKey::<P>::from_seed_on(backend, &secret.seed(0).into());
    let sk = key.as_expanded_bytes();

    step("check of a private key");
    let mut pk = P::PublicKey::ZERO;
    let mut scratch = Box::new(keygen::Scratch::<P, B>::ZERO);
    let checked = keys::check_ranges::<P, B>(backend, sk).is_ok()
        && keygen::check_private_key::<P, B>(backend, sk, &mut pk, &mut scratch).is_ok();

    step("signing with a key in bytes, hedged");
    let signed = key.on(backend);
    let signed = signed.try_sign_with_rng(&mut Hedge(secret), b"message");

    step("preparing");
    let mut prepared = Box::new(SigningState::<P>::ZERO);
    let in_range = prepared.set(backend, sk).is_ok();

    step("signing with a prepared key");
    let mut scratch = Box::new(sign::Scratch::<P, B>::ZERO);
    let mut sigma = P::Signature::ZERO;
    let deterministic = sign::sign_mu(
        backend,
        &prepared,
        &MU,
        Rnd::Deterministic,
        MAX_ATTEMPTS,
        &mut scratch,
        &mut sigma,
    );

    step("a batch of keys");
    generate_batch::<P, B>(backend, secret);

    step("a batch of signatures");
    let batch = sign_batch::<P, B>(backend, &prepared, secret);
    checked && signed.is_ok() && in_range && deterministic.is_ok() && batch
}

fn generate_batch<P: ParameterSet, B: Backend>(backend: B, secret: Secret) {
    let seeds: [[u8; 32]; BATCH] = core::array::from_fn(|i| secret.seed(i as u8 + 1));
    let mut keys: Vec<_> = seeds
        .iter()
        .map(|_| (P::PublicKey::ZERO, P::PrivateKey::ZERO))
        .collect();
    let items = seeds.iter().zip(&mut keys);
    let items = items.map(|(seed, (pk, sk))| batch::generate::Item::<P>::new(seed, pk, sk));
    let mut items: Vec<_> = items.collect();
    let mut scratch: Vec<_> = (0..batch::lanes::<B>()).map(|_| Zeroed::ZERO).collect();
    let mut rows = Box::new(keygen::Rows::ZERO);
    batch::generate::generate(backend, &mut items, &mut scratch, &mut rows);
}

fn sign_batch<P: ParameterSet, B: Backend>(
    backend: B,
    key: &SigningState<P>,
    secret: Secret,
) -> bool {
    let messages: [[u8; 1]; BATCH] = core::array::from_fn(|i| [i as u8]);
    let rnds: [[u8; 32]; BATCH] = core::array::from_fn(|i| secret.seed(i as u8 + 50));
    let mut sigmas: Vec<_> = messages.iter().map(|_| P::Signature::ZERO).collect();
    let items = messages.iter().zip(&rnds).zip(&mut sigmas);
    let items =
        items.map(|((m, rnd), sigma)| batch::sign::Item::new(key, m, Rnd::Hedged(rnd), sigma));
    let mut items: Vec<_> = items.collect();
    let mut scratch: Vec<_> = (0..batch::lanes::<B>()).map(|_| Zeroed::ZERO).collect();
    batch::sign::sign(backend, b"", MAX_ATTEMPTS, &mut items, &mut scratch);
    items.iter().all(|item| item.result().is_ok())
}
