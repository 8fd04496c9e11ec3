//! The common traits of all kinds of keys.
//!
//! There are several kinds of keys: in bytes or prepared, with or without a context, on an explicit
//! backend or not. Each kind defines how it signs or verifies μ; the macros `signer!` and
//! `verifier!` implement the rest.

use moissanite_core::ParameterSet;
#[cfg(feature = "alloc")]
use moissanite_core::backend::WithBackend;
use moissanite_core::backend::{Best, Choice};
#[cfg(feature = "alloc")]
use moissanite_core::batch;
use moissanite_core::hash::MuBuilder;
#[cfg(feature = "alloc")]
use moissanite_core::prepared::SigningState;
use moissanite_core::secret::Secret;
use moissanite_core::seed::fill;
use moissanite_core::sign::Rnd;
use moissanite_core::verify::MessageRepresentative;

use signature::rand_core::TryCryptoRng;
use signature::{
    MultipartSigner, MultipartVerifier, RandomizedMultipartSigner, RandomizedSigner, Signer,
    Verifier,
};

use crate::error::SigningError;
use crate::sig::Signature;

/// A private key of any kind: in bytes, prepared, in memory of the caller, of the module
/// [`stream`](crate::stream), or on an explicit backend.
///
/// Generic code that signs uses this trait as its bound. The trait includes the four signing
/// traits. It is sealed: only this crate implements it.
///
/// ```
/// use moissanite::{AnySigningKey, MlDsa65, Signature, SigningKey, SysRng, prelude::*};
///
/// fn sign_all<K: AnySigningKey>(key: &K, messages: &[&[u8]]) -> Vec<Signature<K::Set>> {
///     messages.iter().map(|message| key.sign(message)).collect()
/// }
///
/// let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
/// let signatures = sign_all(&key, &[b"one", b"two"]);
/// assert_eq!(signatures, sign_all(&key.prepare(), &[b"one", b"two"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a private key of this crate",
    label = "not a private key",
    note = "the kinds of private keys are `SigningKey`, `PreparedSigningKey`, their forms in \
            memory of the caller, `ExpandedSigningKey` and `stream::SigningKey`"
)]
pub trait AnySigningKey:
    Sealed
    + Signer<Signature<<Self as AnySigningKey>::Set>>
    + MultipartSigner<Signature<<Self as AnySigningKey>::Set>>
    + RandomizedSigner<Signature<<Self as AnySigningKey>::Set>>
    + RandomizedMultipartSigner<Signature<<Self as AnySigningKey>::Set>>
{
    /// Its parameter set.
    type Set: ParameterSet;
    /// Returns the hash of its public key.
    #[doc(hidden)]
    fn tr(&self) -> [u8; 64];
    /// Signs μ.
    #[doc(hidden)]
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        mu: &[u8; 64],
        rnd: Rnd<'_>,
        signature: &mut Signature<Self::Set>,
    ) -> Result<(), SigningError>;
    /// [`Self::sign_on`], on the key's own backend.
    #[doc(hidden)]
    fn sign_on_chosen(
        &self,
        mu: &[u8; 64],
        rnd: Rnd<'_>,
        signature: &mut Signature<Self::Set>,
    ) -> Result<(), SigningError> {
        self.sign_on(Best, mu, rnd, signature)
    }
    /// Returns whether a new signature of μ verifies with its public key. An inconsistent key has
    /// no public key.
    #[doc(hidden)]
    fn check_signature(&self, mu: &[u8; 64], signature: &Signature<Self::Set>) -> bool;
}

/// A prepared private key of any kind, for [`sign_batch`](crate::batch::sign_batch). The trait is
/// sealed.
#[cfg(feature = "alloc")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a prepared private key",
    label = "not a prepared private key",
    note = "`prepare` of a private key gives a prepared one"
)]
pub trait AnyPreparedSigningKey: AnySigningKey {
    /// The key itself.
    #[doc(hidden)]
    fn prepared(&self) -> &SigningState<Self::Set>;
    /// Runs a batch on the key's own backend.
    #[doc(hidden)]
    fn run<O: WithBackend>(&self, op: O) -> O::Output {
        Best.run(op)
    }
}

/// A public key of any kind: in bytes, prepared, or on an explicit backend. (The public keys of the
/// module [`stream`](crate::stream) implement only [`Verifier`] and [`MultipartVerifier`].)
///
/// Generic code that verifies uses this trait as its bound. The trait includes the two verifying
/// traits. It is sealed: only this crate implements it.
///
/// ```
/// use moissanite::{AnyVerifyingKey, MlDsa65, Signature, SigningKey, SysRng, prelude::*};
///
/// fn count<K: AnyVerifyingKey>(key: &K, items: &[(&[u8], &Signature<K::Set>)]) -> usize {
///     let verdicts = items.iter().map(|(message, signature)| key.verify(message, signature));
///     verdicts.filter(Result::is_ok).count()
/// }
///
/// let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
/// let signature = key.try_sign(b"one")?;
/// assert_eq!(count(key.verifying_key(), &[(b"one", &signature)]), 1);
/// assert_eq!(count(&key.verifying_key().prepare(), &[(b"two", &signature)]), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a public key of this crate",
    label = "not a public key",
    note = "the kinds of public keys are `VerifyingKey`, `PreparedVerifyingKey`, and its form in \
            memory of the caller"
)]
pub trait AnyVerifyingKey:
    Sealed
    + Verifier<Signature<<Self as AnyVerifyingKey>::Set>>
    + MultipartVerifier<Signature<<Self as AnyVerifyingKey>::Set>>
{
    /// Its parameter set.
    type Set: ParameterSet;
    /// Returns its hash.
    #[doc(hidden)]
    fn tr(&self) -> [u8; 64];
    /// Verifies a signature of a message, which is given as μ or as a function that computes μ from
    /// tr.
    #[doc(hidden)]
    fn verify_on<C: Choice>(
        &self,
        choice: C,
        message: MessageRepresentative<'_>,
        signature: &Signature<Self::Set>,
    ) -> bool;
    /// The key itself.
    #[cfg(feature = "alloc")]
    #[doc(hidden)]
    fn public_key(&self) -> batch::verify::PublicKey<'_, Self::Set>;
    /// Runs a batch on the key's own backend.
    #[cfg(feature = "alloc")]
    #[doc(hidden)]
    fn run<O: WithBackend>(&self, op: O) -> O::Output {
        Best.run(op)
    }
    /// [`Self::verify_on`], on the key's own backend.
    #[doc(hidden)]
    fn verify_on_chosen(
        &self,
        message: MessageRepresentative<'_>,
        signature: &Signature<Self::Set>,
    ) -> bool {
        self.verify_on(Best, message, signature)
    }
}

/// Only this crate implements the traits of this module.
pub trait Sealed {}

/// Computes μ of a message in parts, framed as in ML-DSA.Sign; in round 3, there is no context.
pub(crate) fn pure_mu<P: ParameterSet>(
    tr: &[u8; 64],
    context: &[u8],
    message: &[&[u8]],
) -> [u8; 64] {
    let mut mu = MuBuilder::<P::Scheme>::new(tr);
    mu.pure(context);
    for part in message {
        mu.update(part);
    }
    mu.finish()
}

/// FIPS 204, Algorithm 2 (ML-DSA.Sign), from line 10 on; in round 3, there is no context.
pub(crate) fn sign_parts<K: AnySigningKey>(
    key: &K,
    context: &[u8],
    message: &[&[u8]],
    rnd: Rnd<'_>,
) -> Result<Signature<K::Set>, SigningError> {
    checked_sign(key, &pure_mu::<K::Set>(&key.tr(), context, message), rnd)
}

/// FIPS 204, Algorithm 3 (ML-DSA.Verify), from line 5 on; in round 3, there is no context.
pub(crate) fn verify_parts<K: AnyVerifyingKey>(
    key: &K,
    context: &[u8],
    message: &[&[u8]],
    signature: &Signature<K::Set>,
) -> signature::Result<()> {
    let mu = |tr: &_| pure_mu::<K::Set>(tr, context, message);
    verdict(key.verify_on_chosen(MessageRepresentative::OfTr(&mu), signature))
}

/// Signs; with the feature `fault-checks`, also verifies the signature.
pub(crate) fn checked_sign<K: AnySigningKey>(
    key: &K,
    mu: &[u8; 64],
    rnd: Rnd<'_>,
) -> Result<Signature<K::Set>, SigningError> {
    let mut signature = Signature::zero();
    sign_into(key, mu, rnd, &mut signature)?;
    Ok(signature)
}

/// The same as [`checked_sign`], but writes to memory of the caller, which is all zero after an
/// error.
pub(crate) fn sign_into<K: AnySigningKey>(
    key: &K,
    mu: &[u8; 64],
    rnd: Rnd<'_>,
    signature: &mut Signature<K::Set>,
) -> Result<(), SigningError> {
    let result = key
        .sign_on_chosen(mu, rnd, signature)
        .and_then(|()| check_new(key, mu, signature));
    if result.is_err() {
        signature.0.as_mut().fill(0);
    }
    result
}

/// With the feature `fault-checks`, verifies a new signature.
pub(crate) fn check_new<K: AnySigningKey>(
    key: &K,
    mu: &[u8; 64],
    signature: &Signature<K::Set>,
) -> Result<(), SigningError> {
    if cfg!(feature = "fault-checks") && !key.check_signature(mu, signature) {
        return Err(SigningError::Fault);
    }
    Ok(())
}

/// Computes μ of an M' in parts, which the caller has framed.
#[cfg(feature = "hazmat")]
pub(crate) fn raw_mu(tr: &[u8; 64], message: &[&[u8]]) -> [u8; 64] {
    let mut mu: MuBuilder = MuBuilder::new(tr);
    for part in message {
        mu.update(part);
    }
    mu.finish()
}

/// Draws rnd for hedged signing (FIPS 204, Algorithm 2, line 5), for [`Rnd::Hedged`].
pub(crate) fn hedge<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
) -> Result<Secret<[u8; 32]>, SigningError> {
    let mut rnd = Secret::new([0; 32]);
    fill(rng, &mut *rnd).map_err(|_| SigningError::Rng)?;
    Ok(rnd)
}

/// The only error of verification.
pub(crate) fn verdict(valid: bool) -> signature::Result<()> {
    if valid {
        Ok(())
    } else {
        Err(signature::Error::new())
    }
}
