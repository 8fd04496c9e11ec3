//! `moissanite bench`.

mod hashing;
mod measured;
mod ml_dsa;
mod times;
mod zk_dilithium;

use clap::Args;
use moissanite::{Dilithium2, Dilithium3, Dilithium5, MlDsa44, MlDsa65, MlDsa87, ParameterSet};
use serde_json::json;

use self::measured::Measured;
use self::times::cpu;
use crate::algorithm::scheme::Algorithm;
use crate::algorithm::{self, ALL};
use crate::backend::Backend;
use crate::error::Error;
use crate::output::{self, print};

#[derive(Debug, Args)]
#[command(after_help = "\
Every run uses the same key and the same messages. The Keccak budget is the time that hashing alone
takes in an operation on this backend: the number of permutations that can run in parallel, divided by
the number of lanes of the backend, plus the number of those that depend on each other, each times the
measured time of one call. The ratio is the median divided by the budget; for signing, whose number of
attempts varies, it is the mean divided by the budget.")]
pub(crate) struct Bench {
    /// The algorithms; by default all of them
    #[arg(value_parser = algorithm::parse)]
    pub(crate) algorithm: Vec<Algorithm>,
    /// The number of repetitions of every operation
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) n: u32,
    /// Write JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Measures all operations of an algorithm, `n` times each.
pub(super) type Measure = fn(backend: Backend, n: usize) -> Result<Measured, Error>;

/// The algorithms that can be measured.
pub(super) const TABLE: [(&str, Measure); 7] = [
    (MlDsa44::NAME, ml_dsa::measure::<MlDsa44>),
    (MlDsa65::NAME, ml_dsa::measure::<MlDsa65>),
    (MlDsa87::NAME, ml_dsa::measure::<MlDsa87>),
    (Dilithium2::NAME, ml_dsa::measure::<Dilithium2>),
    (Dilithium3::NAME, ml_dsa::measure::<Dilithium3>),
    (Dilithium5::NAME, ml_dsa::measure::<Dilithium5>),
    ("zkDilithium", zk_dilithium::measure),
];

/// The measurement of this algorithm, if there is one.
pub(super) fn measure_of(algorithm: Algorithm) -> Option<Measure> {
    let found = TABLE.iter().find(|(name, _)| *name == algorithm.name());
    found.map(|(_, measure)| *measure)
}

/// Runs the command.
pub(crate) fn run(args: &Bench, backend: Backend) -> Result<(), Error> {
    let named: Result<Vec<_>, _> = args.algorithm.iter().map(measurable).collect();
    let mut algorithms = named?;
    if algorithms.is_empty() {
        algorithms.extend(ALL.iter().filter_map(|one| measurable(one).ok()));
    }
    let n = usize::try_from(args.n).unwrap_or(usize::MAX);
    let cpu = cpu();
    if !args.json {
        print(&format!(
            "CPU: {cpu}\nn = {n} of every operation, times in us\n"
        ))?;
    }
    let mut rows = Vec::new();
    for backend in backend.each() {
        for (index, (algorithm, measure)) in algorithms.iter().enumerate() {
            let measured = measure(backend, n)?;
            if args.json {
                rows.push(measured.to_json(*algorithm, backend));
            } else {
                if index == 0 {
                    print(&measured.heading(backend))?;
                }
                print(&measured.table(*algorithm))?;
            }
        }
    }
    if args.json {
        let document = json!({ "cpu": cpu, "n": n, "unit": "ns", "results": rows });
        print(&output::json(&document))?;
    }
    Ok(())
}

fn measurable(algorithm: &Algorithm) -> Result<(Algorithm, Measure), Error> {
    let measure = measure_of(*algorithm).ok_or_else(|| {
        Error::Usage(format!(
            "bench measures lattice signatures only, not {}",
            algorithm.name()
        ))
    })?;
    Ok((*algorithm, measure))
}
