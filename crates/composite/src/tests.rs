//! Tests that need private access: faults in a key.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::{Composite, MlDsa44Ed25519, MlDsa65Ed25519, SigningKey, prelude::*};

/// One half signs with a private key that does not match the public key.
fn faults<C: Composite>() {
    let sound = SigningKey::<C>::from_seed(&[7; 64].into());
    let mut ed25519 = SigningKey::<C>::from_seed(&[7; 64].into());
    let mut seed = [7; 64];
    seed[32..].fill(8);
    ed25519.private.seed.set(&seed);
    let mut ml_dsa = SigningKey::<C>::from_seed(&[8; 64].into());
    ml_dsa.private.seed.set(&[7; 64]);
    ml_dsa.verifying_key = sound.verifying_key().clone();
    for faulty in [ed25519, ml_dsa] {
        let signed = faulty.try_sign(b"message");
        if cfg!(feature = "fault-checks") {
            let error = signed.unwrap_err();
            if cfg!(feature = "alloc") {
                let source = core::error::Error::source(&error).unwrap();
                let source = source.downcast_ref::<moissanite::SigningError>();
                assert_eq!(source, Some(&moissanite::SigningError::Fault));
            }
        } else {
            let verdict = sound.verifying_key().verify(b"message", &signed.unwrap());
            assert!(verdict.is_err());
        }
    }
    let signature = sound.try_sign(b"message").unwrap();
    sound
        .verifying_key()
        .verify(b"message", &signature)
        .unwrap();
}

#[test]
fn a_fault_in_either_half_is_an_error_with_fault_checks() {
    faults::<MlDsa44Ed25519>();
    faults::<MlDsa65Ed25519>();
}
