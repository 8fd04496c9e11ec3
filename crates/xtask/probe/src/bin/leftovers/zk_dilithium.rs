//! zkDilithium.

use std::hint::black_box;

use moissanite_composite::prelude::*;
use moissanite_core::backend::{Backend, WithBackend, dispatch_to};
use moissanite_zk_dilithium as zk;

use crate::operation::{Given, Input, MESSAGE, Operation, seed};

pub(crate) fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    let zk: fn(&Input<'_>) = zk_on_backend;
    for name in [
        "from-seed",
        "sign",
        "prepared-sign",
        "prepared-in-sign",
        "pieces-sign",
    ] {
        all.push(Operation::new("zkDilithium", name, "seed", true, zk));
    }
    for (name, input) in [
        ("try-generate", "seed"),
        ("clone", "seed"),
        ("expanded", "expanded"),
        ("expanded-bad-t0", "bad-t0"),
        ("expanded-bad-range", "bad-range"),
    ] {
        all.push(Operation::new(
            "zkDilithium",
            name,
            input,
            false,
            zk_on_best,
        ));
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
