//! Self-tests: known answers of key generation, signing and verification, and the consistency of a new key
//! pair.
//!
//! A cryptographic module of FIPS 140-3 runs such tests before it uses an algorithm, or when it is asked to
//! (implementation guidance 10.3.A). All functions run on demand, keep no state, and use the code and the
//! backend that the operations of this crate use.
//!
//! | test | functions |
//! | --- | --- |
//! | key generation gives a known key pair of a seed | [`key_generation`], [`in_pieces::key_generation`] |
//! | deterministic signing, with a context, gives known signatures; their attempts fail at the checks of ‖z‖∞, ‖r₀‖∞ and the hint | [`signing`], [`in_pieces::signing`] |
//! | verification accepts these signatures, and refuses each with one bit changed | [`verification`], [`in_pieces::verification`] |
//! | a key pair signs, and verifies its signature | [`pairwise_consistency`] |
//!
//! ```
//! use moissanite::{MlDsa65, SigningKey, SysRng, self_test};
//!
//! // When the module starts:
//! self_test::key_generation::<MlDsa65>()?;
//! self_test::signing::<MlDsa65>()?;
//! self_test::verification::<MlDsa65>()?;
//!
//! // After each key generation:
//! let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
//! self_test::pairwise_consistency(&key)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::fmt;
use core::ops::DerefMut;

pub use moissanite_core::known_answers::KnownAnswers;
use moissanite_core::secret::Wipe;
use moissanite_core::seed::Seed;
use moissanite_core::{ParameterSet, hash};

use crate::prelude::*;
use crate::sig::Signature;
use crate::signing::{SigningKeyIn, SigningKeySpace};
use crate::verifying::VerifyingKey;

/// A self-test failed: the machine or the program is faulty, and must not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelfTestError {
    /// Key generation gave another key pair.
    KeyGeneration,
    /// Signing failed, or gave another signature.
    Signing,
    /// Verification refused a valid signature or accepted an invalid one.
    Verification,
    /// A key pair does not verify its own signature.
    PairwiseConsistency,
}

impl SelfTestError {
    /// Returns this error, unless the test passed.
    fn unless(self, passed: bool) -> Result<(), Self> {
        if passed { Ok(()) } else { Err(self) }
    }
}

impl fmt::Display for SelfTestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let test = match self {
            Self::KeyGeneration => "key generation",
            Self::Signing => "signing",
            Self::Verification => "verification",
            Self::PairwiseConsistency => "the consistency of a key pair",
        };
        write!(f, "the self-test of {test} failed")
    }
}
impl core::error::Error for SelfTestError {}

/// Generates the key pair of a known seed, and compares it with the known one (FIPS 204, Algorithm 6).
///
/// # Errors
/// [`SelfTestError::KeyGeneration`].
pub fn key_generation<P: KnownAnswers>() -> Result<(), SelfTestError> {
    let mut space = SigningKeySpace::<P>::new();
    let key = known_key(&mut space);
    let public_key = key.verifying_key().as_bytes().as_ref();
    let private_key_hash = hash::h(&[key.as_expanded_bytes().as_ref()]);
    let same = public_key == P::KNOWN.public_key && *private_key_hash == P::KNOWN.private_key_hash;
    SelfTestError::KeyGeneration.unless(same)
}

/// Signs known messages with the key of a known seed, and compares the signatures with the known ones
/// (FIPS 204, Algorithm 2, deterministic).
///
/// # Errors
/// [`SelfTestError::Signing`].
pub fn signing<P: KnownAnswers>() -> Result<(), SelfTestError> {
    let mut space = SigningKeySpace::<P>::new();
    let key = known_key(&mut space);
    let same = P::KNOWN.signed.iter().all(|known| {
        let key = key.with_context(known.context).ok();
        let signature = key.and_then(|key| key.try_sign(known.message).ok());
        signature.is_some_and(|signature| signature.as_bytes().as_ref() == known.signature)
    });
    SelfTestError::Signing.unless(same)
}

/// Verifies known signatures under a known public key, unchanged and with one bit changed (FIPS 204,
/// Algorithm 3).
///
/// # Errors
/// [`SelfTestError::Verification`].
pub fn verification<P: KnownAnswers>() -> Result<(), SelfTestError> {
    let key = VerifyingKey::<P>::from_bytes(P::KNOWN.public_key);
    let key = key.map_err(|_| SelfTestError::Verification)?;
    let right = P::KNOWN.signed.iter().all(|known| {
        let (Ok(key), Ok(signature)) = (
            key.with_context(known.context),
            Signature::<P>::from_bytes(known.signature),
        ) else {
            return false;
        };
        let mut changed = signature.clone();
        if let Some(byte) = changed.0.as_mut().first_mut() {
            *byte ^= 1;
        }
        key.verify(known.message, &signature).is_ok()
            && key.verify(known.message, &changed).is_err()
    });
    SelfTestError::Verification.unless(right)
}

/// Signs a message with a key pair, deterministically, and verifies the signature.
///
/// # Errors
/// [`SelfTestError::PairwiseConsistency`]. The key pair must not be used.
pub fn pairwise_consistency<P: ParameterSet, S>(key: &SigningKeyIn<S>) -> Result<(), SelfTestError>
where
    S: DerefMut<Target = SigningKeySpace<P>>,
    SigningKeySpace<P>: Wipe,
{
    const MESSAGE: &[u8] = b"pairwise consistency";
    let signature = key.try_sign(MESSAGE);
    let verified = signature.and_then(|signature| key.verifying_key().verify(MESSAGE, &signature));
    verified.map_err(|_| SelfTestError::PairwiseConsistency)
}

/// The key of the known seed.
fn known_key<P: KnownAnswers>(
    space: &mut SigningKeySpace<P>,
) -> SigningKeyIn<&mut SigningKeySpace<P>> {
    SigningKeyIn::from_seed_in(space, &Seed::from_bytes(&P::KNOWN.seed))
}

/// The tests of module [`stream`](crate::stream), in as little memory as its operations.
pub mod in_pieces {
    use super::{KnownAnswers, SelfTestError};
    use crate::mu::MuBuilder;
    use crate::stream::{Held, Seeds, SigningKey, VerifyingKey};
    use moissanite_core::seed::Seed;

    /// A key of a seed, in this memory.
    type Key<'s, P> = SigningKey<'static, P, Held<&'s mut Seeds>>;

    /// Generates the key pair of a known seed, and compares its public key with the known one.
    ///
    /// # Errors
    /// [`SelfTestError::KeyGeneration`].
    pub fn key_generation<P: KnownAnswers>() -> Result<(), SelfTestError> {
        let mut seeds = Seeds::new();
        let mut same = Comparison(P::KNOWN.public_key);
        let written = known_key::<P>(&mut seeds).write_public_key(|piece| same.next(piece));
        let same = written.is_ok() && same.is_complete();
        SelfTestError::KeyGeneration.unless(same)
    }

    /// Signs known messages with the key of a known seed, and compares the signatures with the known ones.
    ///
    /// # Errors
    /// [`SelfTestError::Signing`].
    pub fn signing<P: KnownAnswers>() -> Result<(), SelfTestError> {
        let mut seeds = Seeds::new();
        let key = known_key::<P>(&mut seeds);
        let same = P::KNOWN.signed.iter().all(|known| {
            let mut same = Comparison(known.signature);
            let message = |mu: &mut MuBuilder| mu.update(known.message);
            let signed = key.try_sign_pieces(known.context, message, |piece| same.next(piece));
            signed.is_ok() && same.is_complete()
        });
        SelfTestError::Signing.unless(same)
    }

    /// Verifies known signatures under a known public key, and one of them with another message.
    ///
    /// # Errors
    /// [`SelfTestError::Verification`].
    pub fn verification<P: KnownAnswers>() -> Result<(), SelfTestError> {
        let key = VerifyingKey::<P, _>::from_bytes(P::KNOWN.public_key);
        let mut key = key.map_err(|_| SelfTestError::Verification)?;
        let mut verifies = |context, message, signature| {
            let pieces = |mu: &mut MuBuilder| mu.update(message);
            key.verify_pieces(context, pieces, signature).is_ok()
        };
        let right = P::KNOWN.signed.iter().all(|known| {
            verifies(known.context, known.message, known.signature)
                && !verifies(known.context, b"another message", known.signature)
        });
        SelfTestError::Verification.unless(right)
    }

    /// The key of the known seed.
    fn known_key<P: KnownAnswers>(seeds: &mut Seeds) -> Key<'_, P> {
        SigningKey::from_seed_in(seeds, &Seed::from_bytes(&P::KNOWN.seed))
    }

    /// A piece differs from the expected bytes.
    struct Different;

    /// Compares pieces with what is left of the expected bytes.
    struct Comparison(&'static [u8]);

    impl Comparison {
        /// Takes the next piece.
        fn next(&mut self, piece: &[u8]) -> Result<(), Different> {
            self.0 = self.0.strip_prefix(piece).ok_or(Different)?;
            Ok(())
        }

        /// Whether all expected bytes came.
        fn is_complete(&self) -> bool {
            self.0.is_empty()
        }
    }
}
