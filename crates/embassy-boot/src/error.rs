//! The reasons for which an update is not marked.

use core::fmt;

use embassy_boot::FirmwareUpdaterError;
use moissanite_mcuboot::{Error, Malformed, Refused};

/// The reason why an update was not marked. `K` is the error of the public key's source.
#[derive(Debug)]
#[non_exhaustive]
pub enum UpdateError<K> {
    /// The running image has not been confirmed with `mark_booted`. An update would replace the image to which
    /// the boot loader would return.
    NotBooted,
    /// The buffer is shorter than the signature: it needs 2,420, 3,309 or 4,627 bytes.
    Buffer,
    /// The image cannot be read, is malformed, or is refused.
    Image(Error<FirmwareUpdaterError, K>),
    /// The state cannot be read or written.
    State(FirmwareUpdaterError),
}

impl<K> fmt::Display for UpdateError<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotBooted => f.write_str("the running image has not been confirmed"),
            Self::Buffer => f.write_str("the buffer is shorter than the signature"),
            Self::Image(reason) => reason.fmt(f),
            Self::State(_) => f.write_str("the state cannot be read or written"),
        }
    }
}
impl<K: fmt::Debug> core::error::Error for UpdateError<K> {}

impl<K> From<Malformed> for UpdateError<K> {
    fn from(reason: Malformed) -> Self {
        Self::Image(reason.into())
    }
}

impl<K> From<Refused> for UpdateError<K> {
    fn from(reason: Refused) -> Self {
        Self::Image(reason.into())
    }
}
