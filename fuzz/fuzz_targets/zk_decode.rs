//! zkDilithium's keys and signatures as raw bytes.
//!
//! An accepted value encodes to the same bytes, and the public key of an accepted private key verifies its
//! signatures.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite_zk_dilithium::{Signature, SigningKey, VerifyingKey, prelude::*};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(key) = VerifyingKey::from_bytes(bytes) {
        assert_eq!(key.as_bytes().as_slice(), bytes);
        let mut first = [0; 2340];
        first.copy_from_slice(&bytes[..2340]);
        assert!(
            key.verify(
                b"message",
                &Signature::from_bytes(&first).expect("a length")
            )
            .is_err()
        );
    }
    if let Ok(signature) = Signature::from_bytes(bytes) {
        assert_eq!(signature.to_bytes().as_slice(), bytes);
    }
    if let Ok(key) = SigningKey::from_bytes(bytes) {
        assert_eq!(key.to_bytes().as_slice(), bytes);
        assert!(key.as_seed().is_none());
        assert!(VerifyingKey::from_bytes(key.verifying_key().as_bytes()).is_ok());
        let signature = key.try_sign(b"message").expect("a sound key signs");
        let verdict = key.verifying_key().verify(b"message", &signature);
        verdict.expect("and its public key verifies");
    }
});
