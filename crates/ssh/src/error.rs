//! The error.

use core::fmt;

use moissanite_composite::signature;

/// The reason why a key, a signature or a list of signers was refused, or could not be made.
///
/// No message contains a value of the input, so that errors can be logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The input is longer than a limit of the module [`limits`](crate::limits).
    TooLong {
        /// What is too long.
        part: &'static str,
        /// The limit.
        limit: usize,
    },
    /// The text is not PEM with the label that it has to have.
    Pem,
    /// The line is not the name of an algorithm and base64.
    Line,
    /// The bytes are not the structure that they have to be.
    Encoding,
    /// Something follows the end of the key or signature.
    TrailingData,
    /// The key or the signature is of another algorithm than `ssh-mldsa44-ed25519`.
    UnknownAlgorithm,
    /// Two parts of the input name different algorithms or contain different public keys.
    Contradiction,
    /// The public key has the wrong number of bytes, or its Ed25519 half is no point of the curve.
    PublicKey,
    /// The private key does not have 64 bytes.
    SeedLength,
    /// The private key does not yield the public key beside it.
    PublicKeyMismatch,
    /// The file contains no key or several keys.
    NumberOfKeys,
    /// The comment is not UTF-8, has a control character, or is longer than
    /// [`limits::TEXT`](crate::limits::TEXT).
    Comment,
    /// The private key is encrypted: a passphrase is required.
    Encrypted,
    /// The passphrase is empty.
    EmptyPassphrase,
    /// The file is encrypted with a cipher or a derivation of keys that is not implemented, or the crate was
    /// compiled without the feature `encryption`.
    UnsupportedEncryption,
    /// The derivation of the key from the passphrase would take more rounds than
    /// [`limits::ROUNDS`](crate::limits::ROUNDS), or none.
    Rounds,
    /// The passphrase is wrong, or the encrypted part of the file is damaged.
    Passphrase,
    /// The version of the signature is not 1.
    Version,
    /// The hash function is neither SHA-256 nor SHA-512.
    UnknownHash,
    /// The namespace is empty, is not UTF-8, has a control character, or is longer than
    /// [`limits::TEXT`](crate::limits::TEXT).
    Namespace,
    /// The signature is of another namespace: it was made for another purpose.
    NamespaceMismatch,
    /// The reserved field of the signature is not empty.
    Reserved,
    /// The message was hashed with another function than the signature names.
    HashMismatch,
    /// The signature does not have 2,484 bytes.
    SignatureLength,
    /// The signature is not valid for this key, namespace and message.
    InvalidSignature,
    /// An option of a line of allowed signers is not known, occurs twice or is malformed.
    SignerOption,
    /// A line of allowed signers has no principals, or quotation marks that do not end.
    Principals,
    /// A date is not `YYYYMMDD`, `YYYYMMDDHHMM` or `YYYYMMDDHHMMSS`, with or without `Z`.
    Date,
    /// No line permits this principal to sign with this key in this namespace.
    NotAllowed,
    /// The line with this principal and key is valid at other times only.
    NotValidThen,
    /// Signing failed, because the generator of random numbers failed or a fault was detected.
    Signing,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong { part, limit } => {
                return write!(f, "the {part} is longer than {limit} bytes");
            }
            Self::Pem => "the text is not PEM of OpenSSH with the right label",
            Self::Line => "the line is not an algorithm and base64",
            Self::Encoding => "the bytes are not the structure that they have to be",
            Self::TrailingData => "something follows the end of the input",
            Self::UnknownAlgorithm => "the algorithm is not ssh-mldsa44-ed25519",
            Self::Contradiction => "two parts name different algorithms or keys",
            Self::PublicKey => "the public key is malformed",
            Self::SeedLength => "the private key does not have 64 bytes",
            Self::PublicKeyMismatch => "the private key does not yield the public key beside it",
            Self::NumberOfKeys => "the file does not contain exactly one key",
            Self::Comment => "the comment is not text of one line, or too long",
            Self::Encrypted => "the private key is encrypted",
            Self::EmptyPassphrase => "the passphrase is empty",
            Self::UnsupportedEncryption => "the encryption of the private key is not supported",
            Self::Rounds => {
                "the derivation of the key from the passphrase has too many rounds or none"
            }
            Self::Passphrase => "the passphrase is wrong, or the file is damaged",
            Self::Version => "the version of the signature is not 1",
            Self::UnknownHash => "the hash function is neither SHA-256 nor SHA-512",
            Self::Namespace => "the namespace is empty, not text of one line, or too long",
            Self::NamespaceMismatch => "the signature is of another namespace",
            Self::Reserved => "the reserved field of the signature is not empty",
            Self::HashMismatch => "the message was hashed with another function",
            Self::SignatureLength => "the signature does not have 2,484 bytes",
            Self::InvalidSignature => "the signature is not valid",
            Self::SignerOption => {
                "an option of the line is not known, occurs twice or is malformed"
            }
            Self::Principals => "the line has no principals",
            Self::Date => "a date is malformed",
            Self::NotAllowed => {
                "nothing permits this principal to sign with this key in this namespace"
            }
            Self::NotValidThen => "the key of this principal is not valid at this time",
            Self::Signing => "signing failed",
        })
    }
}

impl core::error::Error for Error {}

impl From<signature::Error> for Error {
    fn from(_: signature::Error) -> Self {
        Self::Signing
    }
}
