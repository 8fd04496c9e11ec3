//! The error.

use core::fmt;

use moissanite::SigningError;

use crate::algorithm::Algorithm;

/// The reason why a key or token was refused, or could not be made.
///
/// No message contains a value of the input, so that errors can be logged. A `&'static str` names the
/// member of JSON, the part of a token or the parameter of COSE.
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
    /// The text is not hex.
    Hex(&'static str),
    /// The text is not the PEM text of a public key of the algorithm.
    Pem(&'static str),
    /// The text is not JSON, is nested more than 127 levels deep, or is not the object that it has
    /// to be.
    Json,
    /// The bytes are not CBOR, are nested more than 255 levels deep, are of indefinite length where a
    /// value is read, or are not the structure that they have to be.
    Cbor,
    /// Something follows the end of the key or token.
    TrailingData,
    /// A name occurs twice in one JSON object, a label twice in one CBOR map, an operation twice in
    /// `key_ops`, or a name both in the protected and in the unprotected header.
    Duplicate,
    /// A member or parameter that is required is missing.
    Missing(&'static str),
    /// A member or parameter has another type than its specification says.
    WrongType(&'static str),
    /// A character is not of the alphabet of base64url, or the length is impossible. In an envelope of
    /// DSSE: the text is not of one of the two alphabets, or has no padding.
    Base64(&'static str),
    /// The base64url has padding, which RFC 7515 does not permit.
    Padding(&'static str),
    /// The last character of the base64url has bits that encode nothing and are not zero.
    TrailingBits(&'static str),
    /// The compact serialization does not have three parts, separated by two dots.
    Parts,
    /// The JSON serialization has members of both the flattened and the general form.
    MixedForms,
    /// `kty` is not AKP (7 in COSE), or `keytype` of TUF is not `ml-dsa`.
    KeyType,
    /// `alg` is none of ML-DSA-44, ML-DSA-65 and ML-DSA-87 (-48, -49, -50), or `scheme` of TUF is none of
    /// `ml-dsa-44/1`, `ml-dsa-65/1` and `ml-dsa-87/1`.
    UnknownAlgorithm,
    /// `alg` is `none`: the token is not signed.
    AlgorithmNone,
    /// `alg` of the token is not that of the key.
    AlgorithmMismatch {
        /// The algorithm of the key.
        key: Algorithm,
        /// The algorithm that the token names.
        token: Algorithm,
    },
    /// `alg` is in the unprotected header, which nobody signs.
    UnprotectedAlgorithm,
    /// The public key has the wrong number of bytes.
    PublicKeyLength {
        /// The number of bytes that the algorithm has.
        expected: usize,
        /// The number of bytes of the input.
        actual: usize,
    },
    /// `priv` is not a seed of 32 bytes. It may be an expanded private key, which RFC 9964 does not
    /// permit.
    SeedLength,
    /// `priv` does not yield `pub`.
    PublicKeyMismatch,
    /// A public key is required, but the input is a private one: it has `priv`.
    PrivateKeyPresent,
    /// The private key was made from an expanded key, so that its seed is unknown.
    SeedUnknown,
    /// `use` of the key is not `sig`.
    Use,
    /// `key_ops` of the key do not contain the operation.
    KeyOps,
    /// The key identifier is not text, which a JWK requires.
    KeyIdNotText,
    /// There is a parameter `crit`: it names extensions, and this crate implements none.
    Critical,
    /// `b64` is in the header: unencoded payloads (RFC 7797) are not supported.
    UnencodedPayload,
    /// The CBOR tag is not that of COSE_Sign1, 18.
    Tag,
    /// The token has more signatures than [`limits::SIGNATURES`](crate::limits::SIGNATURES).
    TooManySignatures,
    /// Fewer keys have signed the envelope than are required.
    TooFewSignatures {
        /// The number of keys that are required.
        required: usize,
        /// The number of different keys with a valid signature.
        valid: usize,
    },
    /// `payloadType` of the envelope is not the one that the caller expects.
    PayloadType,
    /// The payload is detached: the function for detached payloads verifies such a token.
    PayloadDetached,
    /// The token contains a payload, although it should be detached.
    PayloadPresent,
    /// The signature is empty.
    EmptySignature,
    /// The signature has the wrong number of bytes.
    SignatureLength {
        /// The number of bytes that the algorithm has.
        expected: usize,
        /// The number of bytes of the input.
        actual: usize,
    },
    /// The signature is not valid for this key, header, payload and external data.
    InvalidSignature,
    /// Signing failed.
    Signing(SigningError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::TooLong { part, limit } => {
                return write!(f, "the {part} is longer than {limit} bytes");
            }
            Self::Missing(name) => return write!(f, "`{name}` is missing"),
            Self::WrongType(name) => return write!(f, "`{name}` has the wrong type"),
            Self::Base64(name) => {
                return write!(f, "`{name}` is not base64 as it is required there");
            }
            Self::Hex(name) => return write!(f, "`{name}` is not hex"),
            Self::Pem(name) => {
                return write!(f, "`{name}` is not PEM text of a key of the algorithm");
            }
            Self::TooFewSignatures { required, valid } => {
                return write!(
                    f,
                    "{valid} of the keys have signed, and {required} are required"
                );
            }
            Self::Padding(name) => return write!(f, "the base64url of `{name}` has padding"),
            Self::TrailingBits(name) => {
                return write!(
                    f,
                    "the base64url of `{name}` ends with bits that are not zero"
                );
            }
            Self::AlgorithmMismatch { key, token } => {
                return write!(
                    f,
                    "the token is signed with {token}, but the key is of {key}"
                );
            }
            Self::PublicKeyLength { expected, actual } => {
                return write!(f, "`pub` has {actual} bytes instead of {expected}");
            }
            Self::SignatureLength { expected, actual } => {
                return write!(f, "the signature has {actual} bytes instead of {expected}");
            }
            Self::Signing(error) => return error.fmt(f),
            Self::Json => "the text is not the JSON that it has to be",
            Self::Cbor => "the bytes are not the CBOR that they have to be",
            Self::TrailingData => "something follows the end of the input",
            Self::Duplicate => "a name occurs twice",
            Self::Parts => "the token does not have three parts",
            Self::MixedForms => "the token mixes the flattened and the general form",
            Self::KeyType => "the type of the key is not that of ML-DSA",
            Self::UnknownAlgorithm => "the algorithm is not one of ML-DSA",
            Self::PayloadType => "the type of the payload is not the expected one",
            Self::AlgorithmNone => "`alg` is none: the token is not signed",
            Self::UnprotectedAlgorithm => "`alg` is in the unprotected header",
            Self::SeedLength => "`priv` is not a seed of 32 bytes",
            Self::PublicKeyMismatch => "`priv` does not yield `pub`",
            Self::PrivateKeyPresent => "a public key is required, but this is a private key",
            Self::SeedUnknown => "the seed of the private key is unknown",
            Self::Use => "`use` of the key is not sig",
            Self::KeyOps => "`key_ops` of the key do not permit the operation",
            Self::KeyIdNotText => "the key identifier is not text",
            Self::Critical => "the token has critical extensions",
            Self::UnencodedPayload => "`b64` is in the header: the payload may be unencoded",
            Self::Tag => "the CBOR tag is not that of COSE_Sign1",
            Self::TooManySignatures => "the token has too many signatures",
            Self::PayloadDetached => "the payload is detached",
            Self::PayloadPresent => "the payload is not detached",
            Self::EmptySignature => "the signature is empty",
            Self::InvalidSignature => "the signature is not valid",
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

/// Checks the length of an input or output.
pub(crate) fn check_len(part: &'static str, actual: usize, limit: usize) -> Result<(), Error> {
    if actual > limit {
        return Err(Error::TooLong { part, limit });
    }
    Ok(())
}
