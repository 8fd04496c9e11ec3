//! `std::io::Write` for the types that take a message in pieces, so that `std::io::copy` can read a
//! message from a file.

#[cfg(feature = "hash-ml-dsa")]
use std::io::Read;
use std::io::{Result, Write};

use moissanite_core::ParameterSet;
use moissanite_core::scheme::Scheme;

use crate::mu::MuBuilder;
#[cfg(feature = "hash-ml-dsa")]
use crate::prehash::{PreHash, PreHashed};
use crate::stream::{Source, Verifier, ZCache};

/// Takes the written bytes as the next piece of the message, and never fails.
///
/// ```
/// use std::{fs::File, io};
/// use moissanite::{MlDsa65, SigningKey, SysRng};
///
/// let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
/// let mut mu = key.mu(b"backup")?;
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
/// io::copy(&mut File::open(path)?, &mut mu)?;
/// let signature = key.try_sign_mu_with_rng(&mut SysRng, &mu.finish())?;
/// # use moissanite::prelude::*;
/// # key.verifying_key().with_context(b"backup")?.verify(&std::fs::read(path)?, &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
impl<S: Scheme> Write for MuBuilder<S> {
    fn write(&mut self, piece: &[u8]) -> Result<usize> {
        self.update(piece);
        Ok(piece.len())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Takes the written bytes as the next piece of the message, and never fails.
///
/// ```
/// use std::{fs::File, io};
/// use moissanite::{MlDsa44, stream};
///
/// # use moissanite::{SigningKey, SysRng, prelude::*};
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
/// # let key = SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
/// # let signature = key.try_sign(&std::fs::read(path)?)?.to_bytes();
/// # let public_key = key.verifying_key().to_bytes();
/// let mut public_key = stream::VerifyingKey::<MlDsa44, _>::from_bytes(&public_key)?;
/// let mut verifier = public_key.verifier(b"")?;
/// io::copy(&mut File::open(path)?, &mut verifier)?;
/// verifier.verify(&signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
impl<P: ParameterSet, K: Source, R: ZCache<P>> Write for Verifier<'_, '_, P, K, R> {
    fn write(&mut self, piece: &[u8]) -> Result<usize> {
        self.update(piece);
        Ok(piece.len())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

#[cfg(feature = "hash-ml-dsa")]
#[cfg_attr(docsrs, doc(cfg(all(feature = "hash-ml-dsa", feature = "std"))))]
impl<H: PreHash> PreHashed<H> {
    /// Reads a message to its end and hashes it in constant memory.
    ///
    /// ```
    /// use std::fs::File;
    /// use moissanite::prehash::{PreHashed, Sha512};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    /// let digest = PreHashed::<Sha512>::from_reader(File::open(path)?)?;
    /// assert_eq!(digest, PreHashed::of(&[&std::fs::read(path)?]));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of the reader.
    pub fn from_reader(mut message: impl Read) -> Result<Self> {
        let mut hasher = Hasher(H::default());
        std::io::copy(&mut message, &mut hasher)?;
        Ok(Self::from_hasher(hasher.0))
    }
}

/// This crate cannot implement the trait `Write` for the hash functions, which are types of other
/// crates.
#[cfg(feature = "hash-ml-dsa")]
struct Hasher<H>(H);

#[cfg(feature = "hash-ml-dsa")]
impl<H: PreHash> Write for Hasher<H> {
    fn write(&mut self, piece: &[u8]) -> Result<usize> {
        self.0.absorb(piece);
        Ok(piece.len())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
