//! What differs between the sets of FIPS 204, which have contexts, and those of round 3.

use moissanite::prehash::{PreHash, PreHashed};
use moissanite::stream::{PrivateKey, SignError, SigningKey, VerifyError, VerifyingKey};
use moissanite::{Fips204, Mu, ParameterSet};

use super::callbacks::Reader;
use crate::digest::{self, Hash, MuBytes, OfDigest};
use crate::message::Message;
#[cfg(feature = "dilithium")]
use crate::message::no_context;
#[cfg(feature = "dilithium")]
use crate::status::MOISSANITE_ERROR_UNSUPPORTED;
use crate::status::{
    MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_HASH, MOISSANITE_ERROR_READ,
    MOISSANITE_ERROR_SIGNATURE, Status,
};

/// The message representative of a set.
pub(crate) type MuOf<P> = Mu<<P as ParameterSet>::Scheme>;

/// A parameter set, as streams use it.
pub(crate) trait Set: ParameterSet {
    /// Starts a message for a public key.
    fn start(
        key: &mut VerifyingKey<'static, Self, Reader>,
        context: &[u8],
    ) -> Result<Message, Status>;
    /// Starts a message for a private key.
    fn start_signing<K: PrivateKey<Self>>(
        key: &SigningKey<'static, Self, K>,
        context: &[u8],
    ) -> Result<Message, Status>;
    /// Computes μ of a digest for a public key.
    fn digest_mu(
        key: &mut VerifyingKey<'static, Self, Reader>,
        context: &[u8],
        hash: Hash,
        digest: &[u8],
    ) -> Result<MuBytes, Status>;
    /// Computes μ of a digest for a private key.
    fn digest_mu_signing<K: PrivateKey<Self>>(
        key: &SigningKey<'static, Self, K>,
        context: &[u8],
        hash: Hash,
        digest: &[u8],
    ) -> Result<MuBytes, Status>;
}

/// A public key with a context.
struct Verifying<'a, P>(&'a mut VerifyingKey<'static, P, Reader>, &'a [u8]);

impl<P: Fips204> OfDigest for Verifying<'_, P> {
    fn mu<H: PreHash>(&mut self, digest: &PreHashed<H>) -> Result<MuBytes, Status> {
        let mu = self.0.prehashed_mu(self.1, digest);
        Ok(*mu
            .map_err(|error| match error {
                VerifyError::Invalid => MOISSANITE_ERROR_HASH,
                error => status(error),
            })?
            .as_bytes())
    }
}

/// A private key with a context.
struct Signing<'a, P, K>(&'a SigningKey<'static, P, K>, &'a [u8]);

impl<P: Fips204, K: PrivateKey<P>> OfDigest for Signing<'_, P, K> {
    fn mu<H: PreHash>(&mut self, digest: &PreHashed<H>) -> Result<MuBytes, Status> {
        let mu = self.0.prehashed_mu(self.1, digest);
        Ok(*mu
            .map_err(|error| match error {
                SignError::Signing(_) => MOISSANITE_ERROR_HASH,
                _ => MOISSANITE_ERROR_CONTEXT,
            })?
            .as_bytes())
    }
}

/// Implements [`Set`] for sets of FIPS 204.
macro_rules! standard {
    ($($feature:literal $set:ident),*) => { $(
        #[cfg(feature = $feature)]
        impl Set for moissanite::$set {
            #[inline(never)]
            fn start(
                key: &mut VerifyingKey<'static, Self, Reader>,
                context: &[u8],
            ) -> Result<Message, Status> {
                key.mu(context).map(Message::Standard).map_err(status)
            }
            #[inline(never)]
            fn start_signing<K: PrivateKey<Self>>(
                key: &SigningKey<'static, Self, K>,
                context: &[u8],
            ) -> Result<Message, Status> {
                key.mu(context).map(Message::Standard).map_err(|_| MOISSANITE_ERROR_CONTEXT)
            }
            fn digest_mu(
                key: &mut VerifyingKey<'static, Self, Reader>,
                context: &[u8],
                hash: Hash,
                digest: &[u8],
            ) -> Result<MuBytes, Status> {
                digest::mu(&mut Verifying(key, context), hash, digest)
            }
            fn digest_mu_signing<K: PrivateKey<Self>>(
                key: &SigningKey<'static, Self, K>,
                context: &[u8],
                hash: Hash,
                digest: &[u8],
            ) -> Result<MuBytes, Status> {
                digest::mu(&mut Signing(key, context), hash, digest)
            }
        }
    )* };
}
standard!("ml-dsa-44" MlDsa44, "ml-dsa-65" MlDsa65, "ml-dsa-87" MlDsa87);

/// Implements [`Set`] for sets of round 3.
#[cfg(feature = "dilithium")]
macro_rules! round3 {
    ($($set:ident),*) => { $(
        impl Set for moissanite::$set {
            fn start(
                key: &mut VerifyingKey<'static, Self, Reader>,
                context: &[u8],
            ) -> Result<Message, Status> {
                no_context(context)?;
                key.message_mu().map(Message::Round3).map_err(status)
            }
            fn start_signing<K: PrivateKey<Self>>(
                key: &SigningKey<'static, Self, K>,
                context: &[u8],
            ) -> Result<Message, Status> {
                no_context(context)?;
                Ok(Message::Round3(key.message_mu()))
            }
            fn digest_mu(
                _: &mut VerifyingKey<'static, Self, Reader>,
                _: &[u8],
                _: Hash,
                _: &[u8],
            ) -> Result<MuBytes, Status> {
                Err(MOISSANITE_ERROR_UNSUPPORTED)
            }
            fn digest_mu_signing<K: PrivateKey<Self>>(
                _: &SigningKey<'static, Self, K>,
                _: &[u8],
                _: Hash,
                _: &[u8],
            ) -> Result<MuBytes, Status> {
                Err(MOISSANITE_ERROR_UNSUPPORTED)
            }
        }
    )* };
}
#[cfg(feature = "dilithium")]
round3!(Dilithium2, Dilithium3, Dilithium5);

/// The status of a verification that failed.
pub(crate) fn status(error: VerifyError) -> Status {
    match error {
        VerifyError::ContextTooLong => MOISSANITE_ERROR_CONTEXT,
        VerifyError::Read => MOISSANITE_ERROR_READ,
        _ => MOISSANITE_ERROR_SIGNATURE,
    }
}
