//! Whether the proofs depend on the code: one bit of an instruction or of a table is flipped at a time.
//!
//! Only bytes that a theorem touched are changed. The theorem must then fail, or the change must have no
//! effect that matters: the instruction is the same one in another encoding; or no result depends on the
//! change; or the results are others, of which the theorem is also true, as for inputs out of its bounds.
//! The last two are confirmed on a processor that runs the changed function.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, ensure};

use crate::image::Image;
use crate::machine::{Call, Executor, Limits, Observer, Outcome};
use crate::processor::Trace;
use crate::random::Random;
use crate::terms::{self, fingerprint};
use crate::theorems::Theorem;

/// What happened to a changed program.
pub(crate) enum Verdict {
    /// The theorem fails, for this reason.
    Rejected(String),
    /// The change has no effect that matters, for this reason.
    NoEffect(&'static str),
    Survived,
}

/// A changed bit, with its verdict.
pub(crate) struct Mutant {
    pub(crate) theorem: usize,
    pub(crate) text: String,
    pub(crate) verdict: Verdict,
}

/// A program to be changed.
pub(crate) struct Subject<'a> {
    pub(crate) image: &'a Image,
    pub(crate) path: &'a Path,
    pub(crate) theorems: &'a [Theorem],
    /// The name of the target on the command line.
    pub(crate) target: &'a str,
}

/// The proof of a theorem for the program as it is.
struct Baseline {
    trace: Trace,
    terms: usize,
    results: u64,
}

/// Remembers the results of all calls.
#[derive(Default)]
struct Results(u64);

impl Observer for Results {
    fn called(&mut self, call: &Call, outcome: &mut Outcome<'_>) -> Result<()> {
        let mut all = Vec::new();
        for argument in 0..call.arguments.len() {
            all.extend(outcome.values(call, argument)?);
        }
        if call.result > 0 {
            all.push(outcome.result.slice(0, call.result));
        }
        self.0 = self.0.rotate_left(5) ^ fingerprint(&all);
        Ok(())
    }
}

/// Does pieces of work on all processors.
fn parallel<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let result = work(number);
                    if let Ok(mut done) = done.lock() {
                        done.push((number, result));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

impl Subject<'_> {
    /// Changes as many bits, which the seed chooses.
    pub(crate) fn mutate(&self, seed: u64, count: usize) -> Result<Vec<Mutant>> {
        let baselines = parallel(self.theorems.len(), |number| {
            let theorem = &self.theorems[number];
            let name = || format!("{} {}", theorem.backend, theorem.name);
            self.baseline(theorem).with_context(name)
        });
        let baselines: Vec<_> = baselines.into_iter().collect::<Result<_>>()?;
        let mut random = Random::new(seed);
        let mut changes = Vec::new();
        while changes.len() < count {
            let theorem = random.below(self.theorems.len() as u64) as usize;
            let trace = &baselines[theorem].trace;
            let of_table = random.below(10) < 3;
            let from = if of_table {
                &trace.constants
            } else {
                &trace.code
            };
            if from.is_empty() {
                continue;
            }
            let at = random.below(from.len() as u64) as usize;
            let Some(at) = from.iter().nth(at) else {
                continue;
            };
            let length = if of_table {
                1
            } else {
                Executor::length(self.image, *at)?
            };
            let byte = at + random.below(length);
            let bit = random.below(8) as u32;
            if self.image.file_offset(byte).is_some() {
                let instruction = (!of_table).then_some(*at);
                changes.push((theorem, byte, bit, instruction));
            }
        }
        let results = parallel(changes.len(), |number| {
            let (theorem, byte, bit, instruction) = changes[number];
            self.change(theorem, &baselines[theorem], (byte, bit), instruction)
        });
        results.into_iter().collect()
    }

    fn baseline(&self, theorem: &Theorem) -> Result<Baseline> {
        let mut results = Results::default();
        let mut executor = Executor::new(self.image, Limits::default());
        executor.observer = Some(&mut results);
        theorem.prove(&mut executor)?;
        let trace = executor.trace;
        Ok(Baseline {
            trace,
            terms: terms::count(),
            results: results.0,
        })
    }

    /// Tries to prove a theorem for the program with one bit changed.
    fn change(
        &self,
        number: usize,
        baseline: &Baseline,
        (byte, bit): (u64, u32),
        instruction: Option<u64>,
    ) -> Result<Mutant> {
        let theorem = &self.theorems[number];
        let mut image = self.image.clone();
        image.flip(byte, bit)?;
        let mut text = format!("bit {bit} of {byte:#x}");
        let mut same = false;
        match instruction {
            None => text += " in a table",
            Some(at) => {
                let of = |image| Executor::text(image, at);
                let (old, new) = (of(self.image), of(&image));
                same = old == new
                    && Executor::length(self.image, at)?
                        == Executor::length(&image, at).unwrap_or(0);
                text += &format!(": {old} -> {new}");
            }
        }
        let verdict = if same {
            Verdict::NoEffect("it is the same instruction in another encoding")
        } else {
            let mut results = Results::default();
            let limits = Limits {
                steps: 2 * baseline.trace.steps + 1000,
                terms: 4 * baseline.terms + 1_000_000,
            };
            let mut executor = Executor::new(&image, limits);
            executor.observer = Some(&mut results);
            match theorem.prove(&mut executor) {
                Err(error) => Verdict::Rejected(format!("{error:#}")),
                Ok(_) if !self.is_confirmed(theorem, byte, bit)? => Verdict::Survived,
                Ok(_) if results.0 == baseline.results => {
                    Verdict::NoEffect("no result depends on it")
                }
                Ok(_) => Verdict::NoEffect("the theorem is also true of the other results"),
            }
        };
        Ok(Mutant {
            theorem: number,
            text,
            verdict,
        })
    }

    /// Whether a processor computes what the model says of the changed function.
    fn is_confirmed(&self, theorem: &Theorem, byte: u64, bit: u32) -> Result<bool> {
        let mut data = std::fs::read(self.path)?;
        let offset = self
            .image
            .file_offset(byte)
            .context("it is not in the file")?;
        data[offset as usize] ^= 1 << bit;
        let path: PathBuf = self.path.with_extension(format!("{byte:x}.{bit}.so"));
        std::fs::write(&path, data)?;
        // Another process, which the changed function may end.
        let status = Command::new(std::env::current_exe()?)
            .arg("cosimulate")
            .args(["--target", self.target])
            .args(["--backend", theorem.backend])
            .args(["--theorem", &theorem.name])
            .arg("--object")
            .arg(&path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        std::fs::remove_file(&path)?;
        Ok(status?.success())
    }
}

/// Prints what happened, and fails if a change was not noticed.
pub(crate) fn report(mutants: &[Mutant], theorems: &[Theorem]) -> Result<()> {
    let (mut rejected, mut without_effect, mut survived) = (0, 0, 0);
    for mutant in mutants {
        let theorem = &theorems[mutant.theorem];
        let name = format!("{} {}", theorem.backend, theorem.name);
        match &mutant.verdict {
            Verdict::Rejected(reason) => {
                rejected += 1;
                let reason: String = reason.chars().take(200).collect();
                println!("rejected   {name}: {}: {reason}", mutant.text);
            }
            Verdict::NoEffect(reason) => {
                without_effect += 1;
                println!("no effect  {name}: {}: {reason}", mutant.text);
            }
            Verdict::Survived => {
                survived += 1;
                println!("SURVIVED   {name}: {}", mutant.text);
            }
        }
    }
    println!(
        "mutants: {}, {rejected} rejected, {without_effect} without effect, {survived} survived",
        mutants.len()
    );
    ensure!(survived == 0, "{survived} changes were not noticed");
    Ok(())
}
