//! The code that the benches share: the operations of ML-DSA on a chosen backend, the loop that measures
//! them, and the output of the times.
//!
//! `cargo bench -p moissanite-benches` runs `operations.rs`, `components.rs`, `tokens.rs` and `tlog.rs`; the
//! workspace in `peers` also measures other implementations.

#![allow(
    clippy::panic,
    clippy::expect_used,
    reason = "a bench stops if something is broken"
)]

// The published command cannot depend on this unpublished package, and the benches should not build
// the parser and the formats of the command. Therefore, both include these files.
#[path = "../../crates/cli/src/commands/bench/hashing.rs"]
pub mod hashing;
#[path = "../../crates/cli/src/commands/bench/times.rs"]
pub mod times;

mod arguments;
mod samples;
mod subject;
mod table;

pub use arguments::{check_filter, is_measuring};
pub use samples::{Samples, wall};
pub use subject::Subject;
pub use table::Table;

/// The names of the backends to measure: all that this CPU supports, or the one in `MOISSANITE_BACKEND`.
///
/// # Panics
/// Panics if this CPU does not support the backend in `MOISSANITE_BACKEND`.
pub fn backends() -> Vec<&'static str> {
    let asked = std::env::var("MOISSANITE_BACKEND").ok();
    let all = moissanite::backend::available();
    let some: Vec<_> = all
        .filter(|name| asked.as_ref().is_none_or(|asked| asked == name))
        .collect();
    assert!(
        !some.is_empty(),
        "this CPU does not support the backend {asked:?}"
    );
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
