//! Every operation of every set on each backend of the target. `cargo xtask codegen` compiles this
//! library, for bare metal too, and reads the assembly.
#![no_std]

use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87, Seed, SigningKey, prelude::*};

/// All operations of ML-DSA-44.
#[inline(never)]
pub fn ml_dsa_44(seed: &Seed, message: &[u8]) -> bool {
    all::<MlDsa44>(seed, message).is_ok()
}

/// All operations of ML-DSA-65.
#[inline(never)]
pub fn ml_dsa_65(seed: &Seed, message: &[u8]) -> bool {
    all::<MlDsa65>(seed, message).is_ok()
}

/// All operations of ML-DSA-87.
#[inline(never)]
pub fn ml_dsa_87(seed: &Seed, message: &[u8]) -> bool {
    all::<MlDsa87>(seed, message).is_ok()
}

/// The facade chooses the backend at run time, so all backends are compiled.
fn all<P: Fips204>(seed: &Seed, message: &[u8]) -> Result<(), moissanite::signature::Error> {
    let key = SigningKey::<P>::from_seed(seed);
    let public = key.verifying_key();
    let signature = key.try_sign(message)?;
    public.verify(message, &signature)?;
    let signature = key.prepare().try_sign(message)?;
    public.prepare().verify(message, &signature)
}
