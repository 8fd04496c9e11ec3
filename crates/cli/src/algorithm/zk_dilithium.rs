//! zkDilithium as an algorithm of the command.

use der::oid::ObjectIdentifier;
use moissanite::backend::{Backend as CoreBackend, WithBackend};
use moissanite::keys::PrivateKeyForm;
use moissanite_zk_dilithium::{
    MessageVerifier, PRIVATE_KEY_LEN, PUBLIC_KEY_LEN, SIGNATURE_LEN, Seed, Signature, SigningError,
    SigningKey, VerifyingKey,
};
use zeroize::Zeroizing;

use super::scheme::{
    self, Algorithm, Framing, NeverValid, PrivateKey, PublicKey, Scheme, Sizes, Verification,
};
use crate::backend::Backend;
use crate::diagnostics::warn;
use crate::error::Error;
use crate::input::Message;
use crate::key_error::KeyError;

const NAME: &str = "zkDilithium";

/// The scheme zkDilithium, which has one parameter set.
pub(crate) struct ZkDilithium;

impl Scheme for ZkDilithium {
    fn name(&self) -> &'static str {
        NAME
    }
    /// zkDilithium is not a standard.
    fn category(&self) -> Option<u8> {
        None
    }
    fn sizes(&self) -> Sizes {
        Sizes {
            public: PUBLIC_KEY_LEN,
            private: PRIVATE_KEY_LEN,
            signature: SIGNATURE_LEN,
        }
    }
    fn derived(&self) -> &'static str {
        "t and tr"
    }
    fn oid(&self) -> Option<ObjectIdentifier> {
        None
    }
    fn private_from_seed(
        &self,
        backend: Backend,
        seed: &[u8],
    ) -> Result<Box<dyn PrivateKey>, Error> {
        let key = backend.run(FromSeed(&*scheme::seed(seed)?))?;
        Ok(Box::new(Private { key, backend }))
    }
    fn private_from_raw(
        &self,
        backend: Backend,
        bytes: &[u8],
    ) -> Result<Box<dyn PrivateKey>, KeyError> {
        let key = SigningKey::from_bytes(bytes)?;
        Ok(Box::new(Private { key, backend }))
    }
    fn private_from_pkcs8(
        &self,
        _: Backend,
        _: &[u8],
    ) -> Result<(Box<dyn PrivateKey>, PrivateKeyForm), KeyError> {
        Err(KeyError::NoDocument(NAME))
    }
    fn public_from_raw(
        &self,
        backend: Backend,
        bytes: &[u8],
    ) -> Result<Box<dyn PublicKey>, KeyError> {
        let key = VerifyingKey::from_bytes(bytes)?;
        Ok(Box::new(Public { key, backend }))
    }
    fn public_from_spki(&self, _: Backend, _: &[u8]) -> Result<Box<dyn PublicKey>, KeyError> {
        Err(KeyError::NoDocument(NAME))
    }
    /// Checks the length. All other checks need a key.
    fn inspect_signature(&self, bytes: &[u8]) -> Result<String, KeyError> {
        let wrong = |_| KeyError::RawLength(bytes.len());
        Signature::from_bytes(bytes).map_err(wrong)?;
        Ok("of the right length".into())
    }
}

struct Private {
    key: SigningKey,
    backend: Backend,
}

impl PrivateKey for Private {
    fn algorithm(&self) -> Algorithm {
        &ZkDilithium
    }
    fn public_key(&self) -> Box<dyn PublicKey> {
        Box::new(Public {
            key: self.key.verifying_key().clone(),
            backend: self.backend,
        })
    }
    /// Signatures are always deterministic.
    fn sign(&self, message: Message, framing: &Framing, _: bool) -> Result<Vec<u8>, Error> {
        framing.refuse(NAME)?;
        let key = &self.key;
        let signature = self.backend.run(Sign { key, message })??;
        Ok(signature.as_bytes().to_vec())
    }
    fn to_seed(&self) -> Option<Zeroizing<Vec<u8>>> {
        self.key
            .as_seed()
            .map(|seed| Zeroizing::new(seed.as_bytes().to_vec()))
    }
    fn to_raw(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(self.key.as_bytes().to_vec())
    }
    fn to_pkcs8(&self, _: PrivateKeyForm) -> Result<Zeroizing<Vec<u8>>, KeyError> {
        Err(KeyError::NoDocument(NAME))
    }
}

struct Public {
    key: VerifyingKey,
    backend: Backend,
}

impl PublicKey for Public {
    fn algorithm(&self) -> Algorithm {
        &ZkDilithium
    }
    /// On the best backend, as the state of a verification on another one borrows a key that is bound to it.
    fn verification<'a>(
        &'a self,
        framing: &'a Framing,
        signature: &'a [u8],
    ) -> Result<Box<dyn Verification + 'a>, Error> {
        framing.refuse(NAME)?;
        if let Some(name) = self.backend.requested() {
            warn(&format!(
                "the backend {name} is not used for {NAME} with several keys"
            ));
        }
        let Ok(signature) = Signature::from_bytes(signature) else {
            return Ok(Box::new(NeverValid));
        };
        let verifier = self.key.verifier();
        Ok(Box::new(Verifying {
            verifier,
            signature,
        }))
    }
    fn verify(&self, message: Message, framing: &Framing, signature: &[u8]) -> Result<bool, Error> {
        framing.refuse(NAME)?;
        let Ok(signature) = Signature::from_bytes(signature) else {
            return Ok(false);
        };
        self.backend.run(Verify {
            key: &self.key,
            message,
            signature: &signature,
        })?
    }
    fn to_raw(&self) -> Vec<u8> {
        self.key.as_bytes().to_vec()
    }
    fn to_spki(&self) -> Result<Vec<u8>, KeyError> {
        Err(KeyError::NoDocument(NAME))
    }
}

/// The verification of a signature of a message in pieces.
struct Verifying<'a> {
    verifier: MessageVerifier<'a, VerifyingKey>,
    signature: Signature,
}

impl Verification for Verifying<'_> {
    fn update(&mut self, piece: &[u8]) {
        self.verifier.update(piece);
    }
    fn finish(self: Box<Self>) -> Result<bool, Error> {
        Ok(self.verifier.verify(&self.signature).is_ok())
    }
}

struct FromSeed<'a>(&'a Seed);
impl WithBackend for FromSeed<'_> {
    type Output = SigningKey;
    fn call<B: CoreBackend>(self, backend: B) -> SigningKey {
        SigningKey::from_seed_on(backend, self.0)
    }
}

struct Sign<'a> {
    key: &'a SigningKey,
    message: Message,
}
impl WithBackend for Sign<'_> {
    type Output = Result<Signature, Error>;
    fn call<B: CoreBackend>(self, backend: B) -> Self::Output {
        let key = self.key.on(backend);
        let mut signer = key.signer();
        self.message.absorb(|piece| signer.update(piece))?;
        signer.try_sign().map_err(signing_error)
    }
}

struct Verify<'a> {
    key: &'a VerifyingKey,
    message: Message,
    signature: &'a Signature,
}
impl WithBackend for Verify<'_> {
    type Output = Result<bool, Error>;
    fn call<B: CoreBackend>(self, backend: B) -> Self::Output {
        let key = self.key.on(backend);
        let mut verifier = key.verifier();
        self.message.absorb(|piece| verifier.update(piece))?;
        Ok(verifier.verify(self.signature).is_ok())
    }
}

fn signing_error(error: SigningError) -> Error {
    match error {
        SigningError::AttemptsExhausted => moissanite::SigningError::AttemptsExhausted.into(),
        _ => moissanite::SigningError::Fault.into(),
    }
}
