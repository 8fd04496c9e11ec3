//! The accumulated vectors of C2SP's CCTV, through the public API: seeds from
//! SHAKE128 of nothing; of each, the public key and the deterministic signature
//! of the empty message go into a second SHAKE128. No feature changes a byte
//! of that, so this test runs with every set of features.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87, SigningKey, SigningKeySpace, prelude::*};
use shake::digest::{ExtendableOutput, Update, XofReader};

fn accumulate<P: Fips204>(expected: &str) {
    let mut seeds = shake::Shake128::default().finalize_xof();
    let mut all = shake::Shake128::default();
    let mut space = Box::new(SigningKeySpace::new());
    for round in 0..100 {
        let mut seed = [0; 32];
        seeds.read(&mut seed);
        let key = SigningKey::<P>::from_seed(&seed);
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
    accumulate::<MlDsa44>("d51148e1f9f4fa1a723a6cf42e25f2a99eb5c1b378b3d2dbbd561b1203beeae4");
}

#[test]
fn ml_dsa_65() {
    accumulate::<MlDsa65>("8358a1843220194417cadbc2651295cd8fc65125b5a5c1a239a16dc8b57ca199");
}

#[test]
fn ml_dsa_87() {
    accumulate::<MlDsa87>("8c3ad714777622b8f21ce31bb35f71394f23bc0fcf3c78ace5d608990f3b061b");
}
