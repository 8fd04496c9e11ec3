//! The error.

use core::fmt;

use moissanite::SigningError;

/// The reason why a message or a certificate was refused, or could not be made.
///
/// No message contains a value of the input, so that errors can be logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The input is longer than a limit of the module [`limits`](crate::limits).
    TooLong {
        /// What is too long.
        part: &'static str,
        /// The limit, in bytes or in elements.
        limit: usize,
    },
    /// The text is not PEM with the label of this function.
    Pem,
    /// The message is not a ContentInfo with SignedData in DER (RFC 5652, sections 3 and 5): it is malformed, it
    /// has data after its end, or it is in BER that is not DER, with indefinite lengths or unsorted sets.
    Der,
    /// The message is one of CMS, but not SignedData.
    NotSignedData,
    /// The version of the message or of a signer is not the one that RFC 5652, sections 5.1 and 5.3, require.
    Version,
    /// The message has a certificate in another format than X.509, or revocation information in another format
    /// than CRLs.
    UnsupportedFormat,
    /// The certificate is not one of X.509 in DER.
    Certificate,
    /// The public key of the certificate is not an ML-DSA key as RFC 9881 encodes it.
    PublicKey,
    /// The certificate has another public key than the signer.
    OtherPublicKey,
    /// The key usage of the certificate permits neither digital signatures nor non-repudiation.
    KeyUsage,
    /// The certificate has no subject key identifier, or a malformed one.
    SubjectKeyIdentifier,
    /// The digest algorithm is not one of Table 1 of RFC 9882, or has parameters.
    DigestAlgorithm,
    /// The digest algorithm is weaker than the parameter set of ML-DSA (RFC 9882, Table 1).
    WeakDigest,
    /// The digest algorithm of a signer is not in the list of the message.
    UnlistedDigest,
    /// The signature algorithm is not that of the key, or has parameters.
    SignatureAlgorithm,
    /// A signed attribute occurs more than once, does not have one value, or has a malformed value.
    Attribute,
    /// The signed attribute content-type is missing, or is not the content type of the message.
    ContentType,
    /// The signed attribute message-digest is missing.
    NoMessageDigest,
    /// The content does not have the digest that the signer states.
    WrongDigest,
    /// The attribute CMSAlgorithmProtection states other algorithms than the signer (RFC 6211).
    AlgorithmProtection,
    /// Signed attributes are missing, although the content type is not id-data, or a signing time is given.
    SignedAttributesRequired,
    /// There are no signed attributes, and the content itself is an encoding of signed attributes, so that a
    /// signature of one could pass as a signature of the other.
    AmbiguousContent,
    /// The signing time is before 1970 or after 9999.
    SigningTime,
    /// The content is not in the message, and the caller did not pass it.
    Detached,
    /// The content is in the message, and the caller passed another one.
    Attached,
    /// The caller passed digests of the content, and the content itself is signed, or another digest.
    ContentRequired,
    /// The message has no signer.
    NoSigners,
    /// The trusted signer is not one of the message.
    UnknownSigner,
    /// The signature has the wrong number of bytes, or is not that of the content and the attributes.
    InvalidSignature,
    /// Signing failed.
    Signing(SigningError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::TooLong { part, limit } => {
                return write!(f, "the limit of {limit} for the {part} is exceeded");
            }
            Self::Signing(error) => return error.fmt(f),
            Self::Pem => "the text is not PEM with the expected label",
            Self::Der => "the message is not CMS SignedData in DER",
            Self::NotSignedData => "the message is not SignedData",
            Self::Version => "the version does not fit the parts of the message",
            Self::UnsupportedFormat => {
                "the message has certificates or revocation information in an unsupported format"
            }
            Self::Certificate => "the certificate is not one of X.509 in DER",
            Self::PublicKey => "the public key of the certificate is not an ML-DSA key",
            Self::OtherPublicKey => "the certificate has another public key",
            Self::KeyUsage => "the key usage of the certificate does not permit signatures",
            Self::SubjectKeyIdentifier => "the certificate has no subject key identifier",
            Self::DigestAlgorithm => "the digest algorithm is unknown or has parameters",
            Self::WeakDigest => "the digest algorithm is weaker than the signature algorithm",
            Self::UnlistedDigest => {
                "the digest algorithm of a signer is not in the list of the message"
            }
            Self::SignatureAlgorithm => {
                "the signature algorithm is not that of the key or has parameters"
            }
            Self::Attribute => "a signed attribute is malformed or occurs more than once",
            Self::ContentType => "the signed content type is not that of the message",
            Self::NoMessageDigest => "the signed attributes have no digest of the content",
            Self::WrongDigest => "the content does not have the signed digest",
            Self::AlgorithmProtection => {
                "the signed attributes state other algorithms than the signer"
            }
            Self::SignedAttributesRequired => "signed attributes are required",
            Self::AmbiguousContent => {
                "the content is an encoding of signed attributes, which are required for it"
            }
            Self::SigningTime => "the signing time is not between 1970 and 9999",
            Self::Detached => "the content is not in the message and has to be passed",
            Self::Attached => "the content is in the message and must not be passed",
            Self::ContentRequired => "the passed digest of the content is not the required one",
            Self::NoSigners => "the message has no signer",
            Self::UnknownSigner => "the message has no signature of the trusted signer",
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
