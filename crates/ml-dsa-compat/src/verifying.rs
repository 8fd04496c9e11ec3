//! Public keys.

use core::fmt;
use core::hash::{Hash, Hasher};

use crypto_common::{Key, KeyExport, KeyInit, KeySizeUser};
use moissanite::AnyVerifyingKey;
use shake::Shake256;
use signature::{DigestVerifier, Error, MultipartVerifier, Verifier};

use crate::key_memory::{Prepared, ReadyVerifyingKey, infallible};
use crate::mu::{self, B64};
use crate::param::{EncodedVerifyingKey, MlDsaParams, ParameterSet};
use crate::sig::Signature;

/// A public key: 1,312, 1,952 or 2,592 bytes. Any bytes of that length are one.
///
/// With the feature `alloc`, the first verification also computes the values that are the same for
/// every signature, and keeps them in a box of 21 to 65 KiB.
///
/// ```
/// use ml_dsa::{Keypair, MlDsa44, SigningKey, VerifyingKey};
///
/// let key = SigningKey::<MlDsa44>::from_seed(&[7; 32].into());
/// let signature = key.expanded_key().sign_deterministic(b"message", b"context")?;
///
/// let public_key = VerifyingKey::<MlDsa44>::decode(&key.verifying_key().encode());
/// assert!(public_key.verify_with_context(b"message", b"context", &signature));
/// assert!(!public_key.verify_with_context(b"message", b"another", &signature));
/// # Ok::<(), ml_dsa::Error>(())
/// ```
pub struct VerifyingKey<P: ParameterSet> {
    pub(crate) key: moissanite::VerifyingKey<P::Set>,
    prepared: Prepared<ReadyVerifyingKey<P::Set>>,
}

impl<P: ParameterSet> VerifyingKey<P> {
    pub(crate) fn of(key: moissanite::VerifyingKey<P::Set>) -> Self {
        let prepared = Prepared::not_yet();
        Self { key, prepared }
    }
}

impl<P: MlDsaParams> VerifyingKey<P> {
    /// Computes μ (FIPS 204, Algorithm 2, line 10, and Algorithm 7, line 6) of the message that
    /// `message` gives to the hash function, with a context of at most 255 bytes.
    ///
    /// ```
    /// use ml_dsa::signature::digest::Update;
    /// use ml_dsa::{Error, Keypair, MlDsa44, SigningKey};
    ///
    /// let key = SigningKey::<MlDsa44>::from_seed(&[7; 32].into());
    /// let mu = key.verifying_key().compute_mu(
    ///     |digest| {
    ///         digest.update(b"a long ");
    ///         digest.update(b"message");
    ///         Ok(())
    ///     },
    ///     b"context",
    /// )?;
    /// let signature = key.expanded_key().sign_mu_deterministic(&mu);
    /// assert!(key.verifying_key().verify_mu(&mu, &signature));
    /// assert!(key.verifying_key().verify_with_context(b"a long message", b"context", &signature));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// The context has more than 255 bytes, in which case `message` is not called, or `message`
    /// returns an error.
    pub fn compute_mu<F: FnOnce(&mut Shake256) -> Result<(), Error>>(
        &self,
        message: F,
        ctx: &[u8],
    ) -> Result<B64, Error> {
        let mu = mu::of_digest(&self.key.tr(), ctx, message)?;
        Ok((*mu.as_bytes()).into())
    }

    /// Returns whether a signature is valid for an M' that the caller has framed (FIPS 204,
    /// Algorithm 8, ML-DSA.Verify_internal).
    pub fn verify_internal(&self, message: &[u8], signature: &Signature<P>) -> bool {
        let verdict = self.ready().verify_internal(&[message], &signature.0);
        verdict.is_ok()
    }

    /// Returns whether a signature is valid for a message and a context (FIPS 204, Algorithm 3,
    /// ML-DSA.Verify). No signature is valid for a context of more than 255 bytes.
    pub fn verify_with_context(
        &self,
        message: &[u8],
        ctx: &[u8],
        signature: &Signature<P>,
    ) -> bool {
        let view = self.ready().with_context(ctx);
        view.is_ok_and(|view| view.verify(message, &signature.0).is_ok())
    }

    /// Returns whether a signature is valid for μ, which [`Self::compute_mu`] computes.
    pub fn verify_mu(&self, mu: &B64, signature: &Signature<P>) -> bool {
        let verdict = self.ready().verify_mu(&mu::from_array(mu), &signature.0);
        verdict.is_ok()
    }

    /// Returns the bytes of the key (FIPS 204, Algorithm 22, pkEncode).
    #[must_use]
    pub fn encode(&self) -> EncodedVerifyingKey<P> {
        P::verifying_key_array(self.key.as_bytes()).clone()
    }

    /// Takes the bytes of a key (FIPS 204, Algorithm 23, pkDecode).
    pub fn decode(enc: &EncodedVerifyingKey<P>) -> Self {
        Self::of(infallible(moissanite::VerifyingKey::from_bytes(enc)))
    }

    fn ready(&self) -> &ReadyVerifyingKey<P::Set> {
        self.prepared.verifying_key(&self.key)
    }
}

impl<P: MlDsaParams> Verifier<Signature<P>> for VerifyingKey<P> {
    fn verify(&self, message: &[u8], signature: &Signature<P>) -> Result<(), Error> {
        self.ready().verify(message, &signature.0)
    }
}

impl<P: MlDsaParams> MultipartVerifier<Signature<P>> for VerifyingKey<P> {
    fn multipart_verify(&self, message: &[&[u8]], signature: &Signature<P>) -> Result<(), Error> {
        self.ready().multipart_verify(message, &signature.0)
    }
}

/// The digest receives the message. The context is empty.
impl<P: MlDsaParams> DigestVerifier<Shake256, Signature<P>> for VerifyingKey<P> {
    fn verify_digest<F: Fn(&mut Shake256) -> Result<(), Error>>(
        &self,
        f: F,
        signature: &Signature<P>,
    ) -> Result<(), Error> {
        let mu = mu::of_digest(&self.key.tr(), &[], f)?;
        self.ready().verify_mu(&mu, &signature.0)
    }
}

impl<P: MlDsaParams> KeySizeUser for VerifyingKey<P> {
    type KeySize = P::VerifyingKeySize;
}
impl<P: MlDsaParams> KeyInit for VerifyingKey<P> {
    fn new(key: &Key<Self>) -> Self {
        Self::decode(key)
    }
}
impl<P: MlDsaParams> KeyExport for VerifyingKey<P> {
    fn to_bytes(&self) -> Key<Self> {
        self.encode()
    }
}

/// Copies the bytes of the key. The copy is prepared at its own first use.
impl<P: ParameterSet> Clone for VerifyingKey<P> {
    fn clone(&self) -> Self {
        Self::of(self.key.clone())
    }
}
impl<P: ParameterSet> PartialEq for VerifyingKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}
impl<P: MlDsaParams> Hash for VerifyingKey<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}
impl<P: ParameterSet> fmt::Debug for VerifyingKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.fmt(f)
    }
}
