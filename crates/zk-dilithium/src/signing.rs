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
/// It comes from a [`Seed`] of 32 bytes, which is the form to store, or from the 3,936 bytes of the
/// expanded form, from which the seed cannot be had back. The seed, K, s₁ and s₂ are secret: wiped
/// when it is dropped, and `Debug` shows the public key only. It is made in its box, so that no
/// copy is left elsewhere.
///
/// Without the feature `alloc`, the memory is the caller's: [`SigningKeyIn`], which has all methods.
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

/// Room for a private key with its public key: 7 KB. See [`SigningKeyIn`].
pub struct SigningKeySpace(KeySpace<[u8; PRIVATE_KEY_LEN], VerifyingKey>);

impl SigningKeySpace {
    /// Nothing in it. `const`, so that it can be a static; where it is a local variable, it takes
    /// that much stack.
    pub const fn new() -> Self {
        Self(KeySpace::new(VerifyingKey([0; PUBLIC_KEY_LEN])))
    }

    /// Makes a key of the seed that is here.
    fn expand<C: Choice>(&mut self, choice: C) {
        let (seed, sk, verifying_key) = self.0.parts_mut();
        let pk = &mut verifying_key.0;
        choice.run(Generate { seed, pk, sk });
    }
}

impl Default for SigningKeySpace {
    /// Inlined, so that a `Box` of it is made where it stays.
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
/// [`SigningKeySpace`] that the caller lends.
///
/// It is made in that memory and stays there, so that no copy is left elsewhere. What is secret in
/// there is wiped when this is dropped.
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
    /// A new key, from a generator that can fail, like the operating system's.
    ///
    /// # Errors
    /// The generator's.
    pub fn try_generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        Self::try_generate_in(Box::default(), rng)
    }

    /// A new key, from a generator that cannot fail.
    pub fn generate<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let Ok(key) = Self::try_generate(rng);
        key
    }

    /// The key of a seed. Every seed gives a key.
    pub fn from_seed(seed: &Seed) -> Self {
        Self::from_seed_in(Box::default(), seed)
    }

    /// [`Self::from_seed`], on the backend of the caller's choice.
    #[cfg(feature = "hazmat")]
    #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
    pub fn from_seed_on<B: moissanite_core::backend::Backend>(backend: B, seed: &Seed) -> Self {
        Self::from_seed_in_on(Box::default(), backend, seed)
    }

    /// The key of an expanded private key.
    ///
    /// Takes 3,936 bytes: ρ, K, tr, s₁, s₂ and t. All of them are checked: the ranges of s₁ and
    /// s₂, and that t and tr are what ρ, s₁ and s₂ give; K can be anything. That takes as long as
    /// making a key.
    ///
    /// # Errors
    /// [`InvalidKey::Length`], [`InvalidKey::SecretOutOfRange`], [`InvalidKey::TMismatch`],
    /// [`InvalidKey::TrMismatch`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidKey> {
        Self::from_bytes_in(Box::default(), bytes)
    }
}

impl<H: DerefMut<Target = SigningKeySpace>> SigningKeyIn<H> {
    /// A new key, in this memory, from a generator that can fail, like the operating system's.
    ///
    /// # Errors
    /// The generator's.
    pub fn try_generate_in<R: TryCryptoRng + ?Sized>(
        space: H,
        rng: &mut R,
    ) -> Result<Self, R::Error> {
        let mut key = Self(Held::new(space));
        key.0.0.seed_mut().try_fill(rng)?;
        key.0.expand(Best);
        Ok(key)
    }

    /// The key of a seed, in this memory. Every seed gives a key.
    pub fn from_seed_in(space: H, seed: &Seed) -> Self {
        let mut key = Self(Held::new(space));
        key.0.0.seed_mut().set(seed.as_bytes());
        key.0.expand(Best);
        key
    }

    /// [`Self::from_seed_in`], on the backend of the caller's choice.
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

    /// The key of an expanded private key, in this memory.
    ///
    /// Takes 3,936 bytes: ρ, K, tr, s₁, s₂ and t. All of them are checked: the ranges of s₁ and
    /// s₂, and that t and tr are what ρ, s₁ and s₂ give; K can be anything. That takes as long as
    /// making a key.
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

    /// The seed in place, unless the key came in expanded form. Store its
    /// [bytes](Seed::as_bytes).
    pub fn as_seed(&self) -> Option<&Seed> {
        self.0.0.seed()
    }

    /// The expanded private key: 3,936 bytes. The copy, and those that moving it leaves behind, are
    /// the caller's to wipe: [`Self::as_bytes`] makes none. Store the seed instead where there is
    /// one.
    pub fn to_bytes(&self) -> [u8; PRIVATE_KEY_LEN] {
        *self.as_bytes()
    }

    /// The expanded private key, in place.
    pub fn as_bytes(&self) -> &[u8; PRIVATE_KEY_LEN] {
        self.0.0.expanded()
    }

    /// The public key.
    pub fn verifying_key(&self) -> &VerifyingKey {
        self.0.0.verifying_key()
    }

    /// Computes once what every signature with this key needs, most of all the matrix Â, and keeps
    /// it in a box of 25 KiB, wiped when it is dropped.
    #[cfg(feature = "alloc")]
    #[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
    pub fn prepare(&self) -> crate::prepared_signing::PreparedSigningKey {
        PreparedSigningKeyIn::of(Box::default(), self.as_bytes(), self.verifying_key())
    }

    /// Computes once what every signature with this key needs, most of all the matrix Â, in memory
    /// that the caller has. What is secret in there is wiped when the prepared key is dropped.
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

/// Another box, in which the copy is made.
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
// Its field is `Held`.
impl<H: DerefMut<Target: Wipe>> ZeroizeOnDrop for SigningKeyIn<H> {}

impl<H: DerefMut<Target = SigningKeySpace>> fmt::Debug for SigningKeyIn<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("verifying_key", self.verifying_key())
            .finish_non_exhaustive()
    }
}
