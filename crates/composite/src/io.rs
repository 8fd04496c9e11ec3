//! `std::io::Write` for the types that take a message in pieces, so that `std::io::copy` can read a
//! message from a file.

use std::io::{Result, Write};

use crate::algorithm::PreHash;
use crate::ed25519::PieceVerifier;

/// Takes the written bytes as the next piece of the message, and never fails.
///
/// ```
/// use std::{fs::File, io};
/// use moissanite_composite::{prelude::*, MlDsa65Ed25519, PreHash, SigningKey, SysRng};
///
/// let key = SigningKey::<MlDsa65Ed25519>::try_generate(&mut SysRng)?;
/// let mut hash = PreHash::new();
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
/// io::copy(&mut File::open(path)?, &mut hash)?;
/// let signature = key.try_sign_prehashed_with_rng(&mut SysRng, &hash.finish())?;
/// # key.verifying_key().verify(&std::fs::read(path)?, &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
impl Write for PreHash {
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
/// use moissanite_composite::{ed25519::SigningKey, prelude::*, SysRng};
///
/// let key = SigningKey::try_generate(&mut SysRng)?;
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
/// # let signature = key.try_sign(&std::fs::read(path)?)?;
/// let mut verifier = key.verifying_key().verifier(&signature)?;
/// io::copy(&mut File::open(path)?, &mut verifier)?;
/// verifier.verify()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
impl Write for PieceVerifier {
    fn write(&mut self, piece: &[u8]) -> Result<usize> {
        self.update(piece);
        Ok(piece.len())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
