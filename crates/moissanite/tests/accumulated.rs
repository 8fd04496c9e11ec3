//! The accumulated vectors of C2SP's CCTV, through the public API: a hash over
//! a hundred keys and signatures. kats/README.md says how it is made.
//!
//! No feature changes a byte of that, so this test runs with every set of features.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use moissanite::{
    Fips204, MlDsa44, MlDsa65, MlDsa87, PreparedSigningKeySpace, SigningKey, prelude::*,
};
use shake::digest::{ExtendableOutput, Update, XofReader};

fn accumulate<P: Fips204>() {
    let vectors: serde_json::Value = serde_json::from_str(moissanite_kats::ACCUMULATED).unwrap();
    let expected = vectors["digests"][P::NAME].as_str().unwrap();
    let mut seeds = shake::Shake128::default().finalize_xof();
    let mut all = shake::Shake128::default();
    let mut space = Box::new(PreparedSigningKeySpace::new());
    for round in 0..vectors["rounds"].as_u64().unwrap() {
        let mut seed = [0; 32];
        seeds.read(&mut seed);
        let key = SigningKey::<P>::from_seed(&seed.into());
        let signature = if round & 1 == 0 {
            key.try_sign(b"").unwrap()
        } else {
            key.prepare_in(&mut space).try_sign(b"").unwrap()
        };
        key.verifying_key().verify(b"", &signature).unwrap();
        all.update(key.verifying_key().as_ref());
        all.update(signature.as_ref());
    }
    let mut digest = [0; 32];
    all.finalize_xof().read(&mut digest);
    assert_eq!(hex::encode(digest), expected);
}

#[test]
fn ml_dsa_44() {
    accumulate::<MlDsa44>();
}

#[test]
fn ml_dsa_65() {
    accumulate::<MlDsa65>();
}

#[test]
fn ml_dsa_87() {
    accumulate::<MlDsa87>();
}
