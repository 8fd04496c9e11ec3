//! Private keys.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;
use core::ops::DerefMut;

use moissanite::ContextTooLong;
use moissanite_core::secret::{Held, Wipe};
#[cfg(feature = "alloc")]
use signature::rand_core::CryptoRng;
use signature::rand_core::TryCryptoRng;
use signature::{KeypairRef, MultipartSigner, RandomizedMultipartSigner, RandomizedSigner, Signer};
use zeroize::ZeroizeOnDrop;

use crate::algorithm::{Composite, PreHashed};
use crate::context::WithContext;
use crate::ed25519;
use crate::sig::Signature;
use crate::verifying::VerifyingKey;
use moissanite_core::seed::Seed;

/// A private key with its public key, in a box.
///
/// It is made from 64 bytes: the seed of ML-DSA, then the private key of Ed25519. Do not use either
/// of them in another key, because one half of a composite signature could then be accepted as a
/// signature of that key. The private key is secret, and wiped when it is dropped. It is generated
/// in its box, so that no copy remains elsewhere.
///
/// Without the feature `alloc`, use [`SigningKeyIn`] with memory of the caller. That type has all
/// methods.
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
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub type SigningKey<C> = SigningKeyIn<C, Box<SigningKeySpace<C>>>;

/// Memory for a private key: 4 and 6 KB. See [`SigningKeyIn`].
pub struct SigningKeySpace<C: Composite> {
    pub(crate) seed: Seed<64>,
    ml_dsa: moissanite::SigningKeySpace<C::MlDsa>,
}

impl<C: Composite> SigningKeySpace<C> {
    /// Returns empty memory. The function is `const`, so that the memory can be a static; as a
    /// local variable, it takes this much stack.
    pub const fn new() -> Self {
        Self {
            seed: Seed::zero(),
            ml_dsa: moissanite::SigningKeySpace::new(),
        }
    }
}

/// The two halves of a seed, for ML-DSA and for Ed25519.
fn halves(seed: &Seed<64>) -> [&[u8; 32]; 2] {
    match seed.as_bytes().as_chunks().0 {
        [ml_dsa, ed25519] => [ml_dsa, ed25519],
        // 64 bytes are two arrays of 32.
        _ => [&[0; 32]; 2],
    }
}

impl<C: Composite> Default for SigningKeySpace<C> {
    /// This is inlined, so that a `Box` is initialized in place.
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

impl<C: Composite> Wipe for SigningKeySpace<C> {
    fn wipe(&mut self) {
        self.seed.wipe();
        self.ml_dsa.wipe();
    }
}

/// A private key with its public key. The private key is in memory `H`: a box, which is
/// [`SigningKey`], or a [`SigningKeySpace`] that is borrowed from the caller.
///
/// The key is generated in that memory and stays there, so that no copy remains elsewhere. Its
/// secrets are wiped when the key is dropped.
///
/// ```
/// use moissanite_composite::{MlDsa65Ed25519, SigningKeyIn, SigningKeySpace, SysRng, prelude::*};
///
/// let mut space = SigningKeySpace::<MlDsa65Ed25519>::new();
/// let key = SigningKeyIn::try_generate_in(&mut space, &mut SysRng)?;
/// let signature = key.try_sign(b"message")?;
/// key.verifying_key().verify(b"message", &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SigningKeyIn<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> {
    pub(crate) private: Held<H>,
    pub(crate) verifying_key: VerifyingKey<C>,
}

#[cfg(feature = "alloc")]
impl<C: Composite> SigningKey<C> {
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

    /// Generates the key of 64 bytes: the seed of ML-DSA, then the private key of Ed25519. They
    /// must come from a cryptographically secure generator. Every seed gives a key.
    pub fn from_seed(seed: &Seed<64>) -> Self {
        Self::from_seed_in(Box::default(), seed)
    }
}

impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> SigningKeyIn<C, H> {
    /// The number of bytes of a stored private key.
    pub const LEN: usize = 64;

    /// Generates a key in this memory with a random number generator that can fail, such as that of
    /// the operating system.
    ///
    /// # Errors
    /// The error of the generator.
    pub fn try_generate_in<R: TryCryptoRng + ?Sized>(
        space: H,
        rng: &mut R,
    ) -> Result<Self, R::Error> {
        let mut private = Held::new(space);
        private.seed.try_fill(rng)?;
        Ok(Self::expanded(private))
    }

    /// Generates the key of 64 bytes in this memory: the seed of ML-DSA, then the private key of
    /// Ed25519. They must come from a cryptographically secure generator. Every seed gives a key.
    pub fn from_seed_in(space: H, seed: &Seed<64>) -> Self {
        Self::from_bytes_in(space, seed.as_bytes())
    }

    /// The same as [`Self::from_seed_in`], for bytes that are read in place.
    pub(crate) fn from_bytes_in(space: H, seed: &[u8; 64]) -> Self {
        let mut private = Held::new(space);
        private.seed.set(seed);
        Self::expanded(private)
    }

    /// Generates the key of the seed in this memory.
    fn expanded(mut private: Held<H>) -> Self {
        let SigningKeySpace { seed, ml_dsa } = &mut *private;
        let [first, second] = halves(seed);
        let verifying_key = VerifyingKey {
            ml_dsa: ml_dsa.set_seed(first).clone(),
            ed25519: ed25519::VerifyingKey::of(second),
        };
        Self {
            private,
            verifying_key,
        }
    }

    /// The ML-DSA half.
    pub(crate) fn ml_dsa(&self) -> Option<moissanite::ExpandedSigningKey<'_, C::MlDsa>> {
        self.private.ml_dsa.key()
    }

    /// Signs with the Ed25519 half.
    pub(crate) fn sign_ed25519(&self, message: &[&[u8]]) -> signature::Result<ed25519::Signature> {
        let [_, seed] = halves(&self.private.seed);
        ed25519::sign(seed, &self.verifying_key.ed25519, message)
    }

    /// Returns a reference to the 64 bytes of the private key. Store its [bytes](Seed::as_bytes).
    pub fn as_seed(&self) -> &Seed<64> {
        &self.private.seed
    }

    /// The public key.
    pub fn verifying_key(&self) -> &VerifyingKey<C> {
        &self.verifying_key
    }

    /// Returns a view that signs with a context of at most 255 bytes. The verifier must use the
    /// same context.
    ///
    /// # Errors
    /// The context has more than 255 bytes.
    pub fn with_context<'c>(
        &'c self,
        context: &'c [u8],
    ) -> Result<WithContext<'c, Self>, ContextTooLong> {
        WithContext::new(self, context)
    }

    /// Signs a message that was hashed in pieces, without randomness, with the empty context. For
    /// another context, use [`Self::with_context`].
    ///
    /// # Errors
    /// The source is a [`SigningError`](moissanite::SigningError), but not its `Rng`.
    pub fn try_sign_prehashed(&self, hash: &PreHashed) -> signature::Result<Signature<C>> {
        WithContext::without(self).try_sign_prehashed(hash)
    }

    /// Signs a message that was hashed in pieces, hedged with 32 bytes from `rng`, with the empty
    /// context. For another context, use [`Self::with_context`].
    ///
    /// # Errors
    /// The source is a [`SigningError`](moissanite::SigningError).
    pub fn try_sign_prehashed_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        hash: &PreHashed,
    ) -> signature::Result<Signature<C>> {
        WithContext::without(self).try_sign_prehashed_with_rng(rng, hash)
    }
}

/// Copies the key into a new box.
#[cfg(feature = "alloc")]
impl<C: Composite> Clone for SigningKey<C> {
    fn clone(&self) -> Self {
        Self::from_seed(self.as_seed())
    }
}

// The field of this type is `Held`, which wipes it.
impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> ZeroizeOnDrop for SigningKeyIn<C, H> {}

/// Signs deterministically, because the trait has no parameter for randomness. Prefer
/// [`RandomizedSigner`] if randomness is available.
impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> Signer<Signature<C>>
    for SigningKeyIn<C, H>
{
    fn try_sign(&self, message: &[u8]) -> signature::Result<Signature<C>> {
        WithContext::without(self).try_sign(message)
    }
}
/// Signs deterministically, like the implementation of [`Signer`].
impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> MultipartSigner<Signature<C>>
    for SigningKeyIn<C, H>
{
    fn try_multipart_sign(&self, message: &[&[u8]]) -> signature::Result<Signature<C>> {
        WithContext::without(self).try_multipart_sign(message)
    }
}
impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> RandomizedSigner<Signature<C>>
    for SigningKeyIn<C, H>
{
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> signature::Result<Signature<C>> {
        WithContext::without(self).try_sign_with_rng(rng, message)
    }
}
impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> RandomizedMultipartSigner<Signature<C>>
    for SigningKeyIn<C, H>
{
    fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[&[u8]],
    ) -> signature::Result<Signature<C>> {
        WithContext::without(self).try_multipart_sign_with_rng(rng, message)
    }
}

impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> AsRef<VerifyingKey<C>>
    for SigningKeyIn<C, H>
{
    fn as_ref(&self) -> &VerifyingKey<C> {
        &self.verifying_key
    }
}
impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> KeypairRef for SigningKeyIn<C, H> {
    type VerifyingKey = VerifyingKey<C>;
}

impl<C: Composite, H: DerefMut<Target = SigningKeySpace<C>>> fmt::Debug for SigningKeyIn<C, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("verifying_key", &self.verifying_key)
            .finish_non_exhaustive()
    }
}
