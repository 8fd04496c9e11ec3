//! The reasons for which a certificate or a path is refused.

use der::oid::ObjectIdentifier;
use x509_cert::time::Time;

use crate::key_error::KeyError;

/// Why a certificate is refused. Messages put the name of its file before the text.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CertificateError {
    /// The validity period has not begun.
    #[error("it is not valid before {0}")]
    Early(Time),
    /// The validity period has ended.
    #[error("it expired on {0}")]
    Late(Time),
    /// No certificate has the name of its issuer.
    #[error("no issuer certificate was found: {0}; name it with --root or --intermediate")]
    NoIssuer(String),
    /// A certificate with the issuer's name has an unusable key.
    #[error("the key in {0}, which has the name of its issuer, cannot be used: {1}")]
    IssuerKey(String, Box<KeyError>),
    /// Another key signed it, or it was changed.
    #[error("it is not signed by the key of {0}")]
    Signature(String),
    /// RFC 5280, section 4.1.1.2.
    #[error("it names two different signature algorithms")]
    SignatureAlgorithm,
    /// The issuer is an end entity.
    #[error("its issuer {0} may not issue certificates")]
    NotAnAuthority(String),
    /// There are more authorities than a path length allows.
    #[error("the path has more authorities than {0} allows")]
    PathTooLong(String),
    /// RFC 5280, section 4.2.1.10.
    #[error("{0} does not permit the name {1}")]
    NotPermitted(String, String),
    /// RFC 5280, section 4.2.1.10.
    #[error("{0} excludes the name {1}")]
    Excluded(String, String),
    /// There is a constraint on names of this kind, which cannot be compared.
    #[error("{0} constrains names such as {1}, which cannot be compared with the constraint")]
    NotComparable(String, String),
    /// The comparison of names with constraints would take too long.
    #[error("it has too many names for the name constraints of {0}")]
    TooManyNames(String),
    /// The extension allows an operation that a signature key does not have.
    #[error("its key usage is not that of a signature key")]
    NotForSigning,
    /// RFC 5280, sections 4.2.1.3 and 4.2.1.9.
    #[error("its key usage includes keyCertSign, and it is not an authority")]
    CertSignWithoutAuthority,
    /// RFC 5280, section 4.2.1.10.
    #[error("it has name constraints, and it is not an authority")]
    ConstraintsWithoutAuthority,
    /// A critical extension is unknown.
    #[error("its critical extension {0} is unknown, and must not be ignored")]
    UnknownExtension(ObjectIdentifier),
    /// An extension occurs several times.
    #[error("its extension {0} occurs twice")]
    RepeatedExtension(ObjectIdentifier),
    /// The value of an extension violates its standard.
    #[error("its extension {0} is malformed")]
    MalformedExtension(ObjectIdentifier),
    /// RFC 5280, section 4.1: SIZE (1..MAX).
    #[error("its list of extensions is empty")]
    NoExtensions,
    /// RFC 5280, section 4.1.2.4.
    #[error("it does not name its issuer")]
    Nameless,
    /// RFC 5280, section 4.1.2.6.
    #[error("it is an authority without a subject")]
    NamelessAuthority,
    /// RFC 5280, sections 4.1.2.6 and 4.2.1.6.
    #[error("it has neither a subject nor a critical extension with alternative names")]
    NamelessSubject,
    /// A string in the issuer or the subject does not match its type.
    #[error("the text of its {0} is malformed")]
    MalformedName(&'static str),
    /// RFC 5280, section 4.1.2.2.
    #[error("its serial number is {0}; it has to be positive and of at most 20 bytes")]
    SerialNumber(&'static str),
    /// RFC 5280, section 4.1.2.5.
    #[error("it writes a time before 2050 as a GeneralizedTime")]
    TimeType,
    /// X.690, section 11.
    #[error("it is not encoded in DER: a default value is written out, or a set is not in order")]
    NotDer,
    /// RFC 5280, section 4.1.2.1.
    #[error("it has extensions, which require version 3")]
    OldVersion,
    /// RFC 5280, section 4.1.2.8.
    #[error("it has a unique identifier, which RFC 5280 forbids")]
    UniqueIdentifier,
    /// The extended key usage does not include the purpose.
    #[error("it is not for the purpose {0}")]
    NotForPurpose(String),
    /// The extended key usage does not state the purpose as its standard requires.
    #[error("it does not state the purpose {0}, which has to be listed{1}")]
    PurposeNotStated(String, &'static str),
    /// It is an authority, or its key may not sign.
    #[error(
        "it cannot serve the purpose {0}: it is an authority, or its key usage does not allow signatures"
    )]
    NotServing(String),
    /// Its key usage or its purposes do not include signatures of messages.
    #[error("its key usage or its purposes do not allow signatures of messages")]
    NotForMessages,
    /// No alternative name matches the host.
    #[error("it is not for the host that --host names")]
    Host,
    /// A CRL of its issuer lists it.
    #[error("it was revoked {0} ({1})")]
    Revoked(String, String),
    /// The only CRLs of its issuer are refused.
    #[error("the CRL {0} cannot be used: {1}")]
    Crl(String, String),
    /// There is no CRL of its issuer.
    #[error("there is no CRL of its issuer, {0}; name it with --crl")]
    NoCrl(String),
    /// The search for a path exceeds the limit on signatures.
    #[error("there are too many possible paths from it to a root")]
    TooManyWays,
}
