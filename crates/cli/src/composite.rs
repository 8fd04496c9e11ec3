//! The composites of ML-DSA and Ed25519 as algorithms of the command.

use std::marker::PhantomData;

use der::oid::ObjectIdentifier;
use moissanite::keys::PrivateKeyForm;
use moissanite::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use moissanite::{Fips204, ParameterSet, SigningError, SysRng};
use moissanite_composite::{
    self as composite, Composite, PreHash, PreHashed, Signature, SigningKey, VerifyingKey,
};
use zeroize::Zeroizing;

use crate::algorithm::{self, Algorithm, Framing, PrivateKey, PublicKey, Scheme, Sizes};
use crate::backend::Backend;
use crate::commands::{acvp, bench};
use crate::ed25519::{Ed25519, only_seed};
use crate::error::Error;
use crate::keyfile::KeyError;
use crate::lattice::Lattice;
use crate::lattice::family::Family;
use crate::message::Message;

/// One of the two.
pub(crate) struct Combined<C>(PhantomData<C>);

impl<C: Composite<MlDsa: Family>> Combined<C> {
    pub(crate) const NEW: Self = Self(PhantomData);
    const THIS: Algorithm = &Self::NEW;
}

/// The ML-DSA half computes on the best backend, whatever is asked for.
impl<C: Composite<MlDsa: Family>> Scheme for Combined<C> {
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
        Ok(Box::new(SigningKey::<C>::from_seed(&*algorithm::seed(
            seed,
        )?)))
    }
    fn private_from_raw(&self, _: Backend, bytes: &[u8]) -> Result<Box<dyn PrivateKey>, KeyError> {
        let seed = algorithm::seed(bytes).map_err(|_| KeyError::RawLength(bytes.len()))?;
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
        let halves = bytes.split_at_checked(C::MlDsa::SIGNATURE_LEN);
        let (ml_dsa, ed25519) = halves.ok_or(KeyError::RawLength(bytes.len()))?;
        let ml_dsa = Lattice::<C::MlDsa>::NEW.inspect_signature(ml_dsa)?;
        let ed25519 = Ed25519.inspect_signature(ed25519)?;
        Ok(format!("ML-DSA {ml_dsa}; Ed25519 {ed25519}"))
    }
    fn has_backends(&self) -> bool {
        false
    }
    fn bench(&self, _: Backend, _: usize) -> Result<bench::Measured, Error> {
        Err(Error::Fault("there are no backends to measure".into()))
    }
    fn acvp(&self) -> Option<&dyn acvp::Answers> {
        None
    }
}

impl<C: Composite<MlDsa: Family>> PrivateKey for SigningKey<C> {
    fn algorithm(&self) -> Algorithm {
        Combined::<C>::THIS
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
            .map_err(|error| signing(&error))?
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

impl<C: Composite<MlDsa: Family>> PublicKey for VerifyingKey<C> {
    fn algorithm(&self) -> Algorithm {
        Combined::<C>::THIS
    }
    fn verify(&self, message: Message, framing: &Framing, signature: &[u8]) -> Result<bool, Error> {
        let hash = read::<C>(message, framing)?;
        let key = self.with_context(&framing.context).map_err(too_long)?;
        let signature = Signature::from_bytes(signature);
        Ok(signature.is_ok_and(|signature| key.verify_prehashed(&hash, &signature).is_ok()))
    }
    fn to_raw(&self) -> Vec<u8> {
        self.to_bytes().as_ref().to_vec()
    }
    fn to_spki(&self) -> Result<Vec<u8>, KeyError> {
        let document = self.to_public_key_der();
        Ok(document.map_err(pkcs8::Error::from)?.into_vec())
    }
}

/// SHA-512 of a message, read piece by piece.
fn read<C: Composite>(message: Message, framing: &Framing) -> Result<PreHashed, Error> {
    if framing.prehash.is_some() {
        return Err(Error::Usage(format!(
            "{} hashes every message by SHA-512 itself; leave --prehash out",
            C::NAME
        )));
    }
    let mut hash = PreHash::new();
    message.absorb(|piece| hash.update(piece))?;
    Ok(hash.finish())
}

fn too_long(error: composite::ContextTooLong) -> Error {
    Error::Usage(error.to_string())
}

/// What went wrong in the ML-DSA half; Ed25519 cannot fail.
fn signing(error: &composite::signature::Error) -> Error {
    let source = std::error::Error::source(error);
    match source.and_then(|source| source.downcast_ref::<SigningError>()) {
        Some(error) => Error::Signing(*error),
        None => Error::Fault(error.to_string()),
    }
}
