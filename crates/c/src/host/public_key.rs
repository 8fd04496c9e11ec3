//! Public keys of any set.

use std::any::Any;
use std::boxed::Box;
use std::vec::Vec;

use moissanite::pkcs8::der::Document;
use moissanite::{Mu, PreparedVerifyingKey, Signature, VerifyingKey};

use super::set::Set;
use crate::algorithm::{Algorithm, MOISSANITE_MU_LENGTH, with_set};
use crate::digest::Hash;
use crate::message::Message;
use crate::status::{MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_SIGNATURE, Status};

/// An item of a batch: a public key, a message and a signature.
pub(super) type Item<'a> = (&'a dyn PublicKey, &'a [u8], &'a [u8]);

/// A public key of any set.
pub(super) trait PublicKey: Send + Sync {
    fn algorithm(&self) -> Algorithm;
    fn bytes(&self) -> &[u8];
    /// Computes what is the same for every signature.
    fn prepare(&mut self);
    fn start(&self, context: &[u8]) -> Result<Message, Status>;
    fn verify(&self, context: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Status>;
    fn verify_mu(&self, mu: &[u8; MOISSANITE_MU_LENGTH], signature: &[u8]) -> Result<(), Status>;
    /// Computes μ of a digest.
    fn digest_mu(
        &self,
        hash: Hash,
        context: &[u8],
        digest: &[u8],
    ) -> Result<[u8; MOISSANITE_MU_LENGTH], Status>;
    fn document(&self) -> Result<Document, Status>;
    /// Returns whether each signature of items of this set is valid; all keys are prepared, or none is.
    fn verify_batch(&self, context: &[u8], items: &[Item<'_>]) -> Result<Vec<bool>, Status>;
    fn is_prepared(&self) -> bool;
    fn as_any(&self) -> &dyn Any;
}

/// A public key of a set.
pub(super) struct Public<P: Set> {
    key: VerifyingKey<P>,
    prepared: Option<PreparedVerifyingKey<P>>,
}

impl<P: Set> Public<P> {
    pub(super) fn of(key: VerifyingKey<P>) -> Box<dyn PublicKey>
    where
        Self: PublicKey,
    {
        Box::new(Self {
            key,
            prepared: None,
        })
    }
}

/// Reads a public key.
pub(super) fn from_bytes(algorithm: Algorithm, bytes: &[u8]) -> Result<Box<dyn PublicKey>, Status> {
    with_set!(algorithm, Set => {
        let key = VerifyingKey::<Set>::from_bytes(bytes);
        Ok(Public::of(key.map_err(|_| MOISSANITE_ERROR_LENGTH)?))
    })
}

/// Bytes of another length are not a valid signature.
fn signature<P: Set>(bytes: &[u8]) -> Result<Signature<P>, Status> {
    Signature::from_bytes(bytes).map_err(|_| MOISSANITE_ERROR_SIGNATURE)
}

impl<P: Set> PublicKey for Public<P>
where
    VerifyingKey<P>: Send + Sync,
    PreparedVerifyingKey<P>: Send + Sync,
{
    fn algorithm(&self) -> Algorithm {
        P::ALGORITHM
    }
    fn bytes(&self) -> &[u8] {
        self.key.as_ref()
    }
    fn prepare(&mut self) {
        self.prepared = Some(self.key.prepare());
    }
    fn start(&self, context: &[u8]) -> Result<Message, Status> {
        P::start(&self.key, context)
    }
    fn verify(&self, context: &[u8], message: &[u8], bytes: &[u8]) -> Result<(), Status> {
        let signature = signature(bytes)?;
        match &self.prepared {
            Some(key) => P::verify_prepared(key, context, message, &signature),
            None => P::verify(&self.key, context, message, &signature),
        }
    }
    fn verify_mu(&self, mu: &[u8; MOISSANITE_MU_LENGTH], bytes: &[u8]) -> Result<(), Status> {
        let (mu, signature) = (Mu::from_bytes(*mu), signature(bytes)?);
        let verdict = match &self.prepared {
            Some(key) => key.verify_mu(&mu, &signature),
            None => self.key.verify_mu(&mu, &signature),
        };
        verdict.map_err(|_| MOISSANITE_ERROR_SIGNATURE)
    }
    fn digest_mu(
        &self,
        hash: Hash,
        context: &[u8],
        digest: &[u8],
    ) -> Result<[u8; MOISSANITE_MU_LENGTH], Status> {
        P::digest_mu(&self.key, hash, context, digest)
    }
    fn document(&self) -> Result<Document, Status> {
        P::public_document(&self.key)
    }
    fn verify_batch(&self, context: &[u8], items: &[Item<'_>]) -> Result<Vec<bool>, Status> {
        // Signatures of another length are not verified, and an all-zero signature is never valid.
        let signatures = items.iter().map(|(.., bytes)| signature::<P>(bytes));
        let signatures = signatures.map(|signature| signature.unwrap_or(Signature::zero()));
        let signatures: Vec<_> = signatures.collect();
        let keys = items.iter().map(|(key, ..)| key.as_any());
        let keys = keys.filter_map(|key| key.downcast_ref::<Self>());
        let items = keys.zip(items).zip(&signatures);
        if self.is_prepared() {
            let items = items.filter_map(|((key, (_, message, _)), signature)| {
                Some((key.prepared.as_ref()?, *message, signature))
            });
            P::verify_batch(context, &items.collect::<Vec<_>>())
        } else {
            let items =
                items.map(|((key, (_, message, _)), signature)| (&key.key, *message, signature));
            P::verify_batch(context, &items.collect::<Vec<_>>())
        }
    }
    fn is_prepared(&self) -> bool {
        self.prepared.is_some()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
