//! Makes a key of each parameter set, signs and verifies.

use std::error::Error;

use moissanite::prelude::*;
use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87, SigningKey, SysRng};

fn main() -> Result<(), Box<dyn Error>> {
    sign_and_verify::<MlDsa44>()?;
    sign_and_verify::<MlDsa65>()?;
    sign_and_verify::<MlDsa87>()
}

fn sign_and_verify<P: Fips204>() -> Result<(), Box<dyn Error>> {
    let key = SigningKey::<P>::try_generate(&mut SysRng)?;
    let signature = key.try_sign_with_rng(&mut SysRng, b"msg")?;
    Ok(key.verifying_key().verify(b"msg", &signature)?)
}
