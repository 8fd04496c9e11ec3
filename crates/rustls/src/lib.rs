//! ML-DSA certificates in TLS 1.3, with rustls and any of its providers.
//!
//! [`with_ml_dsa`] adds signing and verification with ML-DSA-44, -65 and -87 to a
//! [`CryptoProvider`], for servers, for clients, and for the certificates of their authorities. The
//! provider still does the rest of TLS: ciphers, key exchange, randomness, and keys of other kinds.
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
//! The [`guide`] shows a complete server and client.
//!
//! # Properties
//!
//! - Private keys are read from PKCS#8 in the three forms of RFC 9881, and are checked.
//! - Signatures are hedged with the provider's randomness. If the provider's generator fails, signing fails.
//! - A key keeps the values that signing computes from it, in 26 to 75 KiB.
//! - Certificates have pure ML-DSA signatures with absent parameters, as RFC 9881 requires. All
//!   others are refused.
//! - TLS 1.2 does not support ML-DSA: a server with such a certificate accepts TLS 1.3 only.
//!
//! If the provider supports ML-DSA itself, such as that of aws-lc-rs, this crate replaces it.
//!
//! # What is not checked
//!
//! rustls validates the paths of certificates with the crate `rustls-webpki`, version 0.103.
//! `rustls-webpki` uses only the name, the key and the name constraints of a root, and ignores the
//! extension keyUsage. Therefore, a path is accepted even
//!
//! - if it is longer than the path length of the root allows (the path lengths of intermediate
//!   certificates are checked);
//! - before and after the validity period of the root;
//! - if the key usage of an authority does not include keyCertSign.
//!
//! Revocation is checked only if a verifier is built with revocation lists. Put the limits of an
//! authority into an intermediate certificate below the root, and remove roots from the store before they
//! expire. `moissanite cert verify` checks all three points, so it can check a path in advance.

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

/// Returns the provider with ML-DSA added.
///
/// ML-DSA comes first in the list of schemes that the provider offers to peers. The lists of the
/// provider are copied to memory that is never freed, a few hundred bytes: make one provider and
/// keep it.
#[must_use]
pub fn with_ml_dsa(provider: CryptoProvider) -> CryptoProvider {
    let loader = KeyLoader::new(provider.key_provider, provider.secure_random);
    CryptoProvider {
        signature_verification_algorithms: added(provider.signature_verification_algorithms),
        key_provider: Box::leak(Box::new(loader)),
        ..provider
    }
}

/// The schemes of this crate, then the other schemes of the provider.
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

/// A complete TLS server with an ML-DSA certificate.
///
/// The guide uses the provider of aws-lc-rs for the key exchange. `benches/interop`, which depends
/// on that provider, tests the guide.
pub mod guide {
    #![cfg_attr(not(doctest), doc = include_str!("../docs/guides/tls_server.md"))]
}

/// The blocks of Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
