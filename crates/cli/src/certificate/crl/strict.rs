//! The requirements of RFC 5280 on a CRL that the decoder does not check.

use std::collections::BTreeSet;

use der::Encode;
use der::asn1::{GeneralizedTime, OctetString};
use der::oid::db::rfc5280::{
    ID_CE_CERTIFICATE_ISSUER, ID_CE_INVALIDITY_DATE, ID_CE_ISSUING_DISTRIBUTION_POINT,
};
use der::oid::{AssociatedOid, ObjectIdentifier};
use x509_cert::Version;
use x509_cert::crl::{CertificateList, RevokedCert};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::crl::{BaseCrlNumber, IssuingDistributionPoint};
use x509_cert::ext::pkix::{AuthorityKeyIdentifier, CrlNumber, CrlReason};

use super::error::CrlError;
use crate::certificate::decode::decode;
use crate::certificate::error::CertificateError;
use crate::certificate::extensions::check_issuer_key;
use crate::certificate::names::is_well_formed;
use crate::certificate::strict::{check_serial, check_time_type};

/// RFC 5280, section 5.2.3: the largest length of the number of a CRL, in bytes.
pub(super) const MAX_NUMBER: usize = 20;

/// What the extensions of a CRL state.
#[derive(Debug, Default)]
pub(crate) struct CrlExtensions {
    /// Its number, which increases from one CRL of an issuer to the next.
    pub(crate) number: Option<CrlNumber>,
    /// The identifier of the key that signed it.
    pub(crate) key: Option<OctetString>,
}

/// Checks a CRL that was decoded from `der`, without its signature.
pub(super) fn check(list: &CertificateList, der: &[u8]) -> Result<CrlExtensions, CrlError> {
    let body = &list.tbs_cert_list;
    if body.version != Version::V2 {
        return Err(CrlError::Version);
    }
    if body.issuer.is_empty() {
        return Err(CertificateError::Nameless.into());
    }
    if !is_well_formed(&body.issuer) {
        return Err(CertificateError::MalformedName("issuer").into());
    }
    let next = body.next_update.ok_or(CrlError::NoNextUpdate)?;
    check_time_type(body.this_update)?;
    check_time_type(next)?;
    if next.to_unix_duration() < body.this_update.to_unix_duration() {
        return Err(CrlError::Order);
    }
    let extensions = read(body.crl_extensions.as_deref())?;
    check_entries(body.revoked_certificates.as_deref())?;
    // RFC 5280, section 5.1.1.2: the unsigned field has to be equal to the signed one.
    if body.signature != list.signature_algorithm {
        return Err(CertificateError::SignatureAlgorithm.into());
    }
    // The decoder accepts encoded default values, and sets in any order.
    let encoded = list.to_der();
    if encoded.is_ok_and(|encoded| encoded == der) {
        Ok(extensions)
    } else {
        Err(CertificateError::NotDer.into())
    }
}

fn read(extensions: Option<&[Extension]>) -> Result<CrlExtensions, CrlError> {
    let mut found = CrlExtensions::default();
    for extension in each_once(extensions)? {
        match extension.extn_id {
            CrlNumber::OID => {
                let number: CrlNumber = decode(extension)?;
                if number.0.as_bytes().len() > MAX_NUMBER {
                    return Err(CertificateError::MalformedExtension(CrlNumber::OID).into());
                }
                found.number = Some(number);
            }
            AuthorityKeyIdentifier::OID => {
                let key = decode(extension)?;
                check_issuer_key(&key)?;
                found.key = key.key_identifier;
            }
            BaseCrlNumber::OID => return Err(CrlError::Delta),
            ID_CE_ISSUING_DISTRIBUTION_POINT => {
                let point: IssuingDistributionPoint = decode(extension)?;
                return Err(if point.indirect_crl {
                    CrlError::Indirect
                } else {
                    CrlError::Partial
                });
            }
            oid => refuse_critical(extension, oid)?,
        }
    }
    Ok(found)
}

/// The extensions, of which there is at least one if there is a list, and none occurs twice.
fn each_once(extensions: Option<&[Extension]>) -> Result<&[Extension], CertificateError> {
    let all = match extensions {
        None => return Ok(&[]),
        Some([]) => return Err(CertificateError::NoExtensions),
        Some(all) => all,
    };
    let mut seen = BTreeSet::new();
    let mut oids = all.iter().map(|extension| extension.extn_id);
    match oids.find(|oid| !seen.insert(*oid)) {
        Some(oid) => Err(CertificateError::RepeatedExtension(oid)),
        None => Ok(all),
    }
}

fn refuse_critical(extension: &Extension, oid: ObjectIdentifier) -> Result<(), CertificateError> {
    match extension.critical {
        true => Err(CertificateError::UnknownExtension(oid)),
        false => Ok(()),
    }
}

fn check_entries(entries: Option<&[RevokedCert]>) -> Result<(), CrlError> {
    let entries = match entries {
        None => return Ok(()),
        Some([]) => return Err(CrlError::NoEntries),
        Some(entries) => entries,
    };
    let mut seen = BTreeSet::new();
    entries.iter().try_for_each(|entry| {
        let serial = &entry.serial_number;
        if !seen.insert(serial.as_bytes()) {
            return Err(CrlError::Repeated(serial.to_string()));
        }
        match check_entry(entry) {
            Err(CrlError::Field(error)) => Err(CrlError::Entry(serial.to_string(), error)),
            other => other,
        }
    })
}

fn check_entry(entry: &RevokedCert) -> Result<(), CrlError> {
    check_serial(&entry.serial_number)?;
    check_time_type(entry.revocation_date)?;
    for extension in each_once(entry.crl_entry_extensions.as_deref())? {
        match extension.extn_id {
            CrlReason::OID => {
                if decode::<CrlReason>(extension)? == CrlReason::RemoveFromCRL {
                    return Err(CrlError::Removal(entry.serial_number.to_string()));
                }
            }
            ID_CE_INVALIDITY_DATE => drop(decode::<GeneralizedTime>(extension)?),
            ID_CE_CERTIFICATE_ISSUER => return Err(CrlError::Indirect),
            oid => refuse_critical(extension, oid)?,
        }
    }
    Ok(())
}

/// Whether the first number is smaller.
pub(super) fn is_less(one: &CrlNumber, other: &CrlNumber) -> bool {
    let [one, other] = [one, other].map(|number| number.0.as_bytes());
    (one.len(), one) < (other.len(), other)
}
