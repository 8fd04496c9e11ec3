//! X.509 certificates and requests: made, told, and verified in chains.
//!
//! Keys are known by the traits only: a certificate holds a SubjectPublicKeyInfo and an identifier,
//! and is signed like any message, with the empty context. RFC 9881 has no other way for ML-DSA,
//! the draft of the composites and RFC 8410 for Ed25519 say the same.

pub(crate) mod build;
pub(crate) mod chain;
pub(crate) mod extensions;
pub(crate) mod host;
#[cfg(test)]
mod tests;
pub(crate) mod text;

use x509_cert::Certificate;
use x509_cert::der::Encode;
use x509_cert::spki::AlgorithmIdentifierOwned;
use zeroize::Zeroizing;

use crate::algorithm::{Framing, PublicKey, by_oid};
use crate::backend::Backend;
use crate::error::Error;
use crate::keyfile::{self, KeyError, KeyFile, Signed};
use crate::message::{Message, Source};

/// The one certificate in a file, of a key that is known here.
pub(crate) fn read(file: &KeyFile) -> Result<Link, Error> {
    let place = file.place.clone();
    file.certificate().map(|signed| Link::new(place, signed))
}

/// All certificates in a file, in the order that they have there, of whatever keys.
pub(crate) fn read_all(source: &Source) -> Result<Vec<Link>, Error> {
    let link = |der: &Zeroizing<Vec<u8>>| {
        let signed = Signed::parse(der).map_err(|error| Error::key(source.place(), error));
        signed.map(|signed| Link::new(source.place(), signed))
    };
    keyfile::certificates(source)?.iter().map(link).collect()
}

/// A certificate, and where it comes from.
pub(crate) struct Link {
    /// What messages call it.
    pub(crate) place: String,
    /// What there is in it.
    pub(crate) certificate: Certificate,
    /// What of it is signed, in the bytes that are there.
    message: Vec<u8>,
}

impl Link {
    fn new(place: String, Signed { document, message }: Signed<'_, Certificate>) -> Self {
        let (certificate, message) = (document, message.to_vec());
        Self {
            place,
            certificate,
            message,
        }
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
        // RFC 5280, section 4.1.1.2: what is not signed has to say the same as what is.
        let inner = certificate.tbs_certificate().signature();
        if inner != certificate.signature_algorithm() {
            return Ok(false);
        }
        let signature = certificate.signature().as_bytes();
        is_signature(key, inner, &self.message, signature)
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
