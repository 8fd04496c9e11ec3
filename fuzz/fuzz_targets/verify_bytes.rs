//! An attacker chooses all inputs of a verifier. The input is the set, the context, the public key,
//! the signature, and the message.
//!
//! Encoded and prepared keys, and narrow and wide backends, give the same verdict.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite::backend::{Lanes, Portable};
use moissanite::{Fips204, Signature, VerifyingKey, prelude::*};
use moissanite_fuzz::{Input, Target, run};

struct VerifyBytes;

impl Target for VerifyBytes {
    fn run<P: Fips204>(mut input: Input<'_>) {
        let context = input.short();
        let mut key = vec![0; P::PUBLIC_KEY_LEN];
        let mut signature = vec![0; P::SIGNATURE_LEN];
        input.fill(&mut key);
        input.fill(&mut signature);
        let message = input.rest();

        let key = VerifyingKey::<P>::from_bytes(&key).expect("any bytes are a public key");
        let signature = Signature::<P>::from_bytes(&signature).expect("any bytes can be verified");
        let mu = key.mu(context).expect("at most 255 bytes");
        let mu = {
            let mut mu = mu;
            mu.update(message);
            mu.finish()
        };
        let verdict = key
            .with_context(context)
            .expect("the same")
            .verify(message, &signature);
        assert_eq!(verdict.is_ok(), key.verify_mu(&mu, &signature).is_ok());
        assert_eq!(
            verdict.is_ok(),
            key.prepare().verify_mu(&mu, &signature).is_ok()
        );
        assert_eq!(
            verdict.is_ok(),
            key.on(Portable).verify_mu(&mu, &signature).is_ok()
        );
        assert_eq!(
            verdict.is_ok(),
            key.on(Lanes::<16>).verify_mu(&mu, &signature).is_ok()
        );
    }
}

fuzz_target!(|bytes: &[u8]| run::<VerifyBytes>(bytes));
