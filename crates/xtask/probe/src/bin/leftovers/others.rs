//! zkDilithium, composites and Ed25519.

use std::convert::Infallible;
use std::hint::black_box;

use moissanite_composite::pkcs8::{DecodePrivateKey, EncodePrivateKey};
use moissanite_composite::{Composite, MlDsa44Ed25519, MlDsa65Ed25519, ed25519, prelude::*};
use moissanite_core::backend::{Backend, WithBackend, dispatch_to};
use moissanite_zk_dilithium as zk;

use crate::operation::{Given, Input, MESSAGE, Operation, seed};

pub(crate) fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    let mut add = |scheme, name, input, on_backend, run| {
        all.push(Operation {
            scheme,
            name,
            input,
            on_backend,
            run,
        });
    };
    let zk: fn(&Input<'_>) = zk_on_backend;
    for name in [
        "from-seed",
        "sign",
        "prepared-sign",
        "prepared-in-sign",
        "pieces-sign",
    ] {
        add("zkDilithium", name, "seed", true, zk);
    }
    for (name, input) in [
        ("try-generate", "seed"),
        ("clone", "seed"),
        ("expanded", "expanded"),
        ("expanded-bad-t0", "bad-t0"),
        ("expanded-bad-range", "bad-range"),
    ] {
        add("zkDilithium", name, input, false, zk_on_best);
    }
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
            add(scheme, name, input, false, run);
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
        add("Ed25519", name, input, false, ed25519);
    }
    all
}

fn zk_on_backend(input: &Input<'_>) {
    struct Run<'a>(&'a Input<'a>);
    impl WithBackend for Run<'_> {
        type Output = ();
        fn call<B: Backend>(self, backend: B) {
            zk_named(self.0, backend);
        }
    }
    let ran = dispatch_to(input.backend, Run(input));
    assert!(ran.is_some(), "this CPU has no {}", input.backend);
}

fn zk_named<B: Backend>(input: &Input<'_>, backend: B) {
    let key = zk::SigningKey::from_seed_on(backend, &seed(input.bytes));
    match input.operation {
        "sign" => drop(black_box(key.on(backend).try_sign(MESSAGE))),
        "prepared-sign" => {
            let key = key.prepare();
            drop(black_box(key.on(backend).try_sign(MESSAGE)));
        }
        "prepared-in-sign" => {
            let mut space = Box::<zk::PreparedSigningKeySpace>::default();
            let key = key.prepare_in(&mut space);
            drop(black_box(key.on(backend).try_sign(MESSAGE)));
        }
        "pieces-sign" => {
            let key = key.on(backend);
            let mut signer = key.signer();
            MESSAGE.iter().for_each(|byte| signer.update(&[*byte]));
            drop(black_box(signer.try_sign()));
        }
        _ => {}
    }
}

fn zk_on_best(input: &Input<'_>) {
    match input.operation {
        "try-generate" => {
            let Ok(key) = zk::SigningKey::try_generate(&mut Given(input.bytes));
            drop(black_box(key));
        }
        "clone" => drop(black_box(
            zk::SigningKey::from_seed(&seed(input.bytes)).clone(),
        )),
        _ => {
            let key = zk::SigningKey::from_bytes(input.bytes);
            assert_eq!(key.is_ok(), input.operation == "expanded");
        }
    }
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
