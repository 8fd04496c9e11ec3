//! Certificate revocation lists (RFC 5280, section 5): building, decoding,
//! checks, and their text.

pub(crate) mod build;
mod error;
pub(crate) mod parsed;
mod strict;
pub(crate) mod text;
