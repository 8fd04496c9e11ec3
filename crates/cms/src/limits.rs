//! The largest inputs that are read. Larger ones are refused with [`Error::TooLong`].
//!
//! [`Error::TooLong`]: crate::Error::TooLong

use crate::error::Error;

/// A message in DER or PEM with its attached content, in bytes. Larger content is detached.
pub const MESSAGE: usize = 64 << 20;
/// A certificate in DER or PEM, in bytes.
pub const CERTIFICATE: usize = 1 << 20;
/// The certificates in a message.
pub const CERTIFICATES: usize = 100;
/// The signers of a message.
pub const SIGNERS: usize = 100;
/// The signed or unsigned attributes of a signer.
pub const ATTRIBUTES: usize = 100;

/// Refuses a length or a number that exceeds its limit.
pub(crate) fn check(part: &'static str, length: usize, limit: usize) -> Result<(), Error> {
    if length > limit {
        return Err(Error::TooLong { part, limit });
    }
    Ok(())
}
