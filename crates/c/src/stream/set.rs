//! What differs between the sets of FIPS 204, which have contexts, and those of round 3.

use moissanite::stream::{PrivateKey, SigningKey, VerifyError, VerifyingKey};
use moissanite::{Mu, ParameterSet};

use super::callbacks::Reader;
use crate::message::Message;
#[cfg(feature = "dilithium")]
use crate::message::no_context;
use crate::status::{
    MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_READ, MOISSANITE_ERROR_SIGNATURE, Status,
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
