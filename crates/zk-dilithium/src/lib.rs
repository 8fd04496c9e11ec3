//! zkDilithium, a signature scheme for STARK proofs: knowledge of a valid signature of a message
//! can be proved at low cost.
//!
//! It is Dilithium2 (round 3) over the prime q = 2²³ − 2²⁰ + 1, without compression of the public
//! key and without hints. Verification hashes with [Poseidon](poseidon) over the same field, except
//! for the public key. zkDilithium is not a standard: outside proofs, use ML-DSA, in the crate
//! `moissanite`, which is faster.
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
//! | sign and verify a message piece by piece | `signer` of any private key: [`MessageSigner`]; `verifier` of any public key: [`MessageVerifier`] |
//! | store a key | `as_seed` of [`SigningKey`], [`VerifyingKey::to_bytes`]; `as_bytes` for programs that need the expanded form |
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
//! Signing is deterministic: the scheme has no randomized mode, so this crate does not implement
//! `RandomizedSigner`. A fault during signing can therefore reveal the key to someone who sees both
//! its result and a correct signature of the same message. ML-DSA can be hedged against that.
//!
//! # What is refused
//!
//! The references reduce each element of three bytes of a public key or of c̃ modulo q, so a
//! signature has several encodings. This crate refuses an element that is not less than q: in a key
//! by [`VerifyingKey::from_bytes`], and in a signature by verification. An encoded private key is
//! checked completely; the references also accept the coefficients −3, −4 and −5 in s₁ and s₂.
//!
//! The norm of LowBits(w − cs₂) is the maximum of the absolute values. The first reference omits
//! the absolute value for negative coefficients, so half of its signatures differ, and some do not
//! verify. Its correction and the implementation in Go give the same signatures as this crate.
//!
//! # Errors and panics
//!
//! Verification has one error, [`signature::Error`]. All other operations that can fail have
//! specific errors: [`InvalidKey`], [`InvalidSignatureLength`], and [`SigningError`] within the
//! [`signature::Error`] of the signing traits. No inherent method and no `try_*` method panics
//! (except [`poseidon::Sponge`] in debug builds, if it is written to after reading). `sign` and
//! `multipart_sign` of the traits panic where the corresponding `try_*` methods return an error.
//! This does not happen on a working machine: it means that 1,024 attempts failed (p < 2⁻²³⁰), or
//! that a key or a mask has changed.
//!
//! # What is secret
//!
//! The seed, K, s₁ and s₂, the values that a prepared private key derives from them, and the
//! variables of signing, including the states of its sponges, are secret. No branch, memory address
//! or division depends on them, and they are overwritten with zeros when they are dropped. Keys are
//! generated at their final location, and copies of secrets on the stack are overwritten at the end
//! of each operation. A failed attempt makes its c̃ and the check that failed public; they do not
//! depend on the key (round-3 specification of Dilithium, section 5.5). No branch or address
//! depends on the content of a message either, except through its signature, which is public.
//!
//! Between the pieces of a message, a signer or verifier keeps the state of its hash, by Poseidon
//! and, for signing, also by SHAKE256, and at most one byte of the message. This state is as secret
//! as the message, and is wiped too. It contains neither K nor a value derived from K, because
//! signing uses K only after the end of the message.
//!
//! # Memory
//!
//! All operations fit on a thread with 128 KiB of stack, or 512 KiB in a debug build. Signing has
//! at most 90 KiB of variables, which are in a box with the feature `alloc` and on the stack without
//! it.
//!
//! # Features
//!
//! | feature | on by default | adds |
//! | --- | --- | --- |
//! | `alloc` | yes | [`SigningKey`] and prepared keys in a box, [`SigningError`] as the source of a [`signature::Error`] |
//! | `getrandom` | yes | `SysRng`, the operating system's randomness |
//! | `std` | | `std::io::Write` for [`MessageSigner`] and [`MessageVerifier`] |
//! | `hazmat` | | explicit backends |
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
//! | decoded keys | prepared.rs |
//! | messages in pieces | message.rs |
//! | packFe, and the layout of keys and signatures | encode.rs |
//!
//! NTT, ExpandA, ExpandS, ExpandMask, Decompose, packEta and packGamma1 come from the core, with
//! this field and these parameters.
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
/// They are the traits of the crate [`signature`](mod@signature), version 3. This crate re-exports
/// `signature` and [`rand_core`].
pub mod prelude {
    pub use signature::{
        Keypair as _, MultipartSigner, MultipartVerifier, SignatureEncoding, Signer, Verifier,
    };
}

/// The blocks of Rust in the README, which take randomness from the operating system.
#[cfg(all(doctest, feature = "getrandom"))]
#[doc = include_str!("../README.md")]
struct Readme;
