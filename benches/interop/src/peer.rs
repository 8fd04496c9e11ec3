//! The interface of the other implementations.

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

/// The error of another implementation.
pub type PeerError = Box<dyn std::error::Error>;

/// An implementation by others. Keys are exchanged as PEM text.
pub trait Peer {
    /// The name of the implementation.
    const NAME: &'static str;
    /// Whether its signatures can have a context.
    const CONTEXTS: bool;
    /// A private key in the representation of the implementation.
    type PrivateKey: Debug;

    /// Makes a key.
    fn generate(set: Set) -> Result<Self::PrivateKey, PeerError>;
    /// Reads a private key of the set.
    fn read_private(set: Set, pem: &str) -> Result<Self::PrivateKey, PeerError>;
    /// Writes a private key, in the form that the implementation prefers.
    fn write_private(key: &Self::PrivateKey) -> Result<String, PeerError>;
    /// Writes the public key of a private key.
    fn write_public(key: &Self::PrivateKey) -> Result<String, PeerError>;
    /// Signs.
    fn sign(key: &Self::PrivateKey, context: &[u8], message: &[u8]) -> Result<Vec<u8>, PeerError>;
    /// Verifies with a public key. An error means that the key cannot be read or that the signature is
    /// rejected.
    fn verify(
        set: Set,
        public_pem: &str,
        context: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), PeerError>;
}
