//! Private keys in expanded form, which sign with contexts, with randomness and as the internal algorithms.

use core::fmt;

use ctutils::{Choice, CtEq};
use moissanite::{AnySigningKey, Seed as SecretSeed, SigningKeyIn};
use shake::Shake256;
use signature::{DigestSigner, Error, Keypair, MultipartSigner, Signer};
#[cfg(feature = "rand_core")]
use signature::{
    RandomizedDigestSigner, RandomizedMultipartSigner, RandomizedSigner, rand_core::TryCryptoRng,
};

use crate::key_memory::{Memory, Prepared, PrivateKey, ReadySigningKey, copy, infallible};
use crate::mu::{self, B64};
use crate::param::{B32, ExpandedSigningKeyBytes, MlDsaParams, Seed};
use crate::sig::Signature;
use crate::verifying::VerifyingKey;

/// A private key in expanded form. It is secret, and wiped when it is dropped.
///
/// With the feature `alloc`, the first signature also computes the values that are the same for
/// every message, and keeps them in a box of 26 to 75 KiB, which is wiped too.
///
/// ```
/// use ml_dsa::{ExpandedSigningKey, MlDsa44};
///
/// let key = ExpandedSigningKey::<MlDsa44>::from_seed(&[7; 32].into());
/// let signature = key.sign_deterministic(b"message", b"context")?;
/// assert!(key.verifying_key().verify_with_context(b"message", b"context", &signature));
/// # Ok::<(), ml_dsa::Error>(())
/// ```
pub struct ExpandedSigningKey<P: MlDsaParams> {
    pub(crate) key: PrivateKey<P::Set>,
    prepared: Prepared<ReadySigningKey<P::Set>>,
}

impl<P: MlDsaParams> ExpandedSigningKey<P> {
    /// Generates the key of a seed of 32 bytes (FIPS 204, Algorithm 6, ML-DSA.KeyGen_internal).
    #[must_use]
    pub fn from_seed(seed: &Seed) -> Self {
        Self::of_seed(&SecretSeed::from_bytes(&seed.0))
    }

    pub(crate) fn of_seed(seed: &SecretSeed) -> Self {
        Self::of(SigningKeyIn::from_seed_in(Memory::default(), seed))
    }

    fn of(key: PrivateKey<P::Set>) -> Self {
        let prepared = Prepared::not_yet();
        Self { key, prepared }
    }

    /// Signs the parts of an M' that the caller has framed, with 32 secret random bytes, or zeros
    /// for a deterministic signature (FIPS 204, Algorithm 7, ML-DSA.Sign_internal).
    ///
    /// # Panics
    /// No attempt gives a signature, which does not happen on a working machine.
    pub fn sign_internal(&self, message: &[&[u8]], rnd: &B32) -> Signature<P> {
        Signature(infallible(self.ready().sign_internal(message, &rnd.0)))
    }

    /// Signs a message with a context of at most 255 bytes, hedged with 32 bytes from `rng` (FIPS
    /// 204, Algorithm 2, ML-DSA.Sign).
    ///
    /// # Errors
    /// The context is too long, or `rng` fails.
    #[cfg(feature = "rand_core")]
    #[cfg_attr(docsrs, doc(cfg(feature = "rand_core")))]
    pub fn sign_randomized<R: TryCryptoRng + ?Sized>(
        &self,
        message: &[u8],
        ctx: &[u8],
        rng: &mut R,
    ) -> Result<Signature<P>, Error> {
        let view = self.ready().with_context(ctx).map_err(|_| Error::new())?;
        view.try_sign_with_rng(rng, message).map(Signature)
    }

    /// Signs μ, which [`VerifyingKey::compute_mu`] of this key's public key computes, hedged with 32
    /// bytes from `rng`.
    ///
    /// # Errors
    /// `rng` fails.
    #[cfg(feature = "rand_core")]
    #[cfg_attr(docsrs, doc(cfg(feature = "rand_core")))]
    pub fn sign_mu_randomized<R: TryCryptoRng + ?Sized>(
        &self,
        mu: &B64,
        rng: &mut R,
    ) -> Result<Signature<P>, Error> {
        let mu = mu::from_array(mu);
        Ok(Signature(self.ready().try_sign_mu_with_rng(rng, &mu)?))
    }

    /// Signs a message with a context of at most 255 bytes, without randomness (FIPS 204, Algorithm
    /// 2, ML-DSA.Sign).
    ///
    /// # Errors
    /// The context is too long.
    pub fn sign_deterministic(&self, message: &[u8], ctx: &[u8]) -> Result<Signature<P>, Error> {
        let view = self.ready().with_context(ctx).map_err(|_| Error::new())?;
        view.try_sign(message).map(Signature)
    }

    /// Signs μ, which [`VerifyingKey::compute_mu`] of this key's public key computes, without
    /// randomness.
    ///
    /// # Panics
    /// No attempt gives a signature, which does not happen on a working machine.
    pub fn sign_mu_deterministic(&self, mu: &B64) -> Signature<P> {
        Signature(infallible(self.ready().try_sign_mu(&mu::from_array(mu))))
    }

    /// Returns the public key.
    pub fn verifying_key(&self) -> VerifyingKey<P> {
        VerifyingKey::of(self.key.verifying_key().clone())
    }

    /// Reads the bytes of an expanded private key (FIPS 204, Algorithm 25, skDecode), and checks
    /// that they are consistent, which takes as long as key generation.
    ///
    /// # Panics
    /// A coefficient of s₁ or s₂ is out of range, or t₀ or tr does not match ρ, s₁ and s₂.
    #[deprecated(since = "0.1.0", note = "a key from `from_seed` needs no checks")]
    pub fn from_expanded(enc: &ExpandedSigningKeyBytes<P>) -> Self {
        let key = SigningKeyIn::from_expanded_bytes_in(Memory::default(), enc);
        Self::of(infallible(key))
    }

    /// Returns the bytes of the expanded private key (FIPS 204, Algorithm 24, skEncode). The caller
    /// must wipe them.
    #[deprecated(since = "0.1.0", note = "store the seed: `SigningKey::to_seed`")]
    pub fn to_expanded(&self) -> ExpandedSigningKeyBytes<P> {
        P::expanded_array(self.key.as_expanded_bytes()).clone()
    }

    fn ready(&self) -> &ReadySigningKey<P::Set> {
        self.prepared.signing_key(&self.key)
    }
}

impl<P: MlDsaParams> Keypair for ExpandedSigningKey<P> {
    type VerifyingKey = VerifyingKey<P>;
    fn verifying_key(&self) -> VerifyingKey<P> {
        self.verifying_key()
    }
}

/// Deterministic, with the empty context.
impl<P: MlDsaParams> Signer<Signature<P>> for ExpandedSigningKey<P> {
    fn try_sign(&self, message: &[u8]) -> Result<Signature<P>, Error> {
        self.ready().try_sign(message).map(Signature)
    }
}

/// Deterministic, with the empty context.
impl<P: MlDsaParams> MultipartSigner<Signature<P>> for ExpandedSigningKey<P> {
    fn try_multipart_sign(&self, message: &[&[u8]]) -> Result<Signature<P>, Error> {
        self.ready().try_multipart_sign(message).map(Signature)
    }
}

/// Deterministic, with the empty context. The digest receives the message.
impl<P: MlDsaParams> DigestSigner<Shake256, Signature<P>> for ExpandedSigningKey<P> {
    fn try_sign_digest<F: Fn(&mut Shake256) -> Result<(), Error>>(
        &self,
        f: F,
    ) -> Result<Signature<P>, Error> {
        let mu = mu::of_digest(&self.key.tr(), &[], f)?;
        Ok(Signature(self.ready().try_sign_mu(&mu)?))
    }
}

/// Hedged, with the empty context.
#[cfg(feature = "rand_core")]
#[cfg_attr(docsrs, doc(cfg(feature = "rand_core")))]
impl<P: MlDsaParams> RandomizedSigner<Signature<P>> for ExpandedSigningKey<P> {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature<P>, Error> {
        self.ready().try_sign_with_rng(rng, message).map(Signature)
    }
}

/// Hedged, with the empty context.
#[cfg(feature = "rand_core")]
#[cfg_attr(docsrs, doc(cfg(feature = "rand_core")))]
impl<P: MlDsaParams> RandomizedMultipartSigner<Signature<P>> for ExpandedSigningKey<P> {
    fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[&[u8]],
    ) -> Result<Signature<P>, Error> {
        let signature = self.ready().try_multipart_sign_with_rng(rng, message);
        signature.map(Signature)
    }
}

/// Hedged, with the empty context. The digest receives the message.
#[cfg(feature = "rand_core")]
#[cfg_attr(docsrs, doc(cfg(feature = "rand_core")))]
impl<P: MlDsaParams> RandomizedDigestSigner<Shake256, Signature<P>> for ExpandedSigningKey<P> {
    fn try_sign_digest_with_rng<
        R: TryCryptoRng + ?Sized,
        F: Fn(&mut Shake256) -> Result<(), Error>,
    >(
        &self,
        rng: &mut R,
        f: F,
    ) -> Result<Signature<P>, Error> {
        let mu = mu::of_digest(&self.key.tr(), &[], f)?;
        Ok(Signature(self.ready().try_sign_mu_with_rng(rng, &mu)?))
    }
}

/// Copies the key. The copy is prepared at its own first use.
impl<P: MlDsaParams> Clone for ExpandedSigningKey<P> {
    fn clone(&self) -> Self {
        Self::of(copy(&self.key))
    }
}

impl<P: MlDsaParams> CtEq for ExpandedSigningKey<P> {
    fn ct_eq(&self, other: &Self) -> Choice {
        let [own, other] = [self, other].map(|key| key.key.as_expanded_bytes().as_ref());
        own.ct_eq(other)
    }
}
/// In constant time.
impl<P: MlDsaParams> PartialEq for ExpandedSigningKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl<P: MlDsaParams> fmt::Debug for ExpandedSigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExpandedSigningKey").finish_non_exhaustive()
    }
}

// Both fields wipe themselves.
#[cfg(feature = "zeroize")]
#[cfg_attr(docsrs, doc(cfg(feature = "zeroize")))]
impl<P: MlDsaParams> zeroize::ZeroizeOnDrop for ExpandedSigningKey<P> {}
