//! The encodings of keys.

use std::fmt;

use clap::ValueEnum;

use crate::algorithm::scheme::Algorithm;

/// The encoding of a key, a certificate or a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Encoding {
    /// Text: PKCS#8 and SubjectPublicKeyInfo in base64
    Pem,
    /// PKCS#8 and SubjectPublicKeyInfo in bytes
    Der,
    /// The bytes of the scheme itself
    Raw,
}

impl Encoding {
    /// The encoding in which a key is written unless the command line names another one.
    pub(crate) fn default_for(algorithm: Algorithm) -> Self {
        match algorithm.oid() {
            Some(_) => Self::Pem,
            None => Self::Raw,
        }
    }

    /// The name in JSON and on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pem => "pem",
            Self::Der => "der",
            Self::Raw => "raw",
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pem => "PEM",
            Self::Der => "DER",
            Self::Raw => "raw",
        })
    }
}
