//! Tokens that prove which instructions this CPU has.
//!
//! A token is a zero-sized value that only its `detect` returns. A value of the type therefore
//! proves that the CPU supports the features in its documentation, and that the operating system
//! saves their registers. Functions that are compiled for those features take the token as an
//! argument, so safe code may call them. The features are detected once per process; after that,
//! `detect` is one relaxed load.
//!
//! | token | target | features |
//! | --- | --- | --- |
//! | [`Portable`] | all | none |
//! | `Bmi2` | x86-64 | `bmi1,bmi2` |
//! | `Avx2` | x86-64 | `avx2` |
//! | `Avx512` | x86-64 | `avx512f,avx512vl,avx512bw,avx512dq,avx512ifma,avx512vbmi,avx512vbmi2` |
//! | `Neon` | AArch64 | `neon` |
//! | `Sha3` | AArch64 | `neon,sha3` |
//! | `Simd128` | WebAssembly | `simd128` |
//!
//! Where no detection is possible (bare metal, SGX, WebAssembly, Miri), a token exists only if the program
//! itself is compiled for its features.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod barrier;
#[cfg(feature = "memcheck")]
pub mod memcheck;
#[cfg(feature = "replay")]
pub mod replay;
#[cfg(target_arch = "wasm32")]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "aarch64")]
pub use aarch64::{Neon, Sha3};
pub use barrier::{value_barrier, value_barrier_64};
#[cfg(target_arch = "wasm32")]
pub use wasm::Simd128;
#[cfg(target_arch = "x86_64")]
pub use x86_64::{Avx2, Avx512, Bmi2};

/// Portable Rust, which every CPU supports. Any code can construct this token.
#[derive(Clone, Copy, Debug, Default)]
pub struct Portable;

impl Portable {
    /// The name in tests, benches and the command.
    pub const NAME: &str = "portable";
}

#[cfg(test)]
mod tests;
