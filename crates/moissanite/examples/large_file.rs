//! Signs and verifies a file of any size in constant memory.
//!
//! μ is the hash of the public key, the context and the message. A signature is made of μ, so the
//! file goes through the hash once, in pieces.

use std::error::Error;
use std::fs::File;
use std::io::{self, Read};

use moissanite::{MlDsa65, Mu, SigningKey, SysRng, VerifyingKey};

const CONTEXT: &[u8] = b"nightly backup";

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // The file to sign; this example takes itself.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/large_file.rs");
    let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;

    let mu = hash(key.verifying_key(), File::open(path)?)?;
    let signature = key.try_sign_mu_with_rng(&mut SysRng, &mu)?;

    // The verifier hashes the file with the public key that it trusts.
    let mu = hash(key.verifying_key(), File::open(path)?)?;
    key.verifying_key().verify_mu(&mu, &signature)?;
    Ok(())
}

fn hash(key: &VerifyingKey<MlDsa65>, mut file: impl Read) -> Result<Mu, Box<dyn Error>> {
    let mut mu = key.mu(CONTEXT)?;
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(mu.finish()),
            Ok(read) => mu.update(&piece[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}
