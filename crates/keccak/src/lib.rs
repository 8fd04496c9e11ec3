//! Keccak-f\[1600\] on one or many states at once, and SHAKE128 and SHAKE256 on top of it (FIPS
//! 202).
//!
//! - [`Shake`] and [`Reader`] take one message of any length, and return any number of bytes;
//! - [`Shakes`] take as many short messages as a register has lanes, and return whole blocks of all
//!   at once;
//! - [`Hashing`] is SHAKE256 one block at a time, and [`IdleLaneHash`] is the same in an idle state
//!   of [`Shakes`];
//! - [`hash_many`] takes any number of messages of any lengths, and returns the first bytes of
//!   their hashes;
//! - [`Keccak`] is implemented by the tokens, which prove the CPU instructions that permute the
//!   states.
//!
//! ```
//! use moissanite_keccak::{Keccak, Lanes, Shake128, Shakes};
//!
//! // One by one ...
//! let mut hasher = Shake128::new();
//! hasher.absorb(b"seed");
//! hasher.absorb(&[1]);
//! let mut one = [0; 168];
//! hasher.squeeze().read(&mut one);
//!
//! // ... or four at a time.
//! let mut four = Lanes::<4>::blocks::<168>();
//! let mut hashers = Shakes::<_, 168>::absorb(Lanes::<4>, &[b"seed\0", b"seed\x01", b"seed\x02", b"seed\x03"]);
//! hashers.squeeze(&mut four);
//! assert_eq!(four[1], one);
//! ```
//!
//! Layout:
//!
//! | file | |
//! | --- | --- |
//! | `constants.rs` | rotations and round constants |
//! | `permutation.rs` | the permutation, one source for every width |
//! | `lane.rs` | the operations of the permutation on a register of 64-bit lanes, one of each state |
//! | `backend/*.rs` | one file for each kind of register |
//! | `state.rs` | 25 lanes in memory, and bytes in and out of them |
//! | `interleave.rs` | the form of a lane in memory on 32-bit ARM |
//! | `compact.rs` | the permutation and the sponge with the least code |
//! | `shake.rs`, `parallel.rs`, `hashing.rs`, `idle_lane.rs`, `many.rs` | the sponges |
//!
//! States are wiped when they are dropped. The compiler leaves copies in registers and in unused
//! stack memory; a caller that hashes secrets must overwrite that memory, as `moissanite-core`
//! does.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(test)]
extern crate std;

mod backend;
#[cfg(any(tiny, all(test, not(armv7))))]
mod compact;
mod constants;
mod hashing;
mod idle_lane;
mod interleave;
mod lane;
mod many;
mod parallel;
mod permutation;
mod shake;
mod state;
#[cfg(test)]
mod tests;

pub use backend::{Keccak, Lanes, Scalar};
pub use hashing::Hashing;
pub use idle_lane::IdleLaneHash;
pub use lane::Lane;
pub use many::hash_many;
pub use parallel::Shakes;
pub use shake::{InPlace, Reader, SHAKE128_RATE, SHAKE256_RATE, Shake, Shake128, Shake256};
pub use state::State;

/// The blocks of Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
