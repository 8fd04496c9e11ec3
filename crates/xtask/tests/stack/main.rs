//! Tests that the operations of a user's program need no more stack than threads have: 512 KiB on some
//! systems, 128 KiB with musl. `cargo xtask stack` measures what each operation takes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scratch;

use scratch::{Program, fits};

const MOISSANITE: Program = Program {
    depends_on: "moissanite",
    features: &["alloc", "pkcs8"],
    text: include_str!("moissanite.rs"),
};
const ZK_DILITHIUM: Program = Program {
    depends_on: "moissanite-zk-dilithium",
    features: &["alloc"],
    text: include_str!("zk_dilithium.rs"),
};

#[test]
fn debug_builds_fit_512_kib() {
    fits(&MOISSANITE, "dev", 512);
    fits(&ZK_DILITHIUM, "dev", 512);
}

#[test]
fn release_builds_fit_128_kib() {
    fits(&MOISSANITE, "release", 128);
    fits(&ZK_DILITHIUM, "release", 128);
}
