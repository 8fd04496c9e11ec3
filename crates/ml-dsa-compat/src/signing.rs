//! Private keys, which are stored as seeds.

use core::fmt;

use crypto_common::{KeyExport, KeyInit, KeySizeUser};
use ctutils::{Choice, CtEq};
use hybrid_array::sizes::U32;
use moissanite::Seed as SecretSeed;
use shake::Shake256;
use signature::{DigestSigner, Error, MultipartSigner, Signer};

use crate::expanded::ExpandedSigningKey;
use crate::param::{MlDsaParams, Seed};
use crate::sig::Signature;
#[cfg(feature = "alloc")]
use crate::verifying::VerifyingKey;

/// A private key with its seed. It is secret, and wiped when it is dropped.
///
/// ```
/// use ml_dsa::{Keypair, MlDsa44, Signer, SigningKey, Verifier};
///
/// let key = SigningKey::<MlDsa44>::from_seed(&[7; 32].into());
/// let signature = key.sign(b"message");
/// key.verifying_key().verify(b"message", &signature)?;
/// assert_eq!(SigningKey::from_seed(&key.to_seed()), key);
/// # Ok::<(), ml_dsa::Error>(())
/// ```
pub struct SigningKey<P: MlDsaParams> {
    seed: SecretSeed,
    expanded: ExpandedSigningKey<P>,
    /// For [`AsRef`], which returns a reference.
    #[cfg(feature = "alloc")]
    verifying_key: VerifyingKey<P>,
}

impl<P: MlDsaParams> SigningKey<P> {
    /// Generates the key of a seed of 32 bytes (FIPS 204, Algorithm 6, ML-DSA.KeyGen_internal).
    #[must_use]
    pub fn from_seed(seed: &Seed) -> Self {
        Self::of_seed(SecretSeed::from_bytes(&seed.0))
    }

    fn of_seed(seed: SecretSeed) -> Self {
        let expanded = ExpandedSigningKey::of_seed(&seed);
        Self {
            #[cfg(feature = "alloc")]
            verifying_key: expanded.verifying_key(),
            seed,
            expanded,
        }
    }

    /// Returns a reference to the seed, which is secret.
    #[must_use]
    pub fn as_seed(&self) -> &Seed {
        self.seed.as_bytes().into()
    }

    /// Returns a copy of the seed, which the caller must wipe.
    #[must_use]
    pub fn to_seed(&self) -> Seed {
        *self.as_seed()
    }

    /// Returns the key that signs with contexts and with randomness.
    #[doc(hidden)]
    #[must_use]
    pub fn expanded_key(&self) -> &ExpandedSigningKey<P> {
        &self.expanded
    }
}

/// Deterministic, with the empty context.
impl<P: MlDsaParams> Signer<Signature<P>> for SigningKey<P> {
    fn try_sign(&self, message: &[u8]) -> Result<Signature<P>, Error> {
        self.expanded.try_sign(message)
    }
}

/// Deterministic, with the empty context.
impl<P: MlDsaParams> MultipartSigner<Signature<P>> for SigningKey<P> {
    fn try_multipart_sign(&self, message: &[&[u8]]) -> Result<Signature<P>, Error> {
        self.expanded.try_multipart_sign(message)
    }
}

/// Deterministic, with the empty context. The digest receives the message.
impl<P: MlDsaParams> DigestSigner<Shake256, Signature<P>> for SigningKey<P> {
    fn try_sign_digest<F: Fn(&mut Shake256) -> Result<(), Error>>(
        &self,
        f: F,
    ) -> Result<Signature<P>, Error> {
        self.expanded.try_sign_digest(f)
    }
}

#[cfg(feature = "alloc")]
impl<P: MlDsaParams> AsRef<VerifyingKey<P>> for SigningKey<P> {
    fn as_ref(&self) -> &VerifyingKey<P> {
        &self.verifying_key
    }
}
#[cfg(feature = "alloc")]
impl<P: MlDsaParams> signature::KeypairRef for SigningKey<P> {
    type VerifyingKey = VerifyingKey<P>;
}
#[cfg(not(feature = "alloc"))]
impl<P: MlDsaParams> signature::Keypair for SigningKey<P> {
    type VerifyingKey = crate::verifying::VerifyingKey<P>;
    fn verifying_key(&self) -> Self::VerifyingKey {
        self.expanded.verifying_key()
    }
}

impl<P: MlDsaParams> KeySizeUser for SigningKey<P> {
    type KeySize = U32;
}
/// From the seed.
impl<P: MlDsaParams> KeyInit for SigningKey<P> {
    fn new(seed: &Seed) -> Self {
        Self::from_seed(seed)
    }
}
/// The seed.
impl<P: MlDsaParams> KeyExport for SigningKey<P> {
    fn to_bytes(&self) -> Seed {
        self.to_seed()
    }
}

/// FIPS 204, Algorithm 1 (ML-DSA.KeyGen).
#[cfg(feature = "rand_core")]
#[cfg_attr(docsrs, doc(cfg(feature = "rand_core")))]
impl<P: MlDsaParams> crypto_common::Generate for SigningKey<P> {
    fn try_generate_from_rng<R: signature::rand_core::TryCryptoRng + ?Sized>(
        rng: &mut R,
    ) -> Result<Self, R::Error> {
        let mut seed = SecretSeed::zero();
        seed.try_fill(rng)?;
        Ok(Self::of_seed(seed))
    }
}

impl<P: MlDsaParams> Clone for SigningKey<P> {
    fn clone(&self) -> Self {
        Self {
            seed: SecretSeed::from_bytes(self.seed.as_bytes()),
            expanded: self.expanded.clone(),
            #[cfg(feature = "alloc")]
            verifying_key: self.verifying_key.clone(),
        }
    }
}

/// Compares the seeds, from which everything else follows.
impl<P: MlDsaParams> CtEq for SigningKey<P> {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.seed.as_bytes().ct_eq(other.seed.as_bytes())
    }
}
/// In constant time.
impl<P: MlDsaParams> PartialEq for SigningKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl<P: MlDsaParams> fmt::Debug for SigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").finish_non_exhaustive()
    }
}

// Both secret fields wipe themselves.
#[cfg(feature = "zeroize")]
#[cfg_attr(docsrs, doc(cfg(feature = "zeroize")))]
impl<P: MlDsaParams> zeroize::ZeroizeOnDrop for SigningKey<P> {}
