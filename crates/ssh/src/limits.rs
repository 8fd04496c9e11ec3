//! The largest inputs that are read. Longer ones are refused with [`Error::TooLong`] before they are parsed.
//!
//! [`Error::TooLong`]: crate::Error::TooLong

use crate::error::Error;

/// The line of a public key or the text of a private key, in bytes. They take 2 and 4 KB.
pub const KEY: usize = 64 << 10;
/// The text of a signature, in bytes. It takes 6 KB.
pub const SIGNATURE: usize = 64 << 10;
/// A comment or a namespace, in bytes.
pub const TEXT: usize = 16 << 10;
/// The text of a list of allowed signers, in bytes: 8,000 keys.
pub const ALLOWED_SIGNERS: usize = 16 << 20;
/// The rounds of the derivation of a key from a passphrase. OpenSSH makes 24 unless its option `-a` says
/// otherwise, and each takes some milliseconds.
pub const ROUNDS: u32 = 1024;

/// Refuses a text that is longer than its limit.
pub(crate) fn check(part: &'static str, text: &str, limit: usize) -> Result<(), Error> {
    if text.len() > limit {
        return Err(Error::TooLong { part, limit });
    }
    Ok(())
}
