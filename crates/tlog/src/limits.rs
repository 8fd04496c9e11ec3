//! The largest inputs that are read. Larger ones are refused with [`Error::TooLong`].
//!
//! [`Error::TooLong`]: crate::Error::TooLong

use crate::error::Error;

/// A signed note, in bytes: a hundred ML-DSA-44 cosignatures and a text of several hundred KB.
pub const NOTE: usize = 1 << 20;
/// The signature lines of a note. The specification requires at least 16.
pub const SIGNATURES: usize = 100;
/// The name of a key that cosigns, and the origin of a log that is cosigned, in bytes, because one byte contains
/// their lengths in the signed message.
pub const NAME: usize = 255;

/// Refuses a length or a number that exceeds its limit.
pub(crate) fn check(part: &'static str, length: usize, limit: usize) -> Result<(), Error> {
    if length > limit {
        return Err(Error::TooLong { part, limit });
    }
    Ok(())
}
