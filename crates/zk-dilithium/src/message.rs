//! Messages in pieces.

use core::fmt;

use moissanite_core::backend::Choice;

use crate::core_ops::{HashForSigning, HashForVerifying};
use crate::error::SigningError;
use crate::hash::{MessageHasher, MuBuilder};
use crate::key_traits::{AnySigningKey, AnyVerifyingKey, verdict};
use crate::sig::Signature;
use crate::verify::Message;

/// A signer that takes a message of any length, piece by piece, with a state of less than 800 bytes.
/// The method `signer` of every private key returns it.
///
/// ```
/// use moissanite_zk_dilithium::{prelude::*, SigningKey, SysRng};
///
/// let key = SigningKey::try_generate(&mut SysRng)?;
/// let mut signer = key.signer();
/// assert!(size_of_val(&signer) < 800);
/// signer.update(b"a long ");
/// signer.update(b"message");
/// // The same as of the message in one piece.
/// assert_eq!(signer.try_sign()?, key.try_sign(b"a long message")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It is as secret as the message, and overwritten with zeros when it is dropped. Before
/// [`Self::try_sign`], it contains nothing of the private key except tr, the hash of the public
/// key.
pub struct MessageSigner<'k, K> {
    key: &'k K,
    hasher: MessageHasher,
}

impl<'k, K: AnySigningKey> MessageSigner<'k, K> {
    pub(crate) fn new(key: &'k K) -> Self {
        let hasher = key.hasher_on(key.choice());
        Self { key, hasher }
    }

    /// Takes the next piece of the message, of any length.
    pub fn update(&mut self, piece: &[u8]) {
        let hasher = &mut self.hasher;
        self.key.choice().run(HashForSigning { hasher, piece });
    }

    /// Ends the message and signs it. Signing is deterministic.
    ///
    /// # Errors
    /// [`SigningError`].
    pub fn try_sign(mut self) -> Result<Signature, SigningError> {
        let mut signature = Signature([0; _]);
        let choice = self.key.choice();
        self.key
            .sign_on(choice, &mut self.hasher, &mut signature.0)?;
        Ok(signature)
    }
}

impl<K> fmt::Debug for MessageSigner<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageSigner").finish_non_exhaustive()
    }
}

/// A verifier that takes a message of any length, piece by piece, with a state of less than 400
/// bytes. The method `verifier` of every public key returns it.
///
/// ```
/// use moissanite_zk_dilithium::{prelude::*, SigningKey, SysRng};
///
/// let key = SigningKey::try_generate(&mut SysRng)?;
/// let signature = key.try_sign(b"a long message")?;
///
/// let mut verifier = key.verifying_key().verifier();
/// assert!(size_of_val(&verifier) < 400);
/// verifier.update(b"a long ");
/// verifier.update(b"message");
/// verifier.verify(&signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It is as secret as the message, and overwritten with zeros when it is dropped.
pub struct MessageVerifier<'k, K> {
    key: &'k K,
    mu: MuBuilder,
}

impl<'k, K: AnyVerifyingKey> MessageVerifier<'k, K> {
    pub(crate) fn new(key: &'k K) -> Self {
        let mu = key.mu_on(key.choice());
        Self { key, mu }
    }

    /// Takes the next piece of the message, of any length.
    pub fn update(&mut self, piece: &[u8]) {
        let mu = &mut self.mu;
        self.key.choice().run(HashForVerifying { mu, piece });
    }

    /// Ends the message and verifies a signature of it.
    ///
    /// # Errors
    /// The signature is not valid; the error does not contain the reason.
    pub fn verify(mut self, signature: &Signature) -> signature::Result<()> {
        let message = Message::Hashed(&mut self.mu);
        verdict(self.key.verify_on(self.key.choice(), message, signature))
    }
}

impl<K> fmt::Debug for MessageVerifier<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageVerifier").finish_non_exhaustive()
    }
}
