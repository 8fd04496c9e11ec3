//! Private keys.

use core::fmt;
use core::ops::DerefMut;

use moissanite_core::backend::{Best, Choice};
use moissanite_core::secret::{Secret, Zeroed};
use signature::rand_core::{CryptoRng, TryCryptoRng};
use signature::{KeypairRef, MultipartSigner, Signer};
use zeroize::ZeroizeOnDrop;

use crate::encode::{self, PrivateKeyParts};
use crate::engine::{Check, Generate, PrepareSigning, Sign, SignPrepared, StartMu};
use crate::hash::{MessageHasher, MuBuilder};
use crate::prepared::SigningState;
use crate::{
    InvalidKey, MessageSigner, PRIVATE_KEY_LEN, PUBLIC_KEY_LEN, Signature, SigningError,
    VerifyingKey,
};

/// A private key with its public key: about 7 KB.
///
/// It comes from a 32-byte seed, which is the form to store, or from the 3,936 bytes of the
/// expanded form, from which the seed cannot be had back. The seed, K, s₁ and s₂ are secret: wiped
/// when it is dropped, and `Debug` shows the public key only.
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
#[derive(Clone)]
pub struct SigningKey {
    seed: Option<Secret<[u8; 32]>>,
    expanded: Secret<[u8; PRIVATE_KEY_LEN]>,
    verifying_key: VerifyingKey,
}

impl SigningKey {
    /// A new key, from a generator that can fail, like the operating system's.
    ///
    /// # Errors
    /// The generator's.
    pub fn try_generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut seed = Secret::new([0; 32]);
        rng.try_fill_bytes(&mut *seed)?;
        Ok(Self::from_seed(&seed))
    }

    /// A new key, from a generator that cannot fail.
    pub fn generate<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let Ok(key) = Self::try_generate(rng);
        key
    }

    /// The key of a seed.
    ///
    /// The seed is the private key in short: 32 bytes from a generator fit for keys. Every seed
    /// gives a key. The caller's copy is his to wipe.
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
        let mut key = Self {
            seed: Some(Secret::new(*seed)),
            expanded: Secret::ZERO,
            verifying_key: VerifyingKey([0; PUBLIC_KEY_LEN]),
        };
        choice.run(Generate {
            seed,
            pk: &mut key.verifying_key.0,
            sk: &mut key.expanded,
        });
        key
    }

    /// The seed, unless the key came in expanded form. The copy is the caller's to wipe.
    pub fn to_seed(&self) -> Option<[u8; 32]> {
        self.seed.as_ref().map(|seed| **seed)
    }

    /// The seed in place, unless the key came in expanded form.
    pub fn as_seed(&self) -> Option<&[u8; 32]> {
        self.seed.as_deref()
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
        let wrong = InvalidKey::Length {
            expected: PRIVATE_KEY_LEN,
            actual: bytes.len(),
        };
        let mut key = Self {
            seed: None,
            expanded: Secret::new(bytes.try_into().map_err(|_| wrong)?),
            verifying_key: VerifyingKey([0; PUBLIC_KEY_LEN]),
        };
        Best.run(Check {
            sk: &key.expanded,
            pk: &mut key.verifying_key.0,
        })?;
        Ok(key)
    }

    /// The expanded private key: 3,936 bytes. The copy is the caller's to wipe. Store the seed
    /// instead where there is one.
    pub fn to_bytes(&self) -> [u8; PRIVATE_KEY_LEN] {
        *self.expanded
    }

    /// The expanded private key, in place.
    pub fn as_bytes(&self) -> &[u8; PRIVATE_KEY_LEN] {
        &self.expanded
    }

    /// The public key.
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.verifying_key
    }

    /// Computes once what every signature with this key needs, most of all the matrix Â, and keeps
    /// it in a box of 25 KiB, wiped when it is dropped.
    #[cfg(feature = "alloc")]
    #[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
    pub fn prepare(&self) -> PreparedSigningKey<alloc::boxed::Box<SigningKeySpace>> {
        self.prepare_held(alloc::boxed::Box::default())
    }

    /// Computes once what every signature with this key needs, most of all the matrix Â, in memory
    /// that the caller has. What is secret in there is wiped when the prepared key is dropped.
    ///
    /// ```
    /// use moissanite_zk_dilithium::{prelude::*, SigningKey, SigningKeySpace};
    ///
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// let mut space = SigningKeySpace::new();
    /// let prepared = key.prepare_in(&mut space);
    /// assert_eq!(prepared.try_sign(b"message")?, key.try_sign(b"message")?);
    /// # Ok::<(), moissanite_zk_dilithium::signature::Error>(())
    /// ```
    pub fn prepare_in<'a>(
        &self,
        space: &'a mut SigningKeySpace,
    ) -> PreparedSigningKey<&'a mut SigningKeySpace> {
        self.prepare_held(space)
    }

    fn prepare_held<H: DerefMut<Target = SigningKeySpace>>(
        &self,
        mut space: H,
    ) -> PreparedSigningKey<H> {
        space.verifying_key.clone_from(&self.verifying_key);
        // Every way to make a key has checked the ranges.
        let in_range = Best.run(PrepareSigning {
            sk: &self.expanded,
            key: &mut space.state,
        });
        debug_assert!(in_range.is_ok());
        space.mu = Best.run(StartMu {
            tr: &space.state.tr,
        });
        PreparedSigningKey(space)
    }
}

/// A key that signs.
pub trait SigningOps {
    /// Begins to hash a message.
    fn hasher_on<C: Choice>(&self, choice: C) -> MessageHasher;
    /// Signs a message that has been hashed.
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        message: &mut MessageHasher,
    ) -> Result<Signature, SigningError>;
    /// The backend of the key's own choice.
    fn choice(&self) -> impl Choice {
        Best
    }
}

impl SigningOps for SigningKey {
    fn hasher_on<C: Choice>(&self, choice: C) -> MessageHasher {
        let PrivateKeyParts { tr, .. } = encode::split_private_key(&self.expanded);
        MessageHasher::new(choice.run(StartMu { tr }), tr)
    }
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        message: &mut MessageHasher,
    ) -> Result<Signature, SigningError> {
        let mut signature = Signature([0; _]);
        choice.run(Sign {
            sk: &self.expanded,
            message,
            sigma: &mut signature.0,
        })?;
        Ok(signature)
    }
}

signer!([] SigningKey);

impl AsRef<VerifyingKey> for SigningKey {
    fn as_ref(&self) -> &VerifyingKey {
        &self.verifying_key
    }
}
impl KeypairRef for SigningKey {
    type VerifyingKey = VerifyingKey;
}
// Its fields are `Secret`.
impl ZeroizeOnDrop for SigningKey {}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("verifying_key", &self.verifying_key)
            .finish_non_exhaustive()
    }
}

/// Room for a prepared private key: 25 KiB. See [`SigningKey::prepare_in`].
///
/// ```
/// use moissanite_zk_dilithium::SigningKeySpace;
///
/// assert!(size_of::<SigningKeySpace>() <= 25 << 10);
/// ```
pub struct SigningKeySpace {
    pub(crate) state: SigningState,
    /// Has absorbed tr.
    mu: MuBuilder,
    verifying_key: VerifyingKey,
}

impl SigningKeySpace {
    /// Nothing in it. `const`, so that it can be a static; where it is a local variable, it takes
    /// that much stack.
    pub const fn new() -> Self {
        Self {
            state: Zeroed::ZERO,
            mu: Zeroed::ZERO,
            verifying_key: VerifyingKey([0; PUBLIC_KEY_LEN]),
        }
    }
}

impl Default for SigningKeySpace {
    /// Inlined, so that a `Box` of it is made where it stays.
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

/// A private key with what signing computes from it, kept in a box or in a [`SigningKeySpace`] of
/// the caller's. The same traits and the same signatures, sooner. Secret; wiped when it is dropped.
///
/// ```
/// use moissanite_zk_dilithium::{prelude::*, SigningKey};
///
/// # #[cfg(feature = "alloc")] {
/// let prepared = SigningKey::from_seed(&[7; 32]).prepare();
/// for message in [b"one", b"two"] {
///     let signature = prepared.try_sign(message)?;
///     prepared.verifying_key().verify(message, &signature)?;
/// }
/// # }
/// # Ok::<(), moissanite_zk_dilithium::signature::Error>(())
/// ```
pub struct PreparedSigningKey<H: DerefMut<Target = SigningKeySpace>>(H);

impl<H: DerefMut<Target = SigningKeySpace>> PreparedSigningKey<H> {
    /// The public key.
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.0.verifying_key
    }
}

impl<H: DerefMut<Target = SigningKeySpace>> Drop for PreparedSigningKey<H> {
    fn drop(&mut self) {
        self.0.state.wipe();
    }
}
impl<H: DerefMut<Target = SigningKeySpace>> ZeroizeOnDrop for PreparedSigningKey<H> {}

impl<H: DerefMut<Target = SigningKeySpace>> SigningOps for PreparedSigningKey<H> {
    fn hasher_on<C: Choice>(&self, _: C) -> MessageHasher {
        MessageHasher::new(self.0.mu.clone(), &self.0.state.tr)
    }
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        message: &mut MessageHasher,
    ) -> Result<Signature, SigningError> {
        let mut signature = Signature([0; _]);
        choice.run(SignPrepared {
            key: &self.0.state,
            message,
            sigma: &mut signature.0,
        })?;
        Ok(signature)
    }
}
signer!([H: DerefMut<Target = SigningKeySpace>] PreparedSigningKey<H>);

impl<H: DerefMut<Target = SigningKeySpace>> AsRef<VerifyingKey> for PreparedSigningKey<H> {
    fn as_ref(&self) -> &VerifyingKey {
        self.verifying_key()
    }
}
impl<H: DerefMut<Target = SigningKeySpace>> KeypairRef for PreparedSigningKey<H> {
    type VerifyingKey = VerifyingKey;
}

impl<H: DerefMut<Target = SigningKeySpace>> fmt::Debug for PreparedSigningKey<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedSigningKey")
            .field("verifying_key", self.verifying_key())
            .finish_non_exhaustive()
    }
}
