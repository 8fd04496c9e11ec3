//! The checks of all key documents.

use pkcs8::spki::AlgorithmIdentifierRef;
use pkcs8::{KeyError, ObjectIdentifier, PrivateKeyInfoRef};

/// Checks that the algorithm is the expected one, without parameters.
pub(crate) fn check_algorithm(
    algorithm: &AlgorithmIdentifierRef<'_>,
    oid: ObjectIdentifier,
) -> pkcs8::Result<()> {
    algorithm.assert_algorithm_oid(oid)?;
    match algorithm.parameters {
        None => Ok(()),
        Some(_) => Err(pkcs8::Error::ParametersMalformed),
    }
}

/// Checks that the public key in a document, if there is one, is the expected one.
pub(crate) fn check_public_key(info: &PrivateKeyInfoRef<'_>, key: &[u8]) -> pkcs8::Result<()> {
    match info.public_key {
        Some(public_key) if public_key.as_bytes() != Some(key) => Err(KeyError::Invalid.into()),
        _ => Ok(()),
    }
}
