//! Faults of one instruction: it is skipped, a bit of its encoding is another for one execution, or a bit of a
//! register that it writes is another afterwards.

use std::fmt;

use anyhow::{Context, Result};

use crate::firmware::Instruction;
use crate::it;
use crate::machine::{Machine, State};
use crate::registers::{FLAGS, PC};

const NOP: u16 = 0xbf00;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Fault {
    Skip,
    /// The number of the bit.
    Encoding(usize),
    /// The register's index in a state, and the number of the bit.
    Register(usize, usize),
}

impl Fault {
    /// All faults of an instruction.
    pub(crate) fn all(instruction: &Instruction) -> Vec<Self> {
        let encoding = (0..8 * instruction.bytes.len()).map(Self::Encoding);
        let registers = instruction.writes.iter().flat_map(|register| {
            // The lowest bit of an address of an instruction is not stored, and four flags are.
            let bits = match *register {
                PC => 1..32,
                FLAGS => 28..32,
                _ => 0..32,
            };
            bits.map(|bit| Self::Register(*register, bit))
        });
        [Self::Skip]
            .into_iter()
            .chain(encoding)
            .chain(registers)
            .collect()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Skip => write!(f, "skipped"),
            Self::Encoding(bit) => write!(f, "bit {bit} of the encoding"),
            Self::Register(FLAGS, bit) => write!(f, "bit {bit} of the flags"),
            Self::Register(PC, bit) => write!(f, "bit {bit} of pc"),
            Self::Register(register, bit) => write!(f, "bit {bit} of r{register}"),
        }
    }
}

/// An instruction that is about to be executed.
pub(crate) struct Before<'a> {
    state: &'a State,
    instruction: &'a Instruction,
    /// The state after the instruction without a fault.
    after: State,
}

impl<'a> Before<'a> {
    pub(crate) fn new(
        machine: &mut Machine,
        state: &'a State,
        instruction: &'a Instruction,
    ) -> Result<Self> {
        let after = step(machine, state, &instruction.bytes)?;
        Ok(Self {
            state,
            instruction,
            after: after.context("the processor stops without a fault")?,
        })
    }

    /// The state after the instruction with a fault; `None` if the processor stops.
    pub(crate) fn disturbed(&self, machine: &mut Machine, fault: Fault) -> Result<Option<State>> {
        let code = &self.instruction.bytes;
        let code = match fault {
            Fault::Register(register, bit) => {
                let mut after = self.after.clone();
                after.registers[register] ^= 1 << bit;
                return Ok(Some(after));
            }
            Fault::Skip => return Ok(Some(skipped(self.state, code))),
            Fault::Encoding(bit) => {
                let mut code = code.clone();
                code[bit >> 3] ^= 1 << (bit & 7);
                code
            }
        };
        machine.patch(self.state.pc(), &code)?;
        let state = step(machine, self.state, &code)?;
        machine.patch(self.state.pc(), &self.instruction.bytes)?;
        Ok(state)
    }

    pub(crate) fn after(&self) -> &State {
        &self.after
    }
}

/// The state after an instruction without an effect, in an IT block or outside.
fn skipped(state: &State, code: &[u8]) -> State {
    let mut next = state.clone();
    next.registers[PC] += code.len() as u32;
    let it = it::after(NOP, it::of(state.registers[FLAGS]));
    it::set(&mut next.registers[FLAGS], it);
    next
}

/// Executes the instruction at the current address, whose code is given. The IT instruction and its conditions
/// are applied here, because Unicorn executes IT blocks as a whole.
fn step(machine: &mut Machine, state: &State, code: &[u8]) -> Result<Option<State>> {
    let halfword = code
        .first_chunk()
        .map_or(0, |code| u16::from_le_bytes(*code));
    let length = it::length(halfword);
    let flags = state.registers[FLAGS];
    let mut next = if it::begins(halfword) || !it::passes(flags) {
        let mut next = state.clone();
        next.registers[PC] += length as u32;
        next
    } else {
        let mut alone = state.clone();
        it::set(&mut alone.registers[FLAGS], 0);
        let Some(mut next) = machine.step(&alone)? else {
            return Ok(None);
        };
        // Most instructions of 16 bits do not set the flags in an IT block.
        if it::of(flags) != 0 && length == 2 && !it::compares(halfword) {
            next.registers[FLAGS] = flags;
        }
        next
    };
    it::set(
        &mut next.registers[FLAGS],
        it::after(halfword, it::of(flags)),
    );
    Ok(Some(next))
}
