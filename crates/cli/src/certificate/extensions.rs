//! What the extensions of a certificate say.

use std::collections::BTreeSet;
use std::fmt;
use std::net::IpAddr;

use der::Decode;
use der::oid::{AssociatedOid, ObjectIdentifier};
use x509_cert::Certificate;
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{
    BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages, NameConstraints, SubjectAltName,
};

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
    /// Refuses one that comes twice, one that is malformed, and one that is critical and not known.
    pub(crate) fn of(certificate: &Certificate) -> Result<Self, Refusal> {
        let all = certificate.tbs_certificate().extensions();
        Self::read(all.map(Vec::as_slice).unwrap_or_default())
    }

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

    /// How many further authorities there may be below it.
    pub(crate) fn path_length(&self) -> Option<u8> {
        self.constraints.as_ref()?.path_len_constraint
    }
}

fn decode<'a, T: Decode<'a, Error = der::Error>>(extension: &'a Extension) -> Result<T, Refusal> {
    let value = T::from_der(extension.extn_value.as_bytes());
    value.map_err(|_| Refusal::MalformedExtension(extension.extn_id))
}

/// The names of RFC 5280, section 4.2.1.3.
pub(crate) struct Usage(pub(crate) KeyUsage);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |usage| match usage {
            KeyUsages::DigitalSignature => "digitalSignature",
            KeyUsages::NonRepudiation => "nonRepudiation",
            KeyUsages::KeyEncipherment => "keyEncipherment",
            KeyUsages::DataEncipherment => "dataEncipherment",
            KeyUsages::KeyAgreement => "keyAgreement",
            KeyUsages::KeyCertSign => "keyCertSign",
            KeyUsages::CRLSign => "cRLSign",
            KeyUsages::EncipherOnly => "encipherOnly",
            KeyUsages::DecipherOnly => "decipherOnly",
        };
        let names: Vec<_> = self.0.0.into_iter().map(name).collect();
        f.write_str(&names.join(", "))
    }
}

/// Names as they are read.
pub(crate) fn names(names: &SubjectAltName) -> String {
    let text = |name: &GeneralName| match name {
        GeneralName::DnsName(name) => name.to_string(),
        GeneralName::IpAddress(address) => match address_of(address.as_bytes()) {
            Some(address) => address.to_string(),
            None => "a malformed address".into(),
        },
        GeneralName::Rfc822Name(name) | GeneralName::UniformResourceIdentifier(name) => {
            name.to_string()
        }
        GeneralName::DirectoryName(name) => name.to_string(),
        GeneralName::RegisteredId(oid) => oid.to_string(),
        GeneralName::OtherName(_) | GeneralName::EdiPartyName(_) => "a name of another kind".into(),
    };
    let names: Vec<_> = names.0.iter().map(text).collect();
    names.join(", ")
}

/// Four bytes or sixteen.
pub(crate) fn address_of(bytes: &[u8]) -> Option<IpAddr> {
    let four = <[u8; 4]>::try_from(bytes).map(IpAddr::from);
    four.or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from))
        .ok()
}

/// id-kp-serverAuth, and any purpose.
pub(crate) const FOR_SERVERS: [ObjectIdentifier; 2] = [
    ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.1"),
    ObjectIdentifier::new_unwrap("2.5.29.37.0"),
];
