//! What keys of every kind have in common.
//!
//! Keys come in kinds: in bytes or prepared, with a context or without, on a
//! backend named by hand or not. Each kind says how it signs or verifies μ;
//! the rest follows from that by the two macros below.

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

use crate::error::SigningError;
use crate::sig::Signature;

/// A key that signs.
pub trait SigningOps {
    /// Its parameter set.
    type Set: ParameterSet;
    /// The hash of its public key.
    fn tr(&self) -> [u8; 64];
    /// Signs μ.
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        mu: &[u8; 64],
        rnd: Rnd<'_>,
        signature: &mut Signature<Self::Set>,
    ) -> Result<(), SigningError>;
    /// [`Self::sign_on`], on the backend of the key's own choice.
    fn sign(
        &self,
        mu: &[u8; 64],
        rnd: Rnd<'_>,
        signature: &mut Signature<Self::Set>,
    ) -> Result<(), SigningError> {
        self.sign_on(Best, mu, rnd, signature)
    }
    /// Whether a new signature of μ verifies with its public key. A key that is not sound has none.
    fn verifies(&self, mu: &[u8; 64], signature: &Signature<Self::Set>) -> bool;
}

/// A key that signs, prepared.
#[cfg(feature = "alloc")]
pub trait PreparedOps: SigningOps {
    /// The key itself.
    fn prepared(&self) -> &SigningState<Self::Set>;
    /// Runs a batch on the backend of the key's own choice.
    fn run<O: WithBackend>(&self, op: O) -> O::Output {
        Best.run(op)
    }
}

/// A key that verifies.
pub trait VerifyingOps {
    /// Its parameter set.
    type Set: ParameterSet;
    /// Its hash.
    fn tr(&self) -> [u8; 64];
    /// Verifies a signature of a message: of μ, or of what makes it from tr.
    fn verify_on<C: Choice>(
        &self,
        choice: C,
        message: MessageRepresentative<'_>,
        signature: &Signature<Self::Set>,
    ) -> bool;
    /// The key itself.
    #[cfg(feature = "alloc")]
    fn public_key(&self) -> batch::verify::PublicKey<'_, Self::Set>;
    /// Runs a batch on the backend of the key's own choice.
    #[cfg(feature = "alloc")]
    fn run<O: WithBackend>(&self, op: O) -> O::Output {
        Best.run(op)
    }
    /// [`Self::verify_on`], on the backend of the key's own choice.
    fn verify(&self, message: MessageRepresentative<'_>, signature: &Signature<Self::Set>) -> bool {
        self.verify_on(Best, message, signature)
    }
}

/// μ of a message in parts, framed as ML-DSA.Sign does; in round 3, there is no context.
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
pub(crate) fn sign_parts<K: SigningOps>(
    key: &K,
    context: &[u8],
    message: &[&[u8]],
    rnd: Rnd<'_>,
) -> Result<Signature<K::Set>, SigningError> {
    checked_sign(key, &pure_mu::<K::Set>(&key.tr(), context, message), rnd)
}

/// FIPS 204, Algorithm 3 (ML-DSA.Verify), from line 5 on; in round 3, there is no context.
pub(crate) fn verify_parts<K: VerifyingOps>(
    key: &K,
    context: &[u8],
    message: &[&[u8]],
    signature: &Signature<K::Set>,
) -> signature::Result<()> {
    let mu = |tr: &_| pure_mu::<K::Set>(tr, context, message);
    verdict(key.verify(MessageRepresentative::OfTr(&mu), signature))
}

/// Signs, and with the feature `fault-checks` verifies.
pub(crate) fn checked_sign<K: SigningOps>(
    key: &K,
    mu: &[u8; 64],
    rnd: Rnd<'_>,
) -> Result<Signature<K::Set>, SigningError> {
    let mut signature = Signature::zero();
    sign_into(key, mu, rnd, &mut signature)?;
    Ok(signature)
}

/// [`checked_sign`], into room that is there. Without a signature, that is all zero.
pub(crate) fn sign_into<K: SigningOps>(
    key: &K,
    mu: &[u8; 64],
    rnd: Rnd<'_>,
    signature: &mut Signature<K::Set>,
) -> Result<(), SigningError> {
    let result = key
        .sign(mu, rnd, signature)
        .and_then(|()| check_new(key, mu, signature));
    if result.is_err() {
        signature.0.as_mut().fill(0);
    }
    result
}

/// With the feature `fault-checks`, verifies a new signature.
pub(crate) fn check_new<K: SigningOps>(
    key: &K,
    mu: &[u8; 64],
    signature: &Signature<K::Set>,
) -> Result<(), SigningError> {
    if cfg!(feature = "fault-checks") && !key.verifies(mu, signature) {
        return Err(SigningError::Fault);
    }
    Ok(())
}

/// μ of an M' in parts, as the caller framed it.
#[cfg(feature = "hazmat")]
pub(crate) fn raw_mu(tr: &[u8; 64], message: &[&[u8]]) -> [u8; 64] {
    let mut mu: MuBuilder = MuBuilder::new(tr);
    for part in message {
        mu.update(part);
    }
    mu.finish()
}

/// rnd of hedged signing (FIPS 204, Algorithm 2, line 5), for [`Rnd::Hedged`].
pub(crate) fn hedge<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
) -> Result<Secret<[u8; 32]>, SigningError> {
    let mut rnd = Secret::new([0; 32]);
    fill(rng, &mut *rnd).map_err(|_| SigningError::Rng)?;
    Ok(rnd)
}

/// The one way in which verification fails.
pub(crate) fn verdict(valid: bool) -> signature::Result<()> {
    if valid {
        Ok(())
    } else {
        Err(signature::Error::new())
    }
}
