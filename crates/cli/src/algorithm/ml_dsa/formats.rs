//! The differences between ML-DSA and round-3 Dilithium: documents, contexts and pre-hashing.

use der::oid::ObjectIdentifier;
use moissanite::keys::{self, PrivateKeyForm};
use moissanite::pkcs8::EncodePublicKey;
use moissanite::prehash::{PreHash, PreHashed};
use moissanite::{
    Dilithium2, Dilithium3, Dilithium5, Fips204, MlDsa44, MlDsa65, MlDsa87, Mu, MuBuilder,
    ParameterSet, SigningKey, VerifyingKey, WithContext,
};
use moissanite_core::scheme::Scheme;
use zeroize::Zeroizing;

use crate::algorithm::scheme::{Framing, MU, no_mu};
use crate::error::Error;
use crate::hash::WithHash;
use crate::input::Message;
use crate::key_error::KeyError;

/// A parameter set of ML-DSA or of round 3. Round 3 has neither documents nor contexts.
pub(crate) trait SetFormats: ParameterSet {
    /// NIST's security category.
    const CATEGORY: u8;
    /// The identifier of keys and signatures.
    fn oid() -> Option<ObjectIdentifier>;
    /// Reads a private key from PKCS#8 (DER).
    fn from_pkcs8(der: &[u8]) -> Result<(SigningKey<Self>, PrivateKeyForm), KeyError>;
    /// Writes a private key as PKCS#8 (DER).
    fn to_pkcs8(
        key: &SigningKey<Self>,
        form: PrivateKeyForm,
    ) -> Result<Zeroizing<Vec<u8>>, KeyError>;
    /// Reads a public key from a SubjectPublicKeyInfo (DER).
    fn from_spki(der: &[u8]) -> Result<VerifyingKey<Self>, KeyError>;
    /// Writes a public key as a SubjectPublicKeyInfo (DER).
    fn to_spki(key: &VerifyingKey<Self>) -> Result<Vec<u8>, KeyError>;
    /// Begins to compute μ of a message.
    fn start_mu<'a>(
        key: &'a VerifyingKey<Self>,
        framing: &'a Framing,
    ) -> Result<Box<dyn Hashing<Self::Scheme> + 'a>, Error>;
    /// Computes μ of a message, which it reads to the end.
    fn read_mu(
        key: &VerifyingKey<Self>,
        message: Message,
        framing: &Framing,
    ) -> Result<Mu<Self::Scheme>, Error> {
        let mut mu = Self::start_mu(key, framing)?;
        message.absorb(|piece| mu.update(piece))?;
        mu.finish()
    }
    /// Refuses a set whose μ no standard defines as an input of signing.
    fn check_external_mu() -> Result<(), Error>;
    /// Takes a μ that was computed elsewhere.
    fn external_mu(mu: &[u8; MU]) -> Result<Mu<Self::Scheme>, Error> {
        Self::check_external_mu()?;
        Ok(Mu::from_bytes(*mu))
    }
}

/// The computation of μ of a message in pieces.
pub(crate) trait Hashing<S> {
    /// Takes the next piece.
    fn update(&mut self, piece: &[u8]);
    /// μ of all pieces.
    fn finish(self: Box<Self>) -> Result<Mu<S>, Error>;
}

impl<S: Scheme> Hashing<S> for MuBuilder<S> {
    fn update(&mut self, piece: &[u8]) {
        Self::update(self, piece);
    }
    fn finish(self: Box<Self>) -> Result<Mu<S>, Error> {
        Ok(Self::finish(*self))
    }
}

macro_rules! fips_204 {
    ($($set:ty)*) => { $(
        impl SetFormats for $set {
            const CATEGORY: u8 = <Self as Fips204>::CATEGORY;
            fn oid() -> Option<ObjectIdentifier> {
                Some(keys::oid::<Self>())
            }
            fn from_pkcs8(der: &[u8]) -> Result<(SigningKey<Self>, PrivateKeyForm), KeyError> {
                Ok(SigningKey::from_pkcs8(der)?)
            }
            fn to_pkcs8(
                key: &SigningKey<Self>,
                form: PrivateKeyForm,
            ) -> Result<Zeroizing<Vec<u8>>, KeyError> {
                Ok(key.to_pkcs8(form)?.to_bytes())
            }
            fn from_spki(der: &[u8]) -> Result<VerifyingKey<Self>, KeyError> {
                Ok(VerifyingKey::from_spki(der)?)
            }
            fn to_spki(key: &VerifyingKey<Self>) -> Result<Vec<u8>, KeyError> {
                let document = key.to_public_key_der();
                Ok(document
                    .map_err(|error| KeyError::Malformed(error.to_string()))?
                    .into_vec())
            }
            fn start_mu<'a>(
                key: &'a VerifyingKey<Self>,
                framing: &'a Framing,
            ) -> Result<Box<dyn Hashing<Self::Scheme> + 'a>, Error> {
                let context = &framing.context;
                let too_long = |error| Error::Usage(format!("{error}"));
                Ok(match framing.prehash {
                    None => Box::new(key.mu(context).map_err(too_long)?),
                    Some(hash) => {
                        hash.check::<Self>()?;
                        let key = key.with_context(context).map_err(too_long)?;
                        hash.dispatch(StartDigest(key))
                    }
                })
            }
            fn check_external_mu() -> Result<(), Error> {
                Ok(())
            }
        }
    )* };
}
fips_204!(MlDsa44 MlDsa65 MlDsa87);

macro_rules! round_3 {
    ($($set:ty, $became:ty;)*) => { $(
        /// The security category is that of the ML-DSA set that followed.
        impl SetFormats for $set {
            const CATEGORY: u8 = <$became as Fips204>::CATEGORY;
            fn oid() -> Option<ObjectIdentifier> {
                None
            }
            fn from_pkcs8(_: &[u8]) -> Result<(SigningKey<Self>, PrivateKeyForm), KeyError> {
                Err(KeyError::NoDocument(Self::NAME))
            }
            fn to_pkcs8(_: &SigningKey<Self>, _: PrivateKeyForm) -> Result<Zeroizing<Vec<u8>>, KeyError> {
                Err(KeyError::NoDocument(Self::NAME))
            }
            fn from_spki(_: &[u8]) -> Result<VerifyingKey<Self>, KeyError> {
                Err(KeyError::NoDocument(Self::NAME))
            }
            fn to_spki(_: &VerifyingKey<Self>) -> Result<Vec<u8>, KeyError> {
                Err(KeyError::NoDocument(Self::NAME))
            }
            fn start_mu<'a>(
                key: &'a VerifyingKey<Self>,
                framing: &'a Framing,
            ) -> Result<Box<dyn Hashing<Self::Scheme> + 'a>, Error> {
                framing.refuse(Self::NAME)?;
                Ok(Box::new(key.message_mu()))
            }
            fn check_external_mu() -> Result<(), Error> {
                Err(no_mu(Self::NAME))
            }
        }
    )* };
}
round_3! {
    Dilithium2, MlDsa44;
    Dilithium3, MlDsa65;
    Dilithium5, MlDsa87;
}

/// Begins to hash a message with the function of HashML-DSA.
struct StartDigest<'a, P: Fips204>(WithContext<'a, VerifyingKey<P>>);
impl<'a, P: Fips204> WithHash for StartDigest<'a, P> {
    type Output = Box<dyn Hashing<P::Scheme> + 'a>;
    fn call<H: PreHash + 'static>(self) -> Self::Output {
        let (key, hasher) = (self.0, H::default());
        Box::new(Digesting { key, hasher })
    }
}

/// The computation of μ of a digest, while the message is hashed.
struct Digesting<'a, P: Fips204, H> {
    key: WithContext<'a, VerifyingKey<P>>,
    hasher: H,
}
impl<P: Fips204, H: PreHash> Hashing<P::Scheme> for Digesting<'_, P, H> {
    fn update(&mut self, piece: &[u8]) {
        self.hasher.absorb(piece);
    }
    fn finish(self: Box<Self>) -> Result<Mu<P::Scheme>, Error> {
        let digest = PreHashed::from_hasher(self.hasher);
        let weak = |error| Error::Usage(format!("--prehash: {error}"));
        self.key.prehashed_mu(&digest).map_err(weak)
    }
}
