//! A message and what can be read from it before it is verified.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use cms::signed_data;
use der::asn1::{Any, ObjectIdentifier};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;

use crate::certificate::Certificate;
use crate::digest::{ContentDigest, DigestAlgorithm};
use crate::encoding::Parts;
use crate::error::Error;
use crate::{attributes, limits, pem};

/// A message of the type SignedData (RFC 5652, section 5).
///
/// That a value exists means only that the structure could be read. Only what [`Self::verify`] and
/// [`Self::verify_all`] return has been verified.
///
/// ```
/// use moissanite_cms::{Error, SignedData};
///
/// assert_eq!(SignedData::from_der(b"nonsense").unwrap_err(), Error::Der);
/// ```
#[derive(Clone)]
pub struct SignedData {
    parts: Parts,
    der: Vec<u8>,
}

impl SignedData {
    pub(crate) fn new(parts: Parts) -> Result<Self, Error> {
        let der = parts.encode()?;
        limits::check("message", der.len(), limits::MESSAGE)?;
        Ok(Self { parts, der })
    }

    /// Reads a ContentInfo with SignedData in DER.
    ///
    /// RFC 5652 permits BER for all but the signed attributes. This function refuses BER that is not DER, such as
    /// indefinite lengths, so that each message has one encoding.
    ///
    /// # Errors
    /// [`Error::Der`]; [`Error::NotSignedData`]; [`Error::Version`]; [`Error::UnsupportedFormat`];
    /// [`Error::Certificate`] if an X.509 certificate in the message is malformed; [`Error::Attribute`];
    /// [`Error::TooLong`].
    pub fn from_der(der: &[u8]) -> Result<Self, Error> {
        Ok(Self {
            parts: Parts::decode(der)?,
            der: der.into(),
        })
    }

    /// Reads a message in PEM, with the label `CMS` (RFC 7468, section 9).
    ///
    /// # Errors
    /// [`Error::Pem`], also for another label, and those of [`Self::from_der`].
    pub fn from_pem(text: impl AsRef<[u8]>) -> Result<Self, Error> {
        let text = text.as_ref();
        limits::check("message", text.len(), limits::MESSAGE)?;
        Self::from_der(&pem::decode(text, "CMS")?)
    }

    /// The ContentInfo in DER.
    #[must_use]
    pub fn as_der(&self) -> &[u8] {
        &self.der
    }

    /// Encodes the message as PEM, with the label `CMS`.
    ///
    /// # Errors
    /// [`Error::Pem`] if the text is longer than the memory.
    pub fn to_pem(&self) -> Result<String, Error> {
        pem::encode("CMS", &self.der)
    }

    /// Whether the content is in the message.
    #[must_use]
    pub fn is_attached(&self) -> bool {
        self.parts.content.econtent.is_some()
    }

    /// The content in the message, if it is attached. It has not been verified.
    #[must_use]
    pub fn unverified_content(&self) -> Option<&[u8]> {
        self.parts.content.econtent.as_ref().map(Any::value)
    }

    /// The type of the content; [`DATA`](crate::DATA) for bytes without a structure. It has not been verified.
    #[must_use]
    pub fn unverified_content_type(&self) -> ObjectIdentifier {
        self.parts.content.econtent_type
    }

    /// The certificates in the message, in the order of their encodings. Anyone can put any certificate there: the
    /// caller validates a path from a trusted authority to the certificate of a signer before it uses the key.
    pub fn untrusted_certificates(&self) -> impl ExactSizeIterator<Item = &Certificate> {
        self.parts.certificates.iter()
    }

    /// What the message says of its signers, which has not been verified.
    pub fn unverified_signers(&self) -> impl ExactSizeIterator<Item = SignerInfo<'_>> {
        self.parts.signers.iter().map(|info| SignerInfo {
            info,
            certificates: &self.parts.certificates,
        })
    }

    /// Begins the digests of a detached content that the signers with signed attributes use.
    #[must_use]
    pub fn content_digest(&self) -> ContentDigest {
        let signers = self.unverified_signers();
        ContentDigest::new(signers.filter_map(|signer| signer.digest_algorithm()))
    }

    /// Whether the list of digest algorithms contains this one.
    pub(crate) fn lists(&self, digest: ObjectIdentifier) -> bool {
        let mut listed = self.parts.digest_algorithms.iter();
        listed.any(|algorithm| algorithm.oid == digest)
    }
}

/// The encodings are compared.
impl PartialEq for SignedData {
    fn eq(&self, other: &Self) -> bool {
        self.der == other.der
    }
}

impl Eq for SignedData {}

impl fmt::Debug for SignedData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignedData")
            .field("attached", &self.is_attached())
            .field("certificates", &self.parts.certificates)
            .field("signers", &self.parts.signers.len())
            .finish_non_exhaustive()
    }
}

/// How a message names the certificate of a signer (RFC 5652, section 5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignerIdentifier<'a> {
    /// The issuer and the serial number.
    IssuerAndSerialNumber(&'a Name, &'a SerialNumber),
    /// The subject key identifier.
    SubjectKeyIdentifier(&'a [u8]),
}

/// What a message says of one of its signers.
#[derive(Clone, Copy)]
pub struct SignerInfo<'a> {
    pub(crate) info: &'a signed_data::SignerInfo,
    certificates: &'a [Certificate],
}

impl<'a> SignerInfo<'a> {
    /// The identifier of the certificate.
    #[must_use]
    pub fn identifier(&self) -> SignerIdentifier<'a> {
        match &self.info.sid {
            signed_data::SignerIdentifier::IssuerAndSerialNumber(name) => {
                SignerIdentifier::IssuerAndSerialNumber(&name.issuer, &name.serial_number)
            }
            signed_data::SignerIdentifier::SubjectKeyIdentifier(key) => {
                SignerIdentifier::SubjectKeyIdentifier(key.0.as_bytes())
            }
        }
    }

    /// The certificate in the message that the identifier names, if there is one. It is not trusted: see
    /// [`SignedData::untrusted_certificates`].
    #[must_use]
    pub fn untrusted_certificate(&self) -> Option<&'a Certificate> {
        let mut certificates = self.certificates.iter();
        certificates.find(|certificate| certificate.is_identified_by(&self.info.sid))
    }

    /// The object identifier of the signature algorithm.
    #[must_use]
    pub fn signature_algorithm(&self) -> ObjectIdentifier {
        self.info.signature_algorithm.oid
    }

    /// The digest algorithm of the signed attributes; `None` if there are none, or if it is not known.
    #[must_use]
    pub fn digest_algorithm(&self) -> Option<DigestAlgorithm> {
        self.info.signed_attrs.as_ref()?;
        DigestAlgorithm::read(&self.info.digest_alg).ok()
    }

    /// Whether the signature is over signed attributes, which contain a digest of the content.
    #[must_use]
    pub fn has_signed_attributes(&self) -> bool {
        self.info.signed_attrs.is_some()
    }

    /// The signing time that the signer states, in seconds after 1970-01-01 UTC; `None` if it states none, or a
    /// malformed one. Nobody but the signer attests it.
    #[must_use]
    pub fn signing_time(&self) -> Option<u64> {
        let attributes = self.info.signed_attrs.as_ref()?;
        attributes::signing_time(attributes).ok().flatten()
    }
}

impl fmt::Debug for SignerInfo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignerInfo")
            .field("identifier", &self.identifier())
            .finish_non_exhaustive()
    }
}
