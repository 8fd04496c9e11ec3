//! AArch64 with NEON and the SHA-3 instructions.

mod accesses;
mod flags;
mod long;
mod operands;
mod products;
mod scalar;
mod shuffles;
mod state;
mod structures;
#[cfg(test)]
mod tests;
mod vectors;

use anyhow::{Context, Result, anyhow, bail, ensure};
use yaxpeax_arch::{Decoder, U8Reader};
use yaxpeax_arm::armv8::a64::{InstDecoder, Instruction, Opcode as O, Operand};

use crate::flags::Flags;
use crate::image::Image;
use crate::memory::Memory;
use crate::processor::{END, Processor, Trace, c_library, stack};
use crate::terms::{Term, constant, variable};
pub(crate) use state::Aarch64;
use state::{initial, unknown_vectors};

/// The number of the register with the return address.
const LINK: usize = 30;
/// The integer registers that a function must restore.
const PRESERVED: std::ops::Range<usize> = 19..30;
/// The registers of vectors whose lower halves a function must restore.
const PRESERVED_VECTORS: std::ops::Range<usize> = 8..16;

fn decode(image: &Image, at: u64) -> Result<Instruction> {
    let bytes = image.bytes(at).and_then(|bytes| bytes.get(..4));
    let bytes = bytes.context("there is no code")?;
    let decoded = InstDecoder::default().decode(&mut U8Reader::new(bytes));
    decoded.map_err(|error| anyhow!("it is not an instruction: {error}"))
}

impl<'a> Processor<'a> for Aarch64<'a> {
    fn start(image: &'a Image, memory: Memory<'a>, arguments: &[Term]) -> Result<Self> {
        let mut it = Self {
            image,
            memory,
            general: std::array::from_fn(initial),
            stack: stack(),
            vectors: unknown_vectors("vector"),
            flags: Flags::Unknown,
        };
        ensure!(
            arguments.len() <= 8,
            "there are too many arguments for registers"
        );
        it.general[..arguments.len()].copy_from_slice(arguments);
        it.general[LINK] = constant(64, END);
        Ok(it)
    }

    fn step(&mut self, at: u64, trace: &mut Trace) -> Result<u64> {
        let i = decode(self.image, at)?;
        *trace.names.entry(name(i.opcode)).or_default() += 1;
        if let Some(next) = self.flow(&i, at)? {
            return Ok(next);
        }
        let known = if is_access(&i) {
            self.access(&i)?
        } else if is_vector(&i) {
            self.structure(&i)? || self.vector(&i)? || self.shuffle(&i)?
        } else {
            self.scalar(&i, at)?
        };
        ensure!(known, "there is no model of this instruction");
        Ok(at + 4)
    }

    fn external(&mut self, name: &str) -> Result<u64> {
        let [to, second, count, ..] = self.general;
        c_library(name, &mut self.memory, [to, second, count])?;
        for register in 1..19 {
            self.general[register] = variable(64, "changed", register as u32);
        }
        let changed = unknown_vectors("changed_vector");
        for (register, vector) in self.vectors.iter_mut().enumerate() {
            let kept = if PRESERVED_VECTORS.contains(&register) {
                2
            } else {
                0
            };
            vector[kept..].copy_from_slice(&changed[register][kept..]);
        }
        self.flags = Flags::Unknown;
        self.general[LINK].value().context("it returns to nowhere")
    }

    fn finish(self) -> Result<(Memory<'a>, Term)> {
        ensure!(self.stack == stack(), "the stack pointer is not restored");
        for register in PRESERVED {
            ensure!(
                self.general[register] == initial(register),
                "a register that the caller relies on is not restored: x{register}"
            );
        }
        let initial = unknown_vectors("vector");
        for register in PRESERVED_VECTORS {
            ensure!(
                self.vectors[register][..2] == initial[register][..2],
                "a register that the caller relies on is not restored: d{register}"
            );
        }
        Ok((self.memory, self.general[0]))
    }

    fn text(image: &Image, at: u64) -> String {
        decode(image, at).map_or("not an instruction".to_owned(), |i| i.to_string())
    }

    fn length(_: &Image, _: u64) -> Result<u64> {
        Ok(4)
    }
}

/// Returns the name of an instruction, without its condition.
fn name(opcode: O) -> String {
    match opcode {
        O::Bcc(_) => "b.cond".to_owned(),
        _ => format!("{opcode:?}").to_lowercase(),
    }
}

/// Whether an operand of the instruction is a register of vectors.
fn is_vector(i: &Instruction) -> bool {
    i.operands.iter().any(|operand| {
        matches!(
            operand,
            Operand::SIMDRegister(..)
                | Operand::SIMDRegisterElements(..)
                | Operand::SIMDRegisterElementsLane(..)
                | Operand::SIMDRegisterGroup(..)
                | Operand::SIMDRegisterGroupLane(..)
        )
    })
}

/// Whether the instruction loads or stores one or two registers.
fn is_access(i: &Instruction) -> bool {
    let grouped = matches!(
        i.operands[0],
        Operand::SIMDRegisterGroup(..) | Operand::SIMDRegisterGroupLane(..)
    );
    let in_memory = i.operands.iter().any(|operand| {
        matches!(
            operand,
            Operand::RegPreIndex(..) | Operand::RegPostIndex(..) | Operand::RegRegOffset(..)
        )
    });
    in_memory && !grouped
}

impl Aarch64<'_> {
    /// Executes a jump, a call or a return, and returns the next address.
    fn flow(&mut self, i: &Instruction, at: u64) -> Result<Option<u64>> {
        let target = |operand: usize| match i.operands[operand] {
            Operand::PCOffset(offset) => Ok(at.wrapping_add_signed(offset)),
            _ => bail!("there is no model of this kind of jump"),
        };
        let (taken, target) = match i.opcode {
            O::B => return target(0).map(Some),
            O::BL => {
                self.general[LINK] = constant(64, at + 4);
                return target(0).map(Some);
            }
            O::BLR => {
                let to = self.jump_register(i)?;
                self.general[LINK] = constant(64, at + 4);
                return Ok(Some(to));
            }
            O::BR | O::RET => return self.jump_register(i).map(Some),
            O::Bcc(condition) => (flags::condition(self.flags, condition)?, target(0)?),
            O::CBZ | O::CBNZ => {
                let value = self.read(i, 0)?;
                let zero = value.equals(constant(value.width(), 0));
                let taken = if i.opcode == O::CBZ { zero } else { zero.not() };
                (taken, target(1)?)
            }
            O::TBZ | O::TBNZ => {
                let number = operands::immediate(i, 1)? as u32;
                let Operand::Register(_, register) = i.operands[0] else {
                    bail!("there is no model of this form");
                };
                let bit = self.whole_register(register, false).bit(number);
                let taken = if i.opcode == O::TBZ { bit.not() } else { bit };
                (taken, target(2)?)
            }
            _ => return Ok(None),
        };
        let what = "the branch depends on an input";
        let taken = self.memory.decide(taken, what)?;
        Ok(Some(if taken == 1 { target } else { at + 4 }))
    }

    fn jump_register(&mut self, i: &Instruction) -> Result<u64> {
        let to = self.read(i, 0)?.value();
        to.context("the target of the jump depends on an input")
    }
}
