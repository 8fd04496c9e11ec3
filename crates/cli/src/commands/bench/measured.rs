//! The measurement of all operations of an algorithm, and its report.

use std::time::Instant;

use moissanite::Backend as CoreBackend;
use moissanite::prelude::*;
use serde_json::{Value, json};

use super::hashing::{Keccak, Permutations};
use super::times::Times;
use crate::algorithm::scheme::Algorithm;
use crate::backend::Backend;
use crate::error::Error;

/// One operation.
pub(crate) struct Operation {
    name: &'static str,
    times: Times,
    /// The number of Keccak permutations, for a scheme that hashes with Keccak.
    permutations: Option<Permutations>,
    /// Whether the number of attempts varies with the message.
    varies: bool,
}

impl Operation {
    /// The time as a multiple of the budget. Other load on the machine affects the median least, but the
    /// median is only meaningful if each call does the same work.
    fn ratio(&self, keccak: Keccak) -> Option<f64> {
        let typical = if self.varies {
            self.times.mean
        } else {
            self.times.median
        };
        self.permutations.map(|some| typical / keccak.budget(some))
    }
}

/// All operations of one algorithm on one backend.
pub(crate) struct Measured {
    keccak: Keccak,
    operations: Vec<Operation>,
}

impl Measured {
    /// Measures key generation from a seed, and signing and verification with a key and with a prepared
    /// key. `permutations` belong to these five operations.
    pub(super) fn of<K, S>(
        backend: impl CoreBackend,
        n: usize,
        generate: impl Fn(&[u8; 32]) -> K,
        (key, prepared): (impl Signer<S>, impl Signer<S>),
        (public, prepared_public): (impl Verifier<S>, impl Verifier<S>),
        permutations: [Option<Permutations>; 5],
    ) -> Result<Self, Error> {
        let fault = |_| Error::Fault("a signature of the bench does not verify".into());
        let sign = |number| key.try_sign(&numbered(number)).map_err(fault);
        let turns = n.min(SIGNATURES).next_power_of_two();
        let signatures: Result<Vec<_>, _> = (0..u32::MAX).take(turns).map(sign).collect();
        let signatures = signatures?;
        let signed = |number: u32| {
            let number = number & (turns as u32 - 1);
            let signature = signatures.get(number as usize);
            let missing = || Error::Fault("a signature of the bench is missing".into());
            Ok::<_, Error>((numbered(number), signature.ok_or_else(missing)?))
        };
        let times = [
            ("keygen", measure(n, |i| Ok(generate(&numbered(i))))?),
            ("sign", measure(n, sign)?),
            (
                "sign, prepared",
                measure(n, |i| prepared.try_sign(&numbered(i)).map_err(fault))?,
            ),
            (
                "verify",
                measure(n, |i| {
                    let (message, signature) = signed(i)?;
                    public.verify(&message, signature).map_err(fault)
                })?,
            ),
            (
                "verify, prepared",
                measure(n, |i| {
                    let (message, signature) = signed(i)?;
                    prepared_public.verify(&message, signature).map_err(fault)
                })?,
            ),
        ];
        let operation = |((name, times), permutations): ((&'static str, _), _)| Operation {
            name,
            times,
            permutations,
            varies: name.starts_with("sign"),
        };
        Ok(Self {
            keccak: Keccak::measure(backend),
            operations: times.into_iter().zip(permutations).map(operation).collect(),
        })
    }

    /// The heading of the table of a backend.
    pub(super) fn heading(&self, backend: Backend) -> String {
        let Keccak {
            lanes,
            wide,
            scalar,
        } = self.keccak;
        let name = backend.name();
        let keccak = match lanes {
            1 => format!("{scalar:.0} ns"),
            _ => format!("{scalar:.0} ns alone, {wide:.0} ns for {lanes} at once"),
        };
        format!(
            "\nbackend {name}; a Keccak permutation takes {keccak}\n{:<32}{:>9}{:>9}{:>9}{:>9}{:>9}{:>7}\n",
            "", "min", "median", "mean", "max", "budget", "ratio"
        )
    }

    /// The rows of an algorithm.
    pub(super) fn table(&self, algorithm: Algorithm) -> String {
        let row = |operation: &Operation| {
            let Times {
                min,
                median,
                mean,
                max,
            } = operation.times;
            let numbers = [min, median, mean, max].map(|ns| format!("{:9.1}", ns / 1e3));
            let budget = operation.permutations.map(|some| self.keccak.budget(some));
            let budget = budget.map_or("-".into(), |ns| format!("{:.1}", ns / 1e3));
            let ratio = operation.ratio(self.keccak);
            let ratio = ratio.map_or("-".into(), |ratio| format!("{ratio:.2}"));
            format!(
                "{:<12}{:<20}{}{budget:>9}{ratio:>7}\n",
                algorithm.name(),
                operation.name,
                numbers.concat(),
            )
        };
        self.operations.iter().map(row).collect()
    }

    /// The results as JSON.
    pub(super) fn to_json(&self, algorithm: Algorithm, backend: Backend) -> Value {
        let operation = |operation: &Operation| {
            let times = &operation.times;
            let permutations = operation.permutations;
            let budget = permutations.map(|some| self.keccak.budget(some));
            json!({
                "operation": operation.name,
                "min": times.min, "median": times.median, "mean": times.mean, "max": times.max,
                "parallelPermutations": permutations.map(|some| some.parallel),
                "serialPermutations": permutations.map(|some| some.serial),
                "keccakBudget": budget,
                "ratio": operation.ratio(self.keccak),
            })
        };
        let operations: Vec<_> = self.operations.iter().map(operation).collect();
        json!({
            "backend": backend.name(),
            "algorithm": algorithm.name(),
            "permutation": {
                "lanes": self.keccak.lanes, "wide": self.keccak.wide, "scalar": self.keccak.scalar
            },
            "operations": operations,
        })
    }
}

/// Measures the calls with 0, 1, 2 and so on.
fn measure<T>(
    n: usize,
    mut operation: impl FnMut(u32) -> Result<T, Error>,
) -> Result<Times, Error> {
    // The first calls warm up the caches, the branch predictor and the clock.
    for _ in 0..n.min(20) {
        std::hint::black_box(operation(0)?);
    }
    let mut times = Vec::with_capacity(n);
    for index in (0..u32::MAX).take(n) {
        let start = Instant::now();
        std::hint::black_box(operation(index)?);
        times.push(start.elapsed().as_nanos() as f64);
    }
    Ok(Times::of(times))
}

/// The number of different signatures that are verified in turn.
const SIGNATURES: usize = 1 << 10;

/// A message or a seed: a number in 32 bytes.
pub(super) fn numbered(number: u32) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (byte, value) in bytes.iter_mut().zip(number.to_le_bytes()) {
        *byte = value;
    }
    bytes
}
