//! Counterparts that other programs really use, seen the same way.

mod aws_lc;
mod openssl;

pub use aws_lc::AwsLc;
pub use openssl::OpenSsl;

use std::fmt::Debug;

/// The parameter sets, by their place in ML-DSA-44, -65 and -87.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// ML-DSA-44.
    MlDsa44,
    /// ML-DSA-65.
    MlDsa65,
    /// ML-DSA-87.
    MlDsa87,
}

/// Why a counterpart would not.
pub type Refusal = Box<dyn std::error::Error>;

/// An implementation by others. Keys are PEM text wherever they cross.
pub trait Peer {
    /// What it is called.
    const NAME: &'static str;
    /// Whether its signatures can have a context.
    const CONTEXTS: bool;
    /// A private key as it holds it.
    type PrivateKey: Debug;

    /// Makes a key.
    fn generate(set: Set) -> Result<Self::PrivateKey, Refusal>;
    /// Reads a private key of the set.
    fn read_private(set: Set, pem: &str) -> Result<Self::PrivateKey, Refusal>;
    /// Writes a private key, in the form that it prefers.
    fn write_private(key: &Self::PrivateKey) -> Result<String, Refusal>;
    /// Writes the public key of a private key.
    fn write_public(key: &Self::PrivateKey) -> Result<String, Refusal>;
    /// Signs.
    fn sign(key: &Self::PrivateKey, context: &[u8], message: &[u8]) -> Result<Vec<u8>, Refusal>;
    /// Verifies with a public key; an error is a key that it does not read, or a signature that it
    /// refuses.
    fn verify(
        set: Set,
        public_pem: &str,
        context: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Refusal>;
}

/// The guide of `moissanite-rustls`, whose provider this workspace has.
#[cfg(doctest)]
#[doc = include_str!("../../../crates/rustls/docs/guides/tls_server.md")]
struct TlsGuide;
