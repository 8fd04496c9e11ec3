//! The extensions of a certificate.

use std::collections::BTreeSet;

use der::oid::db::rfc5280::ANY_EXTENDED_KEY_USAGE;
use der::oid::{AssociatedOid, ObjectIdentifier};
use x509_cert::TbsCertificate;
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{
    AuthorityKeyIdentifier, BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages,
    NameConstraints, SubjectAltName, SubjectKeyIdentifier,
};

use super::constraints::Constraints;
use super::decode::{address_of, decode};
use super::error::CertificateError;
use super::names::is_well_formed;
use super::purpose::Purpose;
use crate::algorithm::by_oid;

/// The extensions that path validation uses.
#[derive(Debug, Default)]
pub(crate) struct Extensions {
    /// Whether it is an authority, and how many further authorities may follow below it.
    constraints: Option<BasicConstraints>,
    /// The permitted uses of the key.
    usage: Option<KeyUsage>,
    /// The purposes of the key.
    purposes: Option<ExtendedKeyUsage>,
    /// Whether the extension with the purposes is critical.
    are_purposes_critical: bool,
    /// The identifier of the key.
    pub(crate) key: Option<SubjectKeyIdentifier>,
    /// The names and addresses of the subject.
    pub(crate) names: Option<SubjectAltName>,
    /// The names that an authority may certify.
    pub(crate) name_constraints: Option<Constraints>,
}

impl Extensions {
    /// Reads the extensions of a certificate. Refuses combinations that contradict each other, the
    /// subject or the key.
    pub(crate) fn of(body: &TbsCertificate) -> Result<Self, CertificateError> {
        let all = body.extensions().map(Vec::as_slice).unwrap_or_default();
        let found = Self::read(all)?;
        found.check_authority()?;
        let algorithm = body.subject_public_key_info().algorithm.oid;
        if by_oid(algorithm).is_some() {
            found.check_usage()?;
        }
        if body.subject().is_empty() {
            found.check_nameless(all)?;
        }
        Ok(found)
    }

    /// Reads a list of extensions. Refuses repeated and malformed extensions, and unknown critical ones.
    pub(crate) fn read(extensions: &[Extension]) -> Result<Self, CertificateError> {
        let mut found = Self::default();
        let mut seen = BTreeSet::new();
        for extension in extensions {
            let oid = extension.extn_id;
            if !seen.insert(oid) {
                return Err(CertificateError::RepeatedExtension(oid));
            }
            match oid {
                BasicConstraints::OID => found.constraints = Some(decode(extension)?),
                KeyUsage::OID => found.usage = Some(decode(extension)?),
                ExtendedKeyUsage::OID => {
                    found.purposes = Some(decode(extension)?);
                    found.are_purposes_critical = extension.critical;
                }
                SubjectAltName::OID => found.names = Some(decode(extension)?),
                NameConstraints::OID => {
                    found.name_constraints = Some(Constraints::read(extension)?);
                }
                SubjectKeyIdentifier::OID => found.key = Some(decode(extension)?),
                AuthorityKeyIdentifier::OID => check_issuer_key(&decode(extension)?)?,
                _ if extension.critical => return Err(CertificateError::UnknownExtension(oid)),
                _ => {}
            }
        }
        found.check_values()?;
        Ok(found)
    }

    /// Refuses empty values and malformed names.
    fn check_values(&self) -> Result<(), CertificateError> {
        let is_name = |name: &GeneralName| match name {
            GeneralName::IpAddress(address) => address_of(address.as_bytes()).is_some(),
            GeneralName::DirectoryName(name) => !name.is_empty() && is_well_formed(name),
            GeneralName::DnsName(name)
            | GeneralName::Rfc822Name(name)
            | GeneralName::UniformResourceIdentifier(name) => !name.as_str().trim().is_empty(),
            _ => true,
        };
        let malformed = |oid| Err(CertificateError::MalformedExtension(oid));
        match self {
            Self {
                names: Some(names), ..
            } if names.0.is_empty() || !names.0.iter().all(is_name) => {
                malformed(SubjectAltName::OID)
            }
            Self {
                purposes: Some(purposes),
                ..
            } if purposes.0.is_empty() => malformed(ExtendedKeyUsage::OID),
            Self {
                usage: Some(usage), ..
            } if usage.0.is_empty() => malformed(KeyUsage::OID),
            _ => Ok(()),
        }
    }

    /// RFC 5280, sections 4.2.1.3, 4.2.1.9 and 4.2.1.10: some extensions are for authorities only.
    fn check_authority(&self) -> Result<(), CertificateError> {
        if self.is_authority() {
            return Ok(());
        }
        if self.path_length().is_some() {
            return Err(CertificateError::MalformedExtension(BasicConstraints::OID));
        }
        if self.usage.is_some_and(|usage| usage.key_cert_sign()) {
            return Err(CertificateError::CertSignWithoutAuthority);
        }
        if self.name_constraints.is_some() {
            return Err(CertificateError::ConstraintsWithoutAuthority);
        }
        Ok(())
    }

    /// RFC 9881, section 5, and the same rule for Ed25519 and the composites: the key usage is limited
    /// to signing.
    fn check_usage(&self) -> Result<(), CertificateError> {
        let signs = KeyUsages::DigitalSignature
            | KeyUsages::NonRepudiation
            | KeyUsages::KeyCertSign
            | KeyUsages::CRLSign;
        match self.usage {
            Some(usage) if !signs.contains(usage.0) => Err(CertificateError::NotForSigning),
            _ => Ok(()),
        }
    }

    /// RFC 5280, sections 4.1.2.6 and 4.2.1.6: a certificate without a subject.
    fn check_nameless(&self, all: &[Extension]) -> Result<(), CertificateError> {
        let is_name = |one: &Extension| one.extn_id == SubjectAltName::OID && one.critical;
        if self.is_authority() {
            return Err(CertificateError::NamelessAuthority);
        }
        if all.iter().any(is_name) {
            Ok(())
        } else {
            Err(CertificateError::NamelessSubject)
        }
    }

    /// Whether it is an authority.
    fn is_authority(&self) -> bool {
        let constraints = self.constraints.as_ref();
        constraints.is_some_and(|constraints| constraints.ca)
    }

    /// Whether it is an authority whose key may sign certificates.
    pub(crate) fn may_issue(&self) -> bool {
        self.is_authority() && self.usage.is_none_or(|usage| usage.key_cert_sign())
    }

    /// Whether its key may sign CRLs.
    pub(crate) fn may_sign_crls(&self) -> bool {
        self.usage.is_none_or(|usage| usage.crl_sign())
    }

    /// Whether the purpose is among those of its key, or of certificates below it. Without a list, any is.
    pub(crate) fn is_for(&self, purpose: Purpose) -> bool {
        let is_it = |oid: &ObjectIdentifier| [purpose, Purpose::ANY].contains(&Purpose::of(*oid));
        let purposes = self.purposes.as_ref();
        purposes.is_none_or(|purposes| purposes.0.iter().any(is_it))
    }

    /// Whether an end entity states the purpose as strictly as the purpose requires.
    pub(crate) fn states(&self, purpose: Purpose) -> bool {
        let listed = self.purposes.as_ref().map(|purposes| purposes.0.as_slice());
        let listed = listed.unwrap_or_default();
        if purpose.is_exclusive() {
            return self.are_purposes_critical && listed == [purpose.oid()];
        }
        !purpose.is_explicit() || listed.contains(&purpose.oid())
    }

    /// Whether an end entity with this purpose can use it: its key may sign, and it is not an authority. A root
    /// may be both.
    pub(crate) fn may_serve(&self, purpose: Purpose, is_root: bool) -> bool {
        let signs = |usage: KeyUsage| {
            usage.digital_signature() || purpose.includes_commitment() && usage.non_repudiation()
        };
        (is_root || !self.is_authority()) && self.usage.is_none_or(signs)
    }

    /// Whether its key may sign messages, by its key usage and its purposes.
    pub(crate) fn may_sign_messages(&self) -> bool {
        let signs = KeyUsages::DigitalSignature | KeyUsages::NonRepudiation;
        let purposes = self.purposes.as_ref();
        self.usage.is_none_or(|usage| !usage.0.is_disjoint(signs))
            && purposes
                .is_none_or(|purposes| purposes.0.iter().any(|one| FOR_MESSAGES.contains(one)))
    }

    /// How many further authorities may follow below it.
    pub(crate) fn path_length(&self) -> Option<u8> {
        self.constraints.as_ref()?.path_len_constraint
    }
}

/// RFC 5280, section 4.2.1.1: the issuer's certificate is identified by its issuer together with its
/// serial number.
pub(super) fn check_issuer_key(key: &AuthorityKeyIdentifier) -> Result<(), CertificateError> {
    let names = key.authority_cert_issuer.as_ref();
    let is_named = names.is_some_and(|names| !names.is_empty());
    if names.is_some() == is_named && is_named == key.authority_cert_serial_number.is_some() {
        Ok(())
    } else {
        Err(CertificateError::MalformedExtension(
            AuthorityKeyIdentifier::OID,
        ))
    }
}

/// The purposes of keys that sign messages: id-kp-codeSigning, id-kp-emailProtection, id-kp-documentSigning
/// (RFC 9336), and any.
const FOR_MESSAGES: [ObjectIdentifier; 4] = [
    ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.3"),
    ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.4"),
    ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.36"),
    ANY_EXTENDED_KEY_USAGE,
];
