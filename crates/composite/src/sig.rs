//! Signatures as values.

use core::fmt;

use moissanite_core::debug::debug_bytes;

use moissanite::InvalidSignatureLength;
use signature::SignatureEncoding;

use crate::algorithm::concatenate;
use crate::algorithm::{Composite, MlDsa44Ed25519, MlDsa65Ed25519};
use crate::ed25519;

/// A signature of 2,484 bytes with ML-DSA-44 or 3,373 with ML-DSA-65: that of ML-DSA, then that of
/// Ed25519.
///
/// Any bytes of that length are a `Signature`; verification also checks the encoding.
#[derive(Clone, PartialEq, Eq)]
pub struct Signature<C: Composite>(C::Signature);

impl<C: Composite> Signature<C> {
    /// The number of bytes of a signature.
    pub const LEN: usize = C::SIGNATURE_LEN;

    pub(crate) fn of(
        ml_dsa: &moissanite::Signature<C::MlDsa>,
        ed25519: &ed25519::Signature,
    ) -> Self {
        Self(concatenate(ml_dsa.as_ref(), &ed25519.to_bytes()))
    }

    /// The two halves.
    pub(crate) fn split(&self) -> Option<(moissanite::Signature<C::MlDsa>, ed25519::Signature)> {
        let (ml_dsa, ed25519) = self.0.as_ref().split_last_chunk()?;
        let ml_dsa = moissanite::Signature::from_bytes(ml_dsa).ok()?;
        Some((ml_dsa, ed25519::Signature::from_bytes(ed25519)))
    }

    /// Takes the bytes of a signature: any [`Self::LEN`] bytes.
    ///
    /// # Errors
    /// The number of bytes is not [`Self::LEN`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidSignatureLength> {
        let wrong = InvalidSignatureLength {
            expected: Self::LEN,
            actual: bytes.len(),
        };
        C::Signature::try_from(bytes).map(Self).map_err(|_| wrong)
    }

    /// The bytes of the signature.
    pub fn to_bytes(&self) -> C::Signature {
        self.0.clone()
    }

    /// Returns a reference to the bytes of the signature.
    pub fn as_bytes(&self) -> &C::Signature {
        &self.0
    }
}

impl<C: Composite> TryFrom<&[u8]> for Signature<C> {
    type Error = InvalidSignatureLength;
    fn try_from(bytes: &[u8]) -> Result<Self, InvalidSignatureLength> {
        Self::from_bytes(bytes)
    }
}

impl<C: Composite> AsRef<[u8]> for Signature<C> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

// A generic `From<Signature<C>> for C::Signature` would overlap with `From<T> for T`.
macro_rules! into_bytes {
    ($($composite:ty)*) => { $(
        impl From<Signature<$composite>> for [u8; <$composite>::SIGNATURE_LEN] {
            fn from(signature: Signature<$composite>) -> Self {
                signature.0
            }
        }
    )* };
}
into_bytes!(MlDsa44Ed25519 MlDsa65Ed25519);

impl<C: Composite<Signature: From<Signature<C>>>> SignatureEncoding for Signature<C> {
    type Repr = C::Signature;
}

impl<C: Composite> fmt::Debug for Signature<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_bytes(f, format_args!("Signature<{}>", C::NAME), self.as_ref())
    }
}
