//! Private keys.

use core::fmt;

use moissanite_core::backend::{Best, Choice};
use moissanite_core::encode::keys::sk_split;
use moissanite_core::params::Rnd;
use moissanite_core::secret::{Secret, Zeroed};
use moissanite_core::{Fips204, ParameterSet};
use signature::rand_core::{CryptoRng, TryCryptoRng};
use signature::{KeypairRef, MultipartSigner, RandomizedMultipartSigner, RandomizedSigner, Signer};
use zeroize::ZeroizeOnDrop;

use crate::engine::{Check, Generate, PrepareSigning, Sign, SignPrepared};
use crate::holder::Holder;
#[cfg(feature = "hazmat")]
use crate::ops::raw_mu;
use crate::ops::{SigningOps, checked_sign, hedge, sign_into, sign_parts};
#[cfg(feature = "hash-ml-dsa")]
use crate::prehash::{PreHash, PreHashed};
use crate::{
    ContextTooLong, InvalidKey, Mu, MuBuilder, Signature, SigningError, VerifyingKey, WithContext,
};

/// A private key with its public key: about 4, 6 and 7.5 KB for ML-DSA-44, -65 and -87.
///
/// It comes from a 32-byte seed, which is the form to store, or from the
/// 2,560, 4,032 or 4,896 bytes of FIPS 204's expanded form (2,528, 4,000 or 4,864
/// of round 3's), from which the seed cannot be had back. All of it but the public key and ρ, its first 32 bytes
/// in expanded form, is secret: wiped when it is dropped, and `Debug` shows the
/// public key only.
///
/// ```
/// use moissanite::{prelude::*, MlDsa65, SigningKey};
///
/// # #[cfg(feature = "getrandom")] {
/// use moissanite::SysRng;
///
/// let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
/// let signature = key.try_sign_with_rng(&mut SysRng, b"message")?;
/// key.verifying_key().verify(b"message", &signature)?;
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SigningKey<P: ParameterSet> {
    seed: Option<Secret<[u8; 32]>>,
    expanded: ExpandedSigningKey<P>,
    verifying_key: VerifyingKey<P>,
}

impl<P: ParameterSet> SigningKey<P> {
    /// A new key (FIPS 204, Algorithm 1, ML-DSA.KeyGen), from a generator that
    /// can fail, like the operating system's.
    ///
    /// # Errors
    /// The generator's.
    pub fn try_generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut seed = Secret::new([0; 32]);
        rng.try_fill_bytes(&mut *seed)?;
        Ok(Self::from_seed(&seed))
    }

    /// A new key (FIPS 204, Algorithm 1, ML-DSA.KeyGen), from a generator that cannot fail.
    pub fn generate<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let Ok(key) = Self::try_generate(rng);
        key
    }

    /// The key of a seed (FIPS 204, Algorithm 6, ML-DSA.KeyGen_internal).
    ///
    /// The seed is the private key in short: 32 bytes from a generator fit for
    /// keys. Every seed gives a key. The caller's copy is his to wipe.
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self::generate_on(Best, seed)
    }

    /// [`Self::from_seed`], on the backend of the caller's choice.
    #[cfg(feature = "hazmat")]
    #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
    pub fn from_seed_on<B: crate::Backend>(backend: B, seed: &[u8; 32]) -> Self {
        Self::generate_on(moissanite_core::backend::Named(backend), seed)
    }

    fn generate_on<C: Choice>(choice: C, seed: &[u8; 32]) -> Self {
        let mut key = Self::unmade(*seed);
        let (pk, sk) = key.encoded_mut();
        choice.run(Generate::<P> { xi: seed, pk, sk });
        key
    }

    /// A seed, and room for what it gives.
    pub(crate) fn unmade(seed: [u8; 32]) -> Self {
        Self {
            seed: Some(Secret::new(seed)),
            expanded: ExpandedSigningKey(Secret::ZERO),
            verifying_key: VerifyingKey(P::PublicKey::ZERO),
        }
    }

    /// The public and the expanded private key, to be written.
    pub(crate) fn encoded_mut(&mut self) -> (&mut P::PublicKey, &mut P::PrivateKey) {
        (&mut self.verifying_key.0, &mut self.expanded.0)
    }

    /// The seed, unless the key came in expanded form. The copy is the caller's to wipe.
    pub fn to_seed(&self) -> Option<[u8; 32]> {
        self.seed.as_ref().map(|seed| **seed)
    }

    /// The seed in place, unless the key came in expanded form.
    pub fn as_seed(&self) -> Option<&[u8; 32]> {
        self.seed.as_deref()
    }

    /// The key of an expanded private key (FIPS 204, Algorithm 25, skDecode).
    ///
    /// Takes 2,560, 4,032 or 4,896 bytes. All of them are checked: the ranges
    /// of s₁ and s₂, and that t₀ and tr are what ρ, s₁ and s₂ give; K can be
    /// anything. That takes as long as making a key.
    ///
    /// # Errors
    /// [`InvalidKey::Length`], [`InvalidKey::SecretOutOfRange`],
    /// [`InvalidKey::T0Mismatch`], [`InvalidKey::TrMismatch`].
    pub fn from_expanded_bytes(bytes: &[u8]) -> Result<Self, InvalidKey> {
        let mut key = Self {
            seed: None,
            expanded: ExpandedSigningKey::copy_of(bytes)?,
            verifying_key: VerifyingKey(P::PublicKey::ZERO),
        };
        Best.run(Check::<P> {
            sk: &key.expanded.0,
            pk: &mut key.verifying_key.0,
        })?;
        Ok(key)
    }

    /// The expanded private key (FIPS 204, Algorithm 24, skEncode): 2,560, 4,032
    /// or 4,896 bytes. The copy is the caller's to wipe. Store the seed instead
    /// where there is one.
    pub fn to_expanded_bytes(&self) -> P::PrivateKey {
        (*self.expanded.0).clone()
    }

    /// The expanded private key, in place.
    pub fn as_expanded_bytes(&self) -> &P::PrivateKey {
        &self.expanded.0
    }

    /// The key of an expanded private key that this program wrote itself.
    ///
    /// Takes 2,560, 4,032 or 4,896 bytes. The ranges of s₁ and s₂ are checked;
    /// t₀, tr and the public key are not recomputed. With a key from elsewhere,
    /// signatures that do not verify or that leak it may be the result.
    ///
    /// # Errors
    /// [`InvalidKey::Length`], [`InvalidKey::SecretOutOfRange`].
    #[cfg(feature = "hazmat")]
    #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
    pub fn from_expanded_bytes_trusted(bytes: &[u8]) -> Result<ExpandedSigningKey<P>, InvalidKey> {
        let key = ExpandedSigningKey::copy_of(bytes)?;
        if Best.run(crate::engine::CheckRanges::<P> { sk: &key.0 }) {
            Ok(key)
        } else {
            Err(InvalidKey::SecretOutOfRange)
        }
    }

    /// The public key.
    pub fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.verifying_key
    }

    /// Computes once what every signature with this key needs, most of all the
    /// matrix Â, and keeps it in a box of 26 to 75 KiB, wiped when it is dropped.
    #[cfg(feature = "alloc")]
    #[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
    pub fn prepare(&self) -> PreparedSigningKey<'static, P> {
        self.prepare_held(Holder::Boxed(SigningKeySpace::boxed()))
    }

    /// Computes once what every signature with this key needs, most of all the
    /// matrix Â, in memory that the caller has. What is secret in there is wiped
    /// when the prepared key is dropped.
    ///
    /// ```
    /// use moissanite::{prelude::*, MlDsa44, SigningKey, SigningKeySpace};
    ///
    /// let key = SigningKey::<MlDsa44>::from_seed(&[7; 32]);
    /// let mut space = SigningKeySpace::new();
    /// let prepared = key.prepare_in(&mut space);
    /// assert_eq!(prepared.try_sign(b"message")?, key.try_sign(b"message")?);
    /// # Ok::<(), moissanite::signature::Error>(())
    /// ```
    pub fn prepare_in<'a>(&self, space: &'a mut SigningKeySpace<P>) -> PreparedSigningKey<'a, P> {
        self.prepare_held(Holder::Borrowed(space))
    }

    fn prepare_held<'a>(
        &self,
        mut space: Holder<'a, SigningKeySpace<P>>,
    ) -> PreparedSigningKey<'a, P> {
        space.verifying_key.clone_from(&self.verifying_key);
        // Every way to make a key has checked the ranges.
        let in_range = Best.run(PrepareSigning::<P> {
            sk: &self.expanded.0,
            key: &mut space.key,
        });
        debug_assert!(in_range);
        PreparedSigningKey(space)
    }
}

impl<P: ParameterSet> SigningOps for SigningKey<P> {
    type Set = P;
    fn tr(&self) -> [u8; 64] {
        self.expanded.tr()
    }
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        mu: &[u8; 64],
        rnd: Option<&Rnd<P>>,
        signature: &mut Signature<P>,
    ) -> Result<(), SigningError> {
        self.expanded.sign_on(choice, mu, rnd, signature)
    }
    fn public_key(&self) -> Option<VerifyingKey<P>> {
        Some(self.verifying_key.clone())
    }
}
signer!([] SigningKey<P>);

impl<P: ParameterSet> AsRef<VerifyingKey<P>> for SigningKey<P> {
    fn as_ref(&self) -> &VerifyingKey<P> {
        &self.verifying_key
    }
}
impl<P: ParameterSet> KeypairRef for SigningKey<P> {
    type VerifyingKey = VerifyingKey<P>;
}
// Its fields are `Secret`.
impl<P: ParameterSet> ZeroizeOnDrop for SigningKey<P> {}

impl<P: ParameterSet> fmt::Debug for SigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("verifying_key", &self.verifying_key)
            .finish_non_exhaustive()
    }
}

/// A private key in FIPS 204's expanded form alone, taken on trust: 2,560,
/// 4,032 or 4,896 bytes, all secret but the first 32. Wiped when it is dropped.
///
/// The feature `hazmat` has the way to make one, a method of [`SigningKey`]:
/// `from_expanded_bytes_trusted`.
#[derive(Clone)]
pub struct ExpandedSigningKey<P: ParameterSet>(Secret<P::PrivateKey>);

impl<P: ParameterSet> ExpandedSigningKey<P> {
    fn copy_of(bytes: &[u8]) -> Result<Self, InvalidKey> {
        let wrong = InvalidKey::length(P::PRIVATE_KEY_LEN, bytes);
        P::PrivateKey::try_from(bytes)
            .map(|sk| Self(Secret::new(sk)))
            .map_err(|_| wrong)
    }

    /// The public key, computed anew, which takes as long as making a key; t₀
    /// and tr are checked with it.
    ///
    /// # Errors
    /// [`InvalidKey::T0Mismatch`], [`InvalidKey::TrMismatch`].
    pub fn to_verifying_key(&self) -> Result<VerifyingKey<P>, InvalidKey> {
        let mut key = VerifyingKey(P::PublicKey::ZERO);
        Best.run(Check::<P> {
            sk: &self.0,
            pk: &mut key.0,
        })?;
        Ok(key)
    }
}

impl<P: ParameterSet> SigningOps for ExpandedSigningKey<P> {
    type Set = P;
    fn tr(&self) -> [u8; 64] {
        let mut tr = [0; 64];
        tr[..P::TR_LEN].copy_from_slice(sk_split::<P>(&self.0).tr);
        tr
    }
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        mu: &[u8; 64],
        rnd: Option<&Rnd<P>>,
        signature: &mut Signature<P>,
    ) -> Result<(), SigningError> {
        choice.run(Sign::<P> {
            sk: &self.0,
            mu,
            rnd,
            sigma: &mut signature.0,
        })
    }
    fn public_key(&self) -> Option<VerifyingKey<P>> {
        self.to_verifying_key().ok()
    }
}
signer!([] ExpandedSigningKey<P>);
// Its field is `Secret`.
impl<P: ParameterSet> ZeroizeOnDrop for ExpandedSigningKey<P> {}

impl<P: ParameterSet> fmt::Debug for ExpandedSigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::debug_bytes(f, "ExpandedSigningKey", P::NAME, &self.tr())
    }
}

/// Room for a prepared private key: 26, 44 or 75 KiB. See [`SigningKey::prepare_in`].
///
/// ```
/// use moissanite::{MlDsa44, MlDsa65, MlDsa87, SigningKeySpace};
///
/// assert!(size_of::<SigningKeySpace<MlDsa44>>() <= 26 << 10);
/// assert!(size_of::<SigningKeySpace<MlDsa65>>() <= 44 << 10);
/// assert!(size_of::<SigningKeySpace<MlDsa87>>() <= 75 << 10);
/// ```
pub struct SigningKeySpace<P: ParameterSet> {
    key: moissanite_core::prepared::PreparedSigningKey<P>,
    verifying_key: VerifyingKey<P>,
}

impl<P: ParameterSet> SigningKeySpace<P> {
    /// Nothing in it. `const`, so that it can be a static; where it is a local
    /// variable, it takes that much stack.
    pub const fn new() -> Self {
        Self {
            key: Zeroed::ZERO,
            verifying_key: VerifyingKey(P::PublicKey::ZERO),
        }
    }

    #[cfg(feature = "alloc")]
    fn boxed() -> alloc::boxed::Box<Self> {
        alloc::boxed::Box::default()
    }
}

impl<P: ParameterSet> Default for SigningKeySpace<P> {
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

/// A private key with what signing computes from it, kept. The same traits and
/// the same signatures, sooner. Secret; wiped when it is dropped.
///
/// ```
/// use moissanite::{prelude::*, MlDsa65, SigningKey};
///
/// # #[cfg(all(feature = "alloc", feature = "getrandom"))] {
/// use moissanite::SysRng;
///
/// let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
/// let prepared = key.prepare();
/// for message in [b"one", b"two"] {
///     let signature = prepared.try_sign_with_rng(&mut SysRng, message)?;
///     prepared.verifying_key().verify(message, &signature)?;
/// }
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PreparedSigningKey<'a, P: ParameterSet>(Holder<'a, SigningKeySpace<P>>);

impl<P: ParameterSet> PreparedSigningKey<'_, P> {
    /// The public key.
    pub fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.0.verifying_key
    }
}

impl<P: ParameterSet> Drop for PreparedSigningKey<'_, P> {
    fn drop(&mut self) {
        self.0.key.wipe();
    }
}
impl<P: ParameterSet> ZeroizeOnDrop for PreparedSigningKey<'_, P> {}

impl<P: ParameterSet> SigningOps for PreparedSigningKey<'_, P> {
    type Set = P;
    fn tr(&self) -> [u8; 64] {
        *self.0.key.tr()
    }
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        mu: &[u8; 64],
        rnd: Option<&Rnd<P>>,
        signature: &mut Signature<P>,
    ) -> Result<(), SigningError> {
        choice.run(SignPrepared::<P> {
            key: &self.0.key,
            mu,
            rnd,
            sigma: &mut signature.0,
        })
    }
    fn public_key(&self) -> Option<VerifyingKey<P>> {
        Some(self.0.verifying_key.clone())
    }
}
#[cfg(feature = "alloc")]
impl<P: ParameterSet> crate::ops::PreparedOps for PreparedSigningKey<'_, P> {
    fn prepared(&self) -> &moissanite_core::prepared::PreparedSigningKey<P> {
        &self.0.key
    }
}
signer!([] PreparedSigningKey<'_, P>);

impl<P: ParameterSet> AsRef<VerifyingKey<P>> for PreparedSigningKey<'_, P> {
    fn as_ref(&self) -> &VerifyingKey<P> {
        &self.0.verifying_key
    }
}
impl<P: ParameterSet> KeypairRef for PreparedSigningKey<'_, P> {
    type VerifyingKey = VerifyingKey<P>;
}

impl<P: ParameterSet> fmt::Debug for PreparedSigningKey<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedSigningKey")
            .field("verifying_key", self.verifying_key())
            .finish_non_exhaustive()
    }
}
