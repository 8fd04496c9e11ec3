//! The errors of the command, and the exit status of each.

use std::io;

use moissanite::SigningError;

/// Why a command failed. The text is one line: it says what is wrong and, where that is not obvious,
/// how to correct it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The signature is not valid: exit status 1. All others except [`Self::Defects`] are exit status 2.
    #[error("not valid: {0}")]
    NotValid(String),
    /// Keys have defects: exit status 1.
    #[error("{found} of {of} file{} {} no key", if *of == 1 { "" } else { "s" }, if *found == 1 { "has a defect or is" } else { "have defects or are" })]
    Defects {
        /// The number of files with defects.
        found: usize,
        /// The number of files.
        of: usize,
    },
    /// The summary of errors that the report lists.
    #[error(transparent)]
    Listed(Box<Self>),
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

    /// What is wrong with the content of a file.
    pub(crate) fn reason<E: std::error::Error + 'static>(&self) -> Option<&E> {
        match self {
            Self::File { reason, .. } => reason.downcast_ref(),
            _ => None,
        }
    }

    /// The name of the kind of error in JSON.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::NotValid(_) => "not_valid",
            Self::Defects { .. } => "defects",
            Self::Listed(error) => error.kind(),
            Self::Usage(_) => "usage",
            Self::Io { .. } => "io",
            Self::Exists(_) => "exists",
            Self::File { .. } => "file",
            Self::Signing(_) => "signing",
            Self::Randomness(_) => "randomness",
            Self::Backend(_) => "backend",
            Self::Fault(_) => "fault",
        }
    }

    /// Exit status 1 or 2.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Self::NotValid(_) | Self::Defects { .. } => 1,
            Self::Listed(error) => error.status(),
            _ => 2,
        }
    }
}
