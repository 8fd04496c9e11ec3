//! The API of RustCrypto's crate `ml-dsa`, version 0.1, over Moissanite.
//!
//! A program that uses the published crate takes this one instead with a line in the `[patch]`
//! section of its `Cargo.toml`, which the README of this crate shows, and its own code stays as it is:
//!
//! ```
//! # #[cfg(feature = "getrandom")] {
//! use ml_dsa::{Generate, Keypair, MlDsa65, Signer, SigningKey, Verifier};
//!
//! let key = SigningKey::<MlDsa65>::generate();
//! let signature = key.sign(b"message");
//! key.verifying_key().verify(b"message", &signature)?;
//! # }
//! # Ok::<(), ml_dsa::Error>(())
//! ```
//!
//! The names, the types and the features are those of the published crate; its documentation
//! describes their use. Everything is computed by the crate `moissanite`: this crate converts
//! between its types and arrays of the crate `hybrid-array`, and implements traits. The README of
//! this crate lists the differences.
//!
//! # What is secret
//!
//! Seeds and private keys are secret. They are wiped when they are dropped, with and without the
//! feature `zeroize`, and `Debug` does not show them. The caller must wipe what `to_seed`,
//! `to_bytes` and `to_expanded` return. Without the feature `alloc`, a private key is a value
//! without a box, and moving it can leave copies that are not wiped.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "pkcs8")]
mod documents;
mod expanded;
mod key_memory;
mod mu;
mod param;
mod sig;
mod signing;
mod verifying;

pub use crypto_common::{self as common, KeyExport, KeyInit, KeySizeUser};
pub use signature::{self, Error, Keypair, SignatureEncoding, Signer, Verifier};

#[cfg(feature = "rand_core")]
#[cfg_attr(docsrs, doc(cfg(feature = "rand_core")))]
pub use crypto_common::Generate;

pub use crate::expanded::ExpandedSigningKey;
pub use crate::param::{B32, Seed};
pub use crate::param::{
    EncodedSignature, EncodedVerifyingKey, ExpandedSigningKeyBytes, MlDsa44, MlDsa65, MlDsa87,
    MlDsaParams,
};
pub use crate::sig::Signature;
pub use crate::signing::SigningKey;
pub use crate::verifying::VerifyingKey;

/// Keys as documents: PKCS#8 with the seed for private keys, and SubjectPublicKeyInfo for public
/// keys (RFC 9881). This module is the crate `pkcs8`, whose traits the keys implement.
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// use ml_dsa::pkcs8::{DecodePrivateKey, EncodePrivateKey};
/// use ml_dsa::{MlDsa44, SigningKey};
///
/// let key = SigningKey::<MlDsa44>::from_seed(&[7; 32].into());
/// let document = key.to_pkcs8_der()?;
/// assert_eq!(SigningKey::from_pkcs8_der(document.as_bytes())?, key);
/// # }
/// # Ok::<(), ml_dsa::pkcs8::Error>(())
/// ```
#[cfg(feature = "pkcs8")]
#[cfg_attr(docsrs, doc(cfg(feature = "pkcs8")))]
pub mod pkcs8 {
    pub use ::pkcs8::*;
}
