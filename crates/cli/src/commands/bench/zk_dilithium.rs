//! The operations of zkDilithium.

use moissanite_core::backend::{Backend, WithBackend};
use moissanite_zk_dilithium::{Signature, SigningKey, prelude::*};

use super::hashing::Keccak;
use super::{Measured, Operation, SIGNATURES, measure, numbered};
use crate::error::Error;

/// Measures all operations.
pub(crate) struct Bench {
    n: usize,
}

impl Bench {
    pub(crate) fn new(n: usize) -> Self {
        Self { n }
    }
}

impl WithBackend for Bench {
    type Output = Result<Measured, Error>;

    fn call<B: Backend>(self, backend: B) -> Self::Output {
        let n = self.n;
        let fault = |_| Error::Fault("a signature of the bench does not verify".into());
        let key = SigningKey::from_seed_on(backend, &numbered(0));
        let public = key.verifying_key();
        let (prepared, prepared_public) = (key.prepare(), public.prepare());
        let sign = |number| key.on(backend).try_sign(&numbered(number)).map_err(fault);
        let turns = n.min(SIGNATURES).next_power_of_two();
        let signatures: Result<Vec<Signature>, Error> =
            (0..u32::MAX).take(turns).map(sign).collect();
        let signatures = signatures?;
        let signed = |number: u32| {
            let number = number & (turns as u32 - 1);
            let signature = signatures.get(number as usize);
            let missing = || Error::Fault("a signature of the bench is missing".into());
            Ok::<_, Error>((numbered(number), signature.ok_or_else(missing)?))
        };
        let times = [
            (
                "keygen",
                measure(n, |i| Ok(SigningKey::from_seed_on(backend, &numbered(i))))?,
            ),
            ("sign", measure(n, sign)?),
            (
                "sign, prepared",
                measure(n, |i| {
                    prepared.on(backend).try_sign(&numbered(i)).map_err(fault)
                })?,
            ),
            (
                "verify",
                measure(n, |i| {
                    let (message, signature) = signed(i)?;
                    public
                        .on(backend)
                        .verify(&message, signature)
                        .map_err(fault)
                })?,
            ),
            (
                "verify, prepared",
                measure(n, |i| {
                    let (message, signature) = signed(i)?;
                    let key = prepared_public.on(backend);
                    key.verify(&message, signature).map_err(fault)
                })?,
            ),
        ];
        let operation = |(name, times)| Operation {
            name,
            times,
            // Most of it is Poseidon.
            permutations: None,
            varies: true,
        };
        Ok(Measured {
            keccak: Keccak::measure(backend),
            operations: times.map(operation).into(),
        })
    }
}
