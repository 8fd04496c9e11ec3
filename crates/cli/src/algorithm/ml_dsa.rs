//! ML-DSA (FIPS 204) and round-3 Dilithium as algorithms of the command.

mod formats;

use std::marker::PhantomData;

use der::oid::ObjectIdentifier;
use moissanite::backend::{Backend as CoreBackend, Portable, WithBackend};
use moissanite::keys::PrivateKeyForm;
use moissanite::{
    AnySigningKey, Mu, ParameterSet, PreparedSigningKey, Seed, Signature, SigningError, SigningKey,
    SigningKeyOn, SysRng, VerifyingKey,
};
use moissanite_core::encode::keys::sk_split_mut;
use moissanite_core::hash::public_key_hash;
use moissanite_core::keygen::{InvalidPrivateKey, Scratch, check_private_key};
use moissanite_core::secret::{Secret, Zeroed};
use moissanite_core::shape::Dim;
use zeroize::Zeroizing;

use self::formats::Hashing;
pub(crate) use self::formats::SetFormats;
use super::scheme::{
    self, Algorithm, Framing, MU, PrivateKey, PublicKey, Scheme, Sizes, Verification,
};
use crate::backend::Backend;
use crate::error::Error;
use crate::input::Message;
use crate::key_error::KeyError;

/// A parameter set as an algorithm.
pub(crate) struct Lattice<P>(PhantomData<P>);

impl<P: SetFormats> Lattice<P> {
    pub(crate) const NEW: Self = Self(PhantomData);
    const THIS: Algorithm = &Self::NEW;
}

impl<P: SetFormats> Scheme for Lattice<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }
    fn category(&self) -> Option<u8> {
        Some(P::CATEGORY)
    }
    fn sizes(&self) -> Sizes {
        Sizes {
            public: P::PUBLIC_KEY_LEN,
            private: P::PRIVATE_KEY_LEN,
            signature: P::SIGNATURE_LEN,
        }
    }
    fn derived(&self) -> &'static str {
        "t0 and tr"
    }
    fn oid(&self) -> Option<ObjectIdentifier> {
        P::oid()
    }
    fn private_from_seed(
        &self,
        backend: Backend,
        seed: &[u8],
    ) -> Result<Box<dyn PrivateKey>, Error> {
        let key = from_seed::<P>(backend, &*scheme::seed(seed)?)?;
        Ok(Box::new(Private::new(key, backend)))
    }
    fn private_from_raw(
        &self,
        backend: Backend,
        bytes: &[u8],
    ) -> Result<Box<dyn PrivateKey>, KeyError> {
        let key = SigningKey::<P>::from_expanded_bytes(bytes)?;
        Ok(Box::new(Private::new(key, backend)))
    }
    fn with_right_tr(&self, bytes: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let mut bytes = Zeroizing::new(bytes.to_vec());
        let mut key = Secret::new(P::PrivateKey::ZERO);
        if bytes.len() != key.as_ref().len() {
            return None;
        }
        key.as_mut().copy_from_slice(&bytes);
        let mut public = P::PublicKey::ZERO;
        let mut scratch = Box::new(Scratch::<P, Portable>::ZERO);
        let checked = check_private_key(Portable, &*key, &mut public, &mut scratch);
        // This error leaves the public key of everything but tr.
        if checked != Err(InvalidPrivateKey::TrMismatch) {
            return None;
        }
        let tr = public_key_hash(public.as_ref());
        sk_split_mut::<P>(&mut key)
            .tr
            .copy_from_slice(tr.get(..P::TR_LEN)?);
        bytes.copy_from_slice((*key).as_ref());
        Some(bytes)
    }
    fn private_from_pkcs8(
        &self,
        backend: Backend,
        der: &[u8],
    ) -> Result<(Box<dyn PrivateKey>, PrivateKeyForm), KeyError> {
        let (key, form) = P::from_pkcs8(der)?;
        Ok((Box::new(Private::new(key, backend)), form))
    }
    fn public_from_raw(
        &self,
        backend: Backend,
        bytes: &[u8],
    ) -> Result<Box<dyn PublicKey>, KeyError> {
        let key = VerifyingKey::<P>::from_bytes(bytes)?;
        Ok(Box::new(Public { key, backend }))
    }
    fn public_from_spki(
        &self,
        backend: Backend,
        der: &[u8],
    ) -> Result<Box<dyn PublicKey>, KeyError> {
        let key = P::from_spki(der)?;
        Ok(Box::new(Public { key, backend }))
    }
    fn inspect_signature(&self, bytes: &[u8]) -> Result<String, KeyError> {
        let signature = Signature::<P>::from_bytes(bytes);
        let signature = signature.map_err(|_| KeyError::RawLength(bytes.len()))?;
        if !signature.is_well_formed() {
            return Err(KeyError::Malformed(
                "no key can have made this signature: its hint is malformed, or a coefficient of z is too large"
                    .into(),
            ));
        }
        // The last byte of the hint counts the ones in all of it.
        let ones = bytes.last().copied().unwrap_or_default();
        Ok(format!(
            "well-formed: z in range, {ones} of at most {} hints in {} polynomials",
            P::OMEGA,
            P::K::N
        ))
    }
}

struct Private<P: SetFormats> {
    key: SigningKey<P>,
    prepared: Option<PreparedSigningKey<P>>,
    backend: Backend,
}

impl<P: SetFormats> Private<P> {
    fn new(key: SigningKey<P>, backend: Backend) -> Self {
        Self {
            key,
            prepared: None,
            backend,
        }
    }

    fn sign_mu(&self, mu: &Mu<P::Scheme>, deterministic: bool) -> Result<Vec<u8>, Error> {
        let signature = match &self.prepared {
            Some(key) => self.backend.run(SignMuPrepared {
                key,
                mu,
                deterministic,
            }),
            None => self.backend.run(SignMu {
                key: &self.key,
                mu,
                deterministic,
            }),
        };
        Ok(signature??.as_bytes().as_ref().to_vec())
    }
}

impl<P: SetFormats> PrivateKey for Private<P> {
    fn algorithm(&self) -> Algorithm {
        Lattice::<P>::THIS
    }
    fn public_key(&self) -> Box<dyn PublicKey> {
        Box::new(Public {
            key: self.key.verifying_key().clone(),
            backend: self.backend,
        })
    }
    fn sign(
        &self,
        message: Message,
        framing: &Framing,
        deterministic: bool,
    ) -> Result<Vec<u8>, Error> {
        let mu = P::read_mu(self.key.verifying_key(), message, framing)?;
        self.sign_mu(&mu, deterministic)
    }
    fn sign_mu(&self, mu: &[u8; MU], deterministic: bool) -> Result<Vec<u8>, Error> {
        self.sign_mu(&P::external_mu(mu)?, deterministic)
    }
    /// Preparation always runs on the best backend, so it is left out if another one is requested.
    fn prepare(&mut self) {
        self.prepared = match self.backend.requested() {
            Some(_) => None,
            None => Some(self.key.prepare()),
        };
    }
    fn to_seed(&self) -> Option<Zeroizing<Vec<u8>>> {
        self.key
            .as_seed()
            .map(|seed| Zeroizing::new(seed.as_bytes().to_vec()))
    }
    fn to_raw(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(self.key.as_expanded_bytes().as_ref().to_vec())
    }
    fn to_pkcs8(&self, form: PrivateKeyForm) -> Result<Zeroizing<Vec<u8>>, KeyError> {
        P::to_pkcs8(&self.key, form)
    }
}

struct Public<P: SetFormats> {
    key: VerifyingKey<P>,
    backend: Backend,
}

impl<P: SetFormats> Public<P> {
    fn verify_mu(&self, mu: &Mu<P::Scheme>, signature: &[u8]) -> Result<bool, Error> {
        let Ok(signature) = Signature::from_bytes(signature) else {
            return Ok(false);
        };
        self.backend.run(VerifyMu {
            key: &self.key,
            mu,
            signature: &signature,
        })
    }
}

impl<P: SetFormats> PublicKey for Public<P> {
    fn algorithm(&self) -> Algorithm {
        Lattice::<P>::THIS
    }
    fn verification<'a>(
        &'a self,
        framing: &'a Framing,
        signature: &'a [u8],
    ) -> Result<Box<dyn Verification + 'a>, Error> {
        Ok(Box::new(Verifying {
            mu: P::start_mu(&self.key, framing)?,
            key: self,
            signature,
        }))
    }
    fn mu(&self, message: Message, framing: &Framing) -> Result<Zeroizing<[u8; MU]>, Error> {
        P::check_external_mu()?;
        let mu = P::read_mu(&self.key, message, framing)?;
        Ok(Zeroizing::new(*mu.as_bytes()))
    }
    fn verify_mu(&self, mu: &[u8; MU], signature: &[u8]) -> Result<bool, Error> {
        self.verify_mu(&P::external_mu(mu)?, signature)
    }
    fn to_raw(&self) -> Vec<u8> {
        self.key.as_bytes().as_ref().to_vec()
    }
    fn to_spki(&self) -> Result<Vec<u8>, KeyError> {
        P::to_spki(&self.key)
    }
}

/// The verification of a signature of a message.
struct Verifying<'a, P: SetFormats> {
    mu: Box<dyn Hashing<P::Scheme> + 'a>,
    key: &'a Public<P>,
    signature: &'a [u8],
}

impl<P: SetFormats> Verification for Verifying<'_, P> {
    fn update(&mut self, piece: &[u8]) {
        self.mu.update(piece);
    }
    fn finish(self: Box<Self>) -> Result<bool, Error> {
        let Public { key, backend } = self.key;
        let mu = &self.mu.finish()?;
        let Ok(signature) = &Signature::from_bytes(self.signature) else {
            return Ok(false);
        };
        backend.run(VerifyMu { key, mu, signature })
    }
}

/// Generates the key of a seed.
pub(crate) fn from_seed<P: ParameterSet>(
    backend: Backend,
    seed: &Seed,
) -> Result<SigningKey<P>, Error> {
    struct FromSeed<'a, P>(&'a Seed, PhantomData<P>);
    impl<P: ParameterSet> WithBackend for FromSeed<'_, P> {
        type Output = SigningKey<P>;
        fn call<B: CoreBackend>(self, backend: B) -> SigningKey<P> {
            SigningKey::from_seed_on(backend, self.0)
        }
    }
    backend.run(FromSeed(seed, PhantomData))
}

/// The operation of signing μ.
pub(crate) struct SignMu<'a, P: ParameterSet> {
    pub(crate) key: &'a SigningKey<P>,
    pub(crate) mu: &'a Mu<P::Scheme>,
    /// Sign without fresh randomness.
    pub(crate) deterministic: bool,
}
impl<P: ParameterSet> WithBackend for SignMu<'_, P> {
    type Output = Result<Signature<P>, SigningError>;
    fn call<B: CoreBackend>(self, backend: B) -> Self::Output {
        sign_mu(&self.key.on(backend), self.mu, self.deterministic)
    }
}

/// The operation of signing μ with a prepared key.
struct SignMuPrepared<'a, P: ParameterSet> {
    key: &'a PreparedSigningKey<P>,
    mu: &'a Mu<P::Scheme>,
    deterministic: bool,
}
impl<P: ParameterSet> WithBackend for SignMuPrepared<'_, P> {
    type Output = Result<Signature<P>, SigningError>;
    fn call<B: CoreBackend>(self, backend: B) -> Self::Output {
        sign_mu(&self.key.on(backend), self.mu, self.deterministic)
    }
}

fn sign_mu<K: AnySigningKey<Set: ParameterSet>, B: CoreBackend>(
    key: &SigningKeyOn<'_, K, B>,
    mu: &Mu<<K::Set as ParameterSet>::Scheme>,
    deterministic: bool,
) -> Result<Signature<K::Set>, SigningError> {
    if deterministic {
        key.try_sign_mu(mu)
    } else {
        key.try_sign_mu_with_rng(&mut SysRng, mu)
    }
}

/// The operation of verifying a signature of μ.
pub(crate) struct VerifyMu<'a, P: ParameterSet> {
    pub(crate) key: &'a VerifyingKey<P>,
    pub(crate) mu: &'a Mu<P::Scheme>,
    pub(crate) signature: &'a Signature<P>,
}
impl<P: ParameterSet> WithBackend for VerifyMu<'_, P> {
    type Output = bool;
    fn call<B: CoreBackend>(self, backend: B) -> bool {
        self.key
            .on(backend)
            .verify_mu(self.mu, self.signature)
            .is_ok()
    }
}
