//! The largest inputs that are read. Longer ones are refused with [`Error::TooLong`] before they
//! are parsed.
//!
//! [`Error::TooLong`]: crate::Error::TooLong

/// A JWK or a COSE_Key, in bytes. The largest key without other members takes 4 KB; the rest is for
/// chains of certificates beside it.
pub const KEY: usize = 64 << 10;
/// The text of a JWK Set, in bytes.
pub const KEY_SET: usize = 1 << 20;
/// The text of a JWS in the compact serialization, or the bytes of a COSE_Sign1. A detached payload does
/// not count.
pub const TOKEN: usize = 16 << 20;
/// The text of a JWS in a JSON serialization. It is shorter than [`TOKEN`], because members that nobody
/// signed are kept in memory, and a value takes more memory than text. A detached payload does not count.
pub const TOKEN_JSON: usize = 1 << 20;
/// A protected header, in bytes before base64url.
pub const HEADER: usize = 64 << 10;
/// The signatures of a JWS in the general JSON serialization, and of an envelope of DSSE.
pub const SIGNATURES: usize = 16;
/// The text of an envelope of DSSE, in bytes.
pub const ENVELOPE: usize = 16 << 20;
