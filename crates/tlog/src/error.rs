//! The error.

use core::fmt;

use moissanite::{InvalidKey, SigningError};

/// The reason why a note, a key or a cosignature was refused, or could not be made.
///
/// No message contains a value of the input, so that errors can be logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The input is longer than a limit of the module [`limits`](crate::limits).
    TooLong {
        /// What is too long.
        part: &'static str,
        /// The limit, in bytes or in lines.
        limit: usize,
    },
    /// The note contains a control character other than a line break.
    ControlCharacter,
    /// The note is not a text that ends in a line break, an empty line, and signature lines that end in line
    /// breaks.
    Note,
    /// A signature line is not a dash, a name and base64.
    SignatureLine,
    /// The name of a key is empty, or contains a space, a plus sign or a control character.
    Name,
    /// The text of a public key is not a name, a key ID and base64, which plus signs separate.
    Key,
    /// The key ID is not that of the name and the public key beside it.
    KeyId,
    /// The key has another signature type than this function reads.
    SignatureType,
    /// The public key has the wrong number of bytes, or is not one of its algorithm.
    PublicKey,
    /// The text is not a checkpoint: an origin, a size and a root hash, each on a line of its own; or the root hash
    /// of an empty tree is not SHA-256 of nothing.
    Checkpoint,
    /// The origin is empty, or contains a control character.
    Origin,
    /// The checkpoint is that of another log.
    OtherLog,
    /// The range of leaves is not a subtree: it is empty, or does not begin at a multiple of the smallest power
    /// of two that is at least its length.
    Subtree,
    /// The checkpoint has extension lines, which ML-DSA-44 cosignatures do not cover.
    Extensions,
    /// The time is after 2^63 - 1, or is not zero although the subtree does not begin at the first leaf.
    Timestamp,
    /// The cosignature has the wrong number of bytes.
    SignatureLength {
        /// The number of bytes that it should have.
        expected: usize,
        /// The number of bytes of the input.
        actual: usize,
    },
    /// The signature of a known key is not valid.
    InvalidSignature,
    /// No signature is of a known key.
    UnknownKeys,
    /// Signing failed.
    Signing(SigningError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::TooLong { part, limit } => {
                return write!(f, "the limit of {limit} for the {part} is exceeded");
            }
            Self::SignatureLength { expected, actual } => {
                return write!(
                    f,
                    "the cosignature has {actual} bytes instead of {expected}"
                );
            }
            Self::Signing(error) => return error.fmt(f),
            Self::ControlCharacter => "the note contains a control character",
            Self::Note => "the text is not a signed note",
            Self::SignatureLine => "a signature line of the note is malformed",
            Self::Name => {
                "the name of the key is empty or has a space, a plus sign or a control character"
            }
            Self::Key => "the text of the public key is malformed",
            Self::KeyId => "the key ID is not that of the name and the public key",
            Self::SignatureType => "the key has another signature type",
            Self::PublicKey => "the public key is not one of its algorithm",
            Self::Checkpoint => "the text of the note is not a checkpoint",
            Self::Origin => "the origin is empty or has a control character",
            Self::OtherLog => "the checkpoint is that of another log",
            Self::Subtree => "the range of leaves is not a subtree",
            Self::Extensions => {
                "the checkpoint has extension lines, which cosignatures do not cover"
            }
            Self::Timestamp => "the time of the cosignature is not permitted",
            Self::InvalidSignature => "a signature of a known key is not valid",
            Self::UnknownKeys => "no signature is of a known key",
        };
        f.write_str(text)
    }
}

impl core::error::Error for Error {}

impl From<SigningError> for Error {
    fn from(error: SigningError) -> Self {
        Self::Signing(error)
    }
}

impl From<InvalidKey> for Error {
    fn from(_: InvalidKey) -> Self {
        Self::PublicKey
    }
}
