//! Private keys of any set.

use std::any::Any;
use std::boxed::Box;
use std::collections::BTreeMap;
use std::ptr;
use std::vec::Vec;

use moissanite::keys::PrivateKeyForm;
use moissanite::pkcs8::der::SecretDocument;
use moissanite::{
    InvalidKey, Mu, PreparedSigningKey, Seed, Signature, SigningError, SigningKey, SysRng,
    self_test,
};

use super::public_key::{Public, PublicKey};
use super::set::Set;
use crate::algorithm::{Algorithm, MOISSANITE_MU_LENGTH, with_set};
use crate::message::Message;
use crate::status::{
    MOISSANITE_ERROR_FAULT, MOISSANITE_ERROR_KEY, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_RANDOM,
    Status,
};

/// An item of a batch: a private key, a message, and memory for a signature of the length of the set.
pub(super) type Item<'a> = (&'a dyn PrivateKey, &'a [u8], &'a mut [u8]);

/// A private key of any set.
pub(super) trait PrivateKey: Send + Sync {
    fn algorithm(&self) -> Algorithm;
    /// The seed, unless the key was read in expanded form.
    fn seed(&self) -> Option<&Seed>;
    fn expanded(&self) -> &[u8];
    /// A copy of the public key.
    fn public_key(&self) -> Box<dyn PublicKey>;
    /// Computes what is the same for every signature.
    fn prepare(&mut self);
    fn start(&self, context: &[u8]) -> Result<Message, Status>;
    /// Signs, hedged or deterministically. The signature has the length of the set.
    fn sign_mu(
        &self,
        is_hedged: bool,
        mu: &[u8; MOISSANITE_MU_LENGTH],
        signature: &mut [u8],
    ) -> Result<(), Status>;
    /// Signs the items, whose keys are of this set. The signature of an item that fails is all zero.
    fn sign_batch(
        &self,
        is_hedged: bool,
        context: &[u8],
        items: &mut [Item<'_>],
    ) -> Result<(), Status>;
    fn document(&self, form: PrivateKeyForm) -> Result<SecretDocument, Status>;
    /// Signs and verifies.
    fn check_pair(&self) -> Result<(), Status>;
    fn as_any(&self) -> &dyn Any;
}

/// A private key of a set.
pub(super) struct Private<P: Set> {
    key: SigningKey<P>,
    prepared: Option<PreparedSigningKey<P>>,
}

impl<P: Set> Private<P> {
    pub(super) fn of(key: SigningKey<P>) -> Box<dyn PrivateKey>
    where
        Self: PrivateKey,
    {
        Box::new(Self {
            key,
            prepared: None,
        })
    }
}

/// Generates a key with the generator of the operating system.
pub(super) fn generate(algorithm: Algorithm) -> Result<Box<dyn PrivateKey>, Status> {
    with_set!(algorithm, Set => {
        let key = SigningKey::<Set>::try_generate(&mut SysRng);
        Ok(Private::of(key.map_err(|_| MOISSANITE_ERROR_RANDOM)?))
    })
}

/// Generates the key of a seed.
pub(super) fn from_seed(algorithm: Algorithm, seed: &Seed) -> Result<Box<dyn PrivateKey>, Status> {
    with_set!(algorithm, Set => Ok(Private::of(SigningKey::<Set>::from_seed(seed))))
}

/// Reads an expanded key.
pub(super) fn from_expanded(
    algorithm: Algorithm,
    bytes: &[u8],
) -> Result<Box<dyn PrivateKey>, Status> {
    with_set!(algorithm, Set => {
        let key = SigningKey::<Set>::from_expanded_bytes(bytes);
        Ok(Private::of(key.map_err(|error| match error {
            InvalidKey::Length { .. } => MOISSANITE_ERROR_LENGTH,
            _ => MOISSANITE_ERROR_KEY,
        })?))
    })
}

impl<P: Set> PrivateKey for Private<P>
where
    SigningKey<P>: Send + Sync,
    PreparedSigningKey<P>: Send + Sync,
    Public<P>: PublicKey,
{
    fn algorithm(&self) -> Algorithm {
        P::ALGORITHM
    }
    fn seed(&self) -> Option<&Seed> {
        self.key.as_seed()
    }
    fn expanded(&self) -> &[u8] {
        self.key.as_expanded_bytes().as_ref()
    }
    fn public_key(&self) -> Box<dyn PublicKey> {
        Public::of(self.key.verifying_key().clone())
    }
    fn prepare(&mut self) {
        self.prepared = Some(self.key.prepare());
    }
    fn start(&self, context: &[u8]) -> Result<Message, Status> {
        P::start_signing(&self.key, context)
    }
    fn sign_mu(
        &self,
        is_hedged: bool,
        mu: &[u8; MOISSANITE_MU_LENGTH],
        bytes: &mut [u8],
    ) -> Result<(), Status> {
        let (mu, signature) = (Mu::from_bytes(*mu), &mut Signature::zero());
        let signed = match (&self.prepared, is_hedged) {
            (Some(key), true) => key.try_sign_mu_with_rng_into(&mut SysRng, &mu, signature),
            (Some(key), false) => key.try_sign_mu_into(&mu, signature),
            (None, true) => self
                .key
                .try_sign_mu_with_rng_into(&mut SysRng, &mu, signature),
            (None, false) => self.key.try_sign_mu_into(&mu, signature),
        };
        // The signature is all zero after an error.
        for (to, from) in bytes.iter_mut().zip(signature.as_ref()) {
            *to = *from;
        }
        signed.map_err(status)
    }
    fn sign_batch(
        &self,
        is_hedged: bool,
        context: &[u8],
        items: &mut [Item<'_>],
    ) -> Result<(), Status> {
        let keys = items.iter().map(|(key, ..)| key.as_any());
        let keys: Vec<_> = keys.filter_map(|key| key.downcast_ref::<Self>()).collect();
        let mut made = BTreeMap::new();
        for key in keys.iter().filter(|key| key.prepared.is_none()) {
            let address = ptr::from_ref(*key);
            made.entry(address).or_insert_with(|| key.key.prepare());
        }
        let messages = keys.iter().zip(&*items);
        let messages = messages.filter_map(|(key, (_, message, _))| {
            let own = key.prepared.as_ref();
            Some((own.or_else(|| made.get(&ptr::from_ref(*key)))?, *message))
        });
        let signed = P::sign_batch(is_hedged, context, &messages.collect::<Vec<_>>())?;
        let mut result = Ok(());
        for ((.., bytes), signed) in items.iter_mut().zip(signed) {
            match signed {
                Ok(signature) => {
                    for (to, from) in bytes.iter_mut().zip(signature.as_ref()) {
                        *to = *from;
                    }
                }
                Err(error) => {
                    bytes.fill(0);
                    result = result.and(Err(status(error)));
                }
            }
        }
        result
    }
    fn document(&self, form: PrivateKeyForm) -> Result<SecretDocument, Status> {
        P::private_document(&self.key, form)
    }
    fn check_pair(&self) -> Result<(), Status> {
        self_test::pairwise_consistency(&self.key).map_err(|_| MOISSANITE_ERROR_FAULT)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn status(error: SigningError) -> Status {
    match error {
        SigningError::Rng => MOISSANITE_ERROR_RANDOM,
        _ => MOISSANITE_ERROR_FAULT,
    }
}
