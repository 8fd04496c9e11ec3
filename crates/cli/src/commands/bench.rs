//! `moissanite bench`.

mod hashing;
mod measured;
mod ml_dsa;
mod times;
mod zk_dilithium;

use clap::Args;
use moissanite::{Dilithium2, Dilithium3, Dilithium5, MlDsa44, MlDsa65, MlDsa87, ParameterSet};
use serde_json::json;

use self::measured::{Effort, Measured};
use self::times::{Clock, cpu};
use crate::algorithm::scheme::Algorithm;
use crate::algorithm::{self, ALL};
use crate::backend::Backend;
use crate::error::Error;
use crate::report::Report;

#[derive(Debug, Args)]
#[command(after_help = "\
Every run uses the same key and the same messages. Each message is measured once in every round and
counts with its shortest time, which excludes interruptions by other programs. The statistics are over
the messages: the longest time of signing is that of the message with the most attempts.

Figures vary less if the process stays on one CPU; on Linux: taskset -c 1 moissanite bench. The clock is
printed if the kernel shows it. CPU cycles are not printed, because the counters cannot be read without
unsafe code; on Linux, 'perf stat -e cycles' counts them.

The Keccak budget is the time that hashing alone takes in an operation on this backend: the number of
permutations that can run in parallel, divided by the number of lanes of the backend, plus the number of
those that depend on each other, each times the measured time of one call. The ratio is the mean divided
by the budget.")]
pub(crate) struct Bench {
    /// The algorithms; by default all of them
    #[arg(value_parser = algorithm::parse)]
    pub(crate) algorithm: Vec<Algorithm>,
    /// The number of messages, and of seeds for key generation
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) n: u32,
    /// The number of measurements of each message
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) rounds: u32,
}

/// Measures all operations of an algorithm.
pub(super) type Measure = fn(backend: Backend, effort: Effort) -> Result<Measured, Error>;

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
pub(crate) fn run(args: &Bench, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let named: Result<Vec<_>, _> = args.algorithm.iter().map(measurable).collect();
    let mut algorithms = named?;
    if algorithms.is_empty() {
        algorithms.extend(ALL.iter().filter_map(|one| measurable(one).ok()));
    }
    let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let effort = Effort {
        messages: count(args.n),
        rounds: count(args.rounds),
    };
    let (cpu, clock) = (cpu(), Clock::read());
    report.text(&introduction(&cpu, clock, effort))?;
    report.data("cpu", cpu);
    report.data("clock_mhz", json!({ "now": clock.now, "max": clock.max }));
    report.data("messages", effort.messages);
    report.data("rounds", effort.rounds);
    report.data("unit", "ns");
    let mut results = Vec::new();
    for backend in backend.each() {
        for (index, (algorithm, measure)) in algorithms.iter().enumerate() {
            let measured = measure(backend, effort)?;
            if index == 0 {
                report.text(&measured.heading(backend))?;
            }
            report.text(&measured.table(*algorithm))?;
            results.push(measured.to_json(*algorithm, backend));
        }
    }
    report.data("results", results);
    Ok(())
}

/// The lines above the tables.
fn introduction(cpu: &str, clock: Clock, effort: Effort) -> String {
    let mut text = format!("CPU: {cpu}\n");
    let now = clock.now.map(|mhz| format!("{mhz:.0} MHz now"));
    let max = clock.max.map(|mhz| format!("at most {mhz:.0} MHz"));
    let clock: Vec<_> = [now, max].into_iter().flatten().collect();
    if !clock.is_empty() {
        text += &format!("clock: {}\n", clock.join(", "));
    }
    let Effort { messages, rounds } = effort;
    text += &format!("n = {messages} messages, rounds = {rounds}, times in us\n");
    text += "statistics over the messages, each with its shortest time of all rounds\n";
    if cfg!(target_os = "linux") {
        text += "on one CPU, for steadier figures: taskset -c 1 moissanite bench\n";
    }
    text
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
