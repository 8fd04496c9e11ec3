//! Tests of signed messages: round trips, and each check of the verification with a message that fails it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod limits;
mod messages;
mod properties;
mod refused;
mod rfc9881;
mod vectors;

// The examples of the documentation include the same file, where its paths have to be complete.
#[allow(unused_qualifications, reason = "the examples need the whole paths")]
mod issue {
    include!("issue.rs");
}

use issue::{certificate, certificate_with};

use moissanite_cms::{Certificate, MlDsa44, Signer, SigningKey, TrustedSigner};

const CONTENT: &[u8] = b"the content of a message";

fn key<P: moissanite::Fips204>(byte: u8) -> SigningKey<P> {
    SigningKey::from_seed(&[byte; 32].into())
}

fn issue<P: moissanite::Fips204>(key: &SigningKey<P>) -> Certificate {
    certificate(key).unwrap()
}

/// A signer with ML-DSA-44, and the same signer as a recipient trusts it.
fn pair() -> (Signer<MlDsa44>, TrustedSigner) {
    let key = key(1);
    let certificate = issue(&key);
    let trusted = TrustedSigner::from_certificate(&certificate).unwrap();
    (Signer::new(&key, certificate).unwrap(), trusted)
}
