//! Private keys in expanded form, where they are.

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

/// A private key in FIPS 204's expanded form, which stays where it is: 2,560, 4,032 or 4,896 bytes,
/// all secret but the first 32.
///
/// It is one that a [`SigningKeySpace`](crate::SigningKeySpace) has, or with the feature `hazmat`
/// bytes that are taken on trust, which are the caller's to wipe: `from_bytes_trusted`.
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

    /// An expanded private key that this program wrote itself, which is read where it is.
    ///
    /// Takes 2,560, 4,032 or 4,896 bytes. The ranges of s₁ and s₂ are checked;
    /// t₀, tr and the public key are not recomputed. With a key from elsewhere,
    /// signatures that do not verify or that leak it may be the result.
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

    /// The public key. Of bytes taken on trust, it is computed anew, which takes as long as making
    /// a key; t₀ and tr are checked with it.
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
