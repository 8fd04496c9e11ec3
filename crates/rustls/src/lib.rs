//! ML-DSA certificates in TLS 1.3, with rustls and any of its providers.
//!
//! [`with_ml_dsa`] adds to a [`CryptoProvider`] what it takes to sign and to verify with ML-DSA-44,
//! -65 and -87: for servers, for clients, and for the certificates of their authorities. Everything
//! else in TLS stays with the provider: ciphers, key exchange, randomness, keys of other kinds.
//!
//! ```
//! use std::sync::Arc;
//!
//! use rustls::crypto::CryptoProvider;
//! use rustls::{ClientConfig, RootCertStore};
//!
//! # fn config(roots: RootCertStore) -> Result<ClientConfig, rustls::Error> {
//! let provider: CryptoProvider = moissanite_rustls::with_ml_dsa(rustls::crypto::ring::default_provider());
//! let config = ClientConfig::builder_with_provider(Arc::new(provider))
//!     .with_protocol_versions(&[&rustls::version::TLS13])?
//!     .with_root_certificates(roots)
//!     .with_no_client_auth();
//! # Ok(config)
//! # }
//! ```
//!
//! The [`guide`] has a server and a client in full.
//!
//! # What it does
//!
//! - Private keys are read from PKCS#8 in the three forms of RFC 9881, and checked.
//! - Signatures are hedged with the provider's randomness. If that fails, there is no signature.
//! - A key keeps what signing computes from it, 26 to 75 KiB.
//! - Certificates are pure ML-DSA with absent parameters, as RFC 9881 has it. Nothing else is taken.
//! - TLS 1.2 has no ML-DSA: a server with such a certificate only speaks TLS 1.3.
//!
//! Where the provider has ML-DSA itself, as that of aws-lc-rs, the one here takes its place.
//!
//! # What is not checked
//!
//! Paths of certificates are validated by rustls, with the crate `rustls-webpki` in version 0.103. It
//! takes the name, the key and the name constraints of a root and nothing else, and ignores
//! the extension keyUsage. So a path is accepted
//!
//! - whatever path length the root's certificate allows; that of an intermediate certificate counts;
//! - before and after the time in which the root's certificate is valid;
//! - with the key of an authority whose key usage does not include keyCertSign.
//!
//! Revocation is not checked unless a verifier is built with lists of revoked certificates. Limit what
//! an authority may do in its own, intermediate certificate, and take roots out of the store in
//! time. `moissanite cert verify` checks all three, for paths that are to be tried beforehand.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod sign;
mod verify;

use alloc::boxed::Box;
use alloc::vec::Vec;

use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms};

pub use crate::sign::{KeyLoader, signing_key};
pub use crate::verify::{ALGORITHMS, MAPPING, ML_DSA_44, ML_DSA_65, ML_DSA_87};

/// A provider that has ML-DSA besides what it has.
///
/// ML-DSA goes first in what it offers to peers. For that, the lists of the provider are copied to
/// memory that is never freed, a few hundred bytes: make one provider and keep it.
#[must_use]
pub fn with_ml_dsa(provider: CryptoProvider) -> CryptoProvider {
    let loader = KeyLoader::new(provider.key_provider, provider.secure_random);
    CryptoProvider {
        signature_verification_algorithms: added(provider.signature_verification_algorithms),
        key_provider: Box::leak(Box::new(loader)),
        ..provider
    }
}

/// Ours, then those of the others that are not the same.
fn added(theirs: WebPkiSupportedAlgorithms) -> WebPkiSupportedAlgorithms {
    let is_new = |id| !ALGORITHMS.iter().any(|ours| ours.signature_alg_id() == id);
    let others = theirs.all.iter().copied();
    let others = others.filter(|other| is_new(other.signature_alg_id()));
    let all: Vec<_> = ALGORITHMS.iter().copied().chain(others).collect();

    let is_new = |scheme| !MAPPING.iter().any(|(ours, _)| *ours == scheme);
    let others = theirs.mapping.iter().copied();
    let others = others.filter(|(scheme, _)| is_new(*scheme));
    let mapping: Vec<_> = MAPPING.iter().copied().chain(others).collect();
    WebPkiSupportedAlgorithms {
        all: all.leak(),
        mapping: mapping.leak(),
    }
}

/// A TLS server with an ML-DSA certificate, from the beginning to the end.
///
/// It takes the provider of aws-lc-rs, for the key exchange, and is tested in `benches/interop`,
/// which has that.
pub mod guide {
    #![cfg_attr(not(doctest), doc = include_str!("../docs/guides/tls_server.md"))]
}

/// The blocks of Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
