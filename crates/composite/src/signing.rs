//! Private keys.

use core::fmt;

use moissanite::ContextTooLong;
use signature::rand_core::{CryptoRng, TryCryptoRng};
use signature::{KeypairRef, MultipartSigner, RandomizedMultipartSigner, RandomizedSigner, Signer};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::algorithm::{Composite, PreHashed};
use crate::{Signature, VerifyingKey, WithContext, ed25519};

/// A private key with its public key.
///
/// It comes from 64 bytes: the seed of ML-DSA, then the private key of Ed25519. Both are this key's
/// own: used elsewhere, one half of it could be taken for a signature there. Secret; wiped when it
/// is dropped.
///
/// ```
/// use moissanite_composite::{MlDsa65Ed25519, SigningKey, prelude::*};
///
/// # #[cfg(feature = "getrandom")] {
/// use moissanite_composite::SysRng;
///
/// let key = SigningKey::<MlDsa65Ed25519>::try_generate(&mut SysRng)?;
/// let signature = key.try_sign_with_rng(&mut SysRng, b"message")?;
/// key.verifying_key().verify(b"message", &signature)?;
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SigningKey<C: Composite> {
    seed: Zeroizing<[u8; 64]>,
    pub(crate) ml_dsa: moissanite::SigningKey<C::MlDsa>,
    pub(crate) ed25519: ed25519::SigningKey,
    verifying_key: VerifyingKey<C>,
}

impl<C: Composite> SigningKey<C> {
    /// Bytes of a private key, as it is stored.
    pub const LEN: usize = 64;

    /// A new key, from a generator that can fail, like the operating system's.
    ///
    /// # Errors
    /// The generator's.
    pub fn try_generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut seed = Zeroizing::new([0; 64]);
        rng.try_fill_bytes(&mut *seed)?;
        Ok(Self::from_seed(&seed))
    }

    /// A new key, from a generator that cannot fail.
    pub fn generate<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let Ok(key) = Self::try_generate(rng);
        key
    }

    /// The key of 64 bytes from a generator fit for keys: the seed of ML-DSA, then the private key
    /// of Ed25519. Every seed gives a key. The caller's copy is his to wipe.
    pub fn from_seed(seed: &[u8; 64]) -> Self {
        let mut halves = [[0; 32]; 2];
        halves.as_flattened_mut().copy_from_slice(seed);
        let ml_dsa = moissanite::SigningKey::from_seed(&halves[0]);
        let ed25519 = ed25519::SigningKey::from_seed(&halves[1]);
        halves.zeroize();
        Self {
            seed: Zeroizing::new(*seed),
            verifying_key: VerifyingKey {
                ml_dsa: ml_dsa.verifying_key().clone(),
                ed25519: *ed25519.verifying_key(),
            },
            ml_dsa,
            ed25519,
        }
    }

    /// The seed. The copy is the caller's to wipe.
    pub fn to_seed(&self) -> [u8; 64] {
        *self.seed
    }

    /// The seed in place.
    pub fn as_seed(&self) -> &[u8; 64] {
        &self.seed
    }

    /// The public key.
    pub fn verifying_key(&self) -> &VerifyingKey<C> {
        &self.verifying_key
    }

    /// Signs with a context of at most 255 bytes, which the verifier must give too.
    ///
    /// # Errors
    /// The context is longer.
    pub fn with_context<'c>(
        &'c self,
        context: &'c [u8],
    ) -> Result<WithContext<'c, Self>, ContextTooLong> {
        WithContext::new(self, context)
    }

    /// Signs a message that was hashed in pieces, without randomness, with the empty context; with
    /// another one, by [`Self::with_context`].
    ///
    /// # Errors
    /// [`SigningError`](moissanite::SigningError), as a source, but not its `Rng`.
    pub fn try_sign_prehashed(&self, hash: &PreHashed) -> signature::Result<Signature<C>> {
        WithContext::without(self).try_sign_prehashed(hash)
    }

    /// Signs a message that was hashed in pieces, hedged with 32 bytes from `rng`, with the empty
    /// context; with another one, by [`Self::with_context`].
    ///
    /// # Errors
    /// [`SigningError`](moissanite::SigningError), as a source.
    pub fn try_sign_prehashed_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        hash: &PreHashed,
    ) -> signature::Result<Signature<C>> {
        WithContext::without(self).try_sign_prehashed_with_rng(rng, hash)
    }
}

impl<C: Composite> ZeroizeOnDrop for SigningKey<C> {}

/// Deterministic, as the trait has no place for randomness: the same message gives the same
/// signature. Prefer [`RandomizedSigner`] where there is randomness.
impl<C: Composite> Signer<Signature<C>> for SigningKey<C> {
    fn try_sign(&self, message: &[u8]) -> signature::Result<Signature<C>> {
        WithContext::without(self).try_sign(message)
    }
}
/// Deterministic, like the implementation of [`Signer`].
impl<C: Composite> MultipartSigner<Signature<C>> for SigningKey<C> {
    fn try_multipart_sign(&self, message: &[&[u8]]) -> signature::Result<Signature<C>> {
        WithContext::without(self).try_multipart_sign(message)
    }
}
impl<C: Composite> RandomizedSigner<Signature<C>> for SigningKey<C> {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> signature::Result<Signature<C>> {
        WithContext::without(self).try_sign_with_rng(rng, message)
    }
}
impl<C: Composite> RandomizedMultipartSigner<Signature<C>> for SigningKey<C> {
    fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[&[u8]],
    ) -> signature::Result<Signature<C>> {
        WithContext::without(self).try_multipart_sign_with_rng(rng, message)
    }
}

impl<C: Composite> AsRef<VerifyingKey<C>> for SigningKey<C> {
    fn as_ref(&self) -> &VerifyingKey<C> {
        &self.verifying_key
    }
}
impl<C: Composite> KeypairRef for SigningKey<C> {
    type VerifyingKey = VerifyingKey<C>;
}

impl<C: Composite> fmt::Debug for SigningKey<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("verifying_key", &self.verifying_key)
            .finish_non_exhaustive()
    }
}
