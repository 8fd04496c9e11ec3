//! ML-DSA and Ed25519 in one signature, which is valid only if both parts are valid: a forgery
//! requires breaking both algorithms.
//!
//! ```
//! use moissanite_composite::{MlDsa65Ed25519, SigningKey, prelude::*};
//!
//! # #[cfg(feature = "getrandom")] {
//! use moissanite_composite::SysRng;
//!
//! let key = SigningKey::<MlDsa65Ed25519>::try_generate(&mut SysRng)?;
//! let signature = key.try_sign_with_rng(&mut SysRng, b"msg")?;
//! key.verifying_key().verify(b"msg", &signature)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! These are the composites of draft-ietf-lamps-pq-composite-sigs (revision 19). The draft is not
//! an RFC yet, and a later revision may change the encoding.
//!
//! | | [`MlDsa44Ed25519`] | [`MlDsa65Ed25519`] |
//! | --- | --- | --- |
//! | in the draft | id-MLDSA44-Ed25519-SHA512 | id-MLDSA65-Ed25519-SHA512 |
//! | NIST category | 2 | 3 |
//! | public key | 1,344 | 1,984 |
//! | private key | 64 | 64 |
//! | signature | 2,484 | 3,373 |
//!
//! Sizes are in bytes. Keys, contexts, randomness and errors work as in the crate [`moissanite`]:
//!
//! | to | call |
//! | --- | --- |
//! | make a key | [`SigningKey::try_generate`], [`SigningKey::from_seed`] |
//! | sign, the ML-DSA half hedged | `try_sign_with_rng` of [`RandomizedSigner`](prelude::RandomizedSigner) |
//! | sign without randomness | `try_sign` of [`Signer`](prelude::Signer) |
//! | verify | `verify` of [`Verifier`](prelude::Verifier) |
//! | use a context | [`SigningKey::with_context`], [`VerifyingKey::with_context`] |
//! | sign and verify a message that does not fit in memory | [`PreHash`], [`SigningKey::try_sign_prehashed_with_rng`], [`VerifyingKey::verify_prehashed`] |
//! | store a key, load a key | `as_seed` of [`SigningKey`], [`VerifyingKey::to_bytes`], [`VerifyingKey::from_bytes`] |
//! | read and write PKCS#8 and SPKI | the traits of the crate `pkcs8` (feature `pkcs8`; `pem` for text, `std` for files) |
//! | use Ed25519 alone | module [`ed25519`] |
//!
//! # What is accepted
//!
//! Verification always computes both halves, and its error does not show which half is wrong. The
//! Ed25519 half is verified by the rules of the module [`ed25519`].
//!
//! # What is secret
//!
//! The 64 bytes of a private key and all values that are computed from them are secret. They are
//! wiped when they are dropped, and `Debug` shows none of them. Keys are generated at their final
//! location, and the stack that `ed25519-dalek` used is overwritten.
//!
//! No branch and no address depends on them. On processors that multiply in variable time, such as
//! the Cortex-M3, the time of Ed25519 depends on the private key: do not sign on such processors.
//!
//! In a debug build, the assertions and overflow checks of the dependencies of `ed25519-dalek` are
//! branches on the private key. They never fail, but on some processors their time could differ. A
//! program turns them off in its `Cargo.toml` with `debug-assertions = false` and
//! `overflow-checks = false` in `[profile.dev.package.curve25519-dalek]`, and with
//! `debug-assertions = false` in `[profile.dev.package.subtle]`.
//!
//! # Features
//!
//! `alloc`, `fast`, `getrandom` and `pkcs8` are on by default; `fault-checks`, `pem` and `std` are
//! not. Without any feature, the crate runs without an allocator, on bare metal. `fast` adds tables
//! for faster Ed25519 signatures, which take 30 KiB. With `fault-checks`, both halves of each
//! composite signature are verified before it is returned: the Ed25519 half is deterministic, and a
//! wrong result because of a fault can reveal its private key. This feature has no effect on the
//! module [`ed25519`] alone. `std` adds `std::io::Write` for the types that take a message in
//! pieces, and, with `pkcs8`, keys in files.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod algorithm;
mod context;
#[cfg(feature = "pkcs8")]
mod document;
pub mod ed25519;
mod error;
#[cfg(feature = "std")]
mod io;
#[cfg(feature = "pkcs8")]
mod keys;
mod sig;
mod sign_and_verify;
mod signing;
#[cfg(test)]
mod tests;
mod verifying;

#[cfg(feature = "getrandom")]
#[cfg_attr(docsrs, doc(cfg(feature = "getrandom")))]
pub use moissanite::SysRng;
pub use moissanite::{ContextTooLong, InvalidSignatureLength, Seed, prelude, rand_core, signature};
#[cfg(feature = "pkcs8")]
#[cfg_attr(docsrs, doc(cfg(feature = "pkcs8")))]
pub use pkcs8;

pub use crate::algorithm::{Bytes, Composite, MlDsa44Ed25519, MlDsa65Ed25519, PreHash, PreHashed};
pub use crate::context::WithContext;
pub use crate::error::{InvalidKey, ReadTwiceError};
#[cfg(feature = "pkcs8")]
#[cfg_attr(docsrs, doc(cfg(feature = "pkcs8")))]
pub use crate::keys::oid;
pub use crate::sig::Signature;
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub use crate::signing::SigningKey;
pub use crate::signing::{SigningKeyIn, SigningKeySpace};
pub use crate::verifying::VerifyingKey;

/// The blocks of Rust in the README, which take randomness from the operating system.
#[cfg(all(doctest, feature = "getrandom"))]
#[doc = include_str!("../README.md")]
struct Readme;
