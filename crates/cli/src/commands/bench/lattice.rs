//! The operations of ML-DSA and of round-3 Dilithium.

use std::marker::PhantomData;

use moissanite::backend::WithBackend;
use moissanite::{ParameterSet, Signature, SigningKey, prelude::*};
use moissanite_core::backend::Backend;

use super::hashing::{Hashing, Keccak};
use super::{Measured, Operation, SIGNATURES, measure, numbered};
use crate::error::Error;

/// Measures all operations of a set.
pub(crate) struct Bench<P> {
    n: usize,
    set: PhantomData<P>,
}

impl<P> Bench<P> {
    pub(crate) fn new(n: usize) -> Self {
        let set = PhantomData;
        Self { n, set }
    }
}

impl<P: ParameterSet> WithBackend for Bench<P> {
    type Output = Result<Measured, Error>;

    fn call<B: Backend>(self, backend: B) -> Self::Output {
        let n = self.n;
        let fault = |_| Error::Fault("a signature of the bench does not verify".into());
        let key = SigningKey::<P>::from_seed_on(backend, &numbered(0));
        let public = key.verifying_key();
        let (prepared, prepared_public) = (key.prepare(), public.prepare());
        let sign = |number| {
            let signature = key.on(backend).try_sign(&numbered(number));
            signature.map_err(fault)
        };
        let turns = n.min(SIGNATURES).next_power_of_two();
        let signatures: Result<Vec<Signature<P>>, Error> =
            (0..u32::MAX).take(turns).map(sign).collect();
        let signatures = signatures?;
        let signed = |number: u32| {
            let number = number & (turns as u32 - 1);
            let signature = signatures.get(number as usize);
            let missing = || Error::Fault("a signature of the bench is missing".into());
            let signature = signature.ok_or_else(missing)?;
            Ok::<_, Error>((numbered(number), signature))
        };

        let keygen = measure(n, |i| {
            Ok(SigningKey::<P>::from_seed_on(backend, &numbered(i)))
        })?;
        let signing = measure(n, sign)?;
        let signing_prepared = measure(n, |i| {
            prepared.on(backend).try_sign(&numbered(i)).map_err(fault)
        })?;
        let verifying = measure(n, |i| {
            let (message, signature) = signed(i)?;
            public
                .on(backend)
                .verify(&message, signature)
                .map_err(fault)
        })?;
        let verifying_prepared = measure(n, |i| {
            let (message, signature) = signed(i)?;
            let key = prepared_public.on(backend);
            key.verify(&message, signature).map_err(fault)
        })?;
        let hashing = Hashing::of::<P>();
        let operation = |name: &'static str, times, permutations| Operation {
            name,
            times,
            permutations: Some(permutations),
            varies: name.starts_with("sign"),
        };
        Ok(Measured {
            keccak: Keccak::measure(backend),
            operations: vec![
                operation("keygen", keygen, hashing.keygen()),
                operation("sign", signing, hashing.sign()),
                operation("sign, prepared", signing_prepared, hashing.sign_prepared()),
                operation("verify", verifying, hashing.verify()),
                operation(
                    "verify, prepared",
                    verifying_prepared,
                    hashing.verify_prepared(),
                ),
            ],
        })
    }
}
