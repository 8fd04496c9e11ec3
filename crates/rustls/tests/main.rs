//! Handshakes of TLS 1.3 over loopback, as one program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

#[path = "../examples/client.rs"]
#[allow(dead_code, reason = "its arguments are not tested")]
mod client;
mod handshakes;
mod keys;
mod paths;
mod pki;
#[path = "../examples/server.rs"]
#[allow(dead_code, reason = "its arguments are not tested")]
mod server;
