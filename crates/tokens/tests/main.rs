//! The tests of the public API, as one program, so that generic code is compiled once for all of them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]
#![allow(
    clippy::integer_division_remainder_used,
    reason = "nothing that a test divides is secret"
)]

mod common;
mod cose;
mod dsse;
mod json_serialization;
mod jwk;
mod jws;
mod keys;
mod messages;
mod properties;
mod rfc9964;
#[cfg(feature = "tuf")]
mod tuf;
