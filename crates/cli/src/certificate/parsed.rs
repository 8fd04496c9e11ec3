//! Certificates in decoded form.

use std::time::Duration;

use x509_cert::{Certificate, TbsCertificate};

use super::error::CertificateError;
use super::extensions::Extensions;
use super::names::ComparableName;
use super::signed::Signed;
use super::strict;
use crate::algorithm::scheme::PublicKey;
use crate::backend::Backend;
use crate::error::Error;
use crate::key_error::{KeyError, What};
use crate::keyfile::{Body, KeyFile};

/// A decoded certificate and its origin.
#[derive(Clone)]
pub(crate) struct ParsedCertificate {
    /// The file and, if the file has several certificates, the number of this one.
    pub(crate) place: String,
    /// The name in messages: the place and, if the file has several certificates, the subject.
    pub(crate) title: String,
    /// The fields.
    pub(crate) certificate: Certificate,
    /// The DER of the certificate.
    pub(crate) der: Vec<u8>,
    /// The signed bytes and the public key.
    signed: Signed,
    /// The subject, prepared for comparison.
    subject: ComparableName,
    /// The issuer, prepared for comparison.
    issuer: ComparableName,
}

impl ParsedCertificate {
    /// Takes the certificate that was decoded from `der`.
    pub(super) fn new(
        place: String,
        der: &[u8],
        certificate: Certificate,
    ) -> Result<Self, KeyError> {
        let body = certificate.tbs_certificate();
        Ok(Self {
            signed: Signed::new(der, body.subject_public_key_info())?,
            subject: ComparableName::of(body.subject()),
            issuer: ComparableName::of(body.issuer()),
            title: place.clone(),
            place,
            certificate,
            der: der.to_vec(),
        })
    }

    /// The certificate in a file.
    pub(crate) fn in_file(file: &KeyFile) -> Result<Self, Error> {
        let Some(Body::Certificate(certificate)) = &file.body else {
            return Err(file.unexpected(What::Certificate, ""));
        };
        let parsed = Self::new(file.place.clone(), &file.bytes, (**certificate).clone());
        parsed.map_err(|error| Error::file(&file.place, error))
    }

    /// Checks the fields of the certificate without its path, and returns its extensions.
    pub(crate) fn check(&self) -> Result<Extensions, CertificateError> {
        strict::check(&self.certificate, &self.der)?;
        Extensions::of(self.body())
    }

    /// RFC 5280, section 4.1.2.5: checks the validity period, which includes both ends.
    pub(crate) fn check_time(&self, at: Duration) -> Result<(), CertificateError> {
        let validity = self.body().validity();
        if at < validity.not_before.to_unix_duration() {
            return Err(CertificateError::Early(validity.not_before));
        }
        // The end is written in whole seconds.
        if at.as_secs() > validity.not_after.to_unix_duration().as_secs() {
            return Err(CertificateError::Late(validity.not_after));
        }
        Ok(())
    }

    /// The signed fields.
    pub(crate) fn body(&self) -> &TbsCertificate {
        self.certificate.tbs_certificate()
    }

    /// Whether both certificates are identical in every byte.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.der == other.der
    }

    /// Whether the subject has this name.
    pub(crate) fn is_named(&self, name: &ComparableName) -> bool {
        self.subject == *name
    }

    /// Whether the subject is the issuer of `other`, by name.
    pub(crate) fn is_named_as_issuer_of(&self, other: &Self) -> bool {
        self.is_named(&other.issuer)
    }

    /// RFC 5280, section 6.1: whether the subject and the issuer have the same name.
    pub(crate) fn is_self_issued(&self) -> bool {
        self.is_named_as_issuer_of(self)
    }

    /// Whether the algorithm of the certified key is known here.
    pub(crate) fn is_key_known(&self) -> bool {
        self.signed.is_key_known()
    }

    /// The certified key.
    pub(crate) fn key(&self, backend: Backend) -> Result<Box<dyn PublicKey>, KeyError> {
        self.signed.key(backend)
    }

    /// Whether this key signed the certificate.
    pub(crate) fn is_signed_by(&self, key: &dyn PublicKey) -> Result<bool, Error> {
        let algorithm = self.certificate.signature_algorithm();
        let signature = self.certificate.signature();
        self.signed.is_signed_by(key, algorithm, signature)
    }
}
