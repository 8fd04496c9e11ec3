//! One key for two purposes, separated by contexts.

use std::error::Error;

use moissanite::{MlDsa65, SigningKey, SysRng, prelude::*};

/// A context is public, has at most 255 bytes and is part of the signed data.
const RELEASES: &[u8] = b"example.org releases";
const ANNOUNCEMENTS: &[u8] = b"example.org announcements";

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
    let public_key = key.verifying_key();

    // A view of the key with a context has the same traits as the key.
    let signature = key
        .with_context(RELEASES)?
        .try_sign_with_rng(&mut SysRng, b"version 2")?;
    public_key
        .with_context(RELEASES)?
        .verify(b"version 2", &signature)?;

    // The signature is not valid in another context.
    let announcements = public_key.with_context(ANNOUNCEMENTS)?;
    assert!(announcements.verify(b"version 2", &signature).is_err());
    assert!(public_key.verify(b"version 2", &signature).is_err());

    // A context that is too long gives an error, and is not truncated.
    assert!(key.with_context(&[0; 256]).is_err());
    Ok(())
}
