//! The composites, and Ed25519 alone.

use std::convert::Infallible;
use std::hint::black_box;

use moissanite_composite::pkcs8::{DecodePrivateKey, EncodePrivateKey};
use moissanite_composite::{Composite, MlDsa44Ed25519, MlDsa65Ed25519, ed25519, prelude::*};

use crate::operation::{Given, Input, MESSAGE, Operation, seed};

pub(crate) fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    for (scheme, run) in [
        (
            "MLDSA44-Ed25519",
            composite::<MlDsa44Ed25519> as fn(&Input<'_>),
        ),
        ("MLDSA65-Ed25519", composite::<MlDsa65Ed25519>),
    ] {
        for (name, input) in [
            ("from-seed", "seed"),
            ("try-generate", "seed"),
            ("clone", "seed"),
            ("sign", "seed"),
            ("sign-hedged", "seed"),
            ("pkcs8", "pkcs8-seed"),
            ("pem", "pem-seed"),
            ("to-pkcs8", "seed"),
        ] {
            all.push(Operation::new(scheme, name, input, false, run));
        }
    }
    for (name, input) in [
        ("from-seed", "seed"),
        ("try-generate", "seed"),
        ("clone", "seed"),
        ("sign", "seed"),
        ("sign-twice", "seed"),
        ("pkcs8", "pkcs8-seed"),
        ("pem", "pem-seed"),
        ("to-pkcs8", "seed"),
    ] {
        all.push(Operation::new("Ed25519", name, input, false, ed25519));
    }
    all
}

fn composite<C: Composite>(input: &Input<'_>) {
    type Key<C> = moissanite_composite::SigningKey<C>;
    let bytes = input.bytes;
    let key = || Key::<C>::from_seed(&seed(bytes));
    match input.operation {
        "from-seed" => drop(black_box(key())),
        "try-generate" => {
            let Ok(key) = Key::<C>::try_generate(&mut Given(bytes));
            drop(black_box(key));
        }
        "clone" => drop(black_box(key().clone())),
        "sign" => drop(black_box(key().try_sign(MESSAGE))),
        "sign-hedged" => {
            let signature = key().try_sign_with_rng(&mut Given(&[]), MESSAGE);
            drop(black_box(signature));
        }
        "pkcs8" => assert!(Key::<C>::from_pkcs8_der(bytes).is_ok()),
        "pem" => {
            let text = std::str::from_utf8(bytes).unwrap_or_default();
            assert!(Key::<C>::from_pkcs8_pem(text).is_ok());
        }
        _ => drop(black_box(key().to_pkcs8_der())),
    }
}

fn ed25519(input: &Input<'_>) {
    let bytes = input.bytes;
    let key = || ed25519::SigningKey::from_seed(&seed(bytes));
    match input.operation {
        "from-seed" => drop(black_box(key())),
        "try-generate" => {
            let Ok(key) = ed25519::SigningKey::try_generate(&mut Given(bytes));
            drop(black_box(key));
        }
        "clone" => drop(black_box(key().clone())),
        "sign" => drop(black_box(key().try_sign(MESSAGE))),
        "sign-twice" => {
            let signature = key().try_sign_twice(|take| {
                take(MESSAGE);
                Ok::<_, Infallible>(())
            });
            assert!(signature.is_ok());
        }
        "pkcs8" => assert!(ed25519::SigningKey::from_pkcs8_der(bytes).is_ok()),
        "pem" => {
            let text = std::str::from_utf8(bytes).unwrap_or_default();
            assert!(ed25519::SigningKey::from_pkcs8_pem(text).is_ok());
        }
        _ => drop(black_box(key().to_pkcs8_der())),
    }
}
