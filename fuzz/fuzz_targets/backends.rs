//! All backends give the same keys, signatures and verdicts.
//!
//! The input is the set, the backend, ξ, rnd, μ, and bytes that are XORed into the signature.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite::backend::{Backend, Lanes, Portable, WithBackend, available, dispatch_to};
use moissanite::{Fips204, Mu, Signature, SigningKey, VerifyingKey};
use moissanite_fuzz::{Input, Target, run};

struct Backends;

impl Target for Backends {
    fn run<P: Fips204>(mut input: Input<'_>) {
        let other = usize::from(input.byte());
        let case = Case::<P> {
            xi: input.array(),
            rnd: input.array(),
            mu: Mu::from_bytes(input.array()),
            difference: input.rest(),
            set: core::marker::PhantomData,
        };
        let available: Vec<_> = available().filter(|name| *name != Portable::NAME).collect();
        let outcome = match other % (4 + available.len()) {
            0 => (&case).call(Lanes::<2>),
            1 => (&case).call(Lanes::<4>),
            2 => (&case).call(Lanes::<8>),
            3 => (&case).call(Lanes::<16>),
            n => dispatch_to(available[n - 4], &case).expect("it is available"),
        };
        assert!(
            outcome == (&case).call(Portable),
            "backend {other} of 4 and {available:?}"
        );
    }
}

struct Case<'a, P> {
    xi: [u8; 32],
    rnd: [u8; 32],
    mu: Mu,
    difference: &'a [u8],
    set: core::marker::PhantomData<P>,
}

#[derive(Clone, PartialEq)]
struct Outcome<P: Fips204> {
    public: VerifyingKey<P>,
    private: P::PrivateKey,
    signature: Signature<P>,
    verdict: bool,
}

impl<P: Fips204> WithBackend for &Case<'_, P> {
    type Output = Outcome<P>;
    fn call<B: Backend>(self, backend: B) -> Outcome<P> {
        let key = SigningKey::<P>::from_seed_on(backend, &self.xi.into());
        let public = key.verifying_key();
        let signature = key
            .on(backend)
            .sign_mu_internal(&self.mu, &self.rnd)
            .expect("signs");
        public
            .on(backend)
            .verify_mu(&self.mu, &signature)
            .expect("verifies");

        let mut bytes = signature.to_bytes();
        for (byte, difference) in bytes.as_mut().iter_mut().zip(self.difference) {
            *byte ^= difference;
        }
        let changed = Signature::from_bytes(bytes.as_ref()).expect("the same length");
        Outcome {
            public: public.clone(),
            private: key.to_expanded_bytes(),
            verdict: public.on(backend).verify_mu(&self.mu, &changed).is_ok(),
            signature,
        }
    }
}

fuzz_target!(|bytes: &[u8]| run::<Backends>(bytes));
