//! Keys and signatures as raw bytes. The input is the set, and the bytes.
//!
//! An accepted value encodes to the same bytes, and the public key of an accepted private key verifies its
//! signatures. A trusted import checks less; signing with it may fail, but not panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite::{ExpandedSigningKey, Fips204, Signature, SigningKey, VerifyingKey, prelude::*};
use moissanite_fuzz::{Input, Target, run};

struct DecodeKeys;

impl Target for DecodeKeys {
    fn run<P: Fips204>(input: Input<'_>) {
        let bytes = input.rest();
        if let Ok(key) = VerifyingKey::<P>::from_bytes(bytes) {
            assert_eq!(key.as_bytes().as_ref(), bytes);
        }
        if let Ok(signature) = Signature::<P>::from_bytes(bytes) {
            assert_eq!(signature.to_bytes().as_ref(), bytes);
        }
        if let Ok(key) = SigningKey::<P>::from_expanded_bytes(bytes) {
            assert_eq!(key.to_expanded_bytes().as_ref(), bytes);
            assert!(key.as_seed().is_none());
            let signature = key.try_sign(b"message").expect("a sound key signs");
            let verdict = key.verifying_key().verify(b"message", &signature);
            verdict.expect("and its public key verifies");
        } else if let Ok(key) = ExpandedSigningKey::<P>::from_bytes_trusted(bytes) {
            assert!(key.to_verifying_key().is_err());
            let _ = key.try_sign(b"message");
        }
    }
}

fuzz_target!(|bytes: &[u8]| run::<DecodeKeys>(bytes));
