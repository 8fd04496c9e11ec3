//! `std::io::Write` for the types that take a message in pieces, so that `std::io::copy` can read a
//! message from a file.

use std::io::{Result, Write};

use crate::key_traits::{AnySigningKey, AnyVerifyingKey};
use crate::message::{MessageSigner, MessageVerifier};

/// Takes the written bytes as the next piece of the message, and never fails.
///
/// ```
/// use std::{fs::File, io};
/// use moissanite_zk_dilithium::{prelude::*, SigningKey, SysRng};
///
/// let key = SigningKey::try_generate(&mut SysRng)?;
/// let mut signer = key.signer();
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
/// io::copy(&mut File::open(path)?, &mut signer)?;
/// let signature = signer.try_sign()?;
/// # key.verifying_key().verify(&std::fs::read(path)?, &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
impl<K: AnySigningKey> Write for MessageSigner<'_, K> {
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
/// use moissanite_zk_dilithium::{prelude::*, SigningKey, SysRng};
///
/// let key = SigningKey::try_generate(&mut SysRng)?;
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
/// # let signature = key.try_sign(&std::fs::read(path)?)?;
/// let mut verifier = key.verifying_key().verifier();
/// io::copy(&mut File::open(path)?, &mut verifier)?;
/// verifier.verify(&signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
impl<K: AnyVerifyingKey> Write for MessageVerifier<'_, K> {
    fn write(&mut self, piece: &[u8]) -> Result<usize> {
        self.update(piece);
        Ok(piece.len())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
