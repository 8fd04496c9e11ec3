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
}

impl Operation {
    /// The mean divided by the budget.
    fn ratio(&self, keccak: Keccak) -> Option<f64> {
        self.permutations
            .map(|some| self.times.mean / keccak.budget(some))
    }
}

/// The number of measurements of each operation.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Different messages; for key generation, different seeds.
    pub(crate) messages: usize,
    /// Measurements of each message.
    pub(crate) rounds: usize,
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
        effort: Effort,
        generate: impl Fn(&[u8; 32]) -> K,
        (key, prepared): (impl Signer<S>, impl Signer<S>),
        (public, prepared_public): (impl Verifier<S>, impl Verifier<S>),
        permutations: [Option<Permutations>; 5],
    ) -> Result<Self, Error> {
        let fault = |_| Error::Fault("a signature of the bench does not verify".into());
        let sign = |number| key.try_sign(&numbered(number)).map_err(fault);
        let turns = effort.messages.min(SIGNATURES).next_power_of_two();
        let signatures: Result<Vec<_>, _> = (0..u32::MAX).take(turns).map(sign).collect();
        let signatures = signatures?;
        let signed = |number: u32| {
            let number = number & (turns as u32 - 1);
            let signature = signatures.get(number as usize);
            let missing = || Error::Fault("a signature of the bench is missing".into());
            Ok::<_, Error>((numbered(number), signature.ok_or_else(missing)?))
        };
        let times = [
            ("keygen", measure(effort, |i| Ok(generate(&numbered(i))))?),
            ("sign", measure(effort, sign)?),
            (
                "sign, prepared",
                measure(effort, |i| prepared.try_sign(&numbered(i)).map_err(fault))?,
            ),
            (
                "verify",
                measure(effort, |i| {
                    let (message, signature) = signed(i)?;
                    public.verify(&message, signature).map_err(fault)
                })?,
            ),
            (
                "verify, prepared",
                measure(effort, |i| {
                    let (message, signature) = signed(i)?;
                    prepared_public.verify(&message, signature).map_err(fault)
                })?,
            ),
        ];
        let operation = |((name, times), permutations): ((&'static str, _), _)| Operation {
            name,
            times,
            permutations,
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
            "\nbackend {name}; a Keccak permutation takes {keccak}\n{:<28}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>7}\n",
            "", "min", "median", "mean", "p90", "p99", "max", "budget", "ratio"
        )
    }

    /// The rows of an algorithm.
    pub(super) fn table(&self, algorithm: Algorithm) -> String {
        let row = |operation: &Operation| {
            let Times {
                min,
                median,
                mean,
                p90,
                p99,
                max,
            } = operation.times;
            let numbers = [min, median, mean, p90, p99, max].map(|ns| format!("{:9.1}", ns / 1e3));
            let budget = operation.permutations.map(|some| self.keccak.budget(some));
            let budget = budget.map_or("-".into(), |ns| format!("{:.1}", ns / 1e3));
            let ratio = operation.ratio(self.keccak);
            let ratio = ratio.map_or("-".into(), |ratio| format!("{ratio:.2}"));
            format!(
                "{:<12}{:<16}{}{budget:>9}{ratio:>7}\n",
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
                "min": times.min, "median": times.median, "mean": times.mean,
                "p90": times.p90, "p99": times.p99, "max": times.max,
                "parallel_permutations": permutations.map(|some| some.parallel),
                "serial_permutations": permutations.map(|some| some.serial),
                "keccak_budget": budget,
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

/// Measures the calls with 0, 1, 2 and so on in each round. Other load on the machine only adds time, so
/// each call counts with its shortest time.
fn measure<T>(
    Effort { messages, rounds }: Effort,
    mut operation: impl FnMut(u32) -> Result<T, Error>,
) -> Result<Times, Error> {
    // The first calls warm up the caches, the branch predictor and the clock.
    for _ in 0..messages.min(20) {
        std::hint::black_box(operation(0)?);
    }
    let mut shortest = vec![f64::INFINITY; messages];
    for _ in 0..rounds {
        for (index, shortest) in (0..u32::MAX).zip(&mut shortest) {
            let start = Instant::now();
            std::hint::black_box(operation(index)?);
            *shortest = shortest.min(start.elapsed().as_nanos() as f64);
        }
    }
    Ok(Times::of(shortest))
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
