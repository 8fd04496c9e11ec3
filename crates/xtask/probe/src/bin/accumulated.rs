//! Checks the accumulated vectors of kats/accumulated.json, with whole keys and with keys in pieces, on
//! machines without input and output: the exit status is the only result.

use std::process::ExitCode;

use moissanite::signature::Error;
use moissanite::stream::{self, SignError};
use moissanite::{
    Fips204, MlDsa44, MlDsa65, MlDsa87, MuBuilder, Seed, Signature, SigningKey, prelude::*,
};
use moissanite_core::hash::Shake128;

const VECTORS: &str = include_str!("../../../../../kats/accumulated.json");

fn main() -> ExitCode {
    let right = [set::<MlDsa44>(), set::<MlDsa65>(), set::<MlDsa87>()];
    match right {
        [Ok(true), Ok(true), Ok(true)] => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Whether a hundred keys, and a signature of each, have the hash in the file.
fn set<P: Fips204>() -> Result<bool, Error> {
    let mut seeds = Shake128::new().squeeze();
    let mut all = Shake128::new();
    for _ in 0..100 {
        let mut seed = [0; 32];
        seeds.read(&mut seed);
        let seed = Seed::from(seed);
        let key = SigningKey::<P>::from_seed(&seed);
        let signature = key.try_sign(b"")?;
        key.verifying_key().verify(b"", &signature)?;
        if !in_pieces(&seed, &key, &signature)? {
            return Ok(false);
        }
        all.absorb(key.verifying_key().as_ref());
        all.absorb(signature.as_ref());
    }
    let mut digest = [0; 32];
    all.squeeze().read(&mut digest);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(VECTORS.contains(&format!("\"{}\": \"{digest}\"", P::NAME)))
}

/// Whether `moissanite::stream` makes the same keys and signatures, and accepts them.
fn in_pieces<P: Fips204>(
    seed: &Seed,
    key: &SigningKey<P>,
    signature: &Signature<P>,
) -> Result<bool, Error> {
    let nothing = |_: &mut MuBuilder| ();
    let mut made = Vec::new();
    let mut seeds = stream::Seeds::new();
    let key_in_pieces = stream::SigningKey::<P, _>::from_seed_in(&mut seeds, seed);
    let signed = key_in_pieces.try_sign_pieces(b"", nothing, |piece| {
        made.extend_from_slice(piece);
        Ok::<_, SignError<core::convert::Infallible>>(())
    });
    let mut public = stream::VerifyingKey::<P, _>::from_bytes(key.verifying_key().as_ref())
        .map_err(|_| Error::new())?;
    public.verify_pieces(b"", nothing, signature.as_ref())?;
    Ok(signed.is_ok() && made == signature.as_ref())
}
