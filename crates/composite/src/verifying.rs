//! Public keys.

use core::fmt;

use moissanite_core::debug::debug_bytes;

use moissanite::ContextTooLong;
use signature::{MultipartVerifier, Verifier};

use crate::algorithm::{Composite, PreHashed, concatenate};
use crate::context::WithContext;
use crate::ed25519;
use crate::error::InvalidKey;
use crate::sig::Signature;

/// A public key of 1,344 bytes with ML-DSA-44 or 1,984 with ML-DSA-65: that of ML-DSA, then that of
/// Ed25519.
///
/// ```
/// use moissanite_composite::{prelude::*, MlDsa44Ed25519, SigningKey, SysRng, VerifyingKey};
///
/// let key = SigningKey::<MlDsa44Ed25519>::try_generate(&mut SysRng)?;
/// let signature = key.try_sign(b"message")?;
///
/// let bytes: [u8; 1344] = key.verifying_key().to_bytes();
/// let verifying_key = VerifyingKey::<MlDsa44Ed25519>::from_bytes(&bytes)?;
/// verifying_key.verify(b"message", &signature)?;
/// assert!(verifying_key.verify(b"another", &signature).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct VerifyingKey<C: Composite> {
    pub(crate) ml_dsa: moissanite::VerifyingKey<C::MlDsa>,
    pub(crate) ed25519: ed25519::VerifyingKey,
}

impl<C: Composite> VerifyingKey<C> {
    /// The number of bytes of a public key.
    pub const LEN: usize = C::PUBLIC_KEY_LEN;

    /// Takes the bytes of a public key.
    ///
    /// # Errors
    /// [`InvalidKey`]: the length is wrong, or the Ed25519 half is invalid. Any bytes are a valid
    /// ML-DSA half.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidKey> {
        let wrong = InvalidKey::Length {
            expected: Self::LEN,
            actual: bytes.len(),
        };
        let (ml_dsa, ed25519) = bytes.split_last_chunk::<32>().ok_or(wrong)?;
        Ok(Self {
            ml_dsa: moissanite::VerifyingKey::from_bytes(ml_dsa).map_err(|_| wrong)?,
            ed25519: ed25519::VerifyingKey::from_bytes(ed25519)?,
        })
    }

    /// The bytes of the public key.
    pub fn to_bytes(&self) -> C::PublicKey {
        concatenate(self.ml_dsa.as_ref(), self.ed25519.as_ref())
    }

    /// Returns a view that verifies with a context of at most 255 bytes, which must be that of the
    /// signer.
    ///
    /// # Errors
    /// The context has more than 255 bytes.
    pub fn with_context<'c>(
        &'c self,
        context: &'c [u8],
    ) -> Result<WithContext<'c, Self>, ContextTooLong> {
        WithContext::new(self, context)
    }

    /// Verifies a signature of a message that was hashed in pieces, with the empty context. For
    /// another context, use [`Self::with_context`].
    ///
    /// # Errors
    /// The signature is not valid; the error does not contain the reason.
    pub fn verify_prehashed(
        &self,
        hash: &PreHashed,
        signature: &Signature<C>,
    ) -> signature::Result<()> {
        WithContext::without(self).verify_prehashed(hash, signature)
    }
}

impl<C: Composite> TryFrom<&[u8]> for VerifyingKey<C> {
    type Error = InvalidKey;
    fn try_from(bytes: &[u8]) -> Result<Self, InvalidKey> {
        Self::from_bytes(bytes)
    }
}

impl<C: Composite> Verifier<Signature<C>> for VerifyingKey<C> {
    fn verify(&self, message: &[u8], signature: &Signature<C>) -> signature::Result<()> {
        WithContext::without(self).verify(message, signature)
    }
}
impl<C: Composite> MultipartVerifier<Signature<C>> for VerifyingKey<C> {
    fn multipart_verify(
        &self,
        message: &[&[u8]],
        signature: &Signature<C>,
    ) -> signature::Result<()> {
        WithContext::without(self).multipart_verify(message, signature)
    }
}

impl<C: Composite> core::hash::Hash for VerifyingKey<C> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.to_bytes().as_ref().hash(state);
    }
}

impl<C: Composite> fmt::Debug for VerifyingKey<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_bytes(
            f,
            format_args!("VerifyingKey<{}>", C::NAME),
            self.ml_dsa.as_ref(),
        )
    }
}
