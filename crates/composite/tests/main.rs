//! The tests of the composites and of Ed25519, as one program.

mod api;
mod ed25519;
#[cfg(all(feature = "alloc", feature = "pkcs8"))]
mod keys;
mod vectors;
