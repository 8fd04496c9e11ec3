//! That the operations need no more stack than threads have: 512 KiB on some systems, 128 KiB with
//! musl. What each operation takes exactly, `cargo xtask stack` measures.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "scratch/mod.rs"]
pub(crate) mod scratch;

const FEATURES: [&str; 2] = ["alloc", "pkcs8"];

#[test]
fn debug_builds_fit_512_kib() {
    scratch::fits(&FEATURES, "dev", 512);
}

#[test]
fn release_builds_fit_128_kib() {
    scratch::fits(&FEATURES, "release", 128);
}
