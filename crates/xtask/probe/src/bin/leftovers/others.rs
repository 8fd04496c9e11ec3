//! zkDilithium, composites, Ed25519, TLS, and what all of them take.

use std::convert::Infallible;
use std::hint::black_box;

use moissanite_composite::pkcs8::{DecodePrivateKey, EncodePrivateKey};
use moissanite_composite::{Composite, MlDsa44Ed25519, MlDsa65Ed25519, ed25519, prelude::*};
use moissanite_core::backend::{Backend, WithBackend, dispatch_to};
use moissanite_zk_dilithium as zk;
use rand_core::{TryCryptoRng, TryRng};
use rustls::SignatureScheme;
use rustls::crypto::{GetRandomFailed, SecureRandom};
use rustls::pki_types::PrivatePkcs8KeyDer;

use crate::lattice::{MESSAGE, seed};
use crate::{Input, Operation};

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

/// A generator that gives these bytes, and then sevens.
pub(crate) struct Given<'a>(pub(crate) &'a [u8]);

impl TryRng for Given<'_> {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(7)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(7)
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        let (given, rest) = bytes.split_at_mut(bytes.len().min(self.0.len()));
        given.copy_from_slice(&self.0[..given.len()]);
        self.0 = &self.0[given.len()..];
        rest.fill(7);
        Ok(())
    }
}
impl TryCryptoRng for Given<'_> {}

/// What no operation may do: leaves a copy in the stack.
#[inline(never)]
pub(crate) fn plant(secret: &[u8]) {
    let mut copy = [0; 4096];
    let len = secret.len().min(copy.len());
    copy[..len].copy_from_slice(&secret[..len]);
    black_box(&mut copy);
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

#[derive(Debug)]
struct Sevens;
impl SecureRandom for Sevens {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), GetRandomFailed> {
        bytes.fill(7);
        Ok(())
    }
}

/// Reads a key as a TLS server does, and signs.
pub(crate) fn rustls_signs(pkcs8: &[u8]) {
    let document = PrivatePkcs8KeyDer::from(pkcs8);
    let schemes = [
        SignatureScheme::ML_DSA_44,
        SignatureScheme::ML_DSA_65,
        SignatureScheme::ML_DSA_87,
    ];
    let Some(Ok(key)) = moissanite_rustls::signing_key(&document, &Sevens) else {
        unreachable!("the document has an ML-DSA key");
    };
    if let Some(signer) = key.choose_scheme(&schemes) {
        drop(black_box(signer.sign(MESSAGE)));
    }
}
