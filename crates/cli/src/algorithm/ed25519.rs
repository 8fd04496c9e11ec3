//! Ed25519 (RFC 8032) as an algorithm of the command.

use der::oid::ObjectIdentifier;
use moissanite::keys::PrivateKeyForm;
use moissanite::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use moissanite_composite::ReadTwiceError;
use moissanite_composite::ed25519::{PieceVerifier, Signature, SigningKey, VerifyingKey};
use zeroize::Zeroizing;

use super::scheme::{
    self, Algorithm, Framing, NeverValid, PrivateKey, PublicKey, Scheme, Sizes, Verification,
    only_seed,
};
use crate::backend::Backend;
use crate::error::Error;
use crate::input::Message;
use crate::key_error::KeyError;

/// The scheme Ed25519.
pub(crate) struct Ed25519;

impl Scheme for Ed25519 {
    fn name(&self) -> &'static str {
        "Ed25519"
    }
    /// Ed25519 does not resist quantum computers.
    fn category(&self) -> Option<u8> {
        None
    }
    fn sizes(&self) -> Sizes {
        Sizes {
            public: VerifyingKey::LEN,
            private: SigningKey::LEN,
            signature: Signature::BYTE_SIZE,
        }
    }
    fn oid(&self) -> Option<ObjectIdentifier> {
        Some(ObjectIdentifier::new_unwrap("1.3.101.112"))
    }
    fn private_from_seed(&self, _: Backend, seed: &[u8]) -> Result<Box<dyn PrivateKey>, Error> {
        Ok(Box::new(SigningKey::from_seed(&*scheme::seed(seed)?)))
    }
    fn private_from_raw(&self, _: Backend, bytes: &[u8]) -> Result<Box<dyn PrivateKey>, KeyError> {
        let seed = scheme::seed(bytes).map_err(|_| KeyError::RawLength(bytes.len()))?;
        Ok(Box::new(SigningKey::from_seed(&seed)))
    }
    fn private_from_pkcs8(
        &self,
        _: Backend,
        der: &[u8],
    ) -> Result<(Box<dyn PrivateKey>, PrivateKeyForm), KeyError> {
        let key = SigningKey::from_pkcs8_der(der)?;
        Ok((Box::new(key), PrivateKeyForm::Seed))
    }
    fn public_from_raw(&self, _: Backend, bytes: &[u8]) -> Result<Box<dyn PublicKey>, KeyError> {
        Ok(Box::new(VerifyingKey::from_bytes(bytes)?))
    }
    fn public_from_spki(&self, _: Backend, der: &[u8]) -> Result<Box<dyn PublicKey>, KeyError> {
        let key = VerifyingKey::from_public_key_der(der);
        Ok(Box::new(key.map_err(pkcs8::Error::from)?))
    }
    /// Checks R and S. These checks do not depend on the key.
    fn inspect_signature(&self, bytes: &[u8]) -> Result<String, KeyError> {
        let any = SigningKey::from_seed(&[0; SigningKey::LEN].into());
        let signature = Signature::try_from(bytes).and_then(|s| any.verifying_key().verifier(&s));
        match signature {
            Ok(_) => Ok("well-formed: R is on the curve, S is reduced".into()),
            Err(_) => Err(KeyError::Malformed(
                "no key can have made this signature: its R or its S is malformed".into(),
            )),
        }
    }
}

impl PrivateKey for SigningKey {
    fn algorithm(&self) -> Algorithm {
        &Ed25519
    }
    fn public_key(&self) -> Box<dyn PublicKey> {
        Box::new(*self.verifying_key())
    }
    /// Signatures are always deterministic.
    fn sign(&self, message: Message, framing: &Framing, _: bool) -> Result<Vec<u8>, Error> {
        framing.refuse("Ed25519")?;
        let mut message = message.repeatable()?;
        match self.try_sign_twice(|take| message.read(take)) {
            Ok(signature) => Ok(signature.to_vec()),
            Err(ReadTwiceError::Read(error)) => Err(error),
            Err(_) => Err(Error::Usage(
                "the message changed between the two times that Ed25519 reads it; no other program may write to it"
                    .into(),
            )),
        }
    }
    fn to_seed(&self) -> Option<Zeroizing<Vec<u8>>> {
        Some(PrivateKey::to_raw(self))
    }
    fn to_raw(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(self.as_seed().as_bytes().to_vec())
    }
    fn to_pkcs8(&self, form: PrivateKeyForm) -> Result<Zeroizing<Vec<u8>>, KeyError> {
        only_seed(form)?;
        Ok(self.to_pkcs8_der()?.to_bytes())
    }
}

impl PublicKey for VerifyingKey {
    fn algorithm(&self) -> Algorithm {
        &Ed25519
    }
    fn verification<'a>(
        &'a self,
        framing: &'a Framing,
        signature: &'a [u8],
    ) -> Result<Box<dyn Verification + 'a>, Error> {
        framing.refuse("Ed25519")?;
        let signature = Signature::try_from(signature);
        Ok(
            match signature.and_then(|signature| self.verifier(&signature)) {
                Ok(verifier) => Box::new(verifier),
                Err(_) => Box::new(NeverValid),
            },
        )
    }
    fn to_raw(&self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }
    fn to_spki(&self) -> Result<Vec<u8>, KeyError> {
        let document = self.to_public_key_der();
        Ok(document.map_err(pkcs8::Error::from)?.into_vec())
    }
}

impl Verification for PieceVerifier {
    fn update(&mut self, piece: &[u8]) {
        Self::update(self, piece);
    }
    fn finish(self: Box<Self>) -> Result<bool, Error> {
        Ok(self.verify().is_ok())
    }
}
