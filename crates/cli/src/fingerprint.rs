//! Fingerprints of keys and certificates, by which people compare them.

use sha2::{Digest, Sha256};

use crate::algorithm::scheme::PublicKey;
use crate::error::Error;
use crate::key_error::KeyError;

/// The fingerprint of a key: the SHA-256 hash of its SubjectPublicKeyInfo in DER, or of the raw public key
/// for an algorithm without documents.
pub(crate) fn of_key(key: &dyn PublicKey) -> Result<String, Error> {
    let fault = |error: KeyError| Error::Fault(error.to_string());
    Ok(of(&match key.algorithm().oid() {
        Some(_) => key.to_spki().map_err(fault)?,
        None => key.to_raw(),
    }))
}

/// The fingerprint of a document in DER.
pub(crate) fn of(der: &[u8]) -> String {
    format!("sha256:{}", hex::encode(Sha256::digest(der)))
}
