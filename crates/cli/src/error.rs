//! What can go wrong, and the exit status that says so.

use std::io;

use moissanite::SigningError;

use crate::commands::acvp::PromptError;
use crate::keyfile::KeyError;

pub(crate) use crate::report::one_line;

/// Why a command did not end well. The text is one line: what is wrong, and
/// how to mend it where that is not plain.
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
        /// `read`, for example.
        action: &'static str,
        /// Which file.
        place: String,
        /// The system's reason.
        source: io::Error,
    },
    /// An output that is there already.
    #[error("{0} exists already; choose another name, or overwrite it with --force")]
    Exists(String),
    /// A file is not what it should be.
    #[error("{place}: {error}")]
    Key {
        /// Which file.
        place: String,
        /// What is wrong with it.
        error: KeyError,
    },
    /// A file of test vectors that cannot be answered.
    #[error("{place}: {error}")]
    Prompt {
        /// Which file.
        place: String,
        /// What is wrong with it.
        error: PromptError,
    },
    /// There is no signature.
    #[error(transparent)]
    Signing(#[from] SigningError),
    /// The operating system gives no randomness.
    #[error("the operating system gives no randomness: {0}")]
    Randomness(String),
    /// The backend that was asked for has gone.
    #[error("this CPU does not have the backend {0}")]
    Backend(&'static str),
    /// The implementation contradicts itself.
    #[error("{0}; this is a bug or a faulty machine")]
    Fault(String),
}

impl Error {
    pub(crate) fn io(action: &'static str, place: impl Into<String>, source: io::Error) -> Self {
        // A library's own text can name a file, which only `place` may.
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

    pub(crate) fn key(place: impl Into<String>, error: impl Into<KeyError>) -> Self {
        Self::Key {
            place: place.into(),
            error: error.into(),
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
