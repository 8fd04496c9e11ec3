//! Private keys.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;
use core::ops::DerefMut;

use moissanite_core::ParameterSet;
use moissanite_core::backend::{Best, Choice};
use moissanite_core::key_space::KeySpace;
use moissanite_core::secret::{Held, Wipe, Zeroed};
use moissanite_core::seed::Seed;
use moissanite_core::sign::Rnd;
use signature::KeypairRef;
#[cfg(feature = "alloc")]
use signature::rand_core::CryptoRng;
use signature::rand_core::TryCryptoRng;
use zeroize::ZeroizeOnDrop;

use crate::core_ops::{Check, Generate};
use crate::error::{InvalidKey, SigningError};
use crate::expanded::ExpandedSigningKey;
use crate::key_traits::AnySigningKey;
use crate::prepared::{PreparedSigningKeyIn, PreparedSigningKeySpace};
use crate::sig::Signature;
use crate::verifying::VerifyingKey;

/// A private key with its public key, in a box: about 4, 6 and 7.5 KB for ML-DSA-44, -65 and -87.
///
/// It is made from a [`Seed`] of 32 bytes, which is the form to store, or from the 2,560, 4,032 or
/// 4,896 bytes of FIPS 204's expanded form (2,528, 4,000 or 4,864 in round 3), from which the seed
/// cannot be recovered. Everything except the public key and ρ, the first 32 bytes of the expanded
/// form, is secret: it is wiped when the key is dropped, and `Debug` shows the public key only. The
/// key is generated in its box, so that no copy remains elsewhere.
///
/// Without the feature `alloc`, use [`SigningKeyIn`] with memory of the caller. That type has all
/// methods.
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
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub type SigningKey<P> = SigningKeyIn<Box<SigningKeySpace<P>>>;

/// Memory for a private key with its public key: 4, 6 and 7.5 KB for ML-DSA-44, -65 and -87. See
/// [`SigningKeyIn`].
pub struct SigningKeySpace<P: ParameterSet>(KeySpace<P::PrivateKey, VerifyingKey<P>>);

impl<P: ParameterSet> SigningKeySpace<P> {
    /// Returns empty memory. The function is `const`, so that the memory can be a static; as a
    /// local variable, it takes this much stack.
    pub const fn new() -> Self {
        Self(KeySpace::new(VerifyingKey(P::PublicKey::ZERO)))
    }

    /// Generates the key of a seed in this memory (FIPS 204, Algorithm 6, ML-DSA.KeyGen_internal),
    /// and returns its public key. The key is wiped when the memory is dropped. This method is for
    /// programs whose own types contain the memory; other programs use
    /// [`SigningKeyIn::from_seed_in`].
    pub fn set_seed(&mut self, seed: &[u8; 32]) -> &VerifyingKey<P> {
        self.0.seed_mut().set(seed);
        self.expand(Best);
        self.0.verifying_key()
    }

    /// Returns the key in this memory, if there is one.
    pub fn key(&self) -> Option<ExpandedSigningKey<'_, P>> {
        self.0.is_made().then(|| self.made())
    }

    /// Returns the key in this memory.
    fn made(&self) -> ExpandedSigningKey<'_, P> {
        ExpandedSigningKey::of(self.0.expanded(), self.0.verifying_key())
    }

    /// Generates the key of the seed in this memory.
    fn expand<C: Choice>(&mut self, choice: C) {
        let (xi, pk, sk) = self.parts_mut();
        choice.run(Generate::<P> { xi, pk, sk });
    }

    /// Returns the seed, and the public and the expanded private key, which are to be written.
    fn parts_mut(&mut self) -> (&[u8; 32], &mut P::PublicKey, &mut P::PrivateKey) {
        let (seed, expanded, verifying_key) = self.0.parts_mut();
        (seed, &mut verifying_key.0, expanded)
    }
}

impl<P: ParameterSet> Default for SigningKeySpace<P> {
    /// This is inlined, so that a `Box` is initialized in place.
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

impl<P: ParameterSet> Wipe for SigningKeySpace<P> {
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

/// A private key with its public key, in memory `S`: a box, which is [`SigningKey`], or a
/// [`SigningKeySpace`] that is borrowed from the caller.
///
/// The key is generated in that memory and stays there, so that no copy remains elsewhere. Its
/// secrets are wiped when the key is dropped.
///
/// ```
/// use moissanite::{prelude::*, MlDsa65, SigningKeyIn, SigningKeySpace, SysRng};
///
/// let mut space = SigningKeySpace::<MlDsa65>::new();
/// let key = SigningKeyIn::try_generate_in(&mut space, &mut SysRng)?;
/// let signature = key.try_sign(b"message")?;
/// key.verifying_key().verify(b"message", &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SigningKeyIn<S: DerefMut<Target: Wipe>>(Held<S>);

#[cfg(feature = "alloc")]
impl<P: ParameterSet> SigningKey<P> {
    /// Generates a key (FIPS 204, Algorithm 1, ML-DSA.KeyGen) with a random number generator that
    /// can fail, such as that of the operating system.
    ///
    /// # Errors
    /// The error of the generator.
    pub fn try_generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        Self::try_generate_in(Box::default(), rng)
    }

    /// Generates a key (FIPS 204, Algorithm 1, ML-DSA.KeyGen) with a random number generator that
    /// cannot fail.
    pub fn generate<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let Ok(key) = Self::try_generate(rng);
        key
    }

    /// Generates the key of a seed (FIPS 204, Algorithm 6, ML-DSA.KeyGen_internal). Every seed
    /// gives a key.
    pub fn from_seed(seed: &Seed) -> Self {
        Self::from_seed_in(Box::default(), seed)
    }

    /// The same as [`Self::from_seed`], on the given backend.
    #[cfg(feature = "hazmat")]
    #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
    pub fn from_seed_on<B: moissanite_core::backend::Backend>(backend: B, seed: &Seed) -> Self {
        Self::from_seed_in_on(Box::default(), backend, seed)
    }

    /// Reads an expanded private key (FIPS 204, Algorithm 25, skDecode).
    ///
    /// Takes 2,560, 4,032 or 4,896 bytes. The method checks the ranges of s₁ and s₂, and that t₀
    /// and tr match ρ, s₁ and s₂; K can have any value. This takes as long as key generation.
    ///
    /// # Errors
    /// [`InvalidKey::Length`], [`InvalidKey::SecretOutOfRange`],
    /// [`InvalidKey::T0Mismatch`], [`InvalidKey::TrMismatch`].
    pub fn from_expanded_bytes(bytes: &[u8]) -> Result<Self, InvalidKey> {
        Self::from_expanded_bytes_in(Box::default(), bytes)
    }

    /// Copies a seed, and returns it with memory for its keys.
    pub(crate) fn unmade(seed: &Seed) -> Self {
        let mut key = Self(Held::new(Box::default()));
        key.0.0.seed_mut().set(seed.as_bytes());
        key
    }

    /// Returns the seed, and the public and the expanded private key, which are to be written.
    pub(crate) fn parts_mut(&mut self) -> (&[u8; 32], &mut P::PublicKey, &mut P::PrivateKey) {
        self.0.parts_mut()
    }
}

impl<P: ParameterSet, S: DerefMut<Target = SigningKeySpace<P>>> SigningKeyIn<S> {
    /// Generates a key (FIPS 204, Algorithm 1, ML-DSA.KeyGen) in this memory, with a random number
    /// generator that can fail, such as that of the operating system.
    ///
    /// # Errors
    /// The error of the generator.
    pub fn try_generate_in<R: TryCryptoRng + ?Sized>(
        space: S,
        rng: &mut R,
    ) -> Result<Self, R::Error> {
        let mut key = Self(Held::new(space));
        key.0.0.seed_mut().try_fill(rng)?;
        key.0.expand(Best);
        Ok(key)
    }

    /// Generates the key of a seed (FIPS 204, Algorithm 6, ML-DSA.KeyGen_internal) in this memory.
    /// Every seed gives a key.
    pub fn from_seed_in(space: S, seed: &Seed) -> Self {
        Self::from_seed_bytes_in(space, seed.as_bytes())
    }

    /// The same as [`Self::from_seed_in`], on the given backend.
    #[cfg(feature = "hazmat")]
    #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
    pub fn from_seed_in_on<B: moissanite_core::backend::Backend>(
        space: S,
        backend: B,
        seed: &Seed,
    ) -> Self {
        let mut key = Self(Held::new(space));
        key.0.0.seed_mut().set(seed.as_bytes());
        key.0.expand(moissanite_core::backend::Named(backend));
        key
    }

    /// The same as [`Self::from_seed_in`], for a seed that is read in place.
    pub(crate) fn from_seed_bytes_in(space: S, seed: &[u8; 32]) -> Self {
        let mut key = Self(Held::new(space));
        key.0.set_seed(seed);
        key
    }

    /// Reads an expanded private key (FIPS 204, Algorithm 25, skDecode) into this memory.
    ///
    /// Takes 2,560, 4,032 or 4,896 bytes. The method checks the ranges of s₁ and s₂, and that t₀
    /// and tr match ρ, s₁ and s₂; K can have any value. This takes as long as key generation.
    ///
    /// # Errors
    /// [`InvalidKey::Length`], [`InvalidKey::SecretOutOfRange`],
    /// [`InvalidKey::T0Mismatch`], [`InvalidKey::TrMismatch`].
    pub fn from_expanded_bytes_in(space: S, bytes: &[u8]) -> Result<Self, InvalidKey> {
        if bytes.len() != P::PRIVATE_KEY_LEN {
            return Err(InvalidKey::length(P::PRIVATE_KEY_LEN, bytes));
        }
        let mut key = Self(Held::new(space));
        key.0.0.set_expanded(bytes, |sk, key| {
            let pk = &mut key.0;
            Best.run(Check::<P> { sk, pk })
        })?;
        Ok(key)
    }

    /// Returns a reference to the seed, unless the key was read in expanded form. Store its
    /// [bytes](Seed::as_bytes).
    pub fn as_seed(&self) -> Option<&Seed> {
        self.0.0.seed()
    }

    /// Returns a copy of the expanded private key (FIPS 204, Algorithm 24, skEncode): 2,560, 4,032
    /// or 4,896 bytes. The caller must wipe this copy, and the copies that moving it can leave;
    /// [`Self::as_expanded_bytes`] makes no copy. Store the seed instead if there is one.
    pub fn to_expanded_bytes(&self) -> P::PrivateKey {
        self.as_expanded_bytes().clone()
    }

    /// Returns a reference to the expanded private key.
    pub fn as_expanded_bytes(&self) -> &P::PrivateKey {
        self.0.0.expanded()
    }

    /// The public key.
    pub fn verifying_key(&self) -> &VerifyingKey<P> {
        self.0.0.verifying_key()
    }

    /// Computes the values that every signature with this key needs, mainly the matrix Â, and keeps
    /// them in a box of 26 to 75 KiB, which is wiped when it is dropped.
    #[cfg(feature = "alloc")]
    #[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
    pub fn prepare(&self) -> crate::prepared::PreparedSigningKey<P> {
        PreparedSigningKeyIn::of(
            Box::default(),
            self.as_expanded_bytes(),
            self.verifying_key(),
        )
    }

    /// Computes the values that every signature with this key needs, mainly the matrix Â, in memory
    /// of the caller. Its secrets are wiped when the prepared key is dropped.
    ///
    /// ```
    /// use moissanite::{prelude::*, MlDsa44, PreparedSigningKeySpace, SigningKey, SysRng};
    ///
    /// let key = SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
    /// let mut space = PreparedSigningKeySpace::new();
    /// let prepared = key.prepare_in(&mut space);
    /// assert_eq!(prepared.try_sign(b"message")?, key.try_sign(b"message")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare_in<'a>(
        &self,
        space: &'a mut PreparedSigningKeySpace<P>,
    ) -> PreparedSigningKeyIn<&'a mut PreparedSigningKeySpace<P>> {
        PreparedSigningKeyIn::of(space, self.as_expanded_bytes(), self.verifying_key())
    }
}

/// Copies the key into a new box.
#[cfg(feature = "alloc")]
impl<P: ParameterSet> Clone for SigningKey<P> {
    fn clone(&self) -> Self {
        let mut key = Self(Held::new(Box::default()));
        key.0.0.copy_from(&self.0.0);
        key
    }
}

impl<P: ParameterSet, S: DerefMut<Target = SigningKeySpace<P>>> AnySigningKey for SigningKeyIn<S> {
    type Set = P;
    fn tr(&self) -> [u8; 64] {
        self.0.made().tr()
    }
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        mu: &[u8; 64],
        rnd: Rnd<'_>,
        signature: &mut Signature<P>,
    ) -> Result<(), SigningError> {
        self.0.made().sign_on(choice, mu, rnd, signature)
    }
    fn check_signature(&self, mu: &[u8; 64], signature: &Signature<P>) -> bool {
        self.verifying_key().is_valid(mu, signature)
    }
}
signer!([S: DerefMut<Target = SigningKeySpace<P>>] SigningKeyIn<S>);

impl<P: ParameterSet, S: DerefMut<Target = SigningKeySpace<P>>> AsRef<VerifyingKey<P>>
    for SigningKeyIn<S>
{
    fn as_ref(&self) -> &VerifyingKey<P> {
        self.verifying_key()
    }
}
impl<P: ParameterSet, S: DerefMut<Target = SigningKeySpace<P>>> KeypairRef for SigningKeyIn<S> {
    type VerifyingKey = VerifyingKey<P>;
}
// The field of this type is `Held`, which wipes it.
impl<S: DerefMut<Target: Wipe>> ZeroizeOnDrop for SigningKeyIn<S> {}

impl<P: ParameterSet, S: DerefMut<Target = SigningKeySpace<P>>> fmt::Debug for SigningKeyIn<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("verifying_key", self.verifying_key())
            .finish_non_exhaustive()
    }
}
