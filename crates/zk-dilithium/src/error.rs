//! The errors.

use core::fmt;

/// The reason why bytes are not a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidKey {
    /// The number of bytes is wrong.
    Length {
        /// The number of bytes of a key of this kind.
        expected: usize,
        /// The number of bytes that were given.
        actual: usize,
    },
    /// A coefficient of t in a public key is not less than q, so the key would have another
    /// encoding.
    TOutOfRange,
    /// A coefficient of s₁ or s₂ is not in −2 ... 2.
    SecretOutOfRange,
    /// t does not match ρ, s₁ and s₂.
    TMismatch,
    /// tr is not the hash of the public key.
    TrMismatch,
}

impl fmt::Display for InvalidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { expected, actual } => {
                write!(f, "the key has {actual} bytes instead of {expected}")
            }
            Self::TOutOfRange => f.write_str("a coefficient of t in the key is not less than q"),
            Self::SecretOutOfRange => {
                f.write_str("a secret coefficient of the key is out of range")
            }
            Self::TMismatch => f.write_str("t of the key does not belong to its s1 and s2"),
            Self::TrMismatch => f.write_str("tr of the key is not the hash of its public key"),
        }
    }
}
impl core::error::Error for InvalidKey {}

/// The reason why signing failed. With the feature `alloc`, it is the source of a
/// [`signature::Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SigningError {
    /// 1,024 attempts were rejected. On a working machine, the probability of this is less than
    /// 2⁻²³⁰.
    AttemptsExhausted,
    /// The machine is faulty: the private key in memory is no longer in range, or a mask was
    /// different when it was computed again.
    Fault,
}

impl fmt::Display for SigningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AttemptsExhausted => "no signing attempt succeeded; the machine may be faulty",
            Self::Fault => "the private key or a mask has changed; the machine may be faulty",
        })
    }
}
impl core::error::Error for SigningError {}

impl From<SigningError> for signature::Error {
    #[cfg(feature = "alloc")]
    fn from(error: SigningError) -> Self {
        Self::from_source(error)
    }
    #[cfg(not(feature = "alloc"))]
    fn from(_: SigningError) -> Self {
        Self::new()
    }
}

/// A signature that does not have 2,340 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidSignatureLength {
    /// The number of bytes that were given.
    pub actual: usize,
}

impl fmt::Display for InvalidSignatureLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = crate::params::SIGNATURE_LEN;
        write!(
            f,
            "the signature has {} bytes instead of {expected}",
            self.actual
        )
    }
}
impl core::error::Error for InvalidSignatureLength {}

impl From<InvalidSignatureLength> for signature::Error {
    /// The length is omitted, because verification reports one error for all reasons.
    fn from(_: InvalidSignatureLength) -> Self {
        Self::new()
    }
}
