//! What the extensions of a certificate say.

use std::collections::BTreeSet;
use std::net::IpAddr;

use der::Decode;
use der::oid::{AssociatedOid, ObjectIdentifier};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::{
    BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages, NameConstraints, SubjectAltName,
};
use x509_cert::{Certificate, Version};

use super::chain::Refusal;

/// Those that decide something here.
#[derive(Debug, Default)]
pub(crate) struct Extensions {
    /// May issue certificates, and how many further authorities there may be below it.
    pub(crate) constraints: Option<BasicConstraints>,
    /// What the key may do.
    pub(crate) usage: Option<KeyUsage>,
    /// For what the key may be used.
    pub(crate) purposes: Option<ExtendedKeyUsage>,
    /// Names and addresses.
    pub(crate) names: Option<SubjectAltName>,
}

impl Extensions {
    /// Refuses them where they have no place (RFC 5280, section 4.1.2.1 and .8): an old certificate,
    /// and one whose names are told apart by identifiers, which are not looked at here.
    pub(crate) fn of(certificate: &Certificate) -> Result<Self, Refusal> {
        let body = certificate.tbs_certificate();
        let all = body.extensions();
        if all.is_some() && body.version() != Version::V3 {
            return Err(Refusal::OldVersion);
        }
        if body.issuer_unique_id().is_some() || body.subject_unique_id().is_some() {
            return Err(Refusal::UniqueIdentifier);
        }
        Self::read(all.map(Vec::as_slice).unwrap_or_default())
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
                // Critical or not, it would have to be obeyed.
                NameConstraints::OID => return Err(Refusal::UnknownExtension(oid)),
                _ if extension.critical => return Err(Refusal::UnknownExtension(oid)),
                _ => {}
            }
        }
        if found.names.as_ref().is_some_and(|names| names.0.is_empty()) {
            return Err(Refusal::MalformedExtension(SubjectAltName::OID));
        }
        found.check_usage()?;
        Ok(found)
    }

    /// RFC 9881, section 5, and what Ed25519 and the composites have to the same effect: the key
    /// signs, and is good for nothing else.
    fn check_usage(&self) -> Result<(), Refusal> {
        let Some(usage) = self.usage else {
            return Ok(());
        };
        let signs = KeyUsages::DigitalSignature
            | KeyUsages::NonRepudiation
            | KeyUsages::KeyCertSign
            | KeyUsages::CRLSign;
        if usage.0.is_empty() || !signs.contains(usage.0) {
            return Err(Refusal::NotForSigning);
        }
        Ok(())
    }

    /// Whether it is an authority, with a key for that.
    pub(crate) fn may_issue(&self) -> bool {
        let constraints = self.constraints.as_ref();
        constraints.is_some_and(|constraints| constraints.ca)
            && self.usage.is_none_or(|usage| usage.key_cert_sign())
    }

    /// Whether it and what it issues can be for servers.
    pub(crate) fn is_for_servers(&self) -> bool {
        let purposes = self.purposes.as_ref();
        purposes.is_none_or(|purposes| purposes.0.contains(&FOR_SERVERS))
    }

    /// Whether it can be a server's own: its key signs handshakes, and it is no authority.
    pub(crate) fn may_serve(&self) -> bool {
        let constraints = self.constraints.as_ref();
        !constraints.is_some_and(|constraints| constraints.ca)
            && self.usage.is_none_or(|usage| usage.digital_signature())
    }

    /// How many further authorities there may be below it.
    pub(crate) fn path_length(&self) -> Option<u8> {
        self.constraints.as_ref()?.path_len_constraint
    }
}

/// What is not read here counts as malformed: a path length above 255, names of the kind
/// x400Address, and names in the DNS outside ASCII.
pub(crate) fn decode<'a, T: Decode<'a, Error = der::Error>>(
    extension: &'a Extension,
) -> Result<T, Refusal> {
    let value = T::from_der(extension.extn_value.as_bytes());
    value.map_err(|_| Refusal::MalformedExtension(extension.extn_id))
}

/// Four bytes or sixteen.
pub(crate) fn address_of(bytes: &[u8]) -> Option<IpAddr> {
    let four = <[u8; 4]>::try_from(bytes).map(IpAddr::from);
    four.or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from))
        .ok()
}

/// id-kp-serverAuth.
const FOR_SERVERS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.1");
