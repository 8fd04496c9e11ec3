//! `cargo xtask mutants` shows that the tests detect defects: it puts one defect at a time into a copy of the
//! tree, and a named test has to fail.
//!
//! The folder crates/xtask/mutants has the list. Each mutant is a text of one file and what replaces it, the
//! test, and a sentence about the defect. The test has to fail by an assertion of its own: a mutant that does
//! not compile, that panics elsewhere, or that does not end is no proof, and neither is one that survives.
//! Both make the job fail. First, each named test has to pass without a mutant.

mod list;
mod order;
mod scratch;
#[cfg(test)]
mod tests;
mod trial;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};

use self::list::{Build, List, Mutant};
use self::order::Slice;
use self::scratch::Scratch;
use self::trial::Trial;
use self::verdict::Verdict;
use crate::process;

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print the mutants with their files, tests and defects, and try none
    #[arg(long)]
    list: bool,
    /// Try only mutants whose names contain one of these
    #[arg(long, value_name = "NAME", num_args = 1..)]
    only: Vec<String>,
    /// Begin with a mutant that the hash of the commit chooses, and stop after --seconds
    #[arg(long, requires = "seconds")]
    sample: bool,
    /// Start no mutant after this number of seconds
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<u64>,
    /// The number of copies of the tree that are compiled and tested at a time
    #[arg(long, value_name = "COUNT", default_value_t = 2)]
    workers: usize,
}

/// Tries the mutants, and fails unless all of them are killed.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let started = Instant::now();
    let list = List::read(process::root())?;
    let wanted = |mutant: &&Mutant| {
        let mut only = arguments.only.iter();
        arguments.only.is_empty() || only.any(|part| mutant.name.contains(part.as_str()))
    };
    let chosen: Vec<&Mutant> = list.mutants.iter().filter(wanted).collect();
    ensure!(!chosen.is_empty(), "no mutant has such a name");
    if arguments.list {
        for mutant in chosen {
            println!("{mutant}");
        }
        return Ok(());
    }
    let mut slices = order::slices(&chosen);
    if arguments.sample {
        let starts: Vec<usize> = (0..chosen.len()).collect();
        slices = order::rotated(&chosen, process::chosen_by_commit(&starts)?);
    }

    let workers = arguments.workers.max(1);
    let folder = process::target_directory()?.join("mutants");
    let files = process::output(Command::new("git").arg("ls-files"))?;
    let files: Vec<&str> = files.lines().collect();
    let scratches = (0..workers).map(|i| {
        let scratch = Scratch::new(folder.join(i.to_string()), scratch::jobs(workers));
        scratch.copy(process::root(), &files)?;
        Ok(scratch)
    });
    let scratches: Vec<Scratch> = scratches.collect::<Result<_>>()?;
    let mut tally = Tally::default();
    for slice in slices {
        let build = list.build(slice.build)?;
        if let Some(reason) = build.missing()? {
            println!(
                "NOT CHECKED: {} mutants of {}: {reason}",
                slice.mutants.len(),
                slice.build
            );
            continue;
        }
        let late = || {
            arguments
                .seconds
                .is_some_and(|most| started.elapsed().as_secs() >= most)
        };
        if late() {
            break;
        }
        tally.add(try_slice(&scratches, build, &slice, &late)?);
    }
    let seconds = started.elapsed().as_secs();
    println!("mutants: {tally}, in {seconds} s");
    ensure!(
        tally.survived + tally.not_counted == 0,
        "mutants were not killed"
    );
    Ok(())
}

/// The names of all mutants of a tree.
pub(crate) fn names(root: &Path) -> Result<BTreeSet<String>> {
    let mutants = List::read(root)?.mutants.into_iter();
    Ok(mutants.map(|mutant| mutant.name).collect())
}

/// How many mutants met each end.
#[derive(Default)]
struct Tally {
    killed: usize,
    survived: usize,
    not_counted: usize,
}

impl Tally {
    fn add(&mut self, verdicts: Vec<Verdict>) {
        for verdict in verdicts {
            *match verdict {
                Verdict::Killed => &mut self.killed,
                Verdict::Survived => &mut self.survived,
                Verdict::NotCounted(_) => &mut self.not_counted,
            } += 1;
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            killed,
            survived,
            not_counted,
        } = self;
        write!(
            f,
            "{killed} killed, {survived} survived, {not_counted} not counted"
        )
    }
}

/// Tries mutants that one build has in common, in all copies of the tree at a time.
fn try_slice(
    scratches: &[Scratch],
    build: &Build,
    slice: &Slice<'_>,
    late: &(impl Fn() -> bool + Sync),
) -> Result<Vec<Verdict>> {
    let mut tests: Vec<&str> = slice
        .mutants
        .iter()
        .map(|mutant| mutant.test.as_str())
        .collect();
    tests.sort_unstable();
    tests.dedup();
    let tests = Mutex::new(tests.into_iter());
    let mutants = Mutex::new(slice.mutants.iter());
    let times = Mutex::new(BTreeMap::new());
    let verdicts = Mutex::new(Vec::new());
    let failed = AtomicBool::new(false);
    let work = |scratch: &Scratch| -> Result<()> {
        let trial = Trial::new(scratch, build)?;
        while let Some(test) = next(&tests)? {
            let time = trial.passes(test)?;
            times.lock().map_err(poisoned)?.insert(test, time);
        }
        while !late()
            && !failed.load(Ordering::Relaxed)
            && let Some(mutant) = next(&mutants)?
        {
            if !mutant.is_possible() {
                println!(
                    "NOT CHECKED: {}: this CPU has no {}",
                    mutant.name,
                    mutant.needs()
                );
                continue;
            }
            let started = Instant::now();
            let time = times
                .lock()
                .map_err(poisoned)?
                .get(mutant.test.as_str())
                .copied();
            let verdict = trial.of(mutant, limit(time))?;
            let seconds = started.elapsed().as_secs_f32();
            println!(
                "{verdict}: {} by {}, in {seconds:.1} s",
                mutant.name, mutant.test
            );
            verdicts.lock().map_err(poisoned)?.push(verdict);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let count = scratches.len().min(slice.mutants.len());
        let threads = scratches.iter().take(count).map(|scratch| {
            scope.spawn(|| {
                let result = work(scratch);
                // The others stop too.
                failed.fetch_or(result.is_err(), Ordering::Relaxed);
                result
            })
        });
        let threads: Vec<_> = threads.collect();
        for thread in threads {
            match thread.join() {
                Ok(result) => result?,
                Err(_) => bail!("a worker has panicked"),
            }
        }
        Ok(())
    })?;
    verdicts.into_inner().map_err(poisoned)
}

/// How long a test may take with a mutant, of which it is known how long it takes without, or not yet.
fn limit(time: Option<Duration>) -> Duration {
    const LEAST: Duration = Duration::from_secs(20);
    const UNKNOWN: Duration = Duration::from_secs(300);
    time.map_or(UNKNOWN, |time| LEAST + 10 * time)
}

fn next<T>(items: &Mutex<impl Iterator<Item = T>>) -> Result<Option<T>> {
    Ok(items.lock().map_err(poisoned)?.next())
}

fn poisoned<T>(_: std::sync::PoisonError<T>) -> anyhow::Error {
    anyhow::anyhow!("a worker has panicked")
}
