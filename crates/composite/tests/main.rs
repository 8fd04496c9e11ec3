//! The tests of the composites and of Ed25519, as one program.

#[path = "../../moissanite/tests/common/mod.rs"]
#[allow(
    unexpected_cfgs,
    reason = "the features that it asks for are the facade's"
)]
mod common;

mod api;
mod ed25519;
#[cfg(all(feature = "alloc", feature = "pkcs8"))]
mod keys;
mod vectors;
