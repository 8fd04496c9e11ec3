//! The errors of the command, and the exit status of each.

use std::io;

use moissanite::SigningError;

/// Why a command failed. The text is one line: it says what is wrong and, where that is not obvious,
/// how to correct it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The signature is not valid: exit status 1. All others are exit status 2.
    #[error("not valid: {0}")]
    NotValid(String),
    /// The arguments contradict each other, or one has a wrong value.
    #[error("{0}")]
    Usage(String),
    /// A file cannot be read or written.
    #[error("cannot {action} {place}: {source}")]
    Io {
        /// The verb, such as `read`.
        action: &'static str,
        /// Which file.
        place: String,
        /// The system's reason.
        source: io::Error,
    },
    /// An output exists already.
    #[error("{0} exists already; choose another name, or overwrite it with --force")]
    Exists(String),
    /// The content of a file is wrong.
    #[error("{place}: {reason}")]
    File {
        /// Which file.
        place: String,
        /// What is wrong with it.
        reason: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Signing failed.
    #[error(transparent)]
    Signing(#[from] SigningError),
    /// The operating system provides no random bytes.
    #[error("the operating system returned no random bytes: {0}")]
    Randomness(String),
    /// The requested backend is no longer available.
    #[error("this CPU does not have the backend {0}")]
    Backend(&'static str),
    /// The implementation contradicts itself.
    #[error("{0}; this is a bug or a faulty machine")]
    Fault(String),
}

impl Error {
    pub(crate) fn io(action: &'static str, place: impl Into<String>, source: io::Error) -> Self {
        // The text of a library's error can contain a file name; only `place` may name the file.
        let source = match source.raw_os_error() {
            Some(_) => source,
            None => source.kind().into(),
        };
        Self::Io {
            action,
            place: place.into(),
            source,
        }
    }

    pub(crate) fn file(
        place: impl Into<String>,
        reason: impl std::error::Error + Send + Sync + 'static,
    ) -> Self {
        Self::File {
            place: place.into(),
            reason: Box::new(reason),
        }
    }

    /// Exit status 1 or 2.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Self::NotValid(_) => 1,
            _ => 2,
        }
    }
}
