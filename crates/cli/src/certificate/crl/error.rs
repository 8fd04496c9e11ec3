//! The reasons for which a CRL is refused.

use x509_cert::time::Time;

use crate::certificate::error::CertificateError;

/// Why a CRL is refused. Messages put the name of its file before the text.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CrlError {
    /// A field or an extension violates RFC 5280 in a way that a certificate can, too.
    #[error(transparent)]
    Field(#[from] CertificateError),
    /// An entry violates RFC 5280.
    #[error("in its entry {0}: {1}")]
    Entry(String, CertificateError),
    /// RFC 5280, section 5.1.2.1.
    #[error("it is not of version 2")]
    Version,
    /// RFC 5280, section 5.1.2.5.
    #[error("it does not state when the next CRL follows")]
    NoNextUpdate,
    /// The next CRL is due before this one is issued.
    #[error("it ends before it begins")]
    Order,
    /// RFC 5280, section 5.1.2.6.
    #[error("its list of revoked certificates is empty; a CRL without any has no list")]
    NoEntries,
    /// There are two entries with one serial number.
    #[error("it lists the serial number {0} twice")]
    Repeated(String),
    /// RFC 5280, section 5.2.4.
    #[error("it is a delta CRL, which is not supported")]
    Delta,
    /// RFC 5280, sections 5.2.5 and 5.3.3.
    #[error(
        "it is an indirect CRL, which lists certificates of other issuers and is not supported"
    )]
    Indirect,
    /// RFC 5280, section 5.2.5.
    #[error(
        "its issuing distribution point limits it to a part of the certificates, which is not supported"
    )]
    Partial,
    /// RFC 5280, section 5.3.1: the reason is for delta CRLs only.
    #[error("its entry {0} has the reason removeFromCRL, which only a delta CRL can have")]
    Removal(String),
    /// It is issued later.
    #[error("it is not valid before {0}")]
    Early(Time),
    /// A newer CRL is due.
    #[error("it expired on {0}, when the next CRL was due")]
    Late(Time),
    /// The key identifiers differ.
    #[error("it is issued with another key than that of {0}")]
    OtherKey(String),
    /// Another key signed it, or it was changed.
    #[error("it is not signed by the key of {0}")]
    Signature(String),
    /// RFC 5280, section 6.3.3 (f).
    #[error("the key usage of {0} does not include cRLSign")]
    NotForCrls(String),
}
