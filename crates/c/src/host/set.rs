//! What differs between the sets of FIPS 204, and those of round 3, which have no contexts, hash functions and
//! documents.

use std::vec::Vec;

use moissanite::batch::{
    self, MissingSignatures, SignBatchError, VerifyBatchError, VerifyItem, verify_batch,
};
use moissanite::keys::PrivateKeyForm;
use moissanite::pkcs8::EncodePublicKey;
use moissanite::pkcs8::der::{Document, SecretDocument};
use moissanite::prehash::{PreHash, PreHashed};
use moissanite::prelude::*;
use moissanite::{
    AnyVerifyingKey, Fips204, ParameterSet, PreparedSigningKey, PreparedVerifyingKey, Signature,
    SigningError, SigningKey, SysRng, VerifyingKey, WithContext, self_test,
};

use crate::algorithm::{self, Algorithm};
use crate::digest::{self, Hash, MuBytes, OfDigest};
use crate::message::Message;
#[cfg(feature = "dilithium")]
use crate::message::no_context;
use crate::status::{
    MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_HASH, MOISSANITE_ERROR_INTERNAL,
    MOISSANITE_ERROR_SEED, MOISSANITE_ERROR_SELF_TEST, MOISSANITE_ERROR_SIGNATURE,
    MOISSANITE_ERROR_UNSUPPORTED, Status,
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
    ) -> Result<MuBytes, Status>;
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
    /// Signs each message, hedged or deterministically.
    fn sign_batch(
        is_hedged: bool,
        context: &[u8],
        items: &[(&PreparedSigningKey<Self>, &[u8])],
    ) -> Result<Signed<Self>, Status>;
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

/// The signature of each item of a batch, or its error.
pub(super) type Signed<P> = Vec<Result<Signature<P>, SigningError>>;

impl<K: AnyVerifyingKey<Set: Fips204>> OfDigest for WithContext<'_, K> {
    fn mu<H: PreHash>(&mut self, digest: &PreHashed<H>) -> Result<MuBytes, Status> {
        let mu = self.prehashed_mu(digest);
        Ok(*mu.map_err(|_| MOISSANITE_ERROR_HASH)?.as_bytes())
    }
}

/// The result of each item of a batch.
fn each<P: ParameterSet>(result: Result<Vec<Signature<P>>, MissingSignatures<P>>) -> Signed<P> {
    match result {
        Ok(signatures) => signatures.into_iter().map(Ok).collect(),
        Err(missing) => missing.into_results(),
    }
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
            ) -> Result<MuBytes, Status> {
                let key = key.with_context(context).map_err(|_| MOISSANITE_ERROR_CONTEXT)?;
                digest::mu(&mut { key }, hash, digest)
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
            fn sign_batch(
                is_hedged: bool,
                context: &[u8],
                items: &[(&PreparedSigningKey<Self>, &[u8])],
            ) -> Result<Signed<Self>, Status> {
                let signed = if is_hedged {
                    batch::sign_batch_with_rng(&mut SysRng, context, items)
                } else {
                    batch::sign_batch(context, items)
                };
                match signed {
                    Ok(signatures) => Ok(each(Ok(signatures))),
                    Err(SignBatchError::Missing(missing)) => Ok(each(Err(missing))),
                    Err(_) => Err(MOISSANITE_ERROR_CONTEXT),
                }
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
            ) -> Result<MuBytes, Status> {
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
            fn sign_batch(
                is_hedged: bool,
                context: &[u8],
                items: &[(&PreparedSigningKey<Self>, &[u8])],
            ) -> Result<Signed<Self>, Status> {
                no_context(context)?;
                Ok(each(if is_hedged {
                    moissanite::round3::sign_batch_with_rng(&mut SysRng, items)
                } else {
                    moissanite::round3::sign_batch(items)
                }))
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
