//! A key with a context: FIPS 204, Algorithms 2 and 3.

use moissanite_core::Fips204;
use moissanite_core::sign::Rnd;
#[cfg(feature = "hash-ml-dsa")]
use moissanite_core::verify::MessageRepresentative;
use signature::rand_core::TryCryptoRng;
use signature::{
    MultipartSigner, MultipartVerifier, RandomizedMultipartSigner, RandomizedSigner, Signer,
    Verifier,
};

use crate::error::ContextTooLong;
#[cfg(feature = "hash-ml-dsa")]
use crate::error::{SigningError, WeakHash};
use crate::key_traits::{AnySigningKey, AnyVerifyingKey, hedge, sign_parts, verify_parts};
#[cfg(feature = "hash-ml-dsa")]
use crate::key_traits::{checked_sign, verdict};
#[cfg(feature = "hash-ml-dsa")]
use crate::mu::Mu;
#[cfg(feature = "hash-ml-dsa")]
use crate::prehash::{PreHash, PreHashed};
use crate::sig::Signature;

/// A key and a context of at most 255 bytes, under which it signs or verifies.
///
/// A context prevents a signature for one purpose from being accepted for another. The method
/// `with_context` of every kind of key returns such a view, which implements the same traits.
///
/// ```
/// use moissanite::{prelude::*, MlDsa65, SigningKey, SysRng};
///
/// let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
/// let signature = key.with_context(b"invoice")?.try_sign(b"message")?;
/// key.verifying_key().with_context(b"invoice")?.verify(b"message", &signature)?;
/// assert!(key.verifying_key().with_context(b"offer")?.verify(b"message", &signature).is_err());
/// assert!(key.with_context(&[0; 256]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WithContext<'a, K> {
    pub(crate) key: &'a K,
    pub(crate) context: &'a [u8],
}

impl<'a, K> WithContext<'a, K> {
    pub(crate) fn new(key: &'a K, context: &'a [u8]) -> Result<Self, ContextTooLong> {
        ContextTooLong::check(context)?;
        Ok(Self { key, context })
    }

    /// The empty context, which is FIPS 204's default.
    #[cfg(feature = "hash-ml-dsa")]
    pub(crate) fn without(key: &'a K) -> Self {
        Self { key, context: &[] }
    }

    /// The context: at most 255 bytes.
    pub fn context(&self) -> &'a [u8] {
        self.context
    }
}

#[cfg(feature = "hash-ml-dsa")]
#[cfg_attr(docsrs, doc(cfg(feature = "hash-ml-dsa")))]
impl<K: AnySigningKey<Set: Fips204>> WithContext<'_, K> {
    /// Signs a digest without randomness (FIPS 204, Algorithm 4, HashML-DSA.Sign); the same digest
    /// gives the same signature.
    ///
    /// # Errors
    /// [`SigningError`], but not [`SigningError::Rng`]; [`SigningError::WeakHash`] if `H` is weaker
    /// than the set.
    pub fn try_sign_prehashed<H: PreHash>(
        &self,
        digest: &PreHashed<H>,
    ) -> Result<Signature<K::Set>, SigningError> {
        PreHashed::<H>::check::<K::Set>()?;
        let mu = digest.mu(&self.key.tr(), self.context);
        checked_sign(self.key, mu.as_bytes(), Rnd::Deterministic)
    }

    /// Signs a digest, hedged with 32 bytes from `rng` (FIPS 204, Algorithm 4, HashML-DSA.Sign).
    ///
    /// # Errors
    /// [`SigningError`]; [`SigningError::WeakHash`] if `H` is weaker than the set.
    pub fn try_sign_prehashed_with_rng<H: PreHash, R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        digest: &PreHashed<H>,
    ) -> Result<Signature<K::Set>, SigningError> {
        PreHashed::<H>::check::<K::Set>()?;
        let mu = digest.mu(&self.key.tr(), self.context);
        let rnd = hedge(rng)?;
        checked_sign(self.key, mu.as_bytes(), Rnd::Hedged(&rnd))
    }
}

#[cfg(feature = "hash-ml-dsa")]
#[cfg_attr(docsrs, doc(cfg(feature = "hash-ml-dsa")))]
impl<K: AnyVerifyingKey<Set: Fips204>> WithContext<'_, K> {
    /// The μ of a digest, for [`Signature`]s that are made or verified elsewhere.
    ///
    /// # Errors
    /// `H` is weaker than the set.
    pub fn prehashed_mu<H: PreHash>(&self, digest: &PreHashed<H>) -> Result<Mu, WeakHash> {
        PreHashed::<H>::check::<K::Set>()?;
        Ok(digest.mu(&self.key.tr(), self.context))
    }

    /// The same as [`Self::prehashed_mu`], but also for a hash function that is weaker than the
    /// set, which FIPS 204 does not approve: a collision of `H` gives a forgery. This method is for
    /// test vectors.
    #[cfg(feature = "hazmat")]
    #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
    pub fn prehashed_mu_of_any_strength<H: PreHash>(&self, digest: &PreHashed<H>) -> Mu {
        digest.mu(&self.key.tr(), self.context)
    }

    /// Verifies a signature of a digest (FIPS 204, Algorithm 5, HashML-DSA.Verify).
    ///
    /// # Errors
    /// The signature is not valid, or `H` is weaker than the set; the error does not say which.
    pub fn verify_prehashed<H: PreHash>(
        &self,
        digest: &PreHashed<H>,
        signature: &Signature<K::Set>,
    ) -> signature::Result<()> {
        PreHashed::<H>::check::<K::Set>().map_err(|_| signature::Error::new())?;
        let mu = |tr: &_| *digest.mu(tr, self.context).as_bytes();
        verdict(
            self.key
                .verify_on_chosen(MessageRepresentative::OfTr(&mu), signature),
        )
    }
}

/// Deterministic: the same message gives the same signature.
impl<K: AnySigningKey<Set: Fips204>> Signer<Signature<K::Set>> for WithContext<'_, K> {
    fn try_sign(&self, message: &[u8]) -> signature::Result<Signature<K::Set>> {
        self.try_multipart_sign(&[message])
    }
}
/// Deterministic: the same message gives the same signature.
impl<K: AnySigningKey<Set: Fips204>> MultipartSigner<Signature<K::Set>> for WithContext<'_, K> {
    fn try_multipart_sign(&self, message: &[&[u8]]) -> signature::Result<Signature<K::Set>> {
        Ok(sign_parts(
            self.key,
            self.context,
            message,
            Rnd::Deterministic,
        )?)
    }
}
impl<K: AnySigningKey<Set: Fips204>> RandomizedSigner<Signature<K::Set>> for WithContext<'_, K> {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> signature::Result<Signature<K::Set>> {
        self.try_multipart_sign_with_rng(rng, &[message])
    }
}
impl<K: AnySigningKey<Set: Fips204>> RandomizedMultipartSigner<Signature<K::Set>>
    for WithContext<'_, K>
{
    fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[&[u8]],
    ) -> signature::Result<Signature<K::Set>> {
        let rnd = hedge(rng)?;
        Ok(sign_parts(
            self.key,
            self.context,
            message,
            Rnd::Hedged(&rnd),
        )?)
    }
}

impl<K: AnyVerifyingKey<Set: Fips204>> Verifier<Signature<K::Set>> for WithContext<'_, K> {
    fn verify(&self, message: &[u8], signature: &Signature<K::Set>) -> signature::Result<()> {
        self.multipart_verify(&[message], signature)
    }
}
/// FIPS 204, Algorithm 3 (ML-DSA.Verify).
impl<K: AnyVerifyingKey<Set: Fips204>> MultipartVerifier<Signature<K::Set>> for WithContext<'_, K> {
    fn multipart_verify(
        &self,
        message: &[&[u8]],
        signature: &Signature<K::Set>,
    ) -> signature::Result<()> {
        verify_parts(self.key, self.context, message, signature)
    }
}
