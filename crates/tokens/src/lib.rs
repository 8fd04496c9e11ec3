//! ML-DSA in JOSE and COSE (RFC 9964): keys as JWK and COSE_Key, signatures as JWS and COSE_Sign1. With the same
//! keys, envelopes of [DSSE](dsse) and keys and signatures of [TUF](tuf).
//!
//! ```
//! use moissanite_tokens::{Algorithm, SigningKey, SysRng, VerifyingKey, jws::Header};
//!
//! // The issuer makes a key, publishes the public JWK and signs tokens.
//! let key = SigningKey::try_generate(Algorithm::MlDsa65, &mut SysRng)?.with_kid("2026-11");
//! let public_jwk: String = key.to_verifying_key().to_jwk()?;
//! let header = Header::new().with_typ("JWT").with_kid("2026-11");
//! let token: String = key.sign_jws(&mut SysRng, &header, br#"{"sub":"alice","exp":1795392000}"#)?;
//!
//! // The verifier reads the JWK once, and verifies any number of tokens with it.
//! let verifier = VerifyingKey::from_jwk(&public_jwk)?;
//! let verified = verifier.verify_jws(&token)?;
//! assert_eq!(verified.header.kid(), Some("2026-11"));
//! assert_eq!(verified.payload, br#"{"sub":"alice","exp":1795392000}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | JOSE (feature `jose`) | COSE (feature `cose`) |
//! | --- | --- | --- |
//! | make a key | [`SigningKey::try_generate`] | [`SigningKey::try_generate`] |
//! | read a private key | [`SigningKey::from_jwk`] | [`SigningKey::from_cose_key`] |
//! | write a private key | [`SigningKey::to_private_jwk`] | [`SigningKey::to_private_cose_key`] |
//! | read a public key | [`VerifyingKey::from_jwk`] | [`VerifyingKey::from_cose_key`] |
//! | read the published keys of an issuer | [`VerifyingKey::from_jwk_set`] | |
//! | write a public key | [`VerifyingKey::to_jwk`] | [`VerifyingKey::to_cose_key`] |
//! | identify a key | [`VerifyingKey::jwk_thumbprint`] (RFC 7638) | [`VerifyingKey::cose_thumbprint`] (RFC 9679) |
//! | sign | [`SigningKey::sign_jws`] | [`SigningKey::sign_sign1`] |
//! | verify | [`VerifyingKey::verify_jws`] | [`VerifyingKey::verify_sign1`] |
//! | find the key of a token | [`jws::unverified_header`] | [`cose::unverified_headers`] |
//! | sign a payload that is sent in another way | [`SigningKey::sign_jws_detached`] | [`SigningKey::sign_sign1_detached`] |
//! | verify such a payload | [`VerifyingKey::verify_jws_detached`] | [`VerifyingKey::verify_sign1_detached`] |
//! | sign in JSON | [`SigningKey::sign_jws_json`], [`SigningKey::cosign_jws_json`] | |
//! | verify JSON | [`VerifyingKey::verify_jws_json`], [`VerifyingKey::verify_jws_json_detached`] | |
//!
//! Keys of the crate [`moissanite`] become keys of this crate by `From`. The module [`guide`] has
//! complete programs.
//!
//! # What is checked
//!
//! The algorithm comes from the key. A token that names another one is refused, as is `none`. The
//! context of ML-DSA is empty (RFC 9964, section 5), so a signature of a token is also a signature of
//! its bytes by [`moissanite`]: use a key for tokens only.
//!
//! Each input has one interpretation, or is refused with an [`Error`] that says why:
//!
//! - No name occurs twice in a JSON object at any level, and no label twice in the maps of COSE that
//!   are read. Nothing follows the end.
//! - base64url has no padding, no other characters and no bits that encode nothing.
//! - A private key is a seed of 32 bytes, as RFC 9964 requires, and yields the public key beside it.
//! - `use` and `key_ops` of a key permit the operation.
//! - `alg` is protected. A name is not both in the protected and in the unprotected header.
//! - Extensions that must be understood are refused: `crit`, and `b64` of RFC 7797.
//! - Inputs are not longer than the [`limits`], and nesting is limited, so that it does not exhaust the
//!   stack.
//!
//! # What is not checked
//!
//! The payload is bytes. Claims of JWT and CWT, such as `exp`, `nbf`, `iss` and `aud`, are not read:
//! the caller checks them. `kid`, `typ`, `cty`, `x5c`, `jwk` and `jku` have no effect: the caller
//! chooses the key, and should require a `typ` where tokens of several kinds have the same key
//! (RFC 8725, section 3.11). Encryption (JWE), COSE_Sign and the other messages of COSE are not
//! implemented.
//!
//! # Randomness
//!
//! Each function that signs takes a random number generator, such as [`SysRng`], or
//! [`Deterministic`]: FIPS 204 has both forms. No verifier can tell the difference.
//!
//! # What is secret
//!
//! Private keys, their seeds and what is computed from them. They are wiped when they are dropped, and
//! `Debug` shows none of them. [`SigningKey::to_private_jwk`] and
//! [`SigningKey::to_private_cose_key`] return memory that wipes itself. `priv` is decoded in constant
//! time. If the text of a private JWK has an escape sequence in `priv`, it is refused, and a copy of the
//! part before the sequence can remain in memory.
//!
//! # Features
//!
//! `cose`, `dsse`, `getrandom`, `jose` and `std` are on by default; `tuf` is not. Without `std`, the crate needs an allocator
//! only, and decodes base64 without vector instructions. `getrandom` adds [`SysRng`].

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(any(feature = "cose", feature = "jose")),
    allow(dead_code, reason = "only the formats use the keys")
)]

extern crate alloc;

mod algorithm;
#[cfg(feature = "cose")]
#[cfg_attr(docsrs, doc(cfg(feature = "cose")))]
pub mod cose;
#[cfg(feature = "dsse")]
#[cfg_attr(docsrs, doc(cfg(feature = "dsse")))]
pub mod dsse;
mod error;
#[cfg(feature = "jose")]
mod jose;
pub mod limits;
mod randomness;
mod signing;
#[cfg(feature = "tuf")]
#[cfg_attr(docsrs, doc(cfg(feature = "tuf")))]
pub mod tuf;
mod verifying;

pub use crate::algorithm::Algorithm;
pub use crate::error::Error;
pub use crate::randomness::{Deterministic, Randomness};
pub use crate::signing::SigningKey;
pub use crate::verifying::VerifyingKey;
#[cfg(feature = "getrandom")]
#[cfg_attr(docsrs, doc(cfg(feature = "getrandom")))]
pub use moissanite::SysRng;
pub use moissanite::{Seed, SigningError, rand_core};

/// JSON Web Signatures (RFC 7515). The functions are methods of [`SigningKey`] and [`VerifyingKey`].
#[cfg(feature = "jose")]
#[cfg_attr(docsrs, doc(cfg(feature = "jose")))]
pub mod jws {
    pub use crate::jose::compact::{Token, unverified_header};
    pub use crate::jose::header::Header;
}

/// Complete programs.
#[cfg(feature = "getrandom")]
pub mod guide {
    /// A builder and a reviewer that sign an attestation, and metadata of TUF.
    #[cfg(all(feature = "dsse", feature = "tuf"))]
    pub mod supply_chain {
        #![doc = include_str!("../docs/guides/supply_chain.md")]
    }
    /// A JWK server and a client that verifies its tokens.
    #[cfg(feature = "jose")]
    pub mod tokens {
        #![doc = include_str!("../docs/guides/tokens.md")]
    }
}

/// The blocks of Rust in the README.
#[cfg(all(doctest, feature = "getrandom", feature = "jose", feature = "cose"))]
#[doc = include_str!("../README.md")]
struct Readme;
