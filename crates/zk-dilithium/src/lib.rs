//! zkDilithium: a signature scheme for STARK proofs, which can say "I know a valid signature of
//! this message" cheaply.
//!
//! It is Dilithium2 (round 3) over the prime q = 2²³ − 2²⁰ + 1, with [Poseidon](poseidon) over the
//! same field for all that verification hashes but the public key, without compression of the
//! public key and without hints. It is no standard: outside of proofs, take ML-DSA, the crate
//! `moissanite`, whose signatures take a tenth of the time or less.
//!
//! ```
//! use moissanite_zk_dilithium::{prelude::*, SigningKey};
//!
//! # #[cfg(feature = "getrandom")] {
//! use moissanite_zk_dilithium::SysRng;
//!
//! let key = SigningKey::try_generate(&mut SysRng)?;
//! let signature = key.try_sign(b"message")?;
//! key.verifying_key().verify(b"message", &signature)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What to call
//!
//! | to | call |
//! | --- | --- |
//! | make a key | [`SigningKey::try_generate`], from a [`Seed`] [`SigningKey::from_seed`] |
//! | sign, verify | `try_sign` of [`Signer`](prelude::Signer), `verify` of [`Verifier`](prelude::Verifier) |
//! | sign and verify a message in parts | [`MultipartSigner`](prelude::MultipartSigner), [`MultipartVerifier`](prelude::MultipartVerifier) |
//! | sign and verify a message that comes piece by piece | `signer` of any private key: [`MessageSigner`]; `verifier` of any public key: [`MessageVerifier`] |
//! | store a key | `as_seed` of [`SigningKey`], [`VerifyingKey::to_bytes`]; `as_bytes` for those who need it |
//! | load a key | [`SigningKey::from_seed`], [`SigningKey::from_bytes`], [`VerifyingKey::from_bytes`] |
//! | send and receive a signature | [`Signature::to_bytes`], [`Signature::from_bytes`] |
//! | use one key many times | `prepare` of either key (feature `alloc`), `prepare_in` of either |
//! | build a prover | module [`poseidon`] |
//! | test, or compare | `on` of any key, and `from_seed_on` (feature `hazmat`) |
//!
//! | object | bytes | what |
//! | --- | --- | --- |
//! | public key | 3,104 | ρ, and t as 1,024 elements of three bytes, each less than q |
//! | private key | 32, or 3,936 | a seed, or ρ, K, tr, s₁ and s₂ (coefficients from −2 to 2), and t |
//! | signature | 2,340 | c̃ as 12 elements of three bytes, and z (coefficients of 18 bits, less than 2¹⁷ − 80) |
//!
//! # Randomness
//!
//! Signing is deterministic: the scheme has no randomized mode, so that there is no
//! `RandomizedSigner` here. A fault during signing can therefore reveal the key to someone who sees
//! both its result and a correct signature of the same message. ML-DSA can be hedged against that.
//!
//! # What is refused
//!
//! The references take three bytes of a public key or of c̃ modulo q, so that a signature has several
//! encodings. Here an element that is not less than q is refused, in a key by
//! [`VerifyingKey::from_bytes`], in a signature by verification: what verifies is what signing can
//! have written. A private key in bytes is checked as a whole; the references take coefficients −3, −4
//! and −5 of s₁ and s₂, too.
//!
//! The norm of LowBits(w − cs₂) is that of its absolute values. The first reference forgot the
//! negative ones, so that half of its signatures differ, and some do not verify; its correction and
//! the implementation in Go sign as this crate does.
//!
//! # Errors and panics
//!
//! Verification fails in one way, [`signature::Error`]. Everything else that can fail has a named
//! error: [`InvalidKey`], [`InvalidSignatureLength`], and [`SigningError`] within the
//! [`signature::Error`] of the signing traits. No inherent method and no `try_*` method panics (but
//! [`poseidon::Sponge`] in debug builds, where it is written to after reading). `sign` and
//! `multipart_sign` of the traits panic where their `try_*` twins give an error, which a working
//! machine never sees: 1,024 attempts that fail (p < 2⁻²³⁰), or a key or a mask that has changed.
//!
//! # What is secret
//!
//! The seed, K, s₁ and s₂, what a prepared private key has of them, and the variables of signing,
//! the states of its sponges among them: no branch, memory address or division depends on them, and
//! they are overwritten with zeros when they are dropped. Keys are made where they stay, and what the
//! compiler leaves of secrets in the stack is overwritten at the end of each operation. A failed attempt shows its c̃ and which
//! check failed, which does not depend on the key (round-3 specification of Dilithium, section
//! 5.5). What a message says decides no branch and no address either, except that a signature of
//! it, which is public, depends on it.
//!
//! Of a message that comes in pieces, what is kept between them is its hash so far, by Poseidon and to
//! sign also by SHAKE256, and at most one byte of it. That is as secret as the message, and wiped
//! too. Neither K nor anything that follows from K is in it: a signature takes K once the message
//! has ended.
//!
//! # Memory
//!
//! All operations fit a thread with 128 KiB of stack, in a debug build with 512 KiB. Signing has
//! 75 KiB of variables, in a box with the feature `alloc` and on the stack without.
//!
//! # Features
//!
//! | feature | on by default | adds |
//! | --- | --- | --- |
//! | `alloc` | yes | [`SigningKey`] and prepared keys in a box, [`SigningError`] as the source of a [`signature::Error`] |
//! | `getrandom` | yes | `SysRng`, the operating system's randomness |
//! | `std` | | `std::io::Write` for [`MessageSigner`] and [`MessageVerifier`] |
//! | `hazmat` | | backends by hand |
//!
//! # How it is built
//!
//! | step | file |
//! | --- | --- |
//! | numbers, sizes | params.rs |
//! | Poseidon: its constants, the permutation, the sponge | poseidon/constants.rs, poseidon/permutation.rs, poseidon/states_in_lanes.rs, poseidon.rs |
//! | μ, ρ'', c̃ | hash.rs |
//! | SampleInBall | sample_in_ball.rs |
//! | KeyGen, Sign, Verify | keygen.rs, sign.rs, verify.rs |
//! | keys as those use them | prepared.rs |
//! | messages in pieces | message.rs |
//! | packFe, and where things are | encode.rs |
//!
//! NTT, ExpandA, ExpandS, ExpandMask, Decompose, packEta and packGamma1 are the core's, with this
//! field and these numbers.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

#[macro_use]
mod macros;

mod core_ops;
mod encode;
mod error;
mod hash;
#[cfg(feature = "hazmat")]
mod hazmat;
#[cfg(feature = "std")]
mod io;
mod key_traits;
mod keygen;
mod message;
mod params;
pub mod poseidon;
mod prepared;
mod prepared_signing;
mod sample_in_ball;
mod sig;
mod sign;
mod signing;
#[cfg(test)]
mod tests;
mod verify;
mod verifying;

pub use ::signature::{self as signature, rand_core};
#[cfg(feature = "getrandom")]
#[cfg_attr(docsrs, doc(cfg(feature = "getrandom")))]
pub use getrandom::SysRng;

pub use moissanite_core::seed::Seed;

pub use crate::error::{InvalidKey, InvalidSignatureLength, SigningError};
#[cfg(feature = "hazmat")]
#[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
pub use crate::hazmat::{Backend, SigningKeyOn, VerifyingKeyOn, backend};
pub use crate::key_traits::{AnySigningKey, AnyVerifyingKey};
pub use crate::message::{MessageSigner, MessageVerifier};
pub use crate::params::{PRIVATE_KEY_LEN, PUBLIC_KEY_LEN, SIGNATURE_LEN};
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub use crate::prepared_signing::PreparedSigningKey;
pub use crate::prepared_signing::{PreparedSigningKeyIn, PreparedSigningKeySpace};
pub use crate::sig::Signature;
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub use crate::signing::SigningKey;
pub use crate::signing::{SigningKeyIn, SigningKeySpace};
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub use crate::verifying::PreparedVerifyingKey;
pub use crate::verifying::{PreparedVerifyingKeyIn, PreparedVerifyingKeySpace, VerifyingKey};

/// The traits, and nothing else: `use moissanite_zk_dilithium::prelude::*;`.
///
/// They are those of the crate [`signature`](mod@signature), version 3, which is re-exported, and
/// with it [`rand_core`].
pub mod prelude {
    pub use signature::{
        Keypair as _, MultipartSigner, MultipartVerifier, SignatureEncoding, Signer, Verifier,
    };
}

/// The blocks of Rust in the README, which take randomness from the operating system.
#[cfg(all(doctest, feature = "getrandom"))]
#[doc = include_str!("../README.md")]
struct Readme;
