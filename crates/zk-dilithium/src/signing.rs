//! Private keys.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;
use core::ops::DerefMut;

use moissanite_core::backend::{Best, Choice};
use moissanite_core::key_space::KeySpace;
use moissanite_core::secret::{Held, Wipe};
use moissanite_core::seed::Seed;
use signature::KeypairRef;
#[cfg(feature = "alloc")]
use signature::rand_core::CryptoRng;
use signature::rand_core::TryCryptoRng;
use zeroize::ZeroizeOnDrop;

use crate::core_ops::{Check, Generate, Sign, StartMu};
use crate::encode::{self, PrivateKeyParts};
use crate::error::{InvalidKey, SigningError};
use crate::hash::MessageHasher;
use crate::key_traits::AnySigningKey;
use crate::params::{PRIVATE_KEY_LEN, PUBLIC_KEY_LEN, SIGNATURE_LEN};
use crate::prepared_signing::{PreparedSigningKeyIn, PreparedSigningKeySpace};
use crate::verifying::VerifyingKey;

/// A private key with its public key, in a box of about 7 KB.
///
/// It is made from a [`Seed`] of 32 bytes, which is the form to store, or from the 3,936 bytes of
/// the expanded form, from which the seed cannot be recovered. The seed, K, s₁ and s₂ are secret:
/// they are wiped when the key is dropped, and `Debug` shows the public key only. The key is
/// generated in its box, so that no copy remains elsewhere.
///
/// Without the feature `alloc`, use [`SigningKeyIn`] with memory of the caller. That type has all
/// methods.
///
/// ```
/// use moissanite_zk_dilithium::{prelude::*, SigningKey};
///
/// # #[cfg(feature = "getrandom")] {
/// use moissanite_zk_dilithium::SysRng;
///
/// let key = SigningKey::try_generate(&mut SysRng)?;
/// let signature = key.try_sign(b"message")?;
/// key.verifying_key().verify(b"message", &signature)?;
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub type SigningKey = SigningKeyIn<Box<SigningKeySpace>>;

/// Memory for a private key with its public key: 7 KB. See [`SigningKeyIn`].
pub struct SigningKeySpace(KeySpace<[u8; PRIVATE_KEY_LEN], VerifyingKey>);

impl SigningKeySpace {
    /// Returns empty memory. The function is `const`, so that the memory can be a static; as a
    /// local variable, it takes this much stack.
    pub const fn new() -> Self {
        Self(KeySpace::new(VerifyingKey([0; PUBLIC_KEY_LEN])))
    }

    /// Generates the key of the seed in this memory.
    fn expand<C: Choice>(&mut self, choice: C) {
        let (seed, sk, verifying_key) = self.0.parts_mut();
        let pk = &mut verifying_key.0;
        choice.run(Generate { seed, pk, sk });
    }
}

impl Default for SigningKeySpace {
    /// This is inlined, so that a `Box` is initialized in place.
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

impl Wipe for SigningKeySpace {
    fn wipe(&mut self) {
        self.0.wipe();
    }
}

/// A private key with its public key, in memory `H`: a box, which is [`SigningKey`], or a
/// [`SigningKeySpace`] that is borrowed from the caller.
///
/// The key is generated in that memory and stays there, so that no copy remains elsewhere. Its
/// secrets are wiped when the key is dropped.
///
/// ```
/// use moissanite_zk_dilithium::{prelude::*, SigningKeyIn, SigningKeySpace, SysRng};
///
/// let mut space = SigningKeySpace::new();
/// let key = SigningKeyIn::try_generate_in(&mut space, &mut SysRng)?;
/// let signature = key.try_sign(b"message")?;
/// key.verifying_key().verify(b"message", &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SigningKeyIn<H: DerefMut<Target: Wipe>>(Held<H>);

#[cfg(feature = "alloc")]
impl SigningKey {
    /// Generates a key with a random number generator that can fail, such as that of the operating
    /// system.
    ///
    /// # Errors
    /// The error of the generator.
    pub fn try_generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        Self::try_generate_in(Box::default(), rng)
    }

    /// Generates a key with a random number generator that cannot fail.
    pub fn generate<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let Ok(key) = Self::try_generate(rng);
        key
    }

    /// Generates the key of a seed. Every seed gives a key.
    pub fn from_seed(seed: &Seed) -> Self {
        Self::from_seed_in(Box::default(), seed)
    }

    /// The same as [`Self::from_seed`], on the given backend.
    #[cfg(feature = "hazmat")]
    #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
    pub fn from_seed_on<B: moissanite_core::backend::Backend>(backend: B, seed: &Seed) -> Self {
        Self::from_seed_in_on(Box::default(), backend, seed)
    }

    /// Reads an expanded private key.
    ///
    /// Takes 3,936 bytes: ρ, K, tr, s₁, s₂ and t. The method checks the ranges of s₁ and s₂, and
    /// that t and tr match ρ, s₁ and s₂; K can have any value. This takes as long as key
    /// generation.
    ///
    /// # Errors
    /// [`InvalidKey::Length`], [`InvalidKey::SecretOutOfRange`], [`InvalidKey::TMismatch`],
    /// [`InvalidKey::TrMismatch`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidKey> {
        Self::from_bytes_in(Box::default(), bytes)
    }
}

impl<H: DerefMut<Target = SigningKeySpace>> SigningKeyIn<H> {
    /// Generates a key in this memory with a random number generator that can fail, such as that of
    /// the operating system.
    ///
    /// # Errors
    /// The error of the generator.
    pub fn try_generate_in<R: TryCryptoRng + ?Sized>(
        space: H,
        rng: &mut R,
    ) -> Result<Self, R::Error> {
        let mut key = Self(Held::new(space));
        key.0.0.seed_mut().try_fill(rng)?;
        key.0.expand(Best);
        Ok(key)
    }

    /// Generates the key of a seed in this memory. Every seed gives a key.
    pub fn from_seed_in(space: H, seed: &Seed) -> Self {
        let mut key = Self(Held::new(space));
        key.0.0.seed_mut().set(seed.as_bytes());
        key.0.expand(Best);
        key
    }

    /// The same as [`Self::from_seed_in`], on the given backend.
    #[cfg(feature = "hazmat")]
    #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
    pub fn from_seed_in_on<B: moissanite_core::backend::Backend>(
        space: H,
        backend: B,
        seed: &Seed,
    ) -> Self {
        let mut key = Self(Held::new(space));
        key.0.0.seed_mut().set(seed.as_bytes());
        key.0.expand(moissanite_core::backend::Named(backend));
        key
    }

    /// Reads an expanded private key into this memory.
    ///
    /// Takes 3,936 bytes: ρ, K, tr, s₁, s₂ and t. The method checks the ranges of s₁ and s₂, and
    /// that t and tr match ρ, s₁ and s₂; K can have any value. This takes as long as key
    /// generation.
    ///
    /// # Errors
    /// [`InvalidKey::Length`], [`InvalidKey::SecretOutOfRange`], [`InvalidKey::TMismatch`],
    /// [`InvalidKey::TrMismatch`].
    pub fn from_bytes_in(space: H, bytes: &[u8]) -> Result<Self, InvalidKey> {
        if bytes.len() != PRIVATE_KEY_LEN {
            return Err(InvalidKey::Length {
                expected: PRIVATE_KEY_LEN,
                actual: bytes.len(),
            });
        }
        let mut key = Self(Held::new(space));
        key.0.0.set_expanded(bytes, |sk, key| {
            let pk = &mut key.0;
            Best.run(Check { sk, pk })
        })?;
        Ok(key)
    }

    /// Returns a reference to the seed, unless the key was read in expanded form. Store its
    /// [bytes](Seed::as_bytes).
    pub fn as_seed(&self) -> Option<&Seed> {
        self.0.0.seed()
    }

    /// Returns a copy of the expanded private key, in 3,936 bytes. The caller must wipe this copy,
    /// and the copies that moving it can leave; [`Self::as_bytes`] makes no copy. Store the seed
    /// instead if there is one.
    pub fn to_bytes(&self) -> [u8; PRIVATE_KEY_LEN] {
        *self.as_bytes()
    }

    /// Returns a reference to the expanded private key.
    pub fn as_bytes(&self) -> &[u8; PRIVATE_KEY_LEN] {
        self.0.0.expanded()
    }

    /// The public key.
    pub fn verifying_key(&self) -> &VerifyingKey {
        self.0.0.verifying_key()
    }

    /// Computes the values that every signature with this key needs, mainly the matrix Â, and keeps
    /// them in a box of 25 KiB, which is wiped when it is dropped.
    #[cfg(feature = "alloc")]
    #[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
    pub fn prepare(&self) -> crate::prepared_signing::PreparedSigningKey {
        PreparedSigningKeyIn::of(Box::default(), self.as_bytes(), self.verifying_key())
    }

    /// Computes the values that every signature with this key needs, mainly the matrix Â, in memory
    /// of the caller. Its secrets are wiped when the prepared key is dropped.
    ///
    /// ```
    /// use moissanite_zk_dilithium::{prelude::*, PreparedSigningKeySpace, SigningKey, SysRng};
    ///
    /// let key = SigningKey::try_generate(&mut SysRng)?;
    /// let mut space = PreparedSigningKeySpace::new();
    /// let prepared = key.prepare_in(&mut space);
    /// assert_eq!(prepared.try_sign(b"message")?, key.try_sign(b"message")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare_in<'a>(
        &self,
        space: &'a mut PreparedSigningKeySpace,
    ) -> PreparedSigningKeyIn<&'a mut PreparedSigningKeySpace> {
        PreparedSigningKeyIn::of(space, self.as_bytes(), self.verifying_key())
    }
}

/// Copies the key into a new box.
#[cfg(feature = "alloc")]
impl Clone for SigningKey {
    fn clone(&self) -> Self {
        let mut key = Self(Held::new(Box::default()));
        key.0.0.copy_from(&self.0.0);
        key
    }
}

impl<H: DerefMut<Target = SigningKeySpace>> AnySigningKey for SigningKeyIn<H> {
    fn hasher_on<C: Choice>(&self, choice: C) -> MessageHasher {
        let PrivateKeyParts { tr, .. } = encode::split_private_key(self.as_bytes());
        MessageHasher::new(choice.run(StartMu { tr }), tr)
    }
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        message: &mut MessageHasher,
        sigma: &mut [u8; SIGNATURE_LEN],
    ) -> Result<(), SigningError> {
        let sk = self.as_bytes();
        choice.run(Sign { sk, message, sigma })
    }
}

signer!([H: DerefMut<Target = SigningKeySpace>] SigningKeyIn<H>);

impl<H: DerefMut<Target = SigningKeySpace>> AsRef<VerifyingKey> for SigningKeyIn<H> {
    fn as_ref(&self) -> &VerifyingKey {
        self.verifying_key()
    }
}
impl<H: DerefMut<Target = SigningKeySpace>> KeypairRef for SigningKeyIn<H> {
    type VerifyingKey = VerifyingKey;
}
// The field of this type is `Held`, which wipes it.
impl<H: DerefMut<Target: Wipe>> ZeroizeOnDrop for SigningKeyIn<H> {}

impl<H: DerefMut<Target = SigningKeySpace>> fmt::Debug for SigningKeyIn<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("verifying_key", self.verifying_key())
            .finish_non_exhaustive()
    }
}
