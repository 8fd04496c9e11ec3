//! ML-DSA (FIPS 204) signatures that are easy to use, on anything from a
//! server to a microcontroller.
//!
//! ```
//! use moissanite::{prelude::*, MlDsa65, SigningKey};
//!
//! # #[cfg(feature = "getrandom")] {
//! use moissanite::SysRng;
//!
//! let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
//! let signature = key.try_sign_with_rng(&mut SysRng, b"msg")?;
//! key.verifying_key().verify(b"msg", &signature)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which set
//!
//! | set | NIST category | public key | private key | signature |
//! | --- | --- | --- | --- | --- |
//! | [`MlDsa44`] | 2 | 1,312 | 32 or 2,560 | 2,420 |
//! | [`MlDsa65`] | 3 | 1,952 | 32 or 4,032 | 3,309 |
//! | [`MlDsa87`] | 5 | 2,592 | 32 or 4,896 | 4,627 |
//!
//! Sizes are in bytes; those of a private key are for its seed and its expanded form. Use
//! [`MlDsa65`] unless you have a reason for another set. Use [`MlDsa44`] if size matters most, and
//! [`MlDsa87`] if a rule requires it. The set is a type parameter, so the use of a key or a
//! signature of another set is a compile error, or an error about the length of its bytes.
//!
//! Users cannot define other sets: [`ParameterSet`], [`Fips204`] and [`Scheme`] are sealed, because
//! signatures with wrong numbers reveal the private key. This does not compile:
//!
//! ```compile_fail,E0277
//! use moissanite::{MlDsa44, ParameterSet};
//!
//! #[derive(Clone, Copy, Debug, PartialEq, Eq)]
//! struct Weak;
//! impl ParameterSet for Weak {
//!     const TAU: usize = 1;
//!     const NAME: &'static str = MlDsa44::NAME;
//!     const ETA: u32 = MlDsa44::ETA;
//!     const LAMBDA: usize = MlDsa44::LAMBDA;
//!     const GAMMA1: u32 = MlDsa44::GAMMA1;
//!     const GAMMA2: u32 = MlDsa44::GAMMA2;
//!     const OMEGA: usize = MlDsa44::OMEGA;
//!     type Scheme = <MlDsa44 as ParameterSet>::Scheme;
//!     type Field = <MlDsa44 as ParameterSet>::Field;
//!     type K = <MlDsa44 as ParameterSet>::K;
//!     type L = <MlDsa44 as ParameterSet>::L;
//!     type PublicKey = <MlDsa44 as ParameterSet>::PublicKey;
//!     type PrivateKey = <MlDsa44 as ParameterSet>::PrivateKey;
//!     type Signature = <MlDsa44 as ParameterSet>::Signature;
//! }
//! ```
//!
//! # What to call
//!
//! | to | call |
//! | --- | --- |
//! | make a key | [`SigningKey::try_generate`], from a [`Seed`] [`SigningKey::from_seed`] |
//! | sign, hedged with randomness | `try_sign_with_rng` of [`RandomizedSigner`](prelude::RandomizedSigner) |
//! | sign without randomness | `try_sign` of [`Signer`](prelude::Signer); the same message gives the same bytes |
//! | verify | `verify` of [`Verifier`](prelude::Verifier) |
//! | use one key for several purposes | [`SigningKey::with_context`], [`VerifyingKey::with_context`]: views with the same traits |
//! | sign and verify a message that does not fit in memory | [`VerifyingKey::mu`], then [`SigningKey::try_sign_mu_with_rng`], [`VerifyingKey::verify_mu`]; with the feature `std`, `std::io::copy` reads a file into [`MuBuilder`] |
//! | sign and verify a message in parts | [`RandomizedMultipartSigner`](prelude::RandomizedMultipartSigner), [`MultipartVerifier`](prelude::MultipartVerifier) |
//! | sign a digest (HashML-DSA) | `try_sign_prehashed_with_rng`, `verify_prehashed`, module `prehash` (feature `hash-ml-dsa`) |
//! | store a key | `as_seed` of [`SigningKey`], [`VerifyingKey::to_bytes`]; `as_expanded_bytes` for programs that need the expanded form |
//! | load a key | [`SigningKey::from_seed`], [`SigningKey::from_expanded_bytes`], [`VerifyingKey::from_bytes`] |
//! | send and receive a signature | [`Signature::to_bytes`], [`Signature::from_bytes`] |
//! | read and write PKCS#8 and SPKI | module `keys` and the traits of the crate `pkcs8` (feature `pkcs8`; `pem` for text, `std` for files) |
//! | use one key many times | `prepare` of either key (feature `alloc`), [`SigningKeyIn::prepare_in`], [`VerifyingKey::prepare_in`] |
//! | write code for keys of any kind and set | [`AnySigningKey`], [`AnyVerifyingKey`]; for one kind, [`ParameterSet`] or [`Fips204`] |
//! | work without a heap | [`SigningKeyIn::try_generate_in`] and the other methods that end in `_in`, in a [`SigningKeySpace`] |
//! | work with a few KiB of memory | module [`stream`] |
//! | verify and sign with Dilithium2, 3 and 5 of round 3 | module [`round3`], which also describes the migration |
//! | verify or sign many messages, or generate many keys, at once | `verify_batch`, `sign_batch_with_rng`, `generate_batch` of module `batch` (feature `alloc`) |
//! | check at run time that the code works, as FIPS 140-3 requires | module [`self_test`] |
//! | test, or build protocols | `sign_internal`, `verify_internal`, `Mu::from_bytes`, `on` and more (feature `hazmat`) |
//!
//! A key, a context, a message in pieces, and bytes to send:
//!
//! ```
//! use moissanite::{prelude::*, MlDsa65, Signature, SigningKey, VerifyingKey};
//!
//! # #[cfg(feature = "getrandom")] {
//! use moissanite::SysRng;
//!
//! let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
//! let public_key: [u8; 1952] = key.verifying_key().to_bytes();
//!
//! let mut mu = key.verifying_key().mu(b"backup 2026")?;
//! for piece in [b"pieces of a large file".as_slice(), b", one after the other"] {
//!     mu.update(piece);
//! }
//! let signature: [u8; 3309] = key.try_sign_mu_with_rng(&mut SysRng, &mu.finish())?.to_bytes();
//!
//! // Elsewhere, with the file in one piece:
//! let public_key = VerifyingKey::<MlDsa65>::from_bytes(&public_key)?;
//! let signature = Signature::from_bytes(&signature)?;
//! public_key
//!     .with_context(b"backup 2026")?
//!     .verify(b"pieces of a large file, one after the other", &signature)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The module `guides` contains complete guides: a firmware image, a key from another program, a
//! file on another machine than the key, and the move from another crate.
//!
//! # Bare metal
//!
//! With `default-features = false`, the crate needs no allocator, no operating system and no `std`.
//! The rest of the API is the same:
//!
//! ```
//! use moissanite::{prelude::*, MlDsa44, Signature, SysRng, VerifyingKey};
//!
//! /// Returns whether a firmware image comes from the vendor.
//! fn is_genuine(vendor: &[u8; 1312], image: &[u8], signature: &[u8; 2420]) -> bool {
//!     let Ok(vendor) = VerifyingKey::<MlDsa44>::from_bytes(vendor) else {
//!         return false;
//!     };
//!     let Ok(signature) = Signature::from_bytes(signature) else {
//!         return false;
//!     };
//!     vendor.verify(image, &signature).is_ok()
//! }
//! # let key = moissanite::SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
//! # let signature = key.try_sign(b"image")?.to_bytes();
//! # assert!(is_genuine(key.verifying_key().as_bytes(), b"image", &signature));
//! # assert!(!is_genuine(key.verifying_key().as_bytes(), b"emage", &signature));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Randomness comes from any [`rand_core::TryCryptoRng`], such as a driver of
//! the chip's generator.
//!
//! All operations of all sets fit on a thread with 128 KiB of stack, or 512 KiB in a debug build. A
//! prepared key has 21 to 75 KiB. It is stored in a box, or in a [`PreparedSigningKeySpace`] or
//! [`PreparedVerifyingKeySpace`] of the caller. A private key is stored in a box or in a
//! [`SigningKeySpace`].
//!
//! If that is too much memory, the module [`stream`] has the same operations in 3 to 9 KiB, and
//! reads and writes keys, messages and signatures in pieces.
//!
//! # Features
//!
//! | feature | on by default | adds |
//! | --- | --- | --- |
//! | `alloc` | yes | `prepare`, batches, key documents, [`SigningError`] as the source of a [`signature::Error`] |
//! | `getrandom` | yes | `SysRng`, the operating system's randomness |
//! | `pkcs8` | yes | PKCS#8 private keys and SPKI public keys (RFC 9881) |
//! | `pem` | | the same as PEM text |
//! | `serde` | | keys and signatures as serde values |
//! | `hash-ml-dsa` | | HashML-DSA with the twelve hash functions |
//! | `fault-checks` | | verification of each signature before it is returned |
//! | `tiny` | | on bare metal, the least code for [`stream`], which is slower; elsewhere it has no effect |
//! | `std` | | `std::io::Write` for the types that take a message in pieces; with `pkcs8`, keys in files |
//! | `hazmat` | | the internal algorithms, μ from bytes, trusted import, explicit backends |
//!
//! A feature only adds API. It never changes a result.
//!
//! # Errors and panics
//!
//! Verification has one error, [`signature::Error`], for every reason. All other operations that
//! can fail have specific errors: [`InvalidKey`], [`InvalidSignatureLength`], [`ContextTooLong`],
//! [`SigningError`], those of the module `batch`, [`InvalidDigestLength`] and [`WeakHash`] of
//! HashML-DSA, `keys::KeyFormatError` of key documents. The signing traits wrap [`SigningError`] in
//! a [`signature::Error`].
//!
//! No inherent method and no `try_*` method panics. The infallible methods of the signing traits
//! (`sign`, `sign_with_rng`, `multipart_sign`, `multipart_sign_with_rng`) panic where the
//! corresponding `try_*` methods return an error, which does not happen on a working machine. A
//! failing random number generator gives an error; signing never continues without it.
//!
//! # What is secret
//!
//! The seed, the expanded private key, a prepared private key, and the randomness of a signature
//! are secret. No branch, memory address or division depends on them, and they are overwritten with
//! zeros when they are dropped. `Debug` shows none of them. Keys are generated at their final
//! location, and moving a key moves a pointer. Copies of secrets on the stack are overwritten at
//! the end of each operation. The caller must wipe bytes that a method returns, such as those of
//! `to_expanded_bytes`, and a [`Seed`] that it moves.
//!
//! Public keys, signatures, contexts and lengths are public. No branch or address depends on the
//! content of a message either, except through its signature, which is public.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[macro_use]
mod macros;
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub mod batch;
mod context;
mod core_ops;
mod error;
mod expanded;
#[cfg(all(
    any(doc, doctest),
    feature = "getrandom",
    feature = "hazmat",
    feature = "pem",
    feature = "std"
))]
pub mod guides;
#[cfg(feature = "hazmat")]
mod hazmat;
#[cfg(feature = "std")]
mod io;
mod key_traits;
#[cfg(feature = "pkcs8")]
#[cfg_attr(docsrs, doc(cfg(feature = "pkcs8")))]
pub mod keys;
mod mu;
#[cfg(feature = "hash-ml-dsa")]
pub mod prehash;
mod prepared;
pub mod round3;
pub mod self_test;
#[cfg(feature = "serde")]
mod serde_impls;
mod sig;
mod signing;
pub mod stream;
mod verifying;

pub use ::signature::{self as signature, rand_core};
#[cfg(feature = "getrandom")]
#[cfg_attr(docsrs, doc(cfg(feature = "getrandom")))]
pub use getrandom::SysRng;
pub use moissanite_core::scheme::{Round3, Scheme, Standard};
pub use moissanite_core::secret::Wipe;
pub use moissanite_core::seed::Seed;
pub use moissanite_core::{
    Dilithium2, Dilithium3, Dilithium5, Fips204, MlDsa44, MlDsa65, MlDsa87, ParameterSet,
};
#[cfg(feature = "pkcs8")]
#[cfg_attr(docsrs, doc(cfg(feature = "pkcs8")))]
pub use pkcs8;

pub use crate::context::WithContext;
pub use crate::error::{
    ContextTooLong, InvalidDigestLength, InvalidKey, InvalidSignatureLength, SigningError, WeakHash,
};
pub use crate::expanded::ExpandedSigningKey;
#[cfg(feature = "hazmat")]
#[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
pub use crate::hazmat::{Backend, SigningKeyOn, VerifyingKeyOn, backend};
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub use crate::key_traits::AnyPreparedSigningKey;
pub use crate::key_traits::{AnySigningKey, AnyVerifyingKey};
pub use crate::mu::{Mu, MuBuilder};
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub use crate::prepared::PreparedSigningKey;
pub use crate::prepared::{PreparedSigningKeyIn, PreparedSigningKeySpace};
pub use crate::sig::Signature;
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub use crate::signing::SigningKey;
pub use crate::signing::{SigningKeyIn, SigningKeySpace};
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub use crate::verifying::PreparedVerifyingKey;
pub use crate::verifying::{PreparedVerifyingKeyIn, PreparedVerifyingKeySpace, VerifyingKey};

/// The traits, and nothing else: `use moissanite::prelude::*;`.
///
/// They are the traits of the crate [`signature`](mod@signature), version 3. This crate re-exports
/// `signature` and [`rand_core`].
pub mod prelude {
    pub use signature::{
        Keypair as _, MultipartSigner, MultipartVerifier, RandomizedMultipartSigner,
        RandomizedSigner, SignatureEncoding, Signer, Verifier,
    };
}

/// The blocks of Rust in the README, which take randomness from the operating system.
#[cfg(all(doctest, feature = "getrandom"))]
#[doc = include_str!("../README.md")]
struct Readme;
