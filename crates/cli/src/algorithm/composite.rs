//! The composites of ML-DSA and Ed25519 as algorithms of the command.

use std::marker::PhantomData;

use der::oid::ObjectIdentifier;
use moissanite::keys::PrivateKeyForm;
use moissanite::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use moissanite::{Fips204, ParameterSet, SigningError, SysRng};
use moissanite_composite::{
    self as composite, PreHash, PreHashed, Signature, SigningKey, VerifyingKey, WithContext,
};
use zeroize::Zeroizing;

use super::ed25519::Ed25519;
use super::ml_dsa::{Lattice, SetFormats};
use super::scheme::{
    self, Algorithm, Framing, PrivateKey, PublicKey, Scheme, Sizes, Verification, only_seed,
};
use crate::backend::Backend;
use crate::error::Error;
use crate::input::Message;
use crate::key_error::KeyError;

/// A composite of ML-DSA and Ed25519.
pub(crate) struct Composite<C>(PhantomData<C>);

impl<C: composite::Composite<MlDsa: SetFormats>> Composite<C> {
    pub(crate) const NEW: Self = Self(PhantomData);
    const THIS: Algorithm = &Self::NEW;
}

/// The ML-DSA part always computes on the best backend.
impl<C: composite::Composite<MlDsa: SetFormats>> Scheme for Composite<C> {
    fn name(&self) -> &'static str {
        C::NAME
    }
    fn category(&self) -> Option<u8> {
        Some(<C::MlDsa as Fips204>::CATEGORY)
    }
    fn sizes(&self) -> Sizes {
        Sizes {
            public: C::PUBLIC_KEY_LEN,
            private: SigningKey::<C>::LEN,
            signature: C::SIGNATURE_LEN,
        }
    }
    fn seed_len(&self) -> usize {
        SigningKey::<C>::LEN
    }
    fn oid(&self) -> Option<ObjectIdentifier> {
        Some(composite::oid::<C>())
    }
    fn private_from_seed(&self, _: Backend, seed: &[u8]) -> Result<Box<dyn PrivateKey>, Error> {
        Ok(Box::new(SigningKey::<C>::from_seed(&*scheme::seed(seed)?)))
    }
    fn private_from_raw(&self, _: Backend, bytes: &[u8]) -> Result<Box<dyn PrivateKey>, KeyError> {
        let seed = scheme::seed(bytes).map_err(|_| KeyError::RawLength(bytes.len()))?;
        Ok(Box::new(SigningKey::<C>::from_seed(&seed)))
    }
    fn private_from_pkcs8(
        &self,
        _: Backend,
        der: &[u8],
    ) -> Result<(Box<dyn PrivateKey>, PrivateKeyForm), KeyError> {
        let key = SigningKey::<C>::from_pkcs8_der(der)?;
        Ok((Box::new(key), PrivateKeyForm::Seed))
    }
    fn public_from_raw(&self, _: Backend, bytes: &[u8]) -> Result<Box<dyn PublicKey>, KeyError> {
        Ok(Box::new(VerifyingKey::<C>::from_bytes(bytes)?))
    }
    fn public_from_spki(&self, _: Backend, der: &[u8]) -> Result<Box<dyn PublicKey>, KeyError> {
        let key = VerifyingKey::<C>::from_public_key_der(der);
        Ok(Box::new(key.map_err(pkcs8::Error::from)?))
    }
    fn inspect_signature(&self, bytes: &[u8]) -> Result<String, KeyError> {
        let parts = bytes.split_at_checked(C::MlDsa::SIGNATURE_LEN);
        let (ml_dsa, ed25519) = parts.ok_or(KeyError::RawLength(bytes.len()))?;
        let ml_dsa = Lattice::<C::MlDsa>::NEW.inspect_signature(ml_dsa)?;
        let ed25519 = Ed25519.inspect_signature(ed25519)?;
        Ok(format!("ML-DSA {ml_dsa}; Ed25519 {ed25519}"))
    }
}

impl<C: composite::Composite<MlDsa: SetFormats>> PrivateKey for SigningKey<C> {
    fn algorithm(&self) -> Algorithm {
        Composite::<C>::THIS
    }
    fn public_key(&self) -> Box<dyn PublicKey> {
        Box::new(self.verifying_key().clone())
    }
    fn sign(
        &self,
        message: Message,
        framing: &Framing,
        deterministic: bool,
    ) -> Result<Vec<u8>, Error> {
        let hash = read::<C>(message, framing)?;
        let key = self.with_context(&framing.context).map_err(too_long)?;
        let signature = if deterministic {
            key.try_sign_prehashed(&hash)
        } else {
            key.try_sign_prehashed_with_rng(&mut SysRng, &hash)
        };
        Ok(signature
            .map_err(|error| signing_error(&error))?
            .as_ref()
            .to_vec())
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

impl<C: composite::Composite<MlDsa: SetFormats>> PublicKey for VerifyingKey<C> {
    fn algorithm(&self) -> Algorithm {
        Composite::<C>::THIS
    }
    fn verification<'a>(
        &'a self,
        framing: &'a Framing,
        signature: &'a [u8],
    ) -> Result<Box<dyn Verification + 'a>, Error> {
        Ok(Box::new(Verifying {
            hash: prehash::<C>(framing)?,
            key: self.with_context(&framing.context).map_err(too_long)?,
            signature,
        }))
    }
    fn to_raw(&self) -> Vec<u8> {
        self.to_bytes().as_ref().to_vec()
    }
    fn to_spki(&self) -> Result<Vec<u8>, KeyError> {
        let document = self.to_public_key_der();
        Ok(document.map_err(pkcs8::Error::from)?.into_vec())
    }
}

/// The verification of a signature of a message.
struct Verifying<'a, C: composite::Composite> {
    hash: PreHash,
    key: WithContext<'a, VerifyingKey<C>>,
    signature: &'a [u8],
}

impl<C: composite::Composite> Verification for Verifying<'_, C> {
    fn update(&mut self, piece: &[u8]) {
        self.hash.update(piece);
    }
    fn finish(self: Box<Self>) -> Result<bool, Error> {
        let hash = self.hash.finish();
        let signature = Signature::from_bytes(self.signature);
        let is_valid = |signature| self.key.verify_prehashed(&hash, &signature).is_ok();
        Ok(signature.is_ok_and(is_valid))
    }
}

/// Hashes a message with SHA-512, piece by piece.
fn read<C: composite::Composite>(message: Message, framing: &Framing) -> Result<PreHashed, Error> {
    let mut hash = prehash::<C>(framing)?;
    message.absorb(|piece| hash.update(piece))?;
    Ok(hash.finish())
}

/// The hash of an empty message with SHA-512.
fn prehash<C: composite::Composite>(framing: &Framing) -> Result<PreHash, Error> {
    if framing.prehash.is_some() {
        return Err(Error::Usage(format!(
            "{} always hashes the message with SHA-512; leave out --prehash",
            C::NAME
        )));
    }
    Ok(PreHash::new())
}

fn too_long(error: composite::ContextTooLong) -> Error {
    Error::Usage(error.to_string())
}

/// The reason for which the ML-DSA part cannot sign; Ed25519 cannot fail.
fn signing_error(error: &composite::signature::Error) -> Error {
    let source = std::error::Error::source(error);
    match source.and_then(|source| source.downcast_ref::<SigningError>()) {
        Some(error) => Error::Signing(*error),
        None => Error::Fault(error.to_string()),
    }
}
