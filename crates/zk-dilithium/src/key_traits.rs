//! What keys of every kind have in common: in bytes or prepared, on a backend named by hand or not.

use moissanite_core::backend::{Best, Choice};

use crate::error::SigningError;
use crate::hash::{MessageHasher, MuBuilder};
use crate::params::SIGNATURE_LEN;
use crate::sig::Signature;
use crate::verify::Message;

/// A key that signs.
pub trait SigningOps {
    /// Begins to hash a message.
    fn hasher_on<C: Choice>(&self, choice: C) -> MessageHasher;
    /// Signs a message that has been hashed.
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        message: &mut MessageHasher,
        sigma: &mut [u8; SIGNATURE_LEN],
    ) -> Result<(), SigningError>;
    /// The backend of the key's own choice.
    fn choice(&self) -> impl Choice {
        Best
    }
}

/// A key that verifies.
pub trait VerifyingOps {
    /// Begins μ.
    fn mu_on<C: Choice>(&self, choice: C) -> MuBuilder;
    /// Verifies a signature.
    fn verify_on<C: Choice>(&self, choice: C, message: Message<'_>, signature: &Signature) -> bool;
    /// The backend of the key's own choice.
    fn choice(&self) -> impl Choice {
        Best
    }
}

/// The one way in which verification fails.
pub(crate) fn verdict(valid: bool) -> signature::Result<()> {
    valid.then_some(()).ok_or_else(signature::Error::new)
}
