//! ML-DSA and round-3 Dilithium.

use std::hint::black_box;

use moissanite::backend::{Backend, WithBackend, dispatch_to};
use moissanite::batch::{generate_batch_on, sign_batch, sign_batch_with_rng};
use moissanite::keys::PrivateKeyForm;
use moissanite::pkcs8::{DecodePrivateKey, EncodePrivateKey, LineEnding};
use moissanite::prehash::{PreHashed, Sha512};
use moissanite::{
    Dilithium2, Dilithium3, Dilithium5, ExpandedSigningKey, Fips204, MlDsa44, MlDsa65, MlDsa87,
    ParameterSet, PreparedSigningKeySpace, Seed, SigningKey, SigningKeyIn, SigningKeySpace,
    prelude::*, round3, stream,
};

use crate::operation::{Given, Input, MESSAGE, Operation, plant, seed};

/// The message representative that is signed.
const MU: [u8; 64] = [7; 64];

pub(crate) fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    standard::<MlDsa44>(&mut all);
    standard::<MlDsa65>(&mut all);
    standard::<MlDsa87>(&mut all);
    common::<Dilithium2>(&mut all);
    common::<Dilithium3>(&mut all);
    common::<Dilithium5>(&mut all);
    for (scheme, run) in [
        (
            "Dilithium2",
            batch_of_round3::<Dilithium2> as fn(&Input<'_>),
        ),
        ("Dilithium3", batch_of_round3::<Dilithium3>),
        ("Dilithium5", batch_of_round3::<Dilithium5>),
    ] {
        let name = "batch-sign-round3";
        all.push(Operation::new(scheme, name, "seed", false, run));
    }
    all
}

/// Adds the operations of all sets.
fn common<P: ParameterSet>(all: &mut Vec<Operation>) {
    let mut add = |name, input, on_backend, run| {
        all.push(Operation::new(P::NAME, name, input, on_backend, run));
    };
    for (name, input) in [
        ("nothing", "seed"),
        ("planted", "seed"),
        ("from-seed", "seed"),
        ("from-seed-in", "seed"),
        ("sign", "seed"),
        ("sign-hedged", "seed"),
        ("sign-into", "seed"),
        ("prepared-sign", "seed"),
        ("prepared-in-sign", "seed"),
        ("batch-generate", "seed"),
    ] {
        add(name, input, true, on_backend::<P>);
    }
    for (name, input) in [
        ("seed", "seed"),
        ("try-generate", "seed"),
        ("batch-generate-rng", "seed"),
        ("clone", "seed"),
        ("serialize", "seed"),
        ("expanded", "expanded"),
        ("expanded-serialize", "expanded"),
        ("expanded-bad-t0", "bad-t0"),
        ("expanded-bad-range", "bad-range"),
        ("deserialize-seed", "json-seed"),
        ("deserialize-expanded", "json-expanded"),
        ("stream-sign", "seed"),
        ("stream-keep-sign", "seed"),
        ("stream-expanded-sign", "expanded"),
        ("stream-expanded-bad-t0", "bad-t0"),
    ] {
        add(name, input, false, on_best::<P>);
    }
}

/// Adds the operations of the sets of FIPS 204.
fn standard<P: Fips204>(all: &mut Vec<Operation>) {
    common::<P>(all);
    for (name, input) in [
        ("batch-sign", "seed"),
        ("batch-sign-hedged", "seed"),
        ("expanded-trusted-sign", "expanded"),
        ("context-sign", "seed"),
        ("hash-sign", "seed"),
        ("pkcs8-seed", "pkcs8-seed"),
        ("pkcs8-expanded", "pkcs8-expanded"),
        ("pkcs8-both", "pkcs8-both"),
        ("pkcs8-bad-both", "pkcs8-bad-both"),
        ("pem-seed", "pem-seed"),
        ("pem-expanded", "pem-expanded"),
        ("pem-both", "pem-both"),
        ("to-pkcs8", "seed"),
        ("to-pem", "seed"),
        ("stream-trusted-sign", "expanded"),
        ("rustls", "pkcs8-seed"),
    ] {
        all.push(Operation::new(
            P::NAME,
            name,
            input,
            false,
            of_standard::<P>,
        ));
    }
}

/// Returns the key of the seed in the input.
fn key<P: ParameterSet>(input: &Input<'_>) -> SigningKey<P> {
    SigningKey::from_seed(&seed(input.bytes))
}

fn on_backend<P: ParameterSet>(input: &Input<'_>) {
    struct Run<'a, P>(&'a Input<'a>, std::marker::PhantomData<P>);
    impl<P: ParameterSet> WithBackend for Run<'_, P> {
        type Output = ();
        fn call<B: Backend>(self, backend: B) {
            named::<P, B>(self.0, backend);
        }
    }
    let ran = dispatch_to(input.backend, Run::<P>(input, std::marker::PhantomData));
    assert!(ran.is_some(), "this CPU has no {}", input.backend);
}

fn named<P: ParameterSet, B: Backend>(input: &Input<'_>, backend: B) {
    let seed = seed(input.bytes);
    let key = || SigningKey::<P>::from_seed_on(backend, &seed);
    match input.operation {
        "nothing" => {}
        "planted" => plant(key().as_expanded_bytes().as_ref()),
        "from-seed" => drop(key()),
        "from-seed-in" => {
            let mut space = SigningKeySpace::<P>::new();
            drop(black_box(SigningKeyIn::from_seed_in_on(
                &mut space, backend, &seed,
            )));
        }
        "sign" => drop(black_box(key().on(backend).try_sign(MESSAGE))),
        "sign-hedged" => {
            let key = key();
            let signature = key.on(backend).try_sign_with_rng(&mut Given(&[]), MESSAGE);
            drop(black_box(signature));
        }
        "sign-into" => {
            let key = key();
            let mut signature = Box::new(moissanite::Signature::<P>::zero());
            let mu = moissanite::Mu::from_bytes(MU);
            let _ = black_box(key.on(backend).try_sign_mu_into(&mu, &mut signature));
        }
        "prepared-sign" => {
            let prepared = key().prepare();
            drop(black_box(prepared.on(backend).try_sign(MESSAGE)));
        }
        "prepared-in-sign" => {
            let mut space = Box::<PreparedSigningKeySpace<P>>::default();
            let key = key();
            let prepared = key.prepare_in(&mut space);
            drop(black_box(prepared.on(backend).try_sign(MESSAGE)));
        }
        "batch-generate" => {
            let seeds = std::slice::from_ref(&*seed);
            drop(black_box(generate_batch_on::<P, B>(backend, seeds)));
        }
        other => unknown(other),
    }
}

fn on_best<P: ParameterSet>(input: &Input<'_>) {
    let bytes = input.bytes;
    match input.operation {
        "seed" => {
            let mut seed = Seed::<32>::zero();
            let Ok(()) = seed.try_fill(&mut Given(bytes));
            black_box(&seed);
        }
        "try-generate" => {
            let Ok(key) = SigningKey::<P>::try_generate(&mut Given(bytes));
            drop(black_box(key));
        }
        "batch-generate-rng" => {
            let keys = moissanite::batch::generate_batch_with_rng::<P, _>(&mut Given(bytes), 1);
            drop(black_box(keys));
        }
        "clone" => drop(black_box(key::<P>(input).clone())),
        "serialize" => serialize(&key::<P>(input)),
        "expanded" | "expanded-bad-t0" | "expanded-bad-range" => {
            let key = SigningKey::<P>::from_expanded_bytes(bytes);
            assert_eq!(key.is_ok(), input.operation == "expanded");
        }
        "expanded-serialize" => {
            if let Ok(key) = SigningKey::<P>::from_expanded_bytes(bytes) {
                serialize(&key);
            }
        }
        "deserialize-seed" | "deserialize-expanded" => {
            let key = serde_json::from_slice::<SigningKey<P>>(bytes);
            assert!(key.is_ok());
        }
        "stream-sign" => {
            let mut seeds = stream::Seeds::new();
            let key = stream::SigningKey::<P, _>::from_seed_in(&mut seeds, &seed(bytes));
            drop(black_box(key.try_sign(MESSAGE)));
        }
        "stream-keep-sign" => {
            let mut kept = Box::new(stream::CachedMatrix::<4>::new());
            let seeds = Box::<stream::Seeds>::default();
            let key = stream::SigningKey::<P, _>::from_seed_in(seeds, &seed(bytes));
            let key = key.keep(&mut kept);
            drop(black_box(key.try_sign_with_rng(&mut Given(&[]), MESSAGE)));
        }
        "stream-expanded-sign" | "stream-expanded-bad-t0" => {
            let key = stream::SigningKey::<P, _>::from_expanded_bytes(bytes);
            assert_eq!(key.is_ok(), input.operation == "stream-expanded-sign");
            if let Ok(key) = key {
                drop(black_box(key.try_sign(MESSAGE)));
            }
        }
        other => unknown(other),
    }
}

fn of_standard<P: Fips204>(input: &Input<'_>) {
    let bytes = input.bytes;
    let text = || std::str::from_utf8(bytes).unwrap_or_default();
    match input.operation {
        "batch-sign" | "batch-sign-hedged" => {
            let key = key::<P>(input).prepare();
            let items = [(&key, MESSAGE), (&key, MESSAGE)];
            if input.operation == "batch-sign" {
                drop(black_box(sign_batch(b"", &items)));
            } else {
                drop(black_box(sign_batch_with_rng(&mut Given(&[]), b"", &items)));
            }
        }
        "expanded-trusted-sign" => {
            if let Ok(key) = ExpandedSigningKey::<P>::from_bytes_trusted(bytes) {
                drop(black_box(key.try_sign(MESSAGE)));
            }
        }
        "context-sign" => {
            let key = key::<P>(input);
            if let Ok(key) = key.with_context(b"context") {
                drop(black_box(key.try_sign(MESSAGE)));
            }
        }
        "hash-sign" => {
            let digest = PreHashed::<Sha512>::of(&[MESSAGE]);
            drop(black_box(key::<P>(input).try_sign_prehashed(&digest)));
        }
        "pkcs8-seed" | "pkcs8-expanded" | "pkcs8-both" => {
            assert!(SigningKey::<P>::from_pkcs8(bytes).is_ok());
        }
        "pkcs8-bad-both" => assert!(SigningKey::<P>::from_pkcs8(bytes).is_err()),
        "pem-seed" | "pem-expanded" | "pem-both" => {
            assert!(SigningKey::<P>::from_pkcs8_pem(text()).is_ok());
        }
        "to-pkcs8" => {
            let key = key::<P>(input);
            drop(black_box(key.to_pkcs8(PrivateKeyForm::Both)));
            drop(black_box(key.to_pkcs8_der()));
        }
        "to-pem" => drop(black_box(key::<P>(input).to_pkcs8_pem(LineEnding::LF))),
        "stream-trusted-sign" => {
            let key = stream::SigningKey::<P, _>::from_expanded_bytes_trusted(bytes);
            if let Ok(key) = key {
                drop(black_box(key.try_sign(MESSAGE)));
            }
        }
        "rustls" => crate::tls::rustls_signs(bytes),
        other => unknown(other),
    }
}

fn batch_of_round3<P: ParameterSet<Scheme = moissanite::Round3>>(input: &Input<'_>) {
    let key = key::<P>(input).prepare();
    drop(black_box(round3::sign_batch(&[
        (&key, MESSAGE),
        (&key, MESSAGE),
    ])));
}

/// Serializes a key into memory that is wiped afterwards.
fn serialize(key: &impl serde::Serialize) {
    let mut json = zeroize::Zeroizing::new(Vec::with_capacity(16 << 10));
    drop(black_box(serde_json::to_writer(&mut *json, key)));
}

fn unknown(operation: &str) {
    unreachable!("{operation} is in the list but not known");
}
