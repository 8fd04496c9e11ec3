//! Observes a processor that executes a program, one instruction at a time.

use crate::code::{Cpu, Decision, Flow, Sets, Value, flag, mix};
use crate::program::{Program, Special};
use crate::trace::{Kind, Trace};

/// The state of the observation between two instructions.
pub(crate) struct Watch<'p> {
    program: &'p Program,
    pub(crate) trace: Trace,
    /// For each flag, a hash of the values on which it depends.
    flags: [u64; flag::COUNT],
    /// The branch that was executed last, until its target is known.
    branch: Option<usize>,
    /// The flags that depend on the result of the last instruction, until it is known.
    waiting: Option<&'p Sets>,
    /// The instruction to which loads and stores belong, if they are observed.
    accessing: Option<usize>,
    pub(crate) panicked: bool,
}

/// What the processor does next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Then {
    Execute,
    /// Continue at this address.
    GoTo(u64),
    Stop,
}

impl<'p> Watch<'p> {
    pub(crate) fn new(program: &'p Program, trace: Trace) -> Self {
        Self {
            program,
            trace,
            flags: [0; flag::COUNT],
            branch: None,
            waiting: None,
            accessing: None,
            panicked: false,
        }
    }

    /// Observes the state before the instruction `at`. It need not be called for instructions that
    /// [`Program::index`] does not know, unless [`Self::accesses`] is called for these.
    #[inline]
    pub(crate) fn before(&mut self, at: u64, cpu: &mut impl Cpu) -> Then {
        if let Some(sets) = self.waiting.take() {
            self.set(sets, cpu);
        }
        match self.went(at) {
            Then::Execute => {}
            then => return then,
        }
        self.accessing = self.program.index(at);
        match self.accessing {
            Some(index) => self.look(index, cpu),
            None => Then::Execute,
        }
    }

    /// Observes that the branch which was executed last, if there is one, goes to `to`. A machine that knows the
    /// target at the branch calls this there.
    #[inline]
    pub(crate) fn went(&mut self, to: u64) -> Then {
        let Some(branch) = self.branch.take() else {
            return Then::Execute;
        };
        let expected = u64::from(self.trace.went(branch, to as u32));
        if self.trace.lost.is_some() {
            return Then::Stop;
        }
        if expected == to {
            Then::Execute
        } else {
            Then::GoTo(expected)
        }
    }

    fn look(&mut self, index: usize, cpu: &mut impl Cpu) -> Then {
        let program = self.program;
        let instruction = &program.instructions[index];
        if let Some(special) = program.special(instruction.at) {
            return self.special(special, cpu);
        }
        if instruction.is_branch() {
            let value = match &instruction.flow {
                Flow::Branch(Decision::Value(value), _) => value.of(cpu),
                Flow::Branch(Decision::Flags(flags), _) => {
                    self.of_flags(flags | instruction.predicate)
                }
                _ => self.of_flags(instruction.predicate),
            };
            self.trace.shows(index, Kind::Branch, value);
            if instruction.flow != Flow::Next {
                self.branch = Some(index);
            }
        }
        if let Some(value) = &instruction.divides {
            self.trace.shows(index, Kind::Division, value.of(cpu));
        }
        if let Flow::Indirect { to, .. } = &instruction.flow {
            self.trace.shows(index, Kind::Address, to.of(cpu));
        }
        if let Some(sets) = &instruction.sets {
            let chained = sets.chained | instruction.predicate;
            if chained != 0 {
                let chained = self.of_flags(chained);
                for (bit, hash) in self.flags.iter_mut().enumerate() {
                    if sets.flags & (1 << bit) != 0 {
                        *hash = mix(*hash, chained);
                    }
                }
            } else {
                for (bit, hash) in self.flags.iter_mut().enumerate() {
                    if sets.flags & (1 << bit) != 0 {
                        *hash = 0;
                    }
                }
            }
            // The operands have these values before the instruction. A carry that the result replaces is
            // read before it, too.
            self.mix(
                sets.flags & !flag::OF_RESULT,
                &sets.rest,
                cpu,
                sets.after && sets.rest == Value::Flags,
            );
            if sets.after {
                self.waiting = Some(sets);
            } else {
                self.mix(sets.flags & flag::OF_RESULT, &sets.result, cpu, false);
            }
        }
        Then::Execute
    }

    fn set(&mut self, sets: &Sets, cpu: &mut impl Cpu) {
        self.mix(sets.flags & flag::OF_RESULT, &sets.result, cpu, false);
        if sets.rest == Value::Flags {
            self.mix(sets.flags & !flag::OF_RESULT, &sets.rest, cpu, false);
        }
    }

    fn mix(&mut self, flags: u8, value: &Value, cpu: &mut impl Cpu, later: bool) {
        if flags == 0 || later {
            return;
        }
        let value = value.of(cpu);
        for (bit, hash) in self.flags.iter_mut().enumerate() {
            if flags & (1 << bit) != 0 {
                *hash = mix(*hash, value);
            }
        }
    }

    fn of_flags(&self, flags: u8) -> u64 {
        let flags = (0..flag::COUNT).filter(|bit| flags & (1 << bit) != 0);
        flags.fold(0, |all, bit| mix(all, self.flags[bit]))
    }

    /// Records that the instruction which was observed last loads or stores at `address`.
    #[inline]
    pub(crate) fn accesses(&mut self, address: u64) {
        if let Some(index) = self.accessing {
            self.trace.shows(index, Kind::Address, address);
        }
    }

    fn special(&mut self, special: Special, cpu: &mut impl Cpu) -> Then {
        let (at, length) = (cpu.argument(0), cpu.argument(1) as usize);
        match special {
            Special::Public => {
                let mut bytes = vec![0; length];
                cpu.read(at, &mut bytes);
                self.trace.public(&mut bytes);
                cpu.write(at, &bytes);
            }
            Special::Step => {
                let mut name = vec![0; length];
                cpu.read(at, &mut name);
                self.trace.step(String::from_utf8_lossy(&name).into_owned());
            }
            Special::Panic => self.panicked = true,
        }
        if self.panicked || self.trace.lost.is_some() {
            return Then::Stop;
        }
        Then::Execute
    }
}
