//! A signature verifies, and a changed one does not. The input is the set, ξ, rnd, the position of
//! a flipped bit, the context, and the message.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite::{Fips204, Signature, SigningKey, prelude::*};
use moissanite_fuzz::{Input, Target, run};

struct SignVerify;

impl Target for SignVerify {
    fn run<P: Fips204>(mut input: Input<'_>) {
        let key = SigningKey::<P>::from_seed(&input.array().into());
        let rnd = input.array();
        let (at, bit) = (input.number(), 1 << (input.byte() & 7));
        let context = input.short();
        let message = input.rest();

        let mut mu = key.verifying_key().mu(context).expect("at most 255 bytes");
        mu.update(message);
        let mu = mu.finish();
        let signature = key.sign_mu_internal(&mu, &rnd).expect("signs");
        assert!(key.prepare().sign_mu_internal(&mu, &rnd).expect("signs") == signature);
        let verifier = key
            .verifying_key()
            .with_context(context)
            .expect("at most 255 bytes");
        verifier
            .verify(message, &signature)
            .expect("what was signed verifies");

        let mut bytes = signature.to_bytes();
        let flipped = bytes.as_mut();
        flipped[at % flipped.len()] ^= bit;
        let flipped = Signature::<P>::from_bytes(flipped).expect("the same length");
        assert!(verifier.verify(message, &flipped).is_err());

        let mut other = message.to_vec();
        match other.len() {
            0 => other.push(bit),
            len => other[at % len] ^= bit,
        }
        assert!(verifier.verify(&other, &signature).is_err());
        let longer = [context, &[bit]].concat();
        if let Ok(verifier) = key.verifying_key().with_context(&longer) {
            assert!(verifier.verify(message, &signature).is_err());
        }
    }
}

fuzz_target!(|bytes: &[u8]| run::<SignVerify>(bytes));
