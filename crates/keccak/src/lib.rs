//! Keccak-f\[1600\] on one or many states at once, and SHAKE128 and SHAKE256 over it (FIPS 202).
//!
//! - [`Shake`] and [`Reader`]: one message of any length in, any number of bytes out;
//! - [`Shakes`]: as many short messages as a register has lanes, whole blocks out in step;
//! - [`Passenger`]: a hash that goes on in a state that [`Shakes`] leave idle;
//! - [`hash_many`]: any number of messages of any lengths in, the first bytes of their hashes out;
//! - [`Keccak`]: which instructions permute the states. A CPU's token, proof that it has them.
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
//! Where what is:
//!
//! | file | |
//! | --- | --- |
//! | `permutation.rs` | the permutation: one text for every width |
//! | `lane.rs` | what it is written in: a register of 64-bit lanes, one of each state |
//! | `backend/*.rs` | one file for each kind of register |
//! | `state.rs` | 25 lanes in memory, and bytes in and out of them |
//! | `shake.rs`, `shakes.rs`, `passenger.rs` | the sponges |
//!
//! States are wiped when they are dropped. Copies that the compiler leaves in registers and in the
//! permutation's stack frame are not: no library can reach them.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(test)]
extern crate std;

mod backend;
mod lane;
mod passenger;
mod permutation;
mod shake;
mod shakes;
mod state;
#[cfg(test)]
mod tests;

pub use backend::{Keccak, Lanes, Scalar};
pub use lane::Lane;
pub use passenger::{Hashing, Passenger, hash_many};
pub use shake::{InPlace, Reader, SHAKE128_RATE, SHAKE256_RATE, Shake, Shake128, Shake256};
pub use shakes::Shakes;
pub use state::State;

/// The blocks of Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
