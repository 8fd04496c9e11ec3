//! The structure of a message in DER.
//!
//! The elements of its sets are kept as they are, and not as the types of the crate `cms`, which would encode
//! certificates again and sort sets by the lengths of their elements in another way than DER.

use alloc::vec::Vec;

use cms::content_info::{CmsVersion, ContentInfo};
use cms::signed_data::{EncapsulatedContentInfo, SignerIdentifier, SignerInfo};
use der::asn1::{Any, ObjectIdentifier, SetOfVec};
use der::{Decode, Encode, Sequence, Tag, Tagged};
use x509_cert::spki::AlgorithmIdentifierOwned;

use crate::certificate::Certificate;
use crate::error::Error;
use crate::limits;

/// The content type of bytes without a structure, id-data (RFC 5652, section 4).
pub const DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.1");
const SIGNED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.2");

/// SignedData (RFC 5652, section 5.1).
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
struct Structure {
    version: CmsVersion,
    digest_algorithms: SetOfVec<AlgorithmIdentifierOwned>,
    content: EncapsulatedContentInfo,
    #[asn1(context_specific = "0", tag_mode = "IMPLICIT", optional = "true")]
    certificates: Option<SetOfVec<Any>>,
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", optional = "true")]
    crls: Option<SetOfVec<Any>>,
    signers: SetOfVec<Any>,
}

/// The parts of a message.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) digest_algorithms: Vec<AlgorithmIdentifierOwned>,
    pub(crate) content: EncapsulatedContentInfo,
    pub(crate) certificates: Vec<Certificate>,
    pub(crate) signers: Vec<SignerInfo>,
}

/// The version of a signer with this identifier (RFC 5652, section 5.3).
pub(crate) fn signer_version(identifier: &SignerIdentifier) -> CmsVersion {
    match identifier {
        SignerIdentifier::IssuerAndSerialNumber(_) => CmsVersion::V1,
        SignerIdentifier::SubjectKeyIdentifier(_) => CmsVersion::V3,
    }
}

impl Parts {
    /// The version of a message whose certificates are all of X.509, and whose revocation information is CRLs.
    fn version(&self) -> CmsVersion {
        let is_v3 = |signer: &SignerInfo| signer.version == CmsVersion::V3;
        if self.content.econtent_type != DATA || self.signers.iter().any(is_v3) {
            CmsVersion::V3
        } else {
            CmsVersion::V1
        }
    }

    /// Encodes the parts as a ContentInfo.
    pub(crate) fn encode(&self) -> Result<Vec<u8>, Error> {
        let certificates = self.certificates.iter();
        let certificates: Vec<_> = certificates
            .map(|certificate| Any::from_der(certificate.as_der()))
            .collect::<Result<_, _>>()
            .map_err(|_| Error::Certificate)?;
        let signers = self.signers.iter().map(Any::encode_from);
        let signers: Vec<_> = signers.collect::<Result<_, _>>().map_err(|_| Error::Der)?;
        let structure = || {
            Ok(Structure {
                version: self.version(),
                digest_algorithms: SetOfVec::try_from(self.digest_algorithms.clone())?,
                content: self.content.clone(),
                certificates: if certificates.is_empty() {
                    None
                } else {
                    Some(SetOfVec::try_from(certificates)?)
                },
                crls: None,
                signers: SetOfVec::try_from(signers)?,
            })
        };
        wrap(&structure().map_err(|_: der::Error| Error::Der)?)
    }

    /// Decodes a ContentInfo, which has to be DER.
    pub(crate) fn decode(der: &[u8]) -> Result<Self, Error> {
        limits::check("message", der.len(), limits::MESSAGE)?;
        let info = ContentInfo::from_der(der).map_err(|_| Error::Der)?;
        if info.content_type != SIGNED_DATA {
            return Err(Error::NotSignedData);
        }
        let structure: Structure = info.content.decode_as().map_err(|_| Error::Der)?;
        // The decoder accepts sets in any order.
        if wrap(&structure)? != der {
            return Err(Error::Der);
        }
        let parts = Self {
            certificates: certificates(structure.certificates)?,
            signers: signers(&structure.signers)?,
            digest_algorithms: structure.digest_algorithms.into_vec(),
            content: structure.content,
        };
        check_crls(structure.crls.as_ref())?;
        let content = parts.content.econtent.as_ref();
        if content.is_some_and(|content| content.tag() != Tag::OctetString) {
            return Err(Error::Der);
        }
        if parts.version() != structure.version {
            return Err(Error::Version);
        }
        Ok(parts)
    }
}

fn wrap(structure: &Structure) -> Result<Vec<u8>, Error> {
    let content = Any::encode_from(structure).map_err(|_| Error::Der)?;
    let info = ContentInfo {
        content_type: SIGNED_DATA,
        content,
    };
    info.to_der().map_err(|_| Error::Der)
}

fn certificates(set: Option<SetOfVec<Any>>) -> Result<Vec<Certificate>, Error> {
    let set = set.map(SetOfVec::into_vec).unwrap_or_default();
    limits::check("certificates", set.len(), limits::CERTIFICATES)?;
    let read = |element: Any| {
        // The other formats have the tags [0] to [3].
        if element.tag() != Tag::Sequence {
            return Err(Error::UnsupportedFormat);
        }
        let der = element.to_der().map_err(|_| Error::Certificate)?;
        Certificate::from_der(&der)
    };
    set.into_iter().map(read).collect()
}

/// Refuses other formats, because they determine the version of the message. CRLs themselves are ignored.
fn check_crls(set: Option<&SetOfVec<Any>>) -> Result<(), Error> {
    let mut elements = set.into_iter().flat_map(|set| set.iter());
    if elements.any(|element| element.tag() != Tag::Sequence) {
        return Err(Error::UnsupportedFormat);
    }
    Ok(())
}

fn signers(set: &SetOfVec<Any>) -> Result<Vec<SignerInfo>, Error> {
    limits::check("signers", set.len(), limits::SIGNERS)?;
    let read = |element: &Any| {
        let signer: SignerInfo = element.decode_as().map_err(|_| Error::Der)?;
        // The signed attributes have to be DER even where a message need not be.
        match Any::encode_from(&signer) {
            Ok(canonical) if canonical == *element => {}
            _ => return Err(Error::Der),
        }
        for attributes in [&signer.signed_attrs, &signer.unsigned_attrs] {
            let Some(attributes) = attributes else {
                continue;
            };
            limits::check("attributes", attributes.len(), limits::ATTRIBUTES)?;
            if attributes.is_empty() {
                return Err(Error::Attribute);
            }
        }
        if signer.version != signer_version(&signer.sid) {
            return Err(Error::Version);
        }
        Ok(signer)
    };
    set.iter().map(read).collect()
}
