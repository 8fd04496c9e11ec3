//! What the extensions of a certificate say.

use std::collections::BTreeSet;
use std::net::IpAddr;

use der::oid::{AssociatedOid, ObjectIdentifier};
use der::{Decode, Encode};
use x509_cert::TbsCertificate;
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{
    AuthorityKeyIdentifier, BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages,
    NameConstraints, SubjectAltName, SubjectKeyIdentifier,
};

use super::constraints::Constraints;
use super::names::is_well_formed;
use super::refusal::Refusal;
use crate::algorithm::by_oid;

/// Those that decide something here.
#[derive(Debug, Default)]
pub(crate) struct Extensions {
    /// May issue certificates, and how many further authorities there may be below it.
    constraints: Option<BasicConstraints>,
    /// What the key may do.
    usage: Option<KeyUsage>,
    /// For what the key may be used.
    purposes: Option<ExtendedKeyUsage>,
    /// Names and addresses.
    pub(crate) names: Option<SubjectAltName>,
    /// Which names it may certify.
    pub(crate) name_constraints: Option<Constraints>,
}

impl Extensions {
    /// Reads those of a certificate. Refuses what they may not say together, or with its subject and
    /// its key.
    pub(crate) fn of(body: &TbsCertificate) -> Result<Self, Refusal> {
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

    /// Refuses one that comes twice, one that is malformed, and one that is critical and not known.
    pub(crate) fn read(extensions: &[Extension]) -> Result<Self, Refusal> {
        let mut found = Self::default();
        let mut seen = BTreeSet::new();
        for extension in extensions {
            let oid = extension.extn_id;
            if !seen.insert(oid) {
                return Err(Refusal::RepeatedExtension(oid));
            }
            match oid {
                BasicConstraints::OID => found.constraints = Some(decode(extension)?),
                KeyUsage::OID => found.usage = Some(decode(extension)?),
                ExtendedKeyUsage::OID => found.purposes = Some(decode(extension)?),
                SubjectAltName::OID => found.names = Some(decode(extension)?),
                NameConstraints::OID => {
                    found.name_constraints = Some(Constraints::read(extension)?);
                }
                SubjectKeyIdentifier::OID => drop(decode::<SubjectKeyIdentifier>(extension)?),
                AuthorityKeyIdentifier::OID => check_issuer_key(&decode(extension)?)?,
                _ if extension.critical => return Err(Refusal::UnknownExtension(oid)),
                _ => {}
            }
        }
        found.check_values()?;
        Ok(found)
    }

    /// Refuses values that are empty, and addresses that are none.
    fn check_values(&self) -> Result<(), Refusal> {
        let is_name = |name: &GeneralName| match name {
            GeneralName::IpAddress(address) => address_of(address.as_bytes()).is_some(),
            GeneralName::DirectoryName(name) => is_well_formed(name),
            _ => true,
        };
        let malformed = |oid| Err(Refusal::MalformedExtension(oid));
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

    /// RFC 5280, sections 4.2.1.3, 4.2.1.9 and 4.2.1.10: what only an authority has.
    fn check_authority(&self) -> Result<(), Refusal> {
        if self.is_authority() {
            return Ok(());
        }
        if self.path_length().is_some() {
            return Err(Refusal::MalformedExtension(BasicConstraints::OID));
        }
        if self.usage.is_some_and(|usage| usage.key_cert_sign()) {
            return Err(Refusal::CertSignWithoutAuthority);
        }
        if self.name_constraints.is_some() {
            return Err(Refusal::ConstraintsWithoutAuthority);
        }
        Ok(())
    }

    /// RFC 9881, section 5, and what Ed25519 and the composites have to the same effect: the key
    /// signs, and is good for nothing else.
    fn check_usage(&self) -> Result<(), Refusal> {
        let signs = KeyUsages::DigitalSignature
            | KeyUsages::NonRepudiation
            | KeyUsages::KeyCertSign
            | KeyUsages::CRLSign;
        match self.usage {
            Some(usage) if !signs.contains(usage.0) => Err(Refusal::NotForSigning),
            _ => Ok(()),
        }
    }

    /// RFC 5280, sections 4.1.2.6 and 4.2.1.6: a certificate without a subject.
    fn check_nameless(&self, all: &[Extension]) -> Result<(), Refusal> {
        let is_name = |one: &Extension| one.extn_id == SubjectAltName::OID && one.critical;
        if self.is_authority() {
            return Err(Refusal::NamelessAuthority);
        }
        if all.iter().any(is_name) {
            Ok(())
        } else {
            Err(Refusal::NamelessSubject)
        }
    }

    /// Whether it is an authority.
    fn is_authority(&self) -> bool {
        let constraints = self.constraints.as_ref();
        constraints.is_some_and(|constraints| constraints.ca)
    }

    /// Whether it is an authority, with a key for that.
    pub(crate) fn may_issue(&self) -> bool {
        self.is_authority() && self.usage.is_none_or(|usage| usage.key_cert_sign())
    }

    /// Whether it and what it issues can be for servers.
    pub(crate) fn is_for_servers(&self) -> bool {
        let is_server = |purpose| [FOR_SERVERS, FOR_ANYTHING].contains(purpose);
        let purposes = self.purposes.as_ref();
        purposes.is_none_or(|purposes| purposes.0.iter().any(is_server))
    }

    /// Whether it can be a server's own: its key signs handshakes, and it is no authority. One that is
    /// a root itself can be both.
    pub(crate) fn may_serve(&self, is_root: bool) -> bool {
        (is_root || !self.is_authority())
            && self.usage.is_none_or(|usage| usage.digital_signature())
    }

    /// How many further authorities there may be below it.
    pub(crate) fn path_length(&self) -> Option<u8> {
        self.constraints.as_ref()?.path_len_constraint
    }
}

/// RFC 5280, section 4.2.1.1: the issuer's certificate is named by both its issuer and its number.
fn check_issuer_key(key: &AuthorityKeyIdentifier) -> Result<(), Refusal> {
    let names = key.authority_cert_issuer.as_ref();
    let is_named = names.is_some_and(|names| !names.is_empty());
    if names.is_some() == is_named && is_named == key.authority_cert_serial_number.is_some() {
        Ok(())
    } else {
        Err(Refusal::MalformedExtension(AuthorityKeyIdentifier::OID))
    }
}

/// The value, whose encoding has to be DER. What is not read here counts as malformed: a path length
/// above 255, names of the kind x400Address, and names in the DNS outside ASCII.
pub(crate) fn decode<'a, T: Decode<'a, Error = der::Error> + Encode>(
    extension: &'a Extension,
) -> Result<T, Refusal> {
    let bytes = extension.extn_value.as_bytes();
    let value = T::from_der(bytes).ok();
    let is_der = |value: &T| value.to_der().is_ok_and(|encoded| encoded == bytes);
    let malformed = Refusal::MalformedExtension(extension.extn_id);
    value.filter(is_der).ok_or(malformed)
}

/// Four bytes or sixteen.
pub(crate) fn address_of(bytes: &[u8]) -> Option<IpAddr> {
    let four = <[u8; 4]>::try_from(bytes).map(IpAddr::from);
    four.or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from))
        .ok()
}

/// id-kp-serverAuth.
const FOR_SERVERS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.1");
/// anyExtendedKeyUsage.
const FOR_ANYTHING: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.37.0");
