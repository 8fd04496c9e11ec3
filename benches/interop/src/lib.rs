//! Implementations that other programs use, behind one interface.

mod aws_lc;
mod openssl;
mod peer;

pub use aws_lc::AwsLc;
pub use openssl::OpenSsl;
pub use peer::{Peer, PeerError, Set};

/// The guide of `moissanite-rustls`, whose provider this workspace has.
#[cfg(doctest)]
#[doc = include_str!("../../../crates/rustls/docs/guides/tls_server.md")]
struct TlsGuide;
