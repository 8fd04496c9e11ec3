//! Updates of a device whose flash is in memory.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::integer_division_remainder_used,
    reason = "a test may panic"
)]

mod device;
mod flash;
mod power;
mod updates;

use std::sync::LazyLock;

use moissanite::{MlDsa44, Seed, SigningKey, SysRng};
use moissanite_mcuboot::{Draft, Version};

static KEY: LazyLock<SigningKey<MlDsa44>> =
    LazyLock::new(|| SigningKey::from_seed(&Seed::from_bytes(&[3; 32])));

/// The vendor's public key.
fn vendor() -> Vec<u8> {
    KEY.verifying_key().as_ref().to_vec()
}

/// An image with a rollback counter.
fn image(counter: u32, body: &[u8]) -> Vec<u8> {
    let draft = Draft::new(body, Version::new(1, 0, 0, counter), counter).unwrap();
    draft.try_sign(&*KEY, &mut SysRng).unwrap()
}
