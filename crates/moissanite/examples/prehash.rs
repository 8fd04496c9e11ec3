//! HashML-DSA: a digest is signed together with the name of its hash function.
//!
//! Use it only if a protocol requires it. Plain ML-DSA takes long messages too: see `large_file`.

use std::error::Error;

use moissanite::prehash::{PreHashed, Sha256, Sha512};
use moissanite::{MlDsa65, SigningError, SigningKey, SysRng, prelude::*};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;

    let digest = PreHashed::<Sha512>::of(&[b"a message ", b"in parts"]);
    let signature = key.try_sign_prehashed_with_rng(&mut SysRng, &digest)?;
    key.verifying_key().verify_prehashed(&digest, &signature)?;

    // The signature is not valid in plain ML-DSA.
    let plain = key
        .verifying_key()
        .verify(b"a message in parts", &signature);
    assert!(plain.is_err());

    // SHA-256 has 128 bits of collision strength, and ML-DSA-65 needs 192.
    let weak = PreHashed::<Sha256>::of(&[b"a message"]);
    let refused = key.try_sign_prehashed_with_rng(&mut SysRng, &weak);
    assert!(matches!(refused, Err(SigningError::WeakHash(_))));
    Ok(())
}
