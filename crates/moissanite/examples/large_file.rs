//! Signs and verifies a file of any size in constant memory.
//!
//! μ is the hash of the public key, the context and the message. The signature is computed from μ,
//! so the file is hashed once, in pieces.

use std::error::Error;
use std::fs::File;
use std::io;

use moissanite::{MlDsa65, SigningKey, SysRng};

const CONTEXT: &[u8] = b"nightly backup";

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // The file to sign; this example signs its own source.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/large_file.rs");
    let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;

    let mut mu = key.mu(CONTEXT)?;
    io::copy(&mut File::open(path)?, &mut mu)?;
    let signature = key.try_sign_mu_with_rng(&mut SysRng, &mu.finish())?;

    // The verifier hashes the file with the public key that it trusts.
    let public_key = key.verifying_key();
    let mut mu = public_key.mu(CONTEXT)?;
    io::copy(&mut File::open(path)?, &mut mu)?;
    public_key.verify_mu(&mu.finish(), &signature)?;
    Ok(())
}
