//! x86-64 with SSE2, BMI, AVX2 and AVX-512.

mod flags;
mod gathers;
mod masks;
mod moves;
mod operands;
mod scalar;
mod shuffles;
mod state;
#[cfg(test)]
mod tests;
mod vectors;

use anyhow::{Context, Result, bail, ensure};
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic as M, OpKind};

use crate::flags::Flags;
use crate::image::Image;
use crate::memory::Memory;
use crate::processor::{END, Processor, Trace, c_library, stack};
use crate::terms::{Term, constant, variable};
pub(crate) use state::X86;
use state::{RAX, RSP, initial, unknown_vectors};

/// The numbers of the registers that have roles in the calling convention.
const ARGUMENTS: [usize; 6] = [7, 6, 2, 1, 8, 9];
const PRESERVED: [usize; 6] = [3, 5, 12, 13, 14, 15];
const CHANGED: [usize; 9] = [0, 1, 2, 6, 7, 8, 9, 10, 11];

fn decode(image: &Image, at: u64) -> Result<Instruction> {
    let bytes = image.bytes(at).context("there is no code")?;
    let bytes = &bytes[..bytes.len().min(15)];
    let instruction = Decoder::with_ip(64, bytes, at, DecoderOptions::NONE).decode();
    ensure!(!instruction.is_invalid(), "it is not an instruction");
    Ok(instruction)
}

impl<'a> Processor<'a> for X86<'a> {
    fn start(image: &'a Image, memory: Memory<'a>, arguments: &[Term]) -> Result<Self> {
        let mut it = Self {
            image,
            memory,
            general: std::array::from_fn(initial),
            vectors: unknown_vectors("vector"),
            masks: std::array::from_fn(|number| variable(64, "mask", number as u32)),
            flags: Flags::Unknown,
        };
        ensure!(
            arguments.len() <= ARGUMENTS.len(),
            "there are too many arguments for registers"
        );
        for (register, argument) in ARGUMENTS.into_iter().zip(arguments) {
            it.general[register] = *argument;
        }
        it.general[RSP] = stack().plus(constant(64, 8));
        it.push(constant(64, END))?;
        Ok(it)
    }

    fn step(&mut self, at: u64, trace: &mut Trace) -> Result<u64> {
        let instruction = decode(self.image, at)?;
        let name = format!("{:?}", instruction.mnemonic()).to_lowercase();
        *trace.names.entry(name).or_default() += 1;
        if let Some(next) = self.flow(&instruction)? {
            return Ok(next);
        }
        let known = self.scalar(&instruction)?
            || self.vector(&instruction)?
            || self.shuffle(&instruction)?
            || self.vector_move(&instruction)?
            || self.gather(&instruction)?
            || self.mask(&instruction)?;
        ensure!(known, "there is no model of this instruction");
        Ok(instruction.next_ip())
    }

    fn external(&mut self, name: &str) -> Result<u64> {
        let arguments = std::array::from_fn(|number| self.general[ARGUMENTS[number]]);
        c_library(name, &mut self.memory, arguments)?;
        for register in CHANGED {
            self.general[register] = variable(64, "changed", register as u32);
        }
        self.general[RAX] = arguments[0];
        self.vectors = unknown_vectors("changed_vector");
        self.masks = std::array::from_fn(|number| variable(64, "changed_mask", number as u32));
        self.flags = Flags::Unknown;
        self.pop()?.value().context("it returns to nowhere")
    }

    fn finish(self) -> Result<(Memory<'a>, Term)> {
        ensure!(
            self.general[RSP] == stack().plus(constant(64, 8)),
            "the stack pointer is not restored"
        );
        for register in PRESERVED {
            ensure!(
                self.general[register] == initial(register),
                "a register that the caller relies on is not restored: number {register}"
            );
        }
        Ok((self.memory, self.general[RAX]))
    }

    fn text(image: &Image, at: u64) -> String {
        let Ok(instruction) = decode(image, at) else {
            return "not an instruction".to_owned();
        };
        let mut text = String::new();
        iced_x86::FastFormatter::new().format(&instruction, &mut text);
        text
    }

    fn length(image: &Image, at: u64) -> Result<u64> {
        Ok(decode(image, at)?.len() as u64)
    }
}

impl X86<'_> {
    /// Executes a jump, a call or a return, and returns the next address.
    fn flow(&mut self, i: &Instruction) -> Result<Option<u64>> {
        if i.is_jcc_short_or_near() {
            let taken = flags::condition(self.flags, i.condition_code())?;
            let taken = self
                .memory
                .decide(taken, "the branch depends on an input")?;
            let next = if taken == 1 {
                i.near_branch_target()
            } else {
                i.next_ip()
            };
            return Ok(Some(next));
        }
        match i.mnemonic() {
            M::Jmp => self.target(i).map(Some),
            M::Call => {
                let target = self.target(i)?;
                self.push(constant(64, i.next_ip()))?;
                Ok(Some(target))
            }
            M::Ret if i.op_count() == 0 => {
                let to = self.pop()?.value();
                to.map(Some)
                    .context("the return address depends on an input")
            }
            _ => Ok(None),
        }
    }

    fn target(&mut self, i: &Instruction) -> Result<u64> {
        match i.op0_kind() {
            OpKind::NearBranch64 => Ok(i.near_branch_target()),
            OpKind::Register | OpKind::Memory => {
                let to = self.read(i, 0)?.value();
                to.context("the target of the jump depends on an input")
            }
            _ => bail!("there is no model of this kind of jump"),
        }
    }
}
