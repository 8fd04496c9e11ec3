//! Decodes the values of extensions.

use std::net::IpAddr;

use der::{Decode, Encode};
use x509_cert::ext::Extension;

use super::error::CertificateError;

/// Decodes the value of an extension, whose encoding has to be DER. Some values that `x509-cert` cannot
/// represent count as malformed: a path length above 255, names of the kind x400Address, and DNS names
/// outside ASCII.
pub(crate) fn decode<'a, T: Decode<'a, Error = der::Error> + Encode>(
    extension: &'a Extension,
) -> Result<T, CertificateError> {
    let bytes = extension.extn_value.as_bytes();
    let value = T::from_der(bytes).ok();
    let is_der = |value: &T| value.to_der().is_ok_and(|encoded| encoded == bytes);
    let malformed = CertificateError::MalformedExtension(extension.extn_id);
    value.filter(is_der).ok_or(malformed)
}

/// The IP address of four bytes or sixteen.
pub(crate) fn address_of(bytes: &[u8]) -> Option<IpAddr> {
    let four = <[u8; 4]>::try_from(bytes).map(IpAddr::from);
    four.or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from))
        .ok()
}
