//! This project, on every backend that the CPU has.

use crate::peer::{KeyForm, Level, Peer, Session, Vector};
use moissanite::backend::{Backend, WithBackend, dispatch_to};
use moissanite::prelude::*;
use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87, Seed, Signature, VerifyingKey};
use moissanite_benches::Subject;
use moissanite_benches::hashing::Keccak;
use std::hint::black_box;

/// Measures the permutation.
pub struct Measure;

impl WithBackend for Measure {
    type Output = Keccak;
    fn call<B: Backend>(self, backend: B) -> Keccak {
        Keccak::measure(backend)
    }
}

/// A backend, by its name.
pub struct Moissanite(pub &'static str);

impl Peer for Moissanite {
    fn name(&self) -> String {
        format!("moissanite-{}", self.0)
    }
    fn about(&self) -> String {
        format!(
            "this tree, backend {}. encoded: ExpandedSigningKey::from_bytes_trusted / \
             VerifyingKey::from_bytes. prepared: prepare() of either, which keeps the matrix A.",
            self.0
        )
    }
    fn keccak(&self) -> Option<Keccak> {
        dispatch_to(self.0, Measure)
    }
    fn open(&self, level: Level, seed: &[u8; 32]) -> Option<Box<dyn Session>> {
        dispatch_to(self.0, Open { level, seed })?
    }
    fn verify(&self, level: Level, vector: &Vector<'_>) -> Option<bool> {
        dispatch_to(self.0, Accepts { level, vector })?
    }
}

struct Accepts<'a> {
    level: Level,
    vector: &'a Vector<'a>,
}

impl WithBackend for Accepts<'_> {
    type Output = Option<bool>;
    fn call<B: Backend>(self, backend: B) -> Option<bool> {
        match self.level {
            Level::L44 => accepts::<MlDsa44, B>(backend, self.vector),
            Level::L65 => accepts::<MlDsa65, B>(backend, self.vector),
            Level::L87 => accepts::<MlDsa87, B>(backend, self.vector),
            Level::Ed25519 => None,
        }
    }
}

fn accepts<P: Fips204, B: Backend>(backend: B, v: &Vector<'_>) -> Option<bool> {
    let key = VerifyingKey::<P>::from_bytes(v.public_key).ok()?;
    let (key, signature) = (key.on(backend), Signature::<P>::from_bytes(v.signature));
    let verify = |signature| {
        key.with_context(v.context)
            .ok()?
            .verify(v.message, &signature)
            .ok()
    };
    Some(signature.ok().and_then(verify).is_some())
}

struct Open<'a> {
    level: Level,
    seed: &'a [u8; 32],
}

impl WithBackend for Open<'_> {
    type Output = Option<Box<dyn Session>>;
    fn call<B: Backend>(self, backend: B) -> Self::Output {
        Some(match self.level {
            Level::L44 => Box::new(Subject::<MlDsa44, B>::new(
                backend,
                &Seed::from_bytes(self.seed),
            )),
            Level::L65 => Box::new(Subject::<MlDsa65, B>::new(
                backend,
                &Seed::from_bytes(self.seed),
            )),
            Level::L87 => Box::new(Subject::<MlDsa87, B>::new(
                backend,
                &Seed::from_bytes(self.seed),
            )),
            Level::Ed25519 => return None,
        })
    }
}

impl<P: Fips204, B: Backend> Session for Subject<P, B> {
    fn public_key(&self) -> Vec<u8> {
        self.public_key().as_ref().to_vec()
    }
    fn keygen(&mut self, seed: &[u8; 32]) {
        black_box(Subject::keygen(self, &Seed::from_bytes(seed)));
    }
    fn sign(&mut self, form: KeyForm, message: &[u8], signature: &mut [u8]) {
        let signed = match form {
            KeyForm::Encoded => Subject::sign(self, message),
            KeyForm::Prepared => self.sign_prepared(message),
        };
        signature.copy_from_slice(signed.expect("sign").as_ref());
    }
    fn verify(&mut self, form: KeyForm, message: &[u8], signature: &[u8]) -> bool {
        match form {
            KeyForm::Encoded => Subject::verify(self, message, signature),
            KeyForm::Prepared => self.verify_prepared(message, signature),
        }
    }
}
