//! X.509 certificates and requests: made, told, and verified in chains.
//!
//! Keys are known by the traits only: a certificate holds a SubjectPublicKeyInfo and an identifier,
//! and is signed like any message, with the empty context. RFC 9881 has no other way for ML-DSA,
//! the draft of the composites and RFC 8410 for Ed25519 say the same.

pub(crate) mod build;
pub(crate) mod bundle;
pub(crate) mod chain;
pub(crate) mod constraints;
pub(crate) mod extensions;
pub(crate) mod host;
pub(crate) mod limits;
pub(crate) mod names;
pub(crate) mod refusal;
mod strict;
#[cfg(test)]
mod tests;
pub(crate) mod text;

use x509_cert::Certificate;
use x509_cert::der::Encode;
use x509_cert::spki::AlgorithmIdentifierOwned;

use self::extensions::Extensions;
use self::names::ComparableName;
use self::refusal::Refusal;
use crate::algorithm::{Framing, PublicKey, by_oid};
use crate::backend::Backend;
use crate::error::Error;
use crate::keyfile::{KeyError, KeyFile, Signed};
use crate::message::Message;

/// The one certificate in a file, of a key that is known here.
pub(crate) fn read(file: &KeyFile) -> Result<Link, Error> {
    let place = file.place.clone();
    let signed = file.certificate()?;
    Ok(Link::new(place, &file.bytes, signed))
}

/// A certificate, and where it comes from.
pub(crate) struct Link {
    /// Its file and, where that has several, its number there.
    pub(crate) place: String,
    /// What messages call it: its place and, where its file has several, its subject.
    pub(crate) title: String,
    /// What there is in it.
    pub(crate) certificate: Certificate,
    /// The DER of the certificate.
    der: Vec<u8>,
    /// What of it is signed, in the bytes that are there.
    message: Vec<u8>,
    /// The subject, prepared for comparison.
    subject: ComparableName,
    /// The issuer, prepared for comparison.
    issuer: ComparableName,
}

impl Link {
    fn new(
        place: String,
        der: &[u8],
        Signed { document, message }: Signed<'_, Certificate>,
    ) -> Self {
        let body = document.tbs_certificate();
        Self {
            subject: ComparableName::of(body.subject()),
            issuer: ComparableName::of(body.issuer()),
            title: place.clone(),
            place,
            certificate: document,
            der: der.to_vec(),
            message: message.to_vec(),
        }
    }

    /// Checks the fields of the certificate by themselves, without its path; returns its extensions.
    pub(crate) fn check(&self) -> Result<Extensions, Refusal> {
        strict::check(&self.certificate, &self.der)?;
        Extensions::of(self.certificate.tbs_certificate())
    }

    /// Whether both are the same, byte by byte.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.der == other.der
    }

    /// Whether its subject is the name of the issuer of `other`.
    pub(crate) fn is_called_like_issuer_of(&self, other: &Self) -> bool {
        self.subject == other.issuer
    }

    /// RFC 5280, section 6.1: whether its subject and its issuer have the same name.
    pub(crate) fn is_self_issued(&self) -> bool {
        self.is_called_like_issuer_of(self)
    }

    /// The key that it certifies.
    pub(crate) fn key(&self, backend: Backend) -> Result<Box<dyn PublicKey>, KeyError> {
        let info = self.certificate.tbs_certificate();
        let info = info.subject_public_key_info();
        let algorithm = by_oid(info.algorithm.oid);
        let algorithm = algorithm.ok_or(KeyError::Foreign(info.algorithm.oid))?;
        algorithm.public_from_spki(backend, &info.to_der()?)
    }

    /// Whether this key signed it.
    pub(crate) fn is_signed_by(&self, key: &dyn PublicKey) -> Result<bool, Error> {
        let certificate = &self.certificate;
        let signature = certificate.signature().as_bytes();
        let algorithm = certificate.signature_algorithm();
        is_signature(key, algorithm, &self.message, signature)
    }
}

/// Whether this is a signature by this key, with its algorithm, and without parameters for that.
pub(crate) fn is_signature(
    key: &dyn PublicKey,
    algorithm: &AlgorithmIdentifierOwned,
    message: &[u8],
    signature: Option<&[u8]>,
) -> Result<bool, Error> {
    if Some(algorithm.oid) != key.algorithm().oid() || algorithm.parameters.is_some() {
        return Ok(false);
    }
    match signature {
        Some(signature) => key.verify(Message::of(message), &Framing::default(), signature),
        None => Ok(false),
    }
}
