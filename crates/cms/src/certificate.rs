//! Certificates as they are in a message: their bytes never change.

use alloc::boxed::Box;
use core::fmt;

use cms::cert::IssuerAndSerialNumber;
use cms::signed_data;
use der::Decode;
use x509_cert::ext::pkix::{KeyUsage, KeyUsages, SubjectKeyIdentifier};

use crate::error::Error;
use crate::{limits, pem};

/// A certificate of X.509 (RFC 5280), with its bytes.
///
/// That a value exists means only that the structure could be read. Nothing of it has been verified, and the
/// signature of the issuer least of all.
///
/// ```
/// use moissanite_cms::{Certificate, Error};
///
/// assert_eq!(Certificate::from_der(b"nonsense").unwrap_err(), Error::Certificate);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Certificate {
    der: Box<[u8]>,
    x509: Box<x509_cert::Certificate>,
}

impl Certificate {
    /// Reads a certificate in DER.
    ///
    /// # Errors
    /// [`Error::Certificate`]; [`Error::TooLong`] for more than [`limits::CERTIFICATE`] bytes.
    pub fn from_der(der: &[u8]) -> Result<Self, Error> {
        limits::check("certificate", der.len(), limits::CERTIFICATE)?;
        let x509 = x509_cert::Certificate::from_der(der).map_err(|_| Error::Certificate)?;
        Ok(Self {
            der: der.into(),
            x509: Box::new(x509),
        })
    }

    /// Reads a certificate in PEM, with the label `CERTIFICATE`.
    ///
    /// # Errors
    /// [`Error::Pem`], and those of [`Self::from_der`].
    pub fn from_pem(text: impl AsRef<[u8]>) -> Result<Self, Error> {
        let text = text.as_ref();
        limits::check("certificate", text.len(), limits::CERTIFICATE)?;
        Self::from_der(&pem::decode(text, "CERTIFICATE")?)
    }

    /// The bytes.
    #[must_use]
    pub fn as_der(&self) -> &[u8] {
        &self.der
    }

    /// The fields.
    #[must_use]
    pub fn x509(&self) -> &x509_cert::Certificate {
        &self.x509
    }

    /// Checks that the key is for signatures of messages: if there is a key usage, it has to permit digital
    /// signatures or non-repudiation (RFC 9881, section 5; RFC 8551, section 4.4.2).
    pub(crate) fn check_key_usage(&self) -> Result<(), Error> {
        let usage = self.x509.tbs_certificate().get_extension::<KeyUsage>();
        match usage.map_err(|_| Error::Certificate)? {
            Some((_, usage))
                if !usage.0.contains(KeyUsages::DigitalSignature)
                    && !usage.0.contains(KeyUsages::NonRepudiation) =>
            {
                Err(Error::KeyUsage)
            }
            _ => Ok(()),
        }
    }

    /// The identifier that consists of the issuer and the serial number.
    pub(crate) fn issuer_and_serial_number(&self) -> signed_data::SignerIdentifier {
        let body = self.x509.tbs_certificate();
        signed_data::SignerIdentifier::IssuerAndSerialNumber(IssuerAndSerialNumber {
            issuer: body.issuer().clone(),
            serial_number: body.serial_number().clone(),
        })
    }

    /// The identifier that is the subject key identifier of the extension.
    pub(crate) fn subject_key_identifier(&self) -> Result<signed_data::SignerIdentifier, Error> {
        let body = self.x509.tbs_certificate();
        match body.get_extension::<SubjectKeyIdentifier>() {
            Ok(Some((_, key))) => Ok(signed_data::SignerIdentifier::SubjectKeyIdentifier(key)),
            _ => Err(Error::SubjectKeyIdentifier),
        }
    }

    /// Whether an identifier is that of this certificate.
    pub(crate) fn is_identified_by(&self, identifier: &signed_data::SignerIdentifier) -> bool {
        *identifier == self.issuer_and_serial_number()
            || self.subject_key_identifier().as_ref() == Ok(identifier)
    }
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = self.x509.tbs_certificate();
        f.debug_struct("Certificate")
            .field("issuer", &format_args!("{}", body.issuer()))
            .field("subject", &format_args!("{}", body.subject()))
            .field("serial_number", &format_args!("{}", body.serial_number()))
            .finish_non_exhaustive()
    }
}
