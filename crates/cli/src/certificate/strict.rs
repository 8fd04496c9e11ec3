//! The requirements of RFC 5280 on a single certificate that the decoder does not check.

use der::Encode;
use x509_cert::serial_number::SerialNumber;
use x509_cert::time::Time;
use x509_cert::{Certificate, Version};

use super::error::CertificateError;
use super::names::is_well_formed;

/// The last year that is written as a UTCTime.
const LAST_UTC_YEAR: u16 = 2049;
/// The largest length of a serial number, in bytes.
const MAX_SERIAL: usize = 20;

/// Checks the basic fields of the certificate that was decoded from `der`.
pub(super) fn check(certificate: &Certificate, der: &[u8]) -> Result<(), CertificateError> {
    let body = certificate.tbs_certificate();
    if body.issuer().is_empty() {
        return Err(CertificateError::Nameless);
    }
    for (name, field) in [(body.issuer(), "issuer"), (body.subject(), "subject")] {
        if !is_well_formed(name) {
            return Err(CertificateError::MalformedName(field));
        }
    }
    check_serial(body.serial_number())?;
    let validity = body.validity();
    for time in [validity.not_before, validity.not_after] {
        check_time_type(time)?;
    }
    match body.extensions() {
        Some(_) if body.version() != Version::V3 => return Err(CertificateError::OldVersion),
        Some(extensions) if extensions.is_empty() => return Err(CertificateError::NoExtensions),
        _ => {}
    }
    if body.issuer_unique_id().is_some() || body.subject_unique_id().is_some() {
        return Err(CertificateError::UniqueIdentifier);
    }
    // RFC 5280, section 4.1.1.2: the unsigned field has to be equal to the signed one.
    if body.signature() != certificate.signature_algorithm() {
        return Err(CertificateError::SignatureAlgorithm);
    }
    // The decoder accepts encoded default values, and sets in any order.
    let encoded = certificate.to_der();
    if encoded.is_ok_and(|encoded| encoded == der) {
        Ok(())
    } else {
        Err(CertificateError::NotDer)
    }
}

pub(super) fn check_serial(serial: &SerialNumber) -> Result<(), CertificateError> {
    let bytes = serial.as_bytes();
    let wrong = match bytes {
        [0x80..=0xff, ..] => "negative",
        _ if bytes.iter().all(|byte| *byte == 0) => "zero",
        _ if bytes.len() > MAX_SERIAL => "too long",
        _ => return Ok(()),
    };
    Err(CertificateError::SerialNumber(wrong))
}

pub(super) fn check_time_type(time: Time) -> Result<(), CertificateError> {
    match time {
        Time::GeneralTime(time) if time.to_date_time().year() <= LAST_UTC_YEAR => {
            Err(CertificateError::TimeType)
        }
        _ => Ok(()),
    }
}
