//! The errors.

use core::fmt;

/// The reason why bytes are not a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidKey {
    /// The number of bytes is wrong for this algorithm.
    Length {
        /// The number of bytes of a key of this kind.
        expected: usize,
        /// The number of bytes that were given.
        actual: usize,
    },
    /// The Ed25519 public key is not on the curve.
    NotOnCurve,
    /// The Ed25519 public key is not in the encoding of RFC 8032.
    NotCanonical,
    /// The Ed25519 public key has small order, so that anyone could make signatures for it.
    SmallOrder,
}

impl fmt::Display for InvalidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { expected, actual } => {
                write!(f, "the key has {actual} bytes instead of {expected}")
            }
            Self::NotOnCurve => f.write_str("the Ed25519 public key is not on the curve"),
            Self::NotCanonical => {
                f.write_str("the Ed25519 public key is not in its canonical encoding")
            }
            Self::SmallOrder => f.write_str("the Ed25519 public key has small order"),
        }
    }
}
impl core::error::Error for InvalidKey {}

#[cfg(feature = "pkcs8")]
impl From<InvalidKey> for pkcs8::KeyError {
    fn from(error: InvalidKey) -> Self {
        match error {
            InvalidKey::Length { expected, actual } if actual < expected => Self::TooShort,
            InvalidKey::Length { .. } => Self::TooLong,
            _ => Self::Invalid,
        }
    }
}

/// The reason why a message that is read twice was not signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadTwiceError<E> {
    /// The function of the caller that reads the message failed.
    Read(E),
    /// The second reading returned another message than the first. A signature of both would have
    /// revealed the private key.
    Changed,
}

impl<E: fmt::Display> fmt::Display for ReadTwiceError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Changed => f.write_str("the message changed while it was read"),
        }
    }
}
impl<E: core::error::Error + 'static> core::error::Error for ReadTwiceError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Read(error) => Some(error),
            Self::Changed => None,
        }
    }
}
