//! That the operations need no more stack than threads have, as the facade's test of the same name
//! has it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../moissanite/tests/scratch/mod.rs"]
mod scratch;

#[test]
fn debug_builds_fit_512_kib() {
    scratch::fits(&["alloc"], "dev", 512);
}

#[test]
fn release_builds_fit_128_kib() {
    scratch::fits(&["alloc"], "release", 128);
}
