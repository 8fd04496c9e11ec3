//! Signatures as values.

use core::fmt;

use moissanite_core::backend::{Best, Choice};
use moissanite_core::debug::debug_bytes;
use moissanite_core::secret::Zeroed;
use moissanite_core::{
    Dilithium2, Dilithium3, Dilithium5, MlDsa44, MlDsa65, MlDsa87, ParameterSet,
};
use signature::SignatureEncoding;

use crate::core_ops::CheckForm;
use crate::error::InvalidSignatureLength;

/// A signature: 2,420, 3,309 or 4,627 bytes for ML-DSA-44, -65 and -87; 2,420, 3,293 or 4,595 for
/// Dilithium2, 3 and 5.
///
/// Any bytes of that length are a `Signature`. Verification also checks the encoding, and reports
/// the same error for all reasons.
///
/// ```
/// use moissanite::{prelude::*, MlDsa44, Signature, SigningKey, SysRng};
///
/// let key = SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
/// let bytes: [u8; 2420] = key.try_sign(b"message")?.to_bytes();
/// let signature = Signature::<MlDsa44>::try_from(&bytes[..])?;
/// key.verifying_key().verify(b"message", &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Signature<P: ParameterSet>(pub(crate) P::Signature);

impl<P: ParameterSet> Signature<P> {
    /// The number of bytes of a signature.
    pub const LEN: usize = P::SIGNATURE_LEN;

    /// Returns all zeros, which is never a valid signature. It is memory to write to, for example
    /// for [`SigningKey::try_sign_mu_into`](crate::SigningKey::try_sign_mu_into).
    pub const fn zero() -> Self {
        Self(P::Signature::ZERO)
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
        P::Signature::try_from(bytes).map(Self).map_err(|_| wrong)
    }

    /// Returns whether the signature passes the checks of verification that need no key: the hint
    /// is encoded as FIPS 204 requires, and every coefficient of z is in range (Algorithm 8, lines
    /// 2 to 4 and 13).
    ///
    /// A signature that is not well-formed is invalid for every key and every message. A
    /// well-formed signature can still be invalid.
    ///
    /// ```
    /// use moissanite::{prelude::*, MlDsa44, Signature, SigningKey, SysRng};
    ///
    /// let key = SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
    /// assert!(key.try_sign(b"message")?.is_well_formed());
    /// assert!(!Signature::<MlDsa44>::zero().is_well_formed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        Best.run(CheckForm::<P>(&self.0))
    }

    /// The bytes of the signature.
    pub fn to_bytes(&self) -> P::Signature {
        self.0.clone()
    }

    /// The bytes of the signature, in place.
    pub fn as_bytes(&self) -> &P::Signature {
        &self.0
    }
}

impl<P: ParameterSet> TryFrom<&[u8]> for Signature<P> {
    type Error = InvalidSignatureLength;
    fn try_from(bytes: &[u8]) -> Result<Self, InvalidSignatureLength> {
        Self::from_bytes(bytes)
    }
}

impl<P: ParameterSet> AsRef<[u8]> for Signature<P> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

// A generic `From<Signature<P>> for P::Signature` would overlap with `From<T> for T`.
macro_rules! into_bytes {
    ($($set:ty)*) => { $(
        impl From<Signature<$set>> for [u8; <$set>::SIGNATURE_LEN] {
            fn from(signature: Signature<$set>) -> Self {
                signature.0
            }
        }
    )* };
}
into_bytes!(MlDsa44 MlDsa65 MlDsa87 Dilithium2 Dilithium3 Dilithium5);

impl<P: ParameterSet<Signature: From<Signature<P>>>> SignatureEncoding for Signature<P> {
    type Repr = P::Signature;
}

impl<P: ParameterSet> fmt::Debug for Signature<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_bytes(f, format_args!("Signature<{}>", P::NAME), self.as_ref())
    }
}
