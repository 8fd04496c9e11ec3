//! The code that the benches share: the operations of ML-DSA on a chosen backend, the loop that measures
//! them, and the output of the times.
//!
//! `cargo bench -p moissanite-benches` runs `operations.rs`, `components.rs` and `tokens.rs`; the workspace in
//! `peers` also measures other implementations.

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

mod samples;
mod subject;

pub use samples::{Samples, wall};
pub use subject::Subject;

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

/// Ends the process with exit status 1 if `cargo bench` was called with a filter that no benchmark of this
/// target matches. `ran` says whether a benchmark has run.
pub fn check_filter(target: &str, ran: bool) {
    let mut arguments = std::env::args().skip(1);
    let measuring = std::env::args().any(|argument| argument == "--bench");
    // With these arguments, criterion runs no benchmark.
    let idle = arguments.any(|argument| {
        let name = argument.split('=').next();
        matches!(name, Some("--list" | "--ignored" | "--load-baseline"))
    });
    if measuring && !ran && !idle {
        eprintln!(
            "error: no benchmark of `{target}` matches the filter\n\
             help: `cargo bench -p moissanite-benches --bench {target} -- --list` lists them; \
             --bench chooses `operations` or `components`"
        );
        std::process::exit(1);
    }
}

/// 32 bytes that differ for each purpose and number: seeds and messages, nothing secret.
pub fn numbered(purpose: u8, number: usize) -> [u8; 32] {
    let mut bytes = [purpose; 32];
    for (byte, value) in bytes.iter_mut().zip((number as u64).to_le_bytes()) {
        *byte = value;
    }
    bytes
}
