//! The properties that certificates and requests share: signed bytes, a signature and a public key.

use der::asn1::{AnyRef, BitString};
use der::oid::ObjectIdentifier;
use der::{Decode, Encode, Reader, SliceReader};
use x509_cert::spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};

use crate::algorithm::by_oid;
use crate::algorithm::scheme::{Framing, PublicKey};
use crate::backend::Backend;
use crate::error::Error;
use crate::input::Message;
use crate::key_error::KeyError;

/// The signed bytes and the public key of a document.
#[derive(Clone)]
pub(super) struct Signed {
    /// The signed part of the document, as it is encoded there.
    message: Vec<u8>,
    /// The algorithm of the public key.
    oid: ObjectIdentifier,
    /// The SubjectPublicKeyInfo in DER.
    public_key: Vec<u8>,
}

impl Signed {
    pub(super) fn new(der: &[u8], key: &SubjectPublicKeyInfoOwned) -> Result<Self, KeyError> {
        Ok(Self {
            message: signed_part(der)?.to_vec(),
            oid: key.algorithm.oid,
            public_key: key.to_der()?,
        })
    }

    /// Whether the algorithm of the public key is known here.
    pub(super) fn is_key_known(&self) -> bool {
        by_oid(self.oid).is_some()
    }

    /// The public key, checked.
    pub(super) fn key(&self, backend: Backend) -> Result<Box<dyn PublicKey>, KeyError> {
        let algorithm = by_oid(self.oid).ok_or(KeyError::Foreign(self.oid))?;
        algorithm.public_from_spki(backend, &self.public_key)
    }

    /// Whether `signature` is one by this key.
    pub(super) fn is_signed_by(
        &self,
        key: &dyn PublicKey,
        algorithm: &AlgorithmIdentifierOwned,
        signature: &BitString,
    ) -> Result<bool, Error> {
        is_signature(&self.message, key, algorithm, signature)
    }
}

/// The signed part of a document, as it is encoded there.
pub(super) fn signed_part(der: &[u8]) -> der::Result<&[u8]> {
    let mut reader = SliceReader::new(AnyRef::from_der(der)?.value())?;
    reader.tlv_bytes()
}

/// Whether `signature` is one of the message by this key. Its algorithm has to be that of the key, without
/// parameters.
pub(super) fn is_signature(
    message: &[u8],
    key: &dyn PublicKey,
    algorithm: &AlgorithmIdentifierOwned,
    signature: &BitString,
) -> Result<bool, Error> {
    if Some(algorithm.oid) != key.algorithm().oid() || algorithm.parameters.is_some() {
        return Ok(false);
    }
    match signature.as_bytes() {
        Some(signature) => {
            let message = Message::of(message);
            key.verify(message, &Framing::default(), signature)
        }
        None => Ok(false),
    }
}
