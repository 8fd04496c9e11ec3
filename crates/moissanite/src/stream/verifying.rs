//! Public keys.

use core::fmt;
use core::marker::PhantomData;

use moissanite_core::debug::debug_bytes;
use moissanite_core::secret::Zeroed;
use moissanite_core::stream::matrix::{self, Matrix};
use moissanite_core::stream::verify;
use moissanite_core::{Fips204, ParameterSet, hash};
use signature::MultipartVerifier;

use super::{Cached, CachedMatrix, MatrixEntry, Recomputed, Source, ZCache};
use crate::error::{ContextTooLong, InvalidKey};
use crate::mu::{Mu, MuBuilder};
#[cfg(feature = "hash-ml-dsa")]
use crate::prehash::{PreHash, PreHashed};
use crate::sig::Signature;
use moissanite_core::scheme::Round3;

/// A public key that is read in place from a slice or any other [`Source`].
///
/// Its bytes must not change while it is in use.
///
/// ```
/// use moissanite::{stream, prelude::*, MlDsa44, SysRng};
///
/// let key = moissanite::SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
/// let (public_key, signature) = (key.verifying_key().to_bytes(), key.try_sign(b"message")?);
///
/// // The key is in memory without addresses.
/// let flash = |offset: usize, piece: &mut [u8]| -> Result<(), ()> {
///     let bytes = public_key.get(offset..offset + piece.len());
///     piece.copy_from_slice(bytes.ok_or(())?);
///     Ok(())
/// };
/// let mut public_key = stream::VerifyingKey::<MlDsa44, _>::from_source(flash)
///     .map_err(|()| "flash")?;
/// let mut verifier = public_key.verifier(b"")?;
/// assert!(size_of_val(&verifier) < 400);
/// verifier.update(b"message");
/// verifier.verify(signature.as_ref())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct VerifyingKey<'m, P, K, R = Recomputed> {
    pub(super) key: K,
    pub(super) rho: [u8; 32],
    pub(super) kept: &'m [MatrixEntry],
    set: PhantomData<(P, R)>,
}

impl<'a, P: ParameterSet> VerifyingKey<'static, P, &'a [u8]> {
    /// Uses a public key in memory: any 1,312, 1,952 or 2,592 bytes.
    ///
    /// # Errors
    /// [`InvalidKey::Length`].
    #[inline]
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, InvalidKey> {
        let wrong = InvalidKey::length(P::PUBLIC_KEY_LEN, bytes);
        if bytes.len() == P::PUBLIC_KEY_LEN {
            Self::from_source(bytes).map_err(|_| wrong)
        } else {
            Err(wrong)
        }
    }
}

impl<P: ParameterSet, K: Source> VerifyingKey<'static, P, K> {
    /// Uses a public key of another source, which must have 1,312, 1,952 or 2,592 bytes.
    ///
    /// # Errors
    /// The error of the source.
    #[inline]
    pub fn from_source(mut source: K) -> Result<Self, K::Error> {
        let mut rho = [0; 32];
        source.read(0, &mut rho)?;
        Ok(Self {
            key: source,
            rho,
            kept: &[],
            set: PhantomData,
        })
    }
}

impl<'m, P: ParameterSet, K: Source, R: ZCache<P>> VerifyingKey<'m, P, K, R> {
    /// Computes as many entries of Â as fit in the given memory, and keeps them. Each kept entry
    /// makes verification faster.
    #[must_use]
    pub fn keep<const ENTRIES: usize>(
        self,
        kept: &mut CachedMatrix<ENTRIES>,
    ) -> VerifyingKey<'_, P, K, R> {
        self.keep_in(kept.entries_mut())
    }

    /// The same as [`Self::keep`], for memory whose size is known at run time: 768 bytes for each
    /// entry, of at most 16, 30 or 56 entries. More of them are not used.
    #[must_use]
    pub fn keep_in(self, kept: &mut [MatrixEntry]) -> VerifyingKey<'_, P, K, R> {
        matrix::set::<P>(kept, &self.rho);
        VerifyingKey {
            key: self.key,
            rho: self.rho,
            kept,
            set: PhantomData,
        }
    }

    /// Transforms z once, and not once for each row of Â. This takes 5 to 8 KiB more of stack, less
    /// than 12 KiB in total for every set. Without [`CachedMatrix`], it is the fastest verification
    /// of this module.
    ///
    /// ```
    /// use moissanite::{stream, prelude::*, MlDsa87, SysRng};
    ///
    /// let key = moissanite::SigningKey::<MlDsa87>::try_generate(&mut SysRng)?;
    /// let signature = key.try_sign(b"message")?;
    /// let public_key = key.verifying_key().as_ref();
    /// let public_key = stream::VerifyingKey::<MlDsa87, _>::from_bytes(public_key)?.cache_z();
    /// public_key.verify(b"message", &signature)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cache_z(self) -> VerifyingKey<'m, P, K, Cached> {
        VerifyingKey {
            key: self.key,
            rho: self.rho,
            kept: self.kept,
            set: PhantomData,
        }
    }

    /// Verifies a signature of a message representative (FIPS 204, Algorithm 8, from line 8 on). μ
    /// must have been computed with this public key.
    ///
    /// # Errors
    /// [`VerifyError::Invalid`], [`VerifyError::Read`].
    pub fn verify_mu(&mut self, mu: &Mu<P::Scheme>, signature: &[u8]) -> Result<(), VerifyError> {
        let mut xof = hash::Shake256::new();
        xof.absorb(mu.as_bytes());
        self.accept_bytes(&mut xof, signature)
    }

    /// The same as [`Self::verify_mu`], for a signature of another source, which must have 2,420,
    /// 3,309 or 4,627 bytes. The bytes must not change during the verification, because those of z
    /// are read several times.
    ///
    /// # Errors
    /// [`VerifyError::Invalid`], [`VerifyError::Read`].
    pub fn verify_mu_source<S: Source>(
        &mut self,
        mu: &Mu<P::Scheme>,
        mut signature: S,
    ) -> Result<(), VerifyError> {
        let mut xof = hash::Shake256::new();
        xof.absorb(mu.as_bytes());
        self.accept(&mut xof, &mut signature)
    }

    fn begin(&mut self, context: &[u8]) -> Result<Verifier<'_, 'm, P, K, R>, VerifyError> {
        let mut mu = hash::MuBuilder::empty();
        self.start(context, &mut mu)?;
        Ok(Verifier { key: self, mu })
    }

    /// This is not inlined, so that tr does not stay on the stack. In round 3, there is no context.
    #[inline(never)]
    fn start(
        &mut self,
        context: &[u8],
        mu: &mut hash::MuBuilder<P::Scheme>,
    ) -> Result<(), VerifyError> {
        ContextTooLong::check(context)?;
        mu.start(&self.tr()?);
        mu.pure(context);
        Ok(())
    }

    pub(super) fn tr(&mut self) -> Result<[u8; 64], VerifyError> {
        verify::public_key_hash::<P, K>(&mut self.key).map_err(|_| VerifyError::Read)
    }

    fn accept_bytes(
        &mut self,
        xof: &mut hash::Shake256,
        mut signature: &[u8],
    ) -> Result<(), VerifyError> {
        if signature.len() != P::SIGNATURE_LEN {
            return Err(VerifyError::Invalid);
        }
        self.accept(xof, &mut signature)
    }

    /// This is not inlined, so that its polynomials are not on the stack while a message is hashed.
    #[inline(never)]
    fn accept<S: Source>(
        &mut self,
        xof: &mut hash::Shake256,
        signature: &mut S,
    ) -> Result<(), VerifyError> {
        let a_hat = Matrix::<P>::new(&self.rho).with(self.kept);
        let mut scratch = verify::Scratch::<P, R>::ZERO;
        match verify::verify(&a_hat, &mut self.key, xof, signature, &mut scratch) {
            Ok(true) => Ok(()),
            Ok(false) => Err(VerifyError::Invalid),
            Err(_) => Err(VerifyError::Read),
        }
    }
}

impl<'m, P: ParameterSet<Scheme = Round3>, K: Source, R: ZCache<P>> VerifyingKey<'m, P, K, R> {
    /// Begins a verification of round-3 Dilithium, which has no contexts, for a message in pieces.
    ///
    /// # Errors
    /// [`VerifyError::Read`].
    pub fn message_verifier(&mut self) -> Result<Verifier<'_, 'm, P, K, R>, VerifyError> {
        self.begin(&[])
    }

    /// Begins to compute the message representative μ of round-3 Dilithium, H(tr ‖ M, 64), of a
    /// message in pieces. There is no context.
    ///
    /// # Errors
    /// [`VerifyError::Read`].
    pub fn message_mu(&mut self) -> Result<MuBuilder<Round3>, VerifyError> {
        let mut mu = MuBuilder(hash::MuBuilder::empty());
        self.start(&[], &mut mu.0)?;
        Ok(mu)
    }
}

impl<'m, P: Fips204, K: Source, R: ZCache<P>> VerifyingKey<'m, P, K, R> {
    /// Verifies a signature of the message that `message` passes piece by piece, with a context of
    /// at most 255 bytes, which may be empty (FIPS 204, Algorithm 3, ML-DSA.Verify).
    ///
    /// ```
    /// # use moissanite::{stream, prelude::*, MlDsa44, SysRng};
    /// # let key = moissanite::SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
    /// # let signature = key.try_sign(b"a long message")?;
    /// # let (public_key, signature) = (key.verifying_key().as_ref(), signature.as_ref());
    /// let mut public_key = stream::VerifyingKey::<MlDsa44, _>::from_bytes(public_key)?;
    /// let verdict = public_key.verify_pieces(
    ///     b"",
    ///     |message| {
    ///         message.update(b"a long ");
    ///         message.update(b"message");
    ///     },
    ///     signature,
    /// );
    /// assert_eq!(verdict, Ok(()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`VerifyError::Invalid`], also if the signature does not have 2,420, 3,309 or 4,627 bytes;
    /// [`VerifyError::ContextTooLong`], [`VerifyError::Read`].
    pub fn verify_pieces(
        &mut self,
        context: &[u8],
        message: impl FnOnce(&mut MuBuilder),
        signature: &[u8],
    ) -> Result<(), VerifyError> {
        let mut mu = MuBuilder(hash::MuBuilder::empty());
        self.start(context, &mut mu.0)?;
        message(&mut mu);
        self.accept_bytes(mu.0.commit(), signature)
    }

    /// The same as [`Self::verify_pieces`], for a signature of another source, which must have
    /// 2,420, 3,309 or 4,627 bytes. The bytes must not change during the verification, because
    /// those of z are read several times.
    ///
    /// # Errors
    /// [`VerifyError`].
    pub fn verify_pieces_source<S: Source>(
        &mut self,
        context: &[u8],
        message: impl FnOnce(&mut MuBuilder),
        mut signature: S,
    ) -> Result<(), VerifyError> {
        let mut mu = MuBuilder(hash::MuBuilder::empty());
        self.start(context, &mut mu.0)?;
        message(&mut mu);
        self.accept(mu.0.commit(), &mut signature)
    }

    /// Begins to compute the message representative μ of a message in pieces, with a context of at
    /// most 255 bytes, which may be empty. In contrast to a [`Verifier`], the returned value does not
    /// borrow the key.
    ///
    /// ```
    /// # use moissanite::{stream, prelude::*, MlDsa44, SysRng};
    /// # let key = moissanite::SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
    /// # let signature = key.try_sign(b"a long message")?;
    /// # let (public_key, signature) = (key.verifying_key().as_ref(), signature.as_ref());
    /// let mut public_key = stream::VerifyingKey::<MlDsa44, _>::from_bytes(public_key)?;
    /// let mut mu = public_key.mu(b"")?;
    /// mu.update(b"a long ");
    /// mu.update(b"message");
    /// assert_eq!(public_key.verify_mu_source(&mu.finish(), signature), Ok(()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`VerifyError::ContextTooLong`], [`VerifyError::Read`].
    pub fn mu(&mut self, context: &[u8]) -> Result<MuBuilder, VerifyError> {
        let mut mu = MuBuilder(hash::MuBuilder::empty());
        self.start(context, &mut mu.0)?;
        Ok(mu)
    }

    /// Begins a verification of a message in pieces, with a context of at most 255 bytes, which may
    /// be empty. Moving the returned value takes more stack than [`Self::verify_pieces`].
    ///
    /// # Errors
    /// [`VerifyError::ContextTooLong`], [`VerifyError::Read`].
    pub fn verifier(&mut self, context: &[u8]) -> Result<Verifier<'_, 'm, P, K, R>, VerifyError> {
        self.begin(context)
    }

    /// The same as [`Self::verifier`], for an M' that the caller has framed (FIPS 204, Algorithm 8,
    /// ML-DSA.Verify_internal).
    ///
    /// # Errors
    /// [`VerifyError::Read`].
    #[cfg(feature = "hazmat")]
    #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
    pub fn verifier_internal(&mut self) -> Result<Verifier<'_, 'm, P, K, R>, VerifyError> {
        let mu = hash::MuBuilder::new(&self.tr()?);
        Ok(Verifier { key: self, mu })
    }

    /// Verifies a signature of a digest (FIPS 204, Algorithm 5, HashML-DSA.Verify), with a context
    /// of at most 255 bytes, which may be empty.
    ///
    /// # Errors
    /// [`VerifyError`]; [`VerifyError::Invalid`] also if `H` is weaker than the set.
    #[cfg(feature = "hash-ml-dsa")]
    #[cfg_attr(docsrs, doc(cfg(feature = "hash-ml-dsa")))]
    pub fn verify_prehashed<H: PreHash>(
        &mut self,
        context: &[u8],
        digest: &PreHashed<H>,
        signature: &[u8],
    ) -> Result<(), VerifyError> {
        let mu = self.prehashed_mu(context, digest)?;
        self.verify_mu(&mu, signature)
    }

    /// Computes the message representative μ of a digest (FIPS 204, Algorithm 5,
    /// HashML-DSA.Verify), with a context of at most 255 bytes, which may be empty;
    /// [`Self::verify_mu_source`] verifies its signature.
    ///
    /// # Errors
    /// [`VerifyError`]; [`VerifyError::Invalid`] if `H` is weaker than the set.
    #[cfg(feature = "hash-ml-dsa")]
    #[cfg_attr(docsrs, doc(cfg(feature = "hash-ml-dsa")))]
    pub fn prehashed_mu<H: PreHash>(
        &mut self,
        context: &[u8],
        digest: &PreHashed<H>,
    ) -> Result<Mu, VerifyError> {
        ContextTooLong::check(context)?;
        PreHashed::<H>::check::<P>().map_err(|_| VerifyError::Invalid)?;
        Ok(digest.mu(&self.tr()?, context))
    }
}

impl<P: ParameterSet, R: ZCache<P> + Clone> signature::Verifier<Signature<P>>
    for VerifyingKey<'_, P, &[u8], R>
{
    fn verify(&self, message: &[u8], signature: &Signature<P>) -> signature::Result<()> {
        self.multipart_verify(&[message], signature)
    }
}
/// FIPS 204, Algorithm 3 (ML-DSA.Verify), with the empty context.
impl<P: ParameterSet, R: ZCache<P> + Clone> MultipartVerifier<Signature<P>>
    for VerifyingKey<'_, P, &[u8], R>
{
    fn multipart_verify(
        &self,
        message: &[&[u8]],
        signature: &Signature<P>,
    ) -> signature::Result<()> {
        let mut key = self.clone();
        let mut verifier = key.begin(&[])?;
        for part in message {
            verifier.update(part);
        }
        Ok(verifier.verify(signature.as_ref())?)
    }
}

impl<P: ParameterSet, K, R> fmt::Debug for VerifyingKey<'_, P, K, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_bytes(
            f,
            format_args!("stream::VerifyingKey<{}>", P::NAME),
            &self.rho,
        )
    }
}

/// A verification that takes its message piece by piece, with a state of less than 400 bytes.
/// [`VerifyingKey::verifier`] returns it.
pub struct Verifier<'k, 'm, P: ParameterSet, K, R = Recomputed> {
    key: &'k mut VerifyingKey<'m, P, K, R>,
    mu: hash::MuBuilder<P::Scheme>,
}

impl<P: ParameterSet, K: Source, R: ZCache<P>> Verifier<'_, '_, P, K, R> {
    /// Takes the next piece of the message.
    pub fn update(&mut self, piece: &[u8]) {
        self.mu.update(piece);
    }

    /// Ends the message and verifies, as [`VerifyingKey::verify_pieces`] does.
    ///
    /// # Errors
    /// [`VerifyError::Invalid`], [`VerifyError::Read`].
    pub fn verify(mut self, signature: &[u8]) -> Result<(), VerifyError> {
        self.key.accept_bytes(self.mu.commit(), signature)
    }

    /// Ends the message and verifies, as [`VerifyingKey::verify_pieces_source`] does.
    ///
    /// # Errors
    /// [`VerifyError::Invalid`], [`VerifyError::Read`].
    pub fn verify_source<S: Source>(mut self, mut signature: S) -> Result<(), VerifyError> {
        self.key.accept(self.mu.commit(), &mut signature)
    }
}

impl<P: ParameterSet, K, R> fmt::Debug for Verifier<'_, '_, P, K, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("stream::Verifier").finish_non_exhaustive()
    }
}

/// The reason why a signature was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The signature is not valid; the error does not contain the reason.
    Invalid,
    /// The context has more than 255 bytes.
    ContextTooLong,
    /// The public key or the signature could not be read: its [`Source`] failed.
    Read,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid => "the signature is not valid",
            Self::ContextTooLong => "the context has more than 255 bytes",
            Self::Read => "the public key or the signature could not be read",
        })
    }
}
impl core::error::Error for VerifyError {}

impl From<ContextTooLong> for VerifyError {
    fn from(_: ContextTooLong) -> Self {
        Self::ContextTooLong
    }
}

impl From<VerifyError> for signature::Error {
    /// The reason is omitted, because verification reports one error for all reasons.
    fn from(_: VerifyError) -> Self {
        Self::new()
    }
}
