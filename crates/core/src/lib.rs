//! The core of Moissanite: ML-DSA (FIPS 204) and round-3 Dilithium, without allocation and without `std`.
//!
//! Most programs should use the crate `moissanite`, which adds the usual traits and key formats to
//! this one.
//!
//! The modules, in reading order:
//!
//! | module | content |
//! | --- | --- |
//! | [`params`] | the numbers in Tables 1 and 2 of FIPS 204 |
//! | [`scheme`] | the differences of round-3 Dilithium |
//! | [`keygen`], [`sign`], [`verify`] | the three algorithms, independent of lanes and encodings |
//! | [`batch`] | the three algorithms on many items at once |
//! | [`stream`] | the three algorithms in a few KiB |
//! | [`prepared`] | keys in the form that the algorithms use |
//! | [`sample`], [`hash`] | sampling from seeds, and hashing |
//! | [`encode`] | encodings as bytes |
//! | [`rounding`] | rounding and hints as the standard defines them, for tests |
//! | [`shape`], [`poly`] | dimensions, and polynomials with these dimensions |
//! | [`field`] | q and the tables that follow from it |
//! | [`secret`], [`seed`], [`key_space`] | secrets, which are wiped and declassified explicitly; seeds; memory for keys |
//! | [`scrub`] | wiping of the copies that the compiler leaves on the stack |
//! | [`backend`] | the CPUs |
//! | `kernels`, `simd` | loops over registers, and the registers |
//! | `bounds` | checks of bounds, which only tests compile |
//! | [`debug`], [`sealed`] | the output of `Debug`, and the marker of sealed traits |
//! | [`known_answers`] | the answers of self-tests |
//!
//! # Where each algorithm is
//!
//! | FIPS 204 | name | file |
//! | --- | --- | --- |
//! | Algorithm 6 | ML-DSA.KeyGen_internal | keygen.rs, stream/keygen.rs, stream/key.rs |
//! | Algorithm 7 | ML-DSA.Sign_internal | sign.rs, stream/sign.rs |
//! | Algorithm 8 | ML-DSA.Verify_internal | verify.rs, stream/verify.rs, stream/hardened.rs |
//! | Algorithms 14, 15 | CoeffFromThreeBytes, CoeffFromHalfByte | kernels/reject.rs |
//! | Algorithms 16 to 19 | SimpleBitPack, BitPack, and back | encode/bits.rs, kernels/pack.rs, stream/pieces.rs |
//! | Algorithms 20, 21 | HintBitPack, HintBitUnpack | encode/hint.rs, stream/sign.rs, stream/verify.rs |
//! | Algorithms 22 to 25 | pkEncode, pkDecode, skEncode, skDecode | encode/keys.rs, prepared.rs, stream/key.rs |
//! | Algorithms 26 to 28 | sigEncode, sigDecode, w1Encode | encode/signature.rs, stream/sign.rs, stream.rs |
//! | Algorithm 29 | SampleInBall | sample/ball.rs, stream/challenge.rs |
//! | Algorithms 30, 31 | RejNTTPoly, RejBoundedPoly | sample/matrix.rs, sample/secrets.rs, kernels/reject.rs, stream/fast.rs, stream/compact.rs, stream/key.rs, backend/armv7.rs, backend/portable.rs |
//! | Algorithms 32 to 34 | ExpandA, ExpandS, ExpandMask | sample/matrix.rs, sample/secrets.rs, sample/masks.rs, stream/matrix.rs, stream/key.rs, stream/sign.rs, stream/fast.rs, stream/compact.rs |
//! | Algorithms 35 to 40 | Power2Round to UseHint | kernels/round.rs, rounding.rs |
//! | Algorithms 41, 42 | NTT, NTT⁻¹ | kernels/ntt.rs, backend/armv7.rs, backend/portable.rs, backend/compact.rs |
//!
//! Algorithms 1 to 5, which add contexts, randomness and pre-hashing to Algorithms 6 to 8, are in
//! the crate `moissanite`; [`hash::MuBuilder`] frames their messages.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(any(test, feature = "reference"))]
extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod backend;
pub mod batch;
mod bounds;
pub mod debug;
pub mod encode;
pub mod field;
pub mod hash;
mod kernels;
pub mod key_space;
pub mod keygen;
pub mod known_answers;
pub mod params;
pub mod poly;
pub mod prepared;
#[cfg(any(test, feature = "reference"))]
#[doc(hidden)]
pub mod reference;
pub mod rounding;
pub mod sample;
pub mod scheme;
pub mod scrub;
pub mod sealed;
pub mod secret;
pub mod seed;
pub mod shape;
pub mod sign;
mod simd;
pub mod stream;
#[cfg(test)]
mod tests;
pub mod verify;

pub use params::{
    Dilithium2, Dilithium3, Dilithium5, Fips204, MlDsa44, MlDsa65, MlDsa87, ParameterSet,
};
