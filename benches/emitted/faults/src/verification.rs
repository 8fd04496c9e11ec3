//! Faults in the verification of invalid signatures.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use anyhow::{Context, Result, ensure};

use crate::checkpoints::{Checkpoint, Checkpoints, Comparison};
use crate::fault::{Before, Fault};
use crate::firmware::Firmware;
use crate::inputs::Inputs;
use crate::it;
use crate::machine::{INPUTS, Machine, RAM_LEN, State, Visit};
use crate::registers::{FLAGS, SP};
use crate::targets::Target;
use crate::watch::{ENTRY, Outcome, Stopped, Watch, install, run};

/// A program executes fewer blocks than this without a fault.
const MOST_BLOCKS: u32 = 1_000_000;
/// The number of states that are in memory at a time.
const STATES: usize = 8000;
/// One of this number of executions that differ in hashes alone is executed to the end of the run.
const CONFIRMED: u64 = 256;

/// The ends of the names of the functions at whose entries the checkpoints are.
const READING: &str = "hardened::Hashed<S> as moissanite_core::stream::source::Source>::read";
const POLYNOMIAL: &str = "stream::verify::z";

/// Inputs that tell the hashes in the memory from the rest.
struct Others<'a> {
    messages: [Inputs; 2],
    keys: [Inputs; 2],
    valid: &'a Inputs,
}

/// One program with one invalid signature.
pub(crate) struct Verification<'a> {
    firmware: &'a Firmware,
    /// Executes the program up to a fault.
    walker: Machine,
    /// Executes the rest, without changes of the code, so that its translation is kept.
    runner: Machine,
    watch: Rc<RefCell<Watch>>,
    start: State,
    pub(crate) trace: Vec<u32>,
    /// The bytes of stack that the acceptance uses.
    pub(crate) stack: usize,
    /// ITSTATE before the instructions of IT blocks.
    conditions: HashMap<u64, u8>,
    checkpoints: Checkpoints,
    /// The states at the ends of the runs, by their indices in the trace.
    ends: Vec<(usize, State)>,
    /// The number of executions that differ in hashes alone.
    passed_over: u64,
    /// The outcomes from other states at these ends.
    known: HashMap<u64, Outcome>,
}

impl<'a> Verification<'a> {
    /// The program first accepts the valid signature, so that the memory has values of an acceptance.
    pub(crate) fn new(
        firmware: &'a Firmware,
        program: &str,
        valid: &Inputs,
        invalid: &Inputs,
    ) -> Result<Self> {
        let entry = firmware.symbol(program)?;
        let (boot, stop) = (
            firmware.symbol("moissanite_boot")?,
            firmware.symbol("moissanite_stop")?,
        );
        let mut walker = Machine::with_replaced_code(firmware)?;
        let mut runner = Machine::new(firmware)?;
        let watch = Rc::new(RefCell::new(Watch::new(boot, stop, MOST_BLOCKS)));
        install(&watch, &mut runner)?;

        let mut tracer = Machine::new(firmware)?;
        tracer.flash(INPUTS, &valid.flash())?;
        let start = State::call(entry, &[INPUTS], vec![0; RAM_LEN].into());
        tracer.trace(&start, boot)?;
        let accepted = tracer.state()?;
        let unused = accepted.ram.iter().take_while(|byte| **byte == 0);
        let stack = RAM_LEN - unused.count();
        ensure!(
            accepted.pc() == boot && accepted.registers[0] == ENTRY,
            "the valid signature is not accepted"
        );
        let start = State::call(entry, &[INPUTS], accepted.ram);
        for machine in [&mut tracer, &mut walker, &mut runner] {
            machine.flash(INPUTS, &invalid.flash())?;
        }
        let trace = tracer.trace(&start, stop)?;
        let last = tracer.state()?;
        ensure!(last.pc() == stop, "the invalid signature is not refused");
        let conditions = firmware.conditions(&trace);
        let mut verification = Self {
            firmware,
            conditions,
            walker,
            runner,
            watch,
            start,
            trace,
            stack,
            checkpoints: Checkpoints::default(),
            ends: Vec::new(),
            passed_over: 0,
            known: HashMap::new(),
        };
        verification.find_ends(&last)?;
        if !verification.ends.is_empty() {
            let others = Others {
                messages: [0, 1].map(|number| invalid.other_message(number)),
                keys: [0, 1].map(|number| invalid.other_key(number)),
                valid,
            };
            verification.learn(&mut tracer, invalid, &others, [boot, stop])?;
        }
        Ok(verification)
    }

    /// Finds the ends of the runs, and compares the last state with that of an execution without stops.
    fn find_ends(&mut self, last: &State) -> Result<()> {
        let entry = self.firmware.functions.iter().find(|function| {
            function.name.contains("stream::hardened") && function.name.ends_with("::run")
        });
        // Other boot loaders have none.
        let entry = entry.map_or(0, |entry| entry.code.start as u32);
        let mut ends = Vec::new();
        for (index, pair) in self.trace.windows(2).enumerate() {
            if pair[1] == entry {
                // A call has four bytes.
                let after = pair[0] + 4;
                let rest = self.trace[index..].iter().position(|at| *at == after);
                ends.push(index + rest.context("a run does not end")?);
            }
        }
        let states = if ends.is_empty() {
            Vec::new()
        } else {
            self.walker.states(&self.start, &ends)?
        };
        self.ends = ends.into_iter().zip(states).collect();
        self.runner.set(&self.start)?;
        ensure!(
            run(&self.watch, &mut self.runner)? == Stopped::With(Outcome::Refused),
            "the invalid signature is not refused without hooks"
        );
        let state = self.runner.state()?;
        let is_same = state.registers[..FLAGS] == last.registers[..FLAGS] && state.ram == last.ram;
        ensure!(is_same, "an execution without hooks differs");
        Ok(())
    }

    /// Finds the checkpoints and the hashes in their memory.
    fn learn(
        &mut self,
        tracer: &mut Machine,
        invalid: &Inputs,
        others: &Others<'_>,
        [boot, stop]: [u64; 2],
    ) -> Result<()> {
        let entry = |part: &str| {
            let mut functions = self.firmware.functions.iter();
            let found = functions.find(|function| function.name.ends_with(part));
            found
                .map(|found| found.code.start)
                .with_context(|| part.to_owned())
        };
        let (reading, polynomial) = (entry(READING)?, entry(POLYNOMIAL)?);
        let start = &self.start;
        let mut visits = |inputs: &Inputs, place, stop| {
            tracer.flash(INPUTS, &inputs.flash())?;
            tracer.visits(start, place, stop)
        };
        let checkpoint = |visit: Visit| Checkpoint::new(visit.step, &visit.state);
        let readings = visits(invalid, reading, stop)?;
        self.checkpoints.readings = readings.into_iter().map(checkpoint).collect();
        let polynomials = visits(invalid, polynomial, stop)?;
        self.checkpoints.polynomials = polynomials.into_iter().map(checkpoint).collect();
        let mut all = Vec::new();
        for inputs in others.messages.iter().chain(&others.keys) {
            let found = visits(inputs, polynomial, stop)?;
            ensure!(
                found.len() == self.checkpoints.polynomials.len(),
                "another message or key reads another number of polynomials"
            );
            all.push(found);
        }
        let valid = visits(others.valid, polynomial, boot)?;
        let is_comparable = valid.len() == self.checkpoints.polynomials.len();
        for (index, checkpoint) in self.checkpoints.polynomials.iter_mut().enumerate() {
            let [messages, keys] = [&all[..2], &all[2..]].map(|all| {
                let states = all.iter().map(|found| &found[index].state);
                states.collect::<Vec<_>>()
            });
            let valid = is_comparable.then(|| &valid[index].state);
            checkpoint.learn(&messages, &keys, valid);
        }
        Ok(())
    }

    /// Injects faults in order, and passes each with its outcome.
    pub(crate) fn inject(
        &mut self,
        targets: &[Target],
        mut take: impl FnMut(&Target, Fault, Outcome),
    ) -> Result<()> {
        for targets in targets.chunks(STATES) {
            let steps: Vec<_> = targets.iter().map(|target| target.step).collect();
            let states = self.walker.states(&self.start, &steps)?;
            for (target, mut state) in targets.iter().zip(states) {
                let conditions = self.conditions.get(&state.pc()).copied().unwrap_or(0);
                it::set(&mut state.registers[FLAGS], conditions);
                let instruction = self.firmware.instruction(state.pc())?;
                let before = Before::new(&mut self.walker, &state, &instruction)?;
                let next = u64::from(self.trace[target.step + 1]);
                // The trace does not have instructions whose condition is false.
                ensure!(
                    before.after().pc() == next || it::of(before.after().registers[FLAGS]) != 0,
                    "{:#x} `{}` is followed by {:#x} and not by {next:#x}",
                    state.pc(),
                    instruction.text,
                    before.after().pc()
                );
                // Some faults have the same effect.
                let mut known = HashMap::new();
                for fault in target.faults(&instruction) {
                    let outcome = match before.disturbed(&mut self.walker, fault)? {
                        None => Outcome::Crashed,
                        Some(after) if after == *before.after() => Outcome::NoEffect,
                        Some(after) if after.ram != state.ram => self.rest(target.step, &after)?,
                        Some(after) => match known.entry(after.registers) {
                            Entry::Occupied(outcome) => *outcome.get(),
                            Entry::Vacant(entry) => *entry.insert(self.rest(target.step, &after)?),
                        },
                    };
                    take(target, fault, outcome);
                }
            }
        }
        Ok(())
    }

    /// Executes the rest after a fault at a step.
    fn rest(&mut self, step: usize, state: &State) -> Result<Outcome> {
        let end = self.ends.iter().position(|(at, _)| *at > step);
        {
            let mut watch = self.watch.borrow_mut();
            (watch.blocks, watch.resumes, watch.checkpoint) = (0, false, None);
            watch.end = end.map(|end| {
                let (_, state) = &self.ends[end];
                (state.pc(), state.registers[SP])
            });
        }
        self.runner.set(state)?;
        let mut event = Stopped::Checkpoint;
        let mut is_passed_over = false;
        for checkpoint in self
            .checkpoints
            .after(step, end.map_or(0, |end| self.ends[end].0))
        {
            self.watch.borrow_mut().checkpoint = Some(checkpoint.place());
            event = run(&self.watch, &mut self.runner)?;
            if event != Stopped::Checkpoint {
                break;
            }
            match checkpoint.compare(&self.runner.state()?) {
                Comparison::Same => return Ok(Outcome::NoEffect),
                Comparison::OtherHash => {
                    is_passed_over = true;
                    break;
                }
                Comparison::Other => (),
            }
        }
        if is_passed_over {
            self.passed_over += 1;
            if self.passed_over % CONFIRMED != 1 {
                return Ok(Outcome::NoEffect);
            }
        }
        if event == Stopped::Checkpoint {
            self.watch.borrow_mut().checkpoint = None;
            event = run(&self.watch, &mut self.runner)?;
        }
        let (Some(end), Stopped::End) = (end, event) else {
            ensure!(!is_passed_over, "another hash ends with another outcome");
            return event.outcome();
        };
        let state = self.runner.state()?;
        if live(&state) == live(&self.ends[end].1) {
            return Ok(Outcome::NoEffect);
        }
        ensure!(!is_passed_over, "another hash has another verdict");
        let mut hash = DefaultHasher::new();
        (end, live(&state)).hash(&mut hash);
        let hash = hash.finish();
        if let Some(outcome) = self.known.get(&hash) {
            return Ok(*outcome);
        }
        {
            let mut watch = self.watch.borrow_mut();
            (watch.checkpoint, watch.end) = (None, None);
        }
        let outcome = run(&self.watch, &mut self.runner)?.outcome()?;
        self.known.insert(hash, outcome);
        Ok(outcome)
    }
}

/// What a caller reads after a return: the result, the registers that a function preserves, and the memory
/// from the stack pointer on (AAPCS32).
fn live(state: &State) -> ([u32; 2], &[u32], u32, &[u8]) {
    let registers = &state.registers;
    (
        [registers[0], registers[1]],
        &registers[4..12],
        registers[SP],
        state.live(),
    )
}
