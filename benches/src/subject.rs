//! The operations of ML-DSA with one key on one backend, as programs use them.

use std::hint::black_box;

use moissanite::batch::{generate_batch_on, sign_batch, verify_batch};
use moissanite::{
    Backend, ExpandedSigningKey, Fips204, ParameterSet, PreparedSigningKey, PreparedVerifyingKey,
    Seed, Signature, SigningKey, VerifyingKey, prelude::*,
};
use moissanite_core::keygen::{self, check_private_key};
use moissanite_core::prepared;
use moissanite_core::secret::Zeroed;

/// A key in all its forms, and a backend.
pub struct Subject<P: ParameterSet, B> {
    backend: B,
    key: SigningKey<P>,
    prepared: PreparedSigningKey<P>,
    prepared_public: PreparedVerifyingKey<P>,
}

impl<P: ParameterSet, B: Backend> Subject<P, B> {
    /// The key of a seed.
    pub fn new(backend: B, seed: &Seed) -> Self {
        let key = SigningKey::from_seed_on(backend, seed);
        Self {
            backend,
            prepared: key.prepare(),
            prepared_public: key.verifying_key().prepare(),
            key,
        }
    }

    /// The public key in bytes.
    pub fn public_key(&self) -> &P::PublicKey {
        self.key.verifying_key().as_bytes()
    }

    /// Seed to key object and encoded public key.
    pub fn keygen(&self, seed: &Seed) -> (SigningKey<P>, P::PublicKey) {
        let key = SigningKey::from_seed_on(self.backend, seed);
        let public_key = key.verifying_key().to_bytes();
        (key, public_key)
    }

    /// The checks on an imported expanded private key, and its public key. The export of a key only copies
    /// bytes, and is not measured.
    pub fn import(&self) -> Option<P::PublicKey> {
        let mut public_key = P::PublicKey::ZERO;
        let mut scratch = keygen::Scratch::<P, B>::ZERO;
        let key = black_box(self.key.as_expanded_bytes());
        check_private_key::<P, B>(self.backend, key, &mut public_key, &mut scratch).ok()?;
        Some(public_key)
    }

    /// Private key in bytes to prepared key.
    pub fn prepare(&self) -> Option<Box<prepared::SigningState<P>>> {
        let mut prepared = Box::<prepared::SigningState<P>>::default();
        let set = prepared.set(self.backend, black_box(self.key.as_expanded_bytes()));
        set.is_ok().then_some(prepared)
    }

    /// Public key in bytes to prepared key.
    pub fn prepare_public(&self) -> Box<prepared::VerifyingState<P>> {
        let mut prepared = Box::new(prepared::VerifyingState::ZERO);
        prepared.set(self.backend, black_box(self.public_key()));
        prepared
    }

    /// Private key in bytes and message to a deterministic signature in bytes.
    pub fn sign(&self, message: &[u8]) -> Option<P::Signature> {
        let key = black_box(self.key.as_expanded_bytes()).as_ref();
        let key = ExpandedSigningKey::<P>::from_bytes_trusted(key);
        let signature = key.ok()?.on(self.backend).try_sign(message);
        Some(signature.ok()?.to_bytes())
    }

    /// The same, with a prepared key.
    pub fn sign_prepared(&self, message: &[u8]) -> Option<P::Signature> {
        let signature = self.prepared.on(self.backend).try_sign(message);
        Some(signature.ok()?.to_bytes())
    }

    /// Public key, message and signature in bytes to a verdict.
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        let key = VerifyingKey::<P>::from_bytes(black_box(self.public_key()).as_ref());
        let signature = Signature::from_bytes(signature);
        key.is_ok_and(|key| {
            signature
                .is_ok_and(|signature| key.on(self.backend).verify(message, &signature).is_ok())
        })
    }

    /// The same, with a prepared key.
    pub fn verify_prepared(&self, message: &[u8], signature: &[u8]) -> bool {
        let key = self.prepared_public.on(self.backend);
        Signature::from_bytes(signature)
            .is_ok_and(|signature| key.verify(message, &signature).is_ok())
    }
}

impl<P: Fips204, B: Backend> Subject<P, B> {
    /// Seeds to key objects, at once.
    pub fn generate_batch(&self, seeds: &[Seed]) -> Vec<SigningKey<P>> {
        generate_batch_on(self.backend, seeds)
    }

    /// Messages to deterministic signatures with a prepared key, at once: whether there are all.
    pub fn sign_batch<'m>(&self, messages: impl Iterator<Item = &'m [u8; 32]>) -> bool {
        let key = self.prepared.on(self.backend);
        let items: Vec<_> = messages.map(|message| (&key, message.as_slice())).collect();
        black_box(sign_batch(b"", &items)).is_ok()
    }

    /// Messages and signatures to verdicts with a prepared key, at once: whether all are valid.
    pub fn verify_batch<'m>(
        &self,
        signed: impl Iterator<Item = (&'m [u8; 32], &'m Signature<P>)>,
    ) -> bool {
        let key = self.prepared_public.on(self.backend);
        let items: Vec<_> = signed
            .map(|(message, signature)| (&key, message.as_slice(), signature))
            .collect();
        verify_batch(b"", &items).is_ok()
    }
}
