//! Keys and tokens that several tests use.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use moissanite_tokens::{Algorithm, Seed, SigningKey, VerifyingKey};

/// A key of ML-DSA-44, and its public key.
pub(crate) static KEY: LazyLock<SigningKey> = LazyLock::new(|| key(Algorithm::MlDsa44));
pub(crate) static PUBLIC: LazyLock<VerifyingKey> = LazyLock::new(|| KEY.to_verifying_key());

/// Returns the key of a seed of zeros, which the examples of RFC 9964 have.
pub(crate) fn key(algorithm: Algorithm) -> SigningKey {
    SigningKey::from_seed(algorithm, &Seed::from([0; 32]))
}

/// Encodes base64url.
pub(crate) fn base64(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
