//! Private keys.

use core::convert::Infallible;
use core::fmt;
use core::marker::PhantomData;
use core::ops::DerefMut;

use moissanite_core::backend::Choice;
use moissanite_core::debug::debug_bytes;
use moissanite_core::scrub::scrubbed;
use moissanite_core::secret::{Held, Zeroed};
use moissanite_core::seed::Seed;
use moissanite_core::sign::MAX_ATTEMPTS;
use moissanite_core::sign::Rnd;
use moissanite_core::stream::matrix::{self, Matrix};
use moissanite_core::stream::row::Small;
use moissanite_core::stream::{keygen, sign};
use moissanite_core::{Fips204, ParameterSet};
use signature::rand_core::TryCryptoRng;
use zeroize::ZeroizeOnDrop;

use super::{CachedMatrix, Encoded, MatrixEntry, PrivateKey, Seeds};
use crate::error::{ContextTooLong, InvalidKey, SigningError};
use crate::key_traits::{AnySigningKey, hedge};
use crate::mu::{Mu, MuBuilder};
#[cfg(feature = "hash-ml-dsa")]
use crate::prehash::{PreHash, PreHashed};
use crate::sig::Signature;
use crate::verifying::VerifyingKey;
use moissanite_core::scheme::Round3;

/// The stack below the caller that the functions of the core use, and that is overwritten
/// afterwards.
const DEPTH: usize = if usize::BITS == 64 { 2 << 10 } else { 768 };

/// A private key from a seed, in [`Seeds`] of 128 bytes that are borrowed from the caller, or from
/// an expanded key that is read in place.
///
/// It signs like every other key; `try_sign_mu_to` and `try_sign_mu_with_rng_to` need no memory for
/// the signature. Values that were computed from a seed are wiped when the key is dropped.
///
/// ```
/// use moissanite::{prelude::*, MlDsa65, Seed, SysRng, stream};
///
/// let mut seed = Seed::zero();
/// seed.try_fill(&mut SysRng)?;
/// let whole = moissanite::SigningKey::<MlDsa65>::from_seed(&seed);
/// let mut seeds = stream::Seeds::new();
/// let from_seed = stream::SigningKey::<MlDsa65, _>::from_seed_in(&mut seeds, &seed);
/// assert_eq!(from_seed.try_sign(b"message")?, whole.try_sign(b"message")?);
///
/// let in_flash: &[u8] = whole.as_expanded_bytes();
/// let expanded = stream::SigningKey::<MlDsa65, _>::from_expanded_bytes(in_flash)?;
/// assert_eq!(expanded.try_sign(b"message")?, whole.try_sign(b"message")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SigningKey<'m, P, K> {
    key: K,
    tr: [u8; 64],
    kept: &'m [MatrixEntry],
    set: PhantomData<P>,
}

impl<P: ParameterSet, S: DerefMut<Target = Seeds>> SigningKey<'static, P, Held<S>> {
    /// Generates the key of a seed (FIPS 204, Algorithm 6, ML-DSA.KeyGen_internal) in this memory:
    /// `&mut Seeds`, or a box.
    ///
    /// The public key is computed for its hash, but not kept.
    #[inline]
    pub fn from_seed_in(seeds: S, seed: &Seed) -> Self {
        let mut key = Held::new(seeds);
        set::<P>(&mut key, seed.as_bytes());
        let Ok(tr) = public_key::<P, _, Infallible>(&key, &[], &mut |_| Ok(()));
        Self::of(key, tr)
    }
}

impl<'a, P: ParameterSet> SigningKey<'static, P, Encoded<'a>> {
    /// Uses an expanded private key (FIPS 204, Algorithm 25, skDecode) of 2,560, 4,032 or 4,896
    /// bytes, which are read in place.
    ///
    /// The method checks the ranges of s₁ and s₂, and that t₀ and tr match ρ, s₁ and s₂; K can have
    /// any value. This takes as long as key generation.
    ///
    /// # Errors
    /// [`InvalidKey::Length`], [`InvalidKey::SecretOutOfRange`], [`InvalidKey::T0Mismatch`],
    /// [`InvalidKey::TrMismatch`].
    #[inline]
    pub fn from_expanded_bytes(bytes: &'a [u8]) -> Result<Self, InvalidKey> {
        let key = encoded::<P>(bytes)?;
        check::<P>(&key)?;
        Ok(Self::of_encoded(key))
    }

    /// Uses an expanded private key that this program wrote itself.
    ///
    /// Takes 2,560, 4,032 or 4,896 bytes. The ranges of s₁ and s₂ are checked; t₀ and tr are not
    /// recomputed. With a key of another origin, signatures can be invalid or reveal the key.
    ///
    /// # Errors
    /// [`InvalidKey::Length`], [`InvalidKey::SecretOutOfRange`].
    #[cfg(feature = "hazmat")]
    #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
    #[inline]
    pub fn from_expanded_bytes_trusted(bytes: &'a [u8]) -> Result<Self, InvalidKey> {
        let key = encoded::<P>(bytes)?;
        scrubbed::<DEPTH, _>(|| keygen::check_ranges::<P>(&key))?;
        Ok(Self::of_encoded(key))
    }
}

impl<'a, P: ParameterSet> SigningKey<'static, P, Encoded<'a>> {
    fn of_encoded(key: Encoded<'a>) -> Self {
        let mut tr = [0; 64];
        for (to, from) in tr.iter_mut().zip(key.tr()) {
            *to = *from;
        }
        Self::of(key, tr)
    }
}

impl<P: ParameterSet, K: PrivateKey<P>> SigningKey<'static, P, K> {
    #[inline]
    fn of(key: K, tr: [u8; 64]) -> Self {
        Self {
            key,
            tr,
            kept: &[],
            set: PhantomData,
        }
    }
}

impl<P: ParameterSet, K: PrivateKey<P>> SigningKey<'_, P, K> {
    /// Computes as many entries of Â as fit in the given memory, and keeps them. Each kept entry
    /// makes signing faster.
    ///
    /// ```
    /// use moissanite::{prelude::*, MlDsa44, Seed, SysRng, stream};
    ///
    /// let mut seed = Seed::zero();
    /// seed.try_fill(&mut SysRng)?;
    /// let mut kept = stream::CachedMatrix::<8>::new(); // 6 KiB; in a static, say
    /// let mut seeds = stream::Seeds::new();
    /// let key = stream::SigningKey::<MlDsa44, _>::from_seed_in(&mut seeds, &seed);
    /// let signature = key.try_sign(b"message")?;
    /// assert_eq!(key.keep(&mut kept).try_sign(b"message")?, signature);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn keep<const ENTRIES: usize>(
        self,
        kept: &mut CachedMatrix<ENTRIES>,
    ) -> SigningKey<'_, P, K> {
        self.keep_in(kept.entries_mut())
    }

    /// The same as [`Self::keep`], for memory whose size is known at run time: 768 bytes for each
    /// entry, of at most 16, 30 or 56 entries. More of them are not used.
    ///
    /// ```
    /// use moissanite::{prelude::*, MlDsa44, Seed, SysRng, stream};
    ///
    /// let mut seed = Seed::zero();
    /// seed.try_fill(&mut SysRng)?;
    /// let mut kept: Vec<_> = (0..8).map(|_| stream::MatrixEntry::new()).collect();
    /// let mut seeds = stream::Seeds::new();
    /// let key = stream::SigningKey::<MlDsa44, _>::from_seed_in(&mut seeds, &seed);
    /// let signature = key.try_sign(b"message")?;
    /// assert_eq!(key.keep_in(&mut kept).try_sign(b"message")?, signature);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn keep_in(self, kept: &mut [MatrixEntry]) -> SigningKey<'_, P, K> {
        matrix::set::<P>(kept, self.key.rho());
        SigningKey {
            key: self.key,
            tr: self.tr,
            kept,
            set: PhantomData,
        }
    }

    /// Writes the public key (FIPS 204, Algorithm 22, pkEncode): 1,312, 1,952 or 2,592 bytes, in
    /// pieces. It is computed again, which takes as long as key generation.
    ///
    /// # Errors
    /// The error of the sink, which is not called again after it.
    pub fn write_public_key<E>(
        &self,
        mut sink: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        public_key::<P, _, E>(&self.key, self.kept, &mut sink).map(|_| ())
    }

    /// The same as [`Self::try_sign_pieces_with_rng`], for a message representative. μ must have
    /// been computed with the public key of this key.
    ///
    /// # Errors
    /// [`SignError`].
    pub fn try_sign_mu_with_rng_to<R: TryCryptoRng + ?Sized, E>(
        &self,
        rng: &mut R,
        mu: &Mu<P::Scheme>,
        sink: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), SignError<E>> {
        let rnd = hedge(rng).map_err(SignError::Signing)?;
        self.sign_to(mu.as_bytes(), Rnd::Hedged(&rnd), sink)
    }

    /// The same as [`Self::try_sign_pieces`], for a message representative. μ must have been
    /// computed with the public key of this key.
    ///
    /// # Errors
    /// [`SignError`], but not because of the random number generator.
    pub fn try_sign_mu_to<E>(
        &self,
        mu: &Mu<P::Scheme>,
        sink: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), SignError<E>> {
        self.sign_to(mu.as_bytes(), Rnd::Deterministic, sink)
    }

    #[inline(never)]
    fn sign_to<E>(
        &self,
        mu: &[u8; 64],
        rnd: Rnd<'_>,
        sink: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), SignError<E>> {
        let a_hat = Matrix::new(self.key.rho()).with(self.kept);
        let mut scratch = sign::Scratch::ZERO;
        let signed = scrubbed::<DEPTH, _>(|| {
            sign::sign_mu(&a_hat, &self.key, mu, rnd, MAX_ATTEMPTS, &mut scratch, sink)
        });
        signed.map_err(|failure| match failure {
            sign::Failure::AttemptsExhausted => SignError::Signing(SigningError::AttemptsExhausted),
            sign::Failure::Fault => SignError::Fault,
            sign::Failure::Sink(error) => SignError::Sink(error),
        })
    }
}

impl<P: ParameterSet<Scheme = Round3>, K: PrivateKey<P>> SigningKey<'_, P, K> {
    /// Begins to compute the message representative μ of round-3 Dilithium, H(tr ‖ M, 64), of a
    /// message in pieces. There is no context.
    pub fn message_mu(&self) -> MuBuilder<Round3> {
        MuBuilder::of_message(&self.tr)
    }
}

impl<P: Fips204, K: PrivateKey<P>> SigningKey<'_, P, K> {
    /// Signs the message that `message` passes piece by piece, hedged with 32 bytes from `rng`,
    /// with a context of at most 255 bytes, which may be empty. Writes the signature of 2,420,
    /// 3,309 or 4,627 bytes in pieces of at most 84 bytes (FIPS 204, Algorithm 2, ML-DSA.Sign).
    ///
    /// Writing begins only after an attempt has succeeded. For writing, z, the largest part of the
    /// signature, is computed a second time and compared with the first result by checksums; see
    /// [`SignError::Fault`]. The signature is not kept in memory, so the feature `fault-checks`
    /// cannot verify it.
    ///
    /// # Errors
    /// [`SignError`].
    pub fn try_sign_pieces_with_rng<R: TryCryptoRng + ?Sized, E>(
        &self,
        rng: &mut R,
        context: &[u8],
        message: impl FnOnce(&mut MuBuilder),
        sink: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), SignError<E>> {
        let rnd = hedge(rng).map_err(SignError::Signing)?;
        let mut mu = [0; 64];
        self.hash(context, message, &mut mu)?;
        self.sign_to(&mu, Rnd::Hedged(&rnd), sink)
    }

    /// The same as [`Self::try_sign_pieces_with_rng`] without randomness: the same message gives
    /// the same signature.
    ///
    /// # Errors
    /// [`SignError`], but not because of the random number generator.
    pub fn try_sign_pieces<E>(
        &self,
        context: &[u8],
        message: impl FnOnce(&mut MuBuilder),
        sink: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), SignError<E>> {
        let mut mu = [0; 64];
        self.hash(context, message, &mut mu)?;
        self.sign_to(&mu, Rnd::Deterministic, sink)
    }

    /// Computes the message representative μ of a digest (FIPS 204, Algorithm 4, line 23,
    /// HashML-DSA.Sign), with a context of at most 255 bytes, which may be empty;
    /// [`Self::try_sign_mu_with_rng_to`] signs it.
    ///
    /// # Errors
    /// [`SignError::ContextTooLong`]; [`SigningError::WeakHash`] if `H` is weaker than the set.
    #[cfg(feature = "hash-ml-dsa")]
    #[cfg_attr(docsrs, doc(cfg(feature = "hash-ml-dsa")))]
    pub fn prehashed_mu<H: PreHash>(
        &self,
        context: &[u8],
        digest: &PreHashed<H>,
    ) -> Result<Mu, SignError<Infallible>> {
        ContextTooLong::check(context)?;
        PreHashed::<H>::check::<P>().map_err(|error| SignError::Signing(error.into()))?;
        Ok(digest.mu(&self.tr, context))
    }

    /// Computes μ. This is not inlined, so that the hash does not stay on the stack.
    #[inline(never)]
    fn hash(
        &self,
        context: &[u8],
        message: impl FnOnce(&mut MuBuilder),
        mu: &mut [u8; 64],
    ) -> Result<(), ContextTooLong> {
        let mut builder = self.mu(context)?;
        message(&mut builder);
        *mu = *builder.finish().as_bytes();
        Ok(())
    }
}

#[inline(never)]
fn set<P: ParameterSet>(seeds: &mut Seeds, xi: &[u8; 32]) {
    scrubbed::<DEPTH, _>(|| seeds.set::<P>(xi));
}

fn encoded<P: ParameterSet>(bytes: &[u8]) -> Result<Encoded<'_>, InvalidKey> {
    Encoded::new::<P>(bytes).ok_or(InvalidKey::length(P::PRIVATE_KEY_LEN, bytes))
}

#[inline(never)]
fn check<P: ParameterSet>(key: &Encoded<'_>) -> Result<(), InvalidKey> {
    let a_hat = Matrix::<P>::new(Small::<P>::rho(key));
    let mut scratch = keygen::Scratch::ZERO;
    let check = || keygen::check_private_key(&a_hat, key, &mut scratch);
    Ok(scrubbed::<DEPTH, _>(check)?)
}

#[inline(never)]
fn public_key<P: ParameterSet, K: PrivateKey<P>, E>(
    key: &K,
    kept: &[MatrixEntry],
    sink: &mut dyn FnMut(&[u8]) -> Result<(), E>,
) -> Result<[u8; 64], E> {
    let a_hat = Matrix::<P>::new(key.rho()).with(kept);
    let mut scratch = keygen::Scratch::ZERO;
    scrubbed::<DEPTH, _>(|| keygen::public_key(&a_hat, key, &mut scratch, sink))
}

/// A sink with memory for the whole signature.
fn into(out: &mut [u8]) -> impl FnMut(&[u8]) -> Result<(), Infallible> {
    let mut out = out.iter_mut();
    move |piece| {
        for (byte, out) in piece.iter().zip(out.by_ref()) {
            *out = *byte;
        }
        Ok(())
    }
}

impl<P: ParameterSet, K: PrivateKey<P>> AnySigningKey for SigningKey<'_, P, K> {
    type Set = P;
    fn tr(&self) -> [u8; 64] {
        self.tr
    }
    fn sign_on<C: Choice>(
        &self,
        _: C,
        mu: &[u8; 64],
        rnd: Rnd<'_>,
        signature: &mut Signature<P>,
    ) -> Result<(), SigningError> {
        let sink = into(signature.0.as_mut());
        // There is no context here.
        self.sign_to(mu, rnd, sink).map_err(|error| match error {
            SignError::Signing(error) => error,
            SignError::ContextTooLong(_) | SignError::Fault => SigningError::Fault,
        })
    }
    fn check_signature(&self, mu: &[u8; 64], signature: &Signature<P>) -> bool {
        let mut key = VerifyingKey::<P>(Zeroed::ZERO);
        let Ok(()) = self.write_public_key(into(key.0.as_mut()));
        key.is_valid(mu, signature)
    }
}
signer!([K: PrivateKey<P>] SigningKey<'_, P, K>);

// The secret field of this type is `Held`, which wipes it.
impl<P, S: DerefMut<Target = Seeds>> ZeroizeOnDrop for SigningKey<'_, P, Held<S>> {}

impl<P: ParameterSet, K> fmt::Debug for SigningKey<'_, P, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_bytes(f, format_args!("stream::SigningKey<{}>", P::NAME), &self.tr)
    }
}

/// The reason why a signature was not written, or only in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignError<E> {
    /// Signing failed. Nothing was written.
    Signing(SigningError),
    /// The context has more than 255 bytes. Nothing was written.
    ContextTooLong(ContextTooLong),
    /// The machine is faulty: a part of the signature was different when it was computed again for
    /// writing. That part was not written, because it could reveal the private key. The sink has
    /// only the beginning of a signature; discard it.
    Fault,
    /// The sink failed, and may have a part of the signature.
    Sink(E),
}

impl<E: fmt::Display> fmt::Display for SignError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signing(error) => error.fmt(f),
            Self::ContextTooLong(error) => error.fmt(f),
            Self::Fault => f.write_str(
                "a part of the signature was different when it was made again, and what was written \
                 is void; the machine may be faulty",
            ),
            Self::Sink(error) => write!(f, "the signature could not be written: {error}"),
        }
    }
}
impl<E: fmt::Debug + fmt::Display> core::error::Error for SignError<E> {}

impl<E> From<ContextTooLong> for SignError<E> {
    fn from(error: ContextTooLong) -> Self {
        Self::ContextTooLong(error)
    }
}
