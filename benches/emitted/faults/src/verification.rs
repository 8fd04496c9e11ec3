//! Faults in the verification of invalid signatures.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use anyhow::{Context, Result, ensure};
use unicorn_engine::Unicorn;

use crate::fault::{Before, Fault};
use crate::firmware::Firmware;
use crate::inputs::Inputs;
use crate::it;
use crate::machine::{INPUTS, Machine, RAM_LEN, State, error};
use crate::registers::{FLAGS, SP};
use crate::targets::Target;

/// The address of the image in the firmware.
const ENTRY: u32 = 0x0804_0001;
/// A run executes at most 300,000 blocks.
const MOST_BLOCKS: u32 = 1_000_000;
/// The number of states that are in memory at a time.
const STATES: usize = 1000;

/// What a program does with an invalid signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The state is the same as without the fault.
    NoEffect,
    Refused,
    /// The processor stops at an invalid access or instruction, or jumps to another address than the image's.
    Crashed,
    /// The program does not end.
    Hung,
    Accepted,
}

/// The number of outcomes.
pub(crate) const OUTCOMES: usize = 5;

enum Event {
    Boot(u32),
    Stop,
    Synchronous,
    TooLong,
}

struct Watch {
    boot: u64,
    stop: u64,
    /// The address and the stack pointer of the next state to compare.
    synchronous: Option<(u64, u32)>,
    blocks: u32,
    event: Option<Event>,
}

impl Watch {
    fn block(&mut self, at: u64, unicorn: &mut Unicorn<'_, ()>) {
        self.blocks += 1;
        let read = |register: i32| unicorn.reg_read(register).unwrap_or_default() as u32;
        self.event = if at == self.boot {
            Some(Event::Boot(read(unicorn_engine::RegisterARM::R0 as i32)))
        } else if at == self.stop {
            Some(Event::Stop)
        } else if let Some((place, sp)) = self.synchronous
            && place == at
            && read(unicorn_engine::RegisterARM::SP as i32) == sp
        {
            Some(Event::Synchronous)
        } else if self.blocks > MOST_BLOCKS {
            Some(Event::TooLong)
        } else {
            return;
        };
        let _ = unicorn.emu_stop();
    }
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
    /// The states at the ends of the runs, by their indices in the trace.
    synchronous: Vec<(usize, State)>,
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
        let (mut walker, mut runner) = (Machine::new(firmware)?, Machine::new(firmware)?);
        let watch = Rc::new(RefCell::new(Watch {
            boot,
            stop,
            synchronous: None,
            blocks: 0,
            event: None,
        }));
        let watching = Rc::clone(&watch);
        let each = move |unicorn: &mut Unicorn<'_, ()>, at: u64, _: u32| {
            watching.borrow_mut().block(at, unicorn);
        };
        runner.unicorn.add_block_hook(1, 0, each).map_err(error)?;

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
            synchronous: Vec::new(),
            known: HashMap::new(),
        };
        verification.synchronise(&last)?;
        Ok(verification)
    }

    /// Finds the ends of the runs, and compares the last state with that of an execution without stops.
    fn synchronise(&mut self, last: &State) -> Result<()> {
        let run = self.firmware.functions.iter().find(|function| {
            function.name.contains("stream::hardened") && function.name.ends_with("::run")
        });
        // Other boot loaders have none.
        let run = run.map_or(0, |run| run.code.start as u32);
        let mut ends = Vec::new();
        for (index, pair) in self.trace.windows(2).enumerate() {
            if pair[1] == run {
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
        self.synchronous = ends.into_iter().zip(states).collect();
        self.runner.set(&self.start)?;
        ensure!(
            self.run()? == Some(Outcome::Refused),
            "the invalid signature is not refused without hooks"
        );
        let state = self.runner.state()?;
        let is_same = state.registers[..FLAGS] == last.registers[..FLAGS] && state.ram == last.ram;
        ensure!(is_same, "an execution without hooks differs");
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
                for fault in target.faults(&instruction) {
                    let outcome = match before.disturbed(&mut self.walker, fault)? {
                        None => Outcome::Crashed,
                        Some(state) if state == *before.after() => Outcome::NoEffect,
                        Some(state) => self.rest(target.step, &state)?,
                    };
                    take(target, fault, outcome);
                }
            }
        }
        Ok(())
    }

    /// Executes the rest after a fault at a step.
    fn rest(&mut self, step: usize, state: &State) -> Result<Outcome> {
        let next = self.synchronous.iter().position(|(at, _)| *at > step);
        {
            let mut watch = self.watch.borrow_mut();
            watch.blocks = 0;
            watch.synchronous = next.map(|next| {
                let (_, state) = &self.synchronous[next];
                (state.pc(), state.registers[SP])
            });
        }
        self.runner.set(state)?;
        let outcome = self.run()?;
        let (Some(next), None) = (next, outcome) else {
            return outcome.context("a state to compare is unknown");
        };
        let state = self.runner.state()?;
        if live(&state) == live(&self.synchronous[next].1) {
            return Ok(Outcome::NoEffect);
        }
        let mut hash = DefaultHasher::new();
        (next, live(&state)).hash(&mut hash);
        let hash = hash.finish();
        if let Some(outcome) = self.known.get(&hash) {
            return Ok(*outcome);
        }
        self.watch.borrow_mut().synchronous = None;
        let outcome = self.run()?.context("a state to compare is unknown")?;
        self.known.insert(hash, outcome);
        Ok(outcome)
    }

    /// Executes up to the next event. Returns `None` at the end of a run.
    fn run(&mut self) -> Result<Option<Outcome>> {
        self.watch.borrow_mut().event = None;
        let _ = self.runner.execute()?;
        let event = self.watch.borrow_mut().event.take();
        Ok(match event {
            Some(Event::Boot(ENTRY)) => Some(Outcome::Accepted),
            Some(Event::Boot(_)) => Some(Outcome::Crashed),
            Some(Event::Stop) => Some(Outcome::Refused),
            Some(Event::TooLong) => Some(Outcome::Hung),
            Some(Event::Synchronous) => None,
            // The processor stops, or the program returns from its first function.
            None => Some(Outcome::Crashed),
        })
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
