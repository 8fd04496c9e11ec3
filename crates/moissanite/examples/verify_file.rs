//! Verifies a signature that `sign_file` made.
//!
//! `verify_file KEY.pub FILE SIGNATURE` ends with exit status 1 if the signature is not valid.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use moissanite::pkcs8::DecodePublicKey;
use moissanite::{MlDsa65, Signature, VerifyingKey, prelude::*};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [key, file, signature] = &arguments[..] else {
        return Err("usage: verify_file KEY.pub FILE SIGNATURE".into());
    };
    verify_file(key, file, signature)?;
    println!("the signature is valid");
    Ok(())
}

/// Verifies the signature of `file`.
pub(crate) fn verify_file(key: &Path, file: &Path, signature: &Path) -> Result<(), Box<dyn Error>> {
    let key = VerifyingKey::<MlDsa65>::from_public_key_pem(&fs::read_to_string(key)?)?;
    // A signature of the wrong length gives a separate error.
    let signature = Signature::from_bytes(&fs::read(signature)?)?;
    key.verify(&fs::read(file)?, &signature)?;
    Ok(())
}
