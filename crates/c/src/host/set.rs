//! What differs between the sets of FIPS 204, and those of round 3, which have no contexts, hash functions and
//! documents.

use std::vec::Vec;

use moissanite::batch::{VerifyBatchError, VerifyItem, verify_batch};
use moissanite::keys::PrivateKeyForm;
use moissanite::pkcs8::EncodePublicKey;
use moissanite::pkcs8::der::{Document, SecretDocument};
use moissanite::prelude::*;
use moissanite::{
    AnyVerifyingKey, ParameterSet, PreparedVerifyingKey, Signature, SigningKey, VerifyingKey,
    self_test,
};

use super::digest::{self, Hash};
use crate::algorithm::{self, Algorithm, MOISSANITE_MU_LENGTH};
use crate::message::Message;
#[cfg(feature = "dilithium")]
use crate::message::no_context;
use crate::status::{
    MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_INTERNAL, MOISSANITE_ERROR_SEED,
    MOISSANITE_ERROR_SELF_TEST, MOISSANITE_ERROR_SIGNATURE, MOISSANITE_ERROR_UNSUPPORTED, Status,
};

/// A parameter set, as keys on the heap use it.
pub(super) trait Set: ParameterSet + 'static {
    const ALGORITHM: Algorithm;
    /// Starts a message for a public key.
    fn start(key: &VerifyingKey<Self>, context: &[u8]) -> Result<Message, Status>;
    /// Starts a message for a private key.
    fn start_signing(key: &SigningKey<Self>, context: &[u8]) -> Result<Message, Status>;
    /// Computes μ of a digest.
    fn digest_mu(
        key: &VerifyingKey<Self>,
        hash: Hash,
        context: &[u8],
        digest: &[u8],
    ) -> Result<[u8; MOISSANITE_MU_LENGTH], Status>;
    /// Verifies a signature.
    fn verify(
        key: &VerifyingKey<Self>,
        context: &[u8],
        message: &[u8],
        signature: &Signature<Self>,
    ) -> Result<(), Status>;
    /// Verifies a signature with a prepared key.
    fn verify_prepared(
        key: &PreparedVerifyingKey<Self>,
        context: &[u8],
        message: &[u8],
        signature: &Signature<Self>,
    ) -> Result<(), Status>;
    /// Returns whether each signature is valid.
    fn verify_batch<K: AnyVerifyingKey<Set = Self>>(
        context: &[u8],
        items: &[VerifyItem<'_, K>],
    ) -> Result<Vec<bool>, Status>;
    /// Encodes a private key.
    fn private_document(
        key: &SigningKey<Self>,
        form: PrivateKeyForm,
    ) -> Result<SecretDocument, Status>;
    /// Encodes a public key.
    fn public_document(key: &VerifyingKey<Self>) -> Result<Document, Status>;
    /// Compares with known answers.
    fn self_test() -> Result<(), Status>;
}

/// The verdicts of a batch.
fn verdicts<E: Into<VerifyBatchError>>(
    result: Result<(), E>,
    count: usize,
) -> Result<Vec<bool>, Status> {
    match result.map_err(Into::into) {
        Ok(()) => Ok(std::iter::repeat_n(true, count).collect()),
        Err(VerifyBatchError::Invalid(error)) => Ok(error.verdicts().collect()),
        Err(_) => Err(MOISSANITE_ERROR_CONTEXT),
    }
}

/// Implements [`Set`] for sets of FIPS 204.
macro_rules! standard {
    ($($feature:literal $set:ident $algorithm:ident),*) => { $(
        #[cfg(feature = $feature)]
        impl Set for moissanite::$set {
            const ALGORITHM: Algorithm = algorithm::$algorithm;
            fn start(key: &VerifyingKey<Self>, context: &[u8]) -> Result<Message, Status> {
                let mu = key.mu(context);
                mu.map(Message::Standard).map_err(|_| MOISSANITE_ERROR_CONTEXT)
            }
            fn start_signing(key: &SigningKey<Self>, context: &[u8]) -> Result<Message, Status> {
                let mu = key.mu(context);
                mu.map(Message::Standard).map_err(|_| MOISSANITE_ERROR_CONTEXT)
            }
            fn digest_mu(
                key: &VerifyingKey<Self>,
                hash: Hash,
                context: &[u8],
                digest: &[u8],
            ) -> Result<[u8; MOISSANITE_MU_LENGTH], Status> {
                let key = key.with_context(context).map_err(|_| MOISSANITE_ERROR_CONTEXT)?;
                digest::mu(&key, hash, digest)
            }
            fn verify(
                key: &VerifyingKey<Self>,
                context: &[u8],
                message: &[u8],
                signature: &Signature<Self>,
            ) -> Result<(), Status> {
                let key = key.with_context(context).map_err(|_| MOISSANITE_ERROR_CONTEXT)?;
                key.verify(message, signature).map_err(|_| MOISSANITE_ERROR_SIGNATURE)
            }
            fn verify_prepared(
                key: &PreparedVerifyingKey<Self>,
                context: &[u8],
                message: &[u8],
                signature: &Signature<Self>,
            ) -> Result<(), Status> {
                let key = key.with_context(context).map_err(|_| MOISSANITE_ERROR_CONTEXT)?;
                key.verify(message, signature).map_err(|_| MOISSANITE_ERROR_SIGNATURE)
            }
            fn verify_batch<K: AnyVerifyingKey<Set = Self>>(
                context: &[u8],
                items: &[VerifyItem<'_, K>],
            ) -> Result<Vec<bool>, Status> {
                verdicts(verify_batch(context, items), items.len())
            }
            fn private_document(
                key: &SigningKey<Self>,
                form: PrivateKeyForm,
            ) -> Result<SecretDocument, Status> {
                key.to_pkcs8(form).map_err(|_| MOISSANITE_ERROR_SEED)
            }
            fn public_document(key: &VerifyingKey<Self>) -> Result<Document, Status> {
                key.to_public_key_der().map_err(|_| MOISSANITE_ERROR_INTERNAL)
            }
            fn self_test() -> Result<(), Status> {
                self_test::key_generation::<Self>()
                    .and_then(|()| self_test::signing::<Self>())
                    .and_then(|()| self_test::verification::<Self>())
                    .map_err(|_| MOISSANITE_ERROR_SELF_TEST)
            }
        }
    )* };
}
standard!(
    "ml-dsa-44" MlDsa44 MOISSANITE_ML_DSA_44,
    "ml-dsa-65" MlDsa65 MOISSANITE_ML_DSA_65,
    "ml-dsa-87" MlDsa87 MOISSANITE_ML_DSA_87
);

/// Implements [`Set`] for sets of round 3.
#[cfg(feature = "dilithium")]
macro_rules! round3 {
    ($($set:ident $algorithm:ident),*) => { $(
        impl Set for moissanite::$set {
            const ALGORITHM: Algorithm = algorithm::$algorithm;
            fn start(key: &VerifyingKey<Self>, context: &[u8]) -> Result<Message, Status> {
                no_context(context)?;
                Ok(Message::Round3(key.message_mu()))
            }
            fn start_signing(key: &SigningKey<Self>, context: &[u8]) -> Result<Message, Status> {
                Self::start(key.verifying_key(), context)
            }
            fn digest_mu(
                _: &VerifyingKey<Self>,
                _: Hash,
                _: &[u8],
                _: &[u8],
            ) -> Result<[u8; MOISSANITE_MU_LENGTH], Status> {
                Err(MOISSANITE_ERROR_UNSUPPORTED)
            }
            fn verify(
                key: &VerifyingKey<Self>,
                context: &[u8],
                message: &[u8],
                signature: &Signature<Self>,
            ) -> Result<(), Status> {
                no_context(context)?;
                key.verify(message, signature).map_err(|_| MOISSANITE_ERROR_SIGNATURE)
            }
            fn verify_prepared(
                key: &PreparedVerifyingKey<Self>,
                context: &[u8],
                message: &[u8],
                signature: &Signature<Self>,
            ) -> Result<(), Status> {
                no_context(context)?;
                key.verify(message, signature).map_err(|_| MOISSANITE_ERROR_SIGNATURE)
            }
            fn verify_batch<K: AnyVerifyingKey<Set = Self>>(
                context: &[u8],
                items: &[VerifyItem<'_, K>],
            ) -> Result<Vec<bool>, Status> {
                no_context(context)?;
                verdicts(moissanite::round3::verify_batch(items), items.len())
            }
            fn private_document(
                _: &SigningKey<Self>,
                _: PrivateKeyForm,
            ) -> Result<SecretDocument, Status> {
                Err(MOISSANITE_ERROR_UNSUPPORTED)
            }
            fn public_document(_: &VerifyingKey<Self>) -> Result<Document, Status> {
                Err(MOISSANITE_ERROR_UNSUPPORTED)
            }
            fn self_test() -> Result<(), Status> {
                Err(MOISSANITE_ERROR_UNSUPPORTED)
            }
        }
    )* };
}
#[cfg(feature = "dilithium")]
round3!(
    Dilithium2 MOISSANITE_DILITHIUM2,
    Dilithium3 MOISSANITE_DILITHIUM3,
    Dilithium5 MOISSANITE_DILITHIUM5
);
