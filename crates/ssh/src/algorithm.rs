//! The names of the algorithm, and of hash functions.

use core::fmt;

use crate::error::Error;

/// The name under which a key is known. Both names have the same keys and signatures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// `ssh-mldsa44-ed25519`, the name since OpenSSH 10.6.
    #[default]
    MlDsa44Ed25519,
    /// `ssh-mldsa44-ed25519@openssh.com`, the name in OpenSSH 10.4 and 10.5, where it has to be turned on.
    /// Later versions do not know it.
    MlDsa44Ed25519AtOpenSsh,
}

impl Algorithm {
    /// The name in keys and signatures.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MlDsa44Ed25519 => "ssh-mldsa44-ed25519",
            Self::MlDsa44Ed25519AtOpenSsh => "ssh-mldsa44-ed25519@openssh.com",
        }
    }

    /// Returns the algorithm with a name.
    pub(crate) fn from_name(name: &[u8]) -> Result<Self, Error> {
        let mut both = [Self::MlDsa44Ed25519, Self::MlDsa44Ed25519AtOpenSsh].into_iter();
        both.find(|algorithm| algorithm.name().as_bytes() == name)
            .ok_or(Error::UnknownAlgorithm)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
