//! Skipped instructions in signing, and what the signatures reveal.
//!
//! The signature is deterministic, so that an attacker can compare it with the right one of the same message.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::rc::Rc;

use anyhow::{Context, Result, ensure};
use moissanite::prelude::*;
use moissanite::{MlDsa44, ParameterSet, Seed, Signature, SigningKey};

use crate::checkpoints::{Checkpoint, Comparison};
use crate::fault::{Before, Fault};
use crate::firmware::Firmware;
use crate::it;
use crate::machine::{END, INPUTS, Machine, RAM, RAM_LEN, State};
use crate::registers::FLAGS;
use crate::secret::{Leak, Secret};
use crate::targets::{Random, spread};
use crate::watch::{Stopped, Watch, install, run as run_on};

const SEED: [u8; 32] = [7; 32];
const MESSAGE: [u8; 32] = [1; 32];
/// The program executes fewer blocks than this without a fault.
const MOST_BLOCKS: u32 = 2_000_000;
const STATES: usize = 4000;
const LENGTH: usize = MlDsa44::SIGNATURE_LEN;
/// Before the first attempt, where ρ″ is computed, this number of executions of each instruction are skipped,
/// and later, in the attempts that are rejected and in the last one, the first and the last one.
const BEFORE_ATTEMPTS: usize = 4;
const IN_ATTEMPTS: usize = 2;
/// y is guessed if it depends on fewer words of K.
const WORDS: usize = 4;

/// What an attacker gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Released {
    Nothing,
    Right,
    Other(Leak, bool),
}

impl fmt::Display for Released {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (leak, valid) = match self {
            Self::Nothing => return write!(f, "nothing"),
            Self::Right => return write!(f, "the right signature"),
            Self::Other(leak, valid) => (leak, valid),
        };
        let valid = if *valid { "valid" } else { "invalid" };
        let leak = match leak {
            Leak::None => "no leak is found",
            Leak::OtherMask => "another y",
            Leak::NoMask => "y is missing",
            Leak::SameMask => "the same y for another challenge",
            Leak::TooLong => "z is too long",
            Leak::Predictable => "y does not depend on K",
        };
        write!(f, "{valid}, {leak}")
    }
}

/// A deterministic signer.
struct Device<'a> {
    firmware: &'a Firmware,
    /// Executes the program up to a fault.
    walker: Machine,
    /// Executes the rest.
    runner: Machine,
    watch: Rc<RefCell<Watch>>,
    /// The state when the key is ready, and the trace from there.
    ready: State,
    trace: Vec<u32>,
    conditions: HashMap<u64, u8>,
    /// The beginnings of the attempts.
    attempts: Vec<Checkpoint>,
    right: Vec<u8>,
}

impl<'a> Device<'a> {
    fn new(firmware: &'a Firmware, right: &[u8]) -> Result<Self> {
        let mut walker = Machine::with_replaced_code(firmware)?;
        let mut runner = Machine::new(firmware)?;
        // The program does not call a boot loader's functions.
        let watch = Rc::new(RefCell::new(Watch::new(END, END, MOST_BLOCKS)));
        install(&watch, &mut runner)?;
        let inputs = [SEED, MESSAGE].concat();
        for machine in [&mut walker, &mut runner] {
            machine.flash(INPUTS, &inputs)?;
        }
        let arguments = [INPUTS, INPUTS + 32, RAM];
        let start = State::call(
            firmware.symbol("sign")?,
            &arguments,
            vec![0; RAM_LEN].into(),
        );
        let ready = firmware.symbol("moissanite_signing")?;
        let ready = walker.visits(&start, ready, END)?;
        let ready = ready
            .into_iter()
            .next()
            .context("signing does not begin")?
            .state;
        let mut trace = walker.trace(&ready, END)?;
        // The last instruction returns to where nothing is executed.
        trace.pop();
        let mut functions = firmware.functions.iter();
        let commit = functions.find(|function| function.name.ends_with("stream::sign::commit"));
        let commit = commit.context("there is no attempt")?.code.start;
        let attempts = walker.visits(&ready, commit, END)?.into_iter();
        let attempts = attempts.map(|visit| Checkpoint::new(visit.step, &visit.state));
        Ok(Self {
            firmware,
            conditions: firmware.conditions(&trace),
            walker,
            runner,
            watch,
            ready,
            trace,
            attempts: attempts.collect(),
            right: right.to_vec(),
        })
    }

    /// Executes the rest from a state at a step on, or up to an attempt that begins as without a fault.
    fn released(&mut self, step: usize, state: &State) -> Result<Vec<u8>> {
        let next = self
            .attempts
            .partition_point(|attempt| attempt.step <= step);
        {
            let mut watch = self.watch.borrow_mut();
            (watch.blocks, watch.resumes) = (0, false);
        }
        self.runner.set(state)?;
        for attempt in &self.attempts[next..] {
            self.watch.borrow_mut().checkpoint = Some(attempt.place());
            if run_on(&self.watch, &mut self.runner)? != Stopped::Checkpoint {
                break;
            }
            if attempt.compare(&self.runner.state()?) == Comparison::Same {
                return Ok(self.right.clone());
            }
        }
        // After an exception, the sink has what was written before it.
        let state = if self.watch.borrow().resumes || next == self.attempts.len() {
            self.watch.borrow_mut().checkpoint = None;
            run_on(&self.watch, &mut self.runner)?;
            self.runner.state()?
        } else {
            self.runner.state()?
        };
        Ok(state.ram[..LENGTH].to_vec())
    }

    /// Skips the instruction at each of these steps from a state on. Passes the step and what is released.
    fn skip(
        &mut self,
        from: &State,
        steps: &[usize],
        mut take: impl FnMut(&Self, usize, &[u8]) -> Result<()>,
    ) -> Result<()> {
        for steps in steps.chunks(STATES) {
            let states = self.walker.states(from, steps)?;
            for (step, mut state) in steps.iter().zip(states) {
                let condition = self.conditions.get(&state.pc()).copied().unwrap_or(0);
                it::set(&mut state.registers[FLAGS], condition);
                let instruction = self.firmware.instruction(state.pc())?;
                let before = Before::new(&mut self.walker, &state, &instruction)?;
                let released = match before.disturbed(&mut self.walker, Fault::Skip)? {
                    None => vec![0; LENGTH],
                    Some(after) => self.released(*step, &after)?,
                };
                take(self, *step, &released)?;
            }
        }
        Ok(())
    }

    /// Chooses steps: some executions of each instruction in each phase, and random ones, one half of which is
    /// in the last attempt.
    fn choose(&self, samples: usize, random: &mut Random) -> Result<(Vec<usize>, usize)> {
        let first = self.attempts.first().context("there is no attempt")?.step;
        let last = self.attempts.last().context("there is no attempt")?.step;
        let end = self.trace.len();
        let mut chosen = BTreeSet::new();
        for (phase, most) in [
            (2..first, BEFORE_ATTEMPTS),
            (first..last, IN_ATTEMPTS),
            (last..end, IN_ATTEMPTS),
        ] {
            let mut steps = BTreeMap::<u32, Vec<usize>>::new();
            for step in phase {
                steps.entry(self.trace[step]).or_default().push(step);
            }
            chosen.extend(steps.values().flat_map(|steps| spread(steps, most)));
        }
        for number in 0..samples {
            let from = if number & 1 == 0 { 2 } else { last };
            chosen.insert(from + random.below(end - from));
        }
        Ok((chosen.into_iter().collect(), first))
    }

    fn describe(&self, step: usize) -> String {
        let at = self.trace[step].into();
        let text = self.firmware.instruction(at).map(|found| found.text);
        let text = text.unwrap_or_default();
        format!("`{text}` at {at:#x} in {}", self.firmware.name(at))
    }

    /// The last part of the name of the function at a step.
    fn function(&self, step: usize) -> &str {
        let name = self.firmware.name(self.trace[step].into());
        name.rsplit("::").next().unwrap_or(name)
    }
}

/// Returns the number of instructions of a signature.
pub(crate) fn cost(firmware: &Firmware) -> Result<usize> {
    Ok(Device::new(firmware, &[])?.trace.len())
}

/// Skips instructions, and returns the number of each result, and that of each leak in each function.
pub(crate) fn run(firmware: &Firmware, samples: usize, seed: u64) -> Result<BTreeMap<String, u64>> {
    let key = SigningKey::<MlDsa44>::from_seed(&Seed::from_bytes(&SEED));
    let message = MESSAGE;
    let right = key.try_sign(&message).context("the key does not sign")?;
    let right: &[u8] = right.as_ref();
    let known = Secret::new(key.as_expanded_bytes().as_ref(), &message, right);
    ensure!(
        known.is_consistent(),
        "the masks of the signature are not found"
    );
    let mut signer = Device::new(firmware, right)?;
    let ready = signer.ready.clone();
    ensure!(
        signer.released(signer.trace.len(), &ready)? == right,
        "the program does not sign as the library"
    );

    let (steps, first) = signer.choose(samples, &mut Random(seed))?;
    let mut results = BTreeMap::new();
    let mut suspects = BTreeMap::new();
    signer.skip(&ready, &steps, |_, step, signature| {
        let result = if signature == right {
            Released::Right
        } else if signature.iter().all(|byte| *byte == 0) {
            Released::Nothing
        } else {
            let parsed = Signature::<MlDsa44>::from_bytes(signature);
            let valid =
                parsed.is_ok_and(|parsed| key.verifying_key().verify(&message, &parsed).is_ok());
            let leak = known.leak(signature);
            if leak == Leak::OtherMask && step < first {
                suspects.insert(step, signature.to_vec());
            }
            Released::Other(leak, valid)
        };
        results.insert(step, result);
        Ok(())
    })?;

    // With another word of K and the same fault, another signature is expected.
    let mut words = BTreeMap::<usize, usize>::new();
    let mut steps: Vec<usize> = suspects.keys().copied().collect();
    words.extend(steps.iter().map(|step| (*step, 0)));
    for word in 0..known.k.len() / 4 {
        steps.retain(|step| words[step] < WORDS);
        let other = other_k(&ready, &known.k, 4 * word)?;
        signer.skip(&other, &steps, |_, step, signature| {
            *words.entry(step).or_default() += usize::from(suspects[&step] != signature);
            Ok(())
        })?;
    }
    for (step, words) in words {
        if words < WORDS
            && let Some(Released::Other(leak, _)) = results.get_mut(&step)
        {
            *leak = Leak::Predictable;
        }
    }

    let mut counts = BTreeMap::new();
    for (step, result) in results {
        *counts.entry(result.to_string()).or_default() += 1;
        if matches!(result, Released::Other(leak, _) if leak != Leak::None) {
            let function = signer.function(step);
            *counts.entry(format!("{result}: {function}")).or_default() += 1;
            eprintln!("{result}: {}", signer.describe(step));
        }
    }
    Ok(counts)
}

/// The state with other bits in a word of each copy of K.
fn other_k(state: &State, k: &[u8; 32], at: usize) -> Result<State> {
    let mut other = state.clone();
    let copies: Vec<usize> = (0..RAM_LEN - k.len())
        .filter(|from| state.ram[*from..from + k.len()] == k[..])
        .collect();
    ensure!(!copies.is_empty(), "K is not in the memory");
    for from in copies {
        for byte in &mut other.ram[from + at..from + at + 4] {
            *byte ^= 0xa5;
        }
    }
    Ok(other)
}
