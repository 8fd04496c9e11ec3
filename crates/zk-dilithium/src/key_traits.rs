//! The common traits of all kinds of keys: in bytes or prepared, on an explicit backend or not.

use moissanite_core::backend::{Best, Choice};
use signature::{MultipartSigner, MultipartVerifier, Signer, Verifier};

use crate::error::SigningError;
use crate::hash::{MessageHasher, MuBuilder};
use crate::params::SIGNATURE_LEN;
use crate::sig::Signature;
use crate::verify::Message;

/// A private key of any kind: in bytes, prepared, in memory of the caller, or on an explicit
/// backend. The trait includes the two signing traits, and is sealed: only this crate implements
/// it.
///
/// ```
/// use moissanite_zk_dilithium::{AnySigningKey, Signature, SigningKey, SysRng, prelude::*};
///
/// fn sign_all<K: AnySigningKey>(key: &K, messages: &[&[u8]]) -> Vec<Signature> {
///     messages.iter().map(|message| key.sign(message)).collect()
/// }
///
/// let key = SigningKey::try_generate(&mut SysRng)?;
/// let signatures = sign_all(&key, &[b"one", b"two"]);
/// assert_eq!(signatures, sign_all(&key.prepare(), &[b"one", b"two"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a private key of this crate",
    label = "not a private key"
)]
pub trait AnySigningKey: Sealed + Signer<Signature> + MultipartSigner<Signature> {
    /// Begins to hash a message.
    #[doc(hidden)]
    fn hasher_on<C: Choice>(&self, choice: C) -> MessageHasher;
    /// Signs a message that has been hashed.
    #[doc(hidden)]
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        message: &mut MessageHasher,
        sigma: &mut [u8; SIGNATURE_LEN],
    ) -> Result<(), SigningError>;
    /// The key's own backend.
    #[doc(hidden)]
    fn choice(&self) -> impl Choice {
        Best
    }
}

/// A public key of any kind: in bytes, prepared, in memory of the caller, or on an explicit
/// backend. The trait includes the two verifying traits, and is sealed: only this crate implements
/// it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a public key of this crate",
    label = "not a public key"
)]
pub trait AnyVerifyingKey: Sealed + Verifier<Signature> + MultipartVerifier<Signature> {
    /// Begins μ.
    #[doc(hidden)]
    fn mu_on<C: Choice>(&self, choice: C) -> MuBuilder;
    /// Verifies a signature.
    #[doc(hidden)]
    fn verify_on<C: Choice>(&self, choice: C, message: Message<'_>, signature: &Signature) -> bool;
    /// The key's own backend.
    #[doc(hidden)]
    fn choice(&self) -> impl Choice {
        Best
    }
}

/// Only this crate implements the traits of this module.
pub trait Sealed {}

/// The only error of verification.
pub(crate) fn verdict(valid: bool) -> signature::Result<()> {
    valid.then_some(()).ok_or_else(signature::Error::new)
}
