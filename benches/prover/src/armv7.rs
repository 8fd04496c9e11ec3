//! ARMv7-M with the DSP extension: the Thumb-2 instructions of a Cortex-M4.

mod accesses;
mod decode;
mod flags;
mod products;
mod scalar;
mod state;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result, bail, ensure};

use crate::image::Image;
use crate::memory::{Memory, STACK_32};
use crate::processor::{END, Processor, Trace};
use crate::terms::{Term, choose, constant};
use decode::{COUNTER, Instruction, Operand, decode};
use flags::Flags;
pub(crate) use state::Armv7;
use state::{LINK, STACK_POINTER, initial};

/// The registers with the first arguments; the others are on the stack.
const ARGUMENTS: usize = 4;
/// The registers that a function must restore.
const PRESERVED: std::ops::Range<usize> = 4..12;
/// The lowest bit of an address of code, which says that the code is Thumb.
const THUMB: u64 = 1;

impl<'a> Processor<'a> for Armv7<'a> {
    fn start(image: &'a Image, memory: Memory<'a>, arguments: &[Term]) -> Result<Self> {
        let mut it = Self {
            image,
            memory,
            general: std::array::from_fn(initial),
            flags: Flags::UNKNOWN,
            block: 0,
            at: 0,
        };
        let mut at = STACK_32;
        for (number, argument) in arguments.iter().enumerate() {
            let word = argument.slice(0, 32);
            if number < ARGUMENTS {
                it.general[number] = word;
            } else {
                it.memory.set(at, word);
                at += 4;
            }
        }
        it.general[STACK_POINTER] = constant(32, STACK_32);
        it.general[LINK] = constant(32, END | THUMB);
        Ok(it)
    }

    fn step(&mut self, at: u64, trace: &mut Trace) -> Result<u64> {
        self.at = at;
        let i = decode(self.image, at)?;
        *trace.names.entry(i.name.clone()).or_default() += 1;
        let next = at + i.length;
        if i.name == "it" {
            ensure!(self.block == 0, "a block of conditions is in another one");
            self.block = i.bits as u8;
            return Ok(next);
        }
        let inside = self.block != 0;
        let condition = if inside {
            Some(self.next_condition())
        } else {
            i.condition
        };
        let Some(condition) = condition else {
            return Ok(self.execute(&i, inside)?.unwrap_or(next));
        };
        let holds = self.flags.condition(condition)?;
        if !holds.is_constant() && is_of_registers(&i) && !sets_flags(&i, inside) {
            let before = self.general;
            self.execute(&i, inside)?;
            for (new, old) in self.general.iter_mut().zip(before) {
                *new = choose(holds, *new, old);
            }
            return Ok(next);
        }
        let what = "the branch depends on an input";
        if self.memory.decide(holds, what)? == 0 {
            return Ok(next);
        }
        Ok(self.execute(&i, inside)?.unwrap_or(next))
    }

    fn external(&mut self, name: &str) -> Result<u64> {
        bail!("there is no model of the function {name}")
    }

    fn finish(self) -> Result<(Memory<'a>, Term)> {
        let stack = self.general[STACK_POINTER];
        ensure!(
            stack.value() == Some(STACK_32),
            "the stack pointer is not restored"
        );
        for register in PRESERVED {
            ensure!(
                self.general[register] == initial(register),
                "a register that the caller relies on is not restored: r{register}"
            );
        }
        Ok((self.memory, self.general[0]))
    }

    fn text(image: &Image, at: u64) -> String {
        decode(image, at).map_or("not an instruction".to_owned(), |i| i.text.clone())
    }

    fn length(image: &Image, at: u64) -> Result<u64> {
        Ok(decode(image, at)?.length)
    }
}

/// Whether an instruction changes nothing but registers, and perhaps flags.
fn is_of_registers(i: &Instruction) -> bool {
    let jumps = matches!(i.name.as_str(), "b" | "bl" | "bx" | "blx" | "cbz" | "cbnz");
    let accesses = i
        .operands
        .iter()
        .any(|operand| matches!(operand, Operand::Memory { .. } | Operand::List(_)));
    !jumps && !accesses
}

/// Whether an instruction sets flags. In a block of conditional instructions, those of 16 bits that are not
/// comparisons do not.
fn sets_flags(i: &Instruction, inside: bool) -> bool {
    match i.name.as_str() {
        "cmp" | "cmn" | "tst" | "teq" => true,
        _ => i.sets_flags && (!inside || i.length == 4),
    }
}

impl Armv7<'_> {
    /// Returns the condition of this instruction of a block, and goes to the next one.
    fn next_condition(&mut self) -> u8 {
        let condition = self.block >> 4;
        self.block = match self.block & 7 {
            0 => 0,
            _ => self.block & 0xe0 | self.block << 1 & 0x1f,
        };
        condition
    }

    /// Executes an instruction, and returns the next address if it jumps.
    fn execute(&mut self, i: &Instruction, inside: bool) -> Result<Option<u64>> {
        if let Some(next) = self.flow(i)? {
            return Ok(next);
        }
        if let Some(next) = self.list(i)? {
            return Ok(next);
        }
        let flags = self.flags;
        let known = self.access(i)?
            || self.scalar(i)?
            || self.product(i)?
            || self.field(i)?
            || self.of_constants(i)?
            || i.name == "nop";
        ensure!(known, "there is no model of this instruction");
        if !sets_flags(i, inside) {
            self.flags = flags;
        }
        Ok(None)
    }

    /// Executes a jump, a call or a return, and returns the next address if it is not the following one.
    /// Returns nothing if it is another instruction.
    fn flow(&mut self, i: &Instruction) -> Result<Option<Option<u64>>> {
        let target = |operand: usize| state::immediate(i, operand).map(u64::from);
        let to = match i.name.as_str() {
            "b" => target(0)?,
            "bl" => {
                self.general[LINK] = constant(32, (self.at + 4) | THUMB);
                target(0)?
            }
            "bx" => self.jump_register(i)?,
            "blx" => {
                let to = self.jump_register(i)?;
                self.general[LINK] = constant(32, (self.at + 2) | THUMB);
                to
            }
            "cbz" | "cbnz" => {
                let zero = self.read(i, 0)?.equals(constant(32, 0));
                let taken = if i.name == "cbz" { zero } else { zero.not() };
                let what = "the branch depends on an input";
                if self.memory.decide(taken, what)? == 0 {
                    return Ok(Some(None));
                }
                target(1)?
            }
            "tbb" | "tbh" => {
                let Operand::Memory { base, offset, .. } = i.operands[0] else {
                    bail!("there is no model of this form");
                };
                let decode::Offset::Register(index, places) = offset else {
                    bail!("there is no model of this form");
                };
                // The program counter is not rounded here.
                let address = self.register(base);
                let address = address.plus(self.register(index).shift_left(places));
                let at = self.fixed(address)?;
                let width = if i.name == "tbb" { 8 } else { 16 };
                let entry = self.memory.load(at, width)?.value();
                let entry = entry.context("the target of the jump depends on an input")?;
                self.at + 4 + 2 * entry
            }
            "mov" | "add" if i.operands.first() == Some(&Operand::Register(COUNTER)) => {
                bail!("there is no model of this kind of jump")
            }
            _ => return Ok(None),
        };
        Ok(Some(Some(to)))
    }

    fn jump_register(&mut self, i: &Instruction) -> Result<u64> {
        let to = self.read(i, 0)?.value();
        let to = to.context("the target of the jump depends on an input")?;
        ensure!(to & THUMB == THUMB, "the target of the jump is not Thumb");
        Ok(to & !THUMB)
    }
}
