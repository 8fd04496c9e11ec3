//! Signs a file, with a key in a PEM file that is made if there is none.
//!
//! `sign_file KEY.pem FILE SIGNATURE` also writes the public key to `KEY.pub`. `verify_file`
//! verifies the signature.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use moissanite::pkcs8::{DecodePrivateKey, EncodePrivateKey, EncodePublicKey, LineEnding};
use moissanite::{MlDsa65, SigningKey, SysRng, prelude::*};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [key, file, signature] = &arguments[..] else {
        return Err("usage: sign_file KEY.pem FILE SIGNATURE".into());
    };
    sign_file(key, file, signature)
}

/// Signs `file`, and writes the signature to `signature`.
pub(crate) fn sign_file(key: &Path, file: &Path, signature: &Path) -> Result<(), Box<dyn Error>> {
    let key = load_or_make(key)?;
    let message = fs::read(file)?;
    // Each signature is hedged with fresh randomness.
    let signed = key.try_sign_with_rng(&mut SysRng, &message)?;
    fs::write(signature, signed.to_bytes())?;
    Ok(())
}

fn load_or_make(path: &Path) -> Result<SigningKey<MlDsa65>, Box<dyn Error>> {
    match fs::read_to_string(path) {
        Ok(pem) => Ok(SigningKey::from_pkcs8_pem(&pem)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let key = SigningKey::try_generate(&mut SysRng)?;
            write_private(path, key.to_pkcs8_pem(LineEnding::LF)?.as_bytes())?;
            let public_key = key.verifying_key().to_public_key_pem(LineEnding::LF)?;
            fs::write(path.with_extension("pub"), public_key)?;
            Ok(key)
        }
        Err(error) => Err(error.into()),
    }
}

/// Writes a new file that only its owner can read.
fn write_private(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(contents)
}
