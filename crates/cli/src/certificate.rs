//! X.509 certificates, requests and CRLs: building, decoding, and path validation.
//!
//! This module uses keys only through their traits: a certificate contains a SubjectPublicKeyInfo
//! and an identifier, and is signed like any message, with the empty context. RFC 9881 allows
//! nothing else for ML-DSA; RFC 8410 for Ed25519 and the draft of the composites say the same.

pub(crate) mod address;
pub(crate) mod build;
pub(crate) mod bundle;
pub(crate) mod chain;
pub(crate) mod constraints;
pub(crate) mod crl;
mod decode;
pub(crate) mod error;
pub(crate) mod extensions;
pub(crate) mod host;
pub(crate) mod limits;
pub(crate) mod names;
pub(crate) mod parsed;
pub(crate) mod purpose;
pub(crate) mod request;
mod signed;
mod strict;
#[cfg(test)]
mod tests;
pub(crate) mod text;
