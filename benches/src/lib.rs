//! The code that the benches share: the operations of ML-DSA on a chosen backend, the loop that measures
//! them, and the output of the times.
//!
//! `cargo bench -p moissanite-benches` runs `operations.rs` and `components.rs`; the workspace in `peers`
//! measures other implementations beside these.

#![allow(
    clippy::panic,
    clippy::expect_used,
    reason = "a bench of something broken has to stop"
)]

// The command is published and cannot depend on a package that is not; its parser and its formats are
// nothing that benches should build. So the two have these files in common.
#[path = "../../crates/cli/src/commands/bench/hashing.rs"]
pub mod hashing;
#[path = "../../crates/cli/src/commands/bench/times.rs"]
pub mod times;

mod samples;
mod subject;

pub use samples::{Samples, wall};
pub use subject::Subject;

/// The names of the backends to measure: all that this CPU has, or the one in `MOISSANITE_BACKEND`.
///
/// # Panics
/// It has no backend of that name.
pub fn backends() -> Vec<&'static str> {
    let asked = std::env::var("MOISSANITE_BACKEND").ok();
    let all = moissanite::backend::available();
    let some: Vec<_> = all
        .filter(|name| asked.as_ref().is_none_or(|asked| asked == name))
        .collect();
    assert!(!some.is_empty(), "this CPU has no backend {asked:?}");
    some
}

/// 32 bytes that differ for each purpose and number: seeds and messages, nothing secret.
pub fn numbered(purpose: u8, number: usize) -> [u8; 32] {
    let mut bytes = [purpose; 32];
    for (byte, value) in bytes.iter_mut().zip((number as u64).to_le_bytes()) {
        *byte = value;
    }
    bytes
}
