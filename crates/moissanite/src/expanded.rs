//! Private keys in expanded form, which are read in place.

use core::fmt;

use moissanite_core::ParameterSet;
use moissanite_core::backend::{Best, Choice};
use moissanite_core::debug::debug_bytes;
use moissanite_core::encode::keys::sk_split;
use moissanite_core::secret::Zeroed;
#[cfg(feature = "hazmat")]
use moissanite_core::shape::Bytes;
use moissanite_core::sign::Rnd;

use crate::core_ops::{Check, Sign};
use crate::error::{InvalidKey, SigningError};
use crate::key_traits::AnySigningKey;
use crate::sig::Signature;
use crate::verifying::VerifyingKey;

/// A private key in FIPS 204's expanded form, which is read in place: 2,560, 4,032 or 4,896 bytes,
/// of which all but the first 32 are secret.
///
/// The bytes belong to a [`SigningKeySpace`](crate::SigningKeySpace). With the feature `hazmat`,
/// they can also be trusted bytes of the caller, who must wipe them: `from_bytes_trusted`.
pub struct ExpandedSigningKey<'a, P: ParameterSet> {
    sk: &'a P::PrivateKey,
    verifying_key: Option<&'a VerifyingKey<P>>,
}

impl<'a, P: ParameterSet> ExpandedSigningKey<'a, P> {
    /// A key that has been made or checked.
    pub(crate) fn of(sk: &'a P::PrivateKey, verifying_key: &'a VerifyingKey<P>) -> Self {
        Self {
            sk,
            verifying_key: Some(verifying_key),
        }
    }

    /// Uses an expanded private key that this program wrote itself, which is read in place.
    ///
    /// Takes 2,560, 4,032 or 4,896 bytes. The ranges of s₁ and s₂ are checked; t₀, tr and the
    /// public key are not recomputed. With a key of another origin, signatures can be invalid or
    /// reveal the key.
    ///
    /// # Errors
    /// [`InvalidKey::Length`], [`InvalidKey::SecretOutOfRange`].
    #[cfg(feature = "hazmat")]
    #[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
    pub fn from_bytes_trusted(bytes: &'a [u8]) -> Result<Self, InvalidKey> {
        let wrong = InvalidKey::length(P::PRIVATE_KEY_LEN, bytes);
        let sk = P::PrivateKey::from_slice(bytes).ok_or(wrong)?;
        if Best.run(crate::core_ops::CheckRanges::<P> { sk }) {
            Ok(Self {
                sk,
                verifying_key: None,
            })
        } else {
            Err(InvalidKey::SecretOutOfRange)
        }
    }

    /// Returns the public key. For trusted bytes, it is computed, which takes as long as key
    /// generation; t₀ and tr are checked in this step.
    ///
    /// # Errors
    /// [`InvalidKey::T0Mismatch`], [`InvalidKey::TrMismatch`].
    pub fn to_verifying_key(&self) -> Result<VerifyingKey<P>, InvalidKey> {
        if let Some(key) = self.verifying_key {
            return Ok(key.clone());
        }
        let mut key = VerifyingKey(P::PublicKey::ZERO);
        Best.run(Check::<P> {
            sk: self.sk,
            pk: &mut key.0,
        })?;
        Ok(key)
    }
}

impl<P: ParameterSet> AnySigningKey for ExpandedSigningKey<'_, P> {
    type Set = P;
    fn tr(&self) -> [u8; 64] {
        let mut tr = [0; 64];
        tr[..P::TR_LEN].copy_from_slice(sk_split::<P>(self.sk).tr);
        tr
    }
    fn sign_on<C: Choice>(
        &self,
        choice: C,
        mu: &[u8; 64],
        rnd: Rnd<'_>,
        signature: &mut Signature<P>,
    ) -> Result<(), SigningError> {
        choice.run(Sign::<P> {
            sk: self.sk,
            mu,
            rnd,
            sigma: &mut signature.0,
        })
    }
    fn check_signature(&self, mu: &[u8; 64], signature: &Signature<P>) -> bool {
        let key = self.to_verifying_key();
        key.is_ok_and(|key| key.is_valid(mu, signature))
    }
}
signer!([] ExpandedSigningKey<'_, P>);

impl<P: ParameterSet> fmt::Debug for ExpandedSigningKey<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_bytes(
            f,
            format_args!("ExpandedSigningKey<{}>", P::NAME),
            &self.tr(),
        )
    }
}
