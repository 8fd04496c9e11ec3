//! Why a certificate, or a path of certificates, is refused.

use der::oid::ObjectIdentifier;
use x509_cert::time::Time;

use crate::key_error::KeyError;

/// Why a certificate is refused. The text follows the name of its file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CertificateError {
    /// Its time has not come.
    #[error("it is not valid before {0}")]
    Early(Time),
    /// Its time is over.
    #[error("it expired on {0}")]
    Late(Time),
    /// No candidate has the name of its issuer.
    #[error("no certificate of its issuer is there: {0}; name it with --root or --intermediate")]
    NoIssuer(String),
    /// A certificate with the issuer's name has a key that cannot verify.
    #[error("the key in {0}, which is called like its issuer, cannot be used: {1}")]
    IssuerKey(String, Box<KeyError>),
    /// Another key signed it, or it has changed.
    #[error("it is not signed by the key of {0}")]
    Signature(String),
    /// RFC 5280, section 4.1.1.2.
    #[error("it names two different signature algorithms")]
    SignatureAlgorithm,
    /// An end entity issues no certificates.
    #[error("{0} issued it, which may not issue certificates")]
    NotAnAuthority(String),
    /// Too many authorities in a row.
    #[error("{0} allows fewer authorities between it and the end of the chain")]
    PathTooLong(String),
    /// RFC 5280, section 4.2.1.10.
    #[error("{0} does not permit the name {1}")]
    NotPermitted(String, String),
    /// RFC 5280, section 4.2.1.10.
    #[error("{0} excludes the name {1}")]
    Excluded(String, String),
    /// A constraint on names of this kind, which cannot be compared.
    #[error("{0} constrains names such as {1}, which cannot be compared with the constraint")]
    NotComparable(String, String),
    /// So many names and constraints that comparing them takes too long.
    #[error("it has too many names for the name constraints of {0}")]
    TooManyNames(String),
    /// A key that signs cannot do what the extension says.
    #[error("its key usage is not that of a key that signs")]
    NotForSigning,
    /// RFC 5280, sections 4.2.1.3 and 4.2.1.9.
    #[error("its key usage includes keyCertSign, and it is not an authority")]
    CertSignWithoutAuthority,
    /// RFC 5280, section 4.2.1.10.
    #[error("it has name constraints, and it is not an authority")]
    ConstraintsWithoutAuthority,
    /// A critical extension that is not known.
    #[error("its extension {0} is not known here, and may not be passed over")]
    UnknownExtension(ObjectIdentifier),
    /// One of them could hide the other.
    #[error("its extension {0} is there twice")]
    RepeatedExtension(ObjectIdentifier),
    /// An extension whose value is not what its standard says.
    #[error("its extension {0} is malformed")]
    MalformedExtension(ObjectIdentifier),
    /// RFC 5280, section 4.1: SIZE (1..MAX).
    #[error("it has a list of extensions, and the list is empty")]
    NoExtensions,
    /// RFC 5280, section 4.1.2.4.
    #[error("it does not say who issued it")]
    Nameless,
    /// RFC 5280, section 4.1.2.6.
    #[error("it is an authority without a subject")]
    NamelessAuthority,
    /// RFC 5280, sections 4.1.2.6 and 4.2.1.6.
    #[error("it has neither a subject nor a critical extension with alternative names")]
    NamelessSubject,
    /// A string in the issuer or the subject that is not of its own type.
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
    #[error("it has extensions, and not the version 3 that they take")]
    OldVersion,
    /// RFC 5280, section 4.1.2.8.
    #[error("it has a unique identifier, which RFC 5280 forbids")]
    UniqueIdentifier,
    /// The purposes do not include servers.
    #[error("it is not for servers")]
    NotForServers,
    /// An authority, or a key that does not sign.
    #[error("it is not a server's own: an authority's, or of a key that does not sign handshakes")]
    NotServing,
    /// No alternative name is the host.
    #[error("it is not for the host that --host names")]
    Host,
    /// A limit on the work of building a path.
    #[error("there are too many ways from it to a root")]
    TooManyWays,
}
