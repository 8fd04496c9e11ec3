//! What can go wrong, by name.

use core::fmt;

/// Why bytes are not a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidKey {
    /// The bytes are too few or too many for this algorithm.
    Length {
        /// Bytes that a key of this kind has.
        expected: usize,
        /// Bytes there were.
        actual: usize,
    },
    /// The Ed25519 public key is not on the curve.
    NotOnCurve,
    /// The Ed25519 public key is a point in another encoding than RFC 8032's.
    NotCanonical,
    /// The Ed25519 public key has small order: anybody could sign for it.
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

/// Why there is no signature of a message that was read twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadTwiceError<E> {
    /// The caller's reading failed.
    Read(E),
    /// The second reading gave another message than the first. A signature of both would have
    /// given the private key away.
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
