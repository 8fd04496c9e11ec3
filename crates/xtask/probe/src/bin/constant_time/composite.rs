//! The composites, and their Ed25519 component alone.

use moissanite_composite::{
    Composite, MlDsa44Ed25519, MlDsa65Ed25519, SigningKey, ed25519, prelude::*,
};
use moissanite_cpu::memcheck::{poison, unpoison};
use pkcs8::{DecodePrivateKey, EncodePrivateKey};

use crate::facade::Counter;
use crate::step::step_of;

/// Runs all composites; returns whether keys and signatures are right.
pub(crate) fn run() -> bool {
    run_set::<MlDsa44Ed25519>("ML-DSA-44-Ed25519")
        && run_set::<MlDsa65Ed25519>("ML-DSA-65-Ed25519")
        && runs_ed25519()
}

fn run_set<C: Composite>(name: &str) -> bool {
    let mut seed = [7; 64];
    poison(&mut seed);
    let seed = seed.into();
    let key = step_of(name, "composite", "keygen", || {
        SigningKey::<C>::from_seed(&seed)
    });
    let mut public_key = key.verifying_key().clone();
    unpoison(&mut public_key);
    let read = step_of(name, "composite", "PKCS#8", || {
        let document = key.to_pkcs8_der();
        let read = document.map(|document| SigningKey::<C>::from_pkcs8_der(document.as_bytes()));
        read.is_ok_and(|read| {
            read.is_ok_and(|read| {
                let mut same = read.verifying_key().clone();
                unpoison(&mut same);
                same == public_key
            })
        })
    });
    let signed = step_of(name, "composite", "signing", || {
        (0..4_u8).all(|number| {
            let mut message = [number; 40];
            poison(&mut message);
            let signature = match number & 1 {
                0 => key.try_sign(&message),
                _ => key.try_sign_with_rng(&mut Counter(number), &message),
            };
            unpoison(&mut message);
            let verified = |mut signature: moissanite_composite::Signature<C>| {
                unpoison(&mut signature);
                public_key.verify(&message, &signature).is_ok()
            };
            signature.is_ok_and(verified)
        })
    });
    read && signed
}

fn runs_ed25519() -> bool {
    let mut seed = [7; 32];
    poison(&mut seed);
    let seed = seed.into();
    let key = step_of("Ed25519", "composite", "keygen", || {
        ed25519::SigningKey::from_seed(&seed)
    });
    let mut public_key = *key.verifying_key();
    unpoison(&mut public_key);
    step_of("Ed25519", "composite", "signing", || {
        let mut message = [7; 40];
        poison(&mut message);
        let signature = key.try_sign(&message);
        unpoison(&mut message);
        let verified = |mut signature| {
            unpoison(&mut signature);
            public_key.verify(&message, &signature).is_ok()
        };
        signature.is_ok_and(verified)
    })
}
