//! The model of the instructions against a processor.
//!
//! Each call of each theorem is executed by the model, and its terms are evaluated for some inputs; a
//! processor runs the same function on the same inputs. All memory that the function was given and the
//! result are compared. The inputs are extreme and random, also far outside of what the kernels are for,
//! because the model must be right about the instructions and not about the kernels.

mod cpu;
#[cfg(target_arch = "x86_64")]
mod native;
#[cfg(feature = "unicorn")]
mod unicorn;

use std::path::Path;

use anyhow::{Result, bail, ensure};
use rustc_hash::FxHashMap;

use crate::evaluate::Evaluation;
use crate::image::{Architecture, Image};
use crate::machine::{Argument, Call, Executor, Limits, Observer, Outcome};
use crate::processor::Trace;
use crate::random::Random;
use crate::specification::Q;
use crate::terms::{Name, Term, variables};
use crate::theorems::Theorem;
use cpu::{Concrete, Cpu};

/// How many inputs each function runs on.
const RUNS: usize = 24;
/// How many calls of a function are all compared. Of those that follow, some are: the distance is a prime, so that
/// they differ in all arguments that loops go through.
const CALLS: u64 = 4096;
const CALLS_APART: u64 = 61;

/// Returns a processor for the probe.
fn cpu(image: &Image, path: &Path) -> Result<Box<dyn Cpu>> {
    match image.architecture {
        #[cfg(target_arch = "x86_64")]
        Architecture::X86_64 => Ok(Box::new(native::Native::new(image, path)?)),
        #[cfg(feature = "unicorn")]
        Architecture::Aarch64 | Architecture::Armv7m => {
            Ok(Box::new(unicorn::Emulator::new(image)?))
        }
        #[allow(unreachable_patterns, reason = "with all features on x86-64")]
        architecture => bail!(
            "nothing here runs {architecture:?}: it needs an x86-64 processor, or the feature `unicorn`, \
             instead of {}",
            path.display()
        ),
    }
}

/// What was compared.
pub(crate) struct Compared {
    /// What the theorems executed that were compared.
    pub(crate) trace: Trace,
    pub(crate) values: u64,
    /// The backends that the processor lacks.
    pub(crate) missing: Vec<&'static str>,
}

/// Compares all calls of the theorems.
pub(crate) fn compare(image: &Image, path: &Path, theorems: &[Theorem]) -> Result<Compared> {
    let mut comparison = Comparison {
        image,
        cpu: cpu(image, path)?,
        random: Random::new(7),
        values: 0,
        calls: FxHashMap::default(),
    };
    let mut trace = Trace::default();
    let mut missing = Vec::new();
    for theorem in theorems {
        if !comparison.cpu.has(theorem.backend) {
            if !missing.contains(&theorem.backend) {
                missing.push(theorem.backend);
            }
            continue;
        }
        let before = comparison.values;
        let mut executor = Executor::new(image, Limits::default());
        executor.observer = Some(&mut comparison);
        let proved = theorem.prove(&mut executor);
        trace.add(&executor.trace);
        let name = format!("{} {}", theorem.backend, theorem.name);
        if let Err(error) = proved {
            bail!("{name}: {error:#}");
        }
        ensure!(comparison.values > before, "{name} compared nothing");
    }
    Ok(Compared {
        trace,
        values: comparison.values,
        missing,
    })
}

struct Comparison<'i> {
    image: &'i Image,
    cpu: Box<dyn Cpu>,
    random: Random,
    values: u64,
    /// How often each function was called.
    calls: FxHashMap<String, u64>,
}

impl Observer for Comparison<'_> {
    fn called(&mut self, call: &Call, outcome: &mut Outcome<'_>) -> Result<()> {
        let calls = self.calls.entry(call.symbol.clone()).or_default();
        *calls += 1;
        if *calls > CALLS && !calls.is_multiple_of(CALLS_APART) {
            return Ok(());
        }
        let mut before = Vec::new();
        let mut after = Vec::new();
        for (number, argument) in call.arguments.iter().enumerate() {
            match argument {
                Argument::Value(term) => before.push(*term),
                Argument::Input { content, .. } => before.extend(content),
                Argument::Output { .. } => {}
            }
            after.extend(outcome.values(call, number)?);
        }
        if call.result > 0 {
            after.push(outcome.result.slice(0, call.result));
        }
        let inputs = variables(&before);
        for name in variables(&after) {
            ensure!(inputs.contains(&name), "a result depends on {name}");
        }
        let columns: FxHashMap<Name, Vec<u64>> = inputs
            .into_iter()
            .map(|name| (name, self.column()))
            .collect();
        let input = |name| columns[&name].clone();
        let (conditions, expected): (Vec<_>, Vec<_>) = outcome.assumed.iter().copied().unzip();
        let conditions = Evaluation::of(&conditions).run(RUNS, input);
        // The outcome is that of the inputs for which the assumptions hold.
        let is_of_case = |run: &usize| {
            let mut pairs = conditions.iter().zip(&expected);
            pairs.all(|(column, value)| column[*run] == *value)
        };
        let runs: Vec<_> = (0..RUNS).filter(is_of_case).collect();
        if runs.is_empty() {
            return Ok(());
        }
        let before = Evaluation::of(&before).run(RUNS, input);
        let terms = after;
        let after = Evaluation::of(&terms).run(RUNS, input);
        for run in runs {
            self.compare_run(call, run, &before, &after, &terms)?;
        }
        Ok(())
    }
}

impl Comparison<'_> {
    /// Returns values of an input, which takes their lowest bits.
    fn column(&mut self) -> Vec<u64> {
        let random = &mut self.random;
        let kinds = (0..RUNS).map(|run| match run % 4 {
            0 => random.within(1 - Q, Q - 1) as u64,
            1 => random.next(),
            2 => random.below(2),
            _ => {
                let width = random.pick(&[1, 8, 14, 18, 20, 23, 24, 31, 32, 64]);
                let edge = random.edge(width);
                let at = random.pick(&[edge, Q as u64, 95_232, 261_888]);
                let value = at.wrapping_add(random.within(-1, 1) as u64);
                if random.below(2) == 0 {
                    value
                } else {
                    value.wrapping_neg()
                }
            }
        });
        kinds.collect()
    }

    fn compare_run(
        &mut self,
        call: &Call,
        run: usize,
        before: &[Vec<u64>],
        after: &[Vec<u64>],
        terms: &[Term],
    ) -> Result<()> {
        let mut inputs = before.iter().map(|column| column[run]);
        let mut value = || inputs.next().unwrap_or_default();
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            arguments.push(match argument {
                Argument::Value(_) => Concrete::Value(value()),
                Argument::Input { content, .. } => {
                    let bytes = content.iter().flat_map(|term| {
                        let bytes = value().to_le_bytes();
                        bytes.into_iter().take(term.width() as usize / 8)
                    });
                    Concrete::Memory(bytes.collect())
                }
                Argument::Output { .. } => Concrete::Memory(vec![0xa5; argument.bytes() as usize]),
            });
        }
        let result = self
            .cpu
            .run(self.image.symbol(&call.symbol)?, &mut arguments)?;
        let mut bytes = arguments.iter().flat_map(|argument| match argument {
            Concrete::Memory(bytes) => bytes.iter().copied(),
            Concrete::Value(_) => [].iter().copied(),
        });
        let results = terms.len() - usize::from(call.result > 0);
        for (number, (column, term)) in after.iter().zip(terms).enumerate() {
            let mut word = [0; 8];
            if number < results {
                let room = &mut word[..term.width() as usize / 8];
                room.iter_mut()
                    .zip(&mut bytes)
                    .for_each(|(to, byte)| *to = byte);
            } else {
                word = (result & crate::terms::mask(term.width())).to_le_bytes();
            }
            let (got, expected) = (u64::from_le_bytes(word), column[run]);
            ensure!(
                got == expected,
                "in {}, value {number} of run {run} is {got:#x} on the processor, and {expected:#x} in \
                 the model: {term}",
                call.symbol
            );
            self.values += 1;
        }
        Ok(())
    }
}
