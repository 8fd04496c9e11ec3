//! Tests with notes that Go's implementation signed for this crate, and with malformed ones.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may panic"
)]

mod checkpoints;
mod cosignatures;
mod keys;
mod notes;
mod properties;

use std::sync::LazyLock;

use moissanite_tlog::{Checkpoint, Cosigner, CosignerKey, Ed25519Key, Seed, SigningKey};
use serde_json::Value;

/// What Go's implementation wrote.
static GO: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(moissanite_kats::TLOG).unwrap());
const ORIGIN: &str = "example.com/log";
const WITNESS: &str = "witness.example/ml-dsa-44";

/// Returns a text by its path in `tlog.json`.
fn go(path: &str) -> &'static str {
    GO.pointer(path).and_then(Value::as_str).expect(path)
}

/// Returns a hash by its path.
fn hash(path: &str) -> [u8; 32] {
    hex::decode(go(path)).unwrap().try_into().unwrap()
}

/// The checkpoint that is signed there.
fn checkpoint() -> Checkpoint {
    Checkpoint::new(ORIGIN, 42, hash("/root")).unwrap()
}

/// The ML-DSA-44 key of Go.
fn cosigner() -> Cosigner {
    let seed: [u8; 32] = hex::decode(go("/seed")).unwrap().try_into().unwrap();
    Cosigner::new(WITNESS, SigningKey::from_seed(&Seed::from_bytes(&seed))).unwrap()
}

fn cosigner_key() -> CosignerKey {
    CosignerKey::from_vkey(go("/ml_dsa_44")).unwrap()
}

fn ed25519(path: &str) -> Ed25519Key {
    Ed25519Key::from_vkey(go(path)).unwrap()
}
