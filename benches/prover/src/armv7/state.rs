//! The registers and the memory of an ARMv7-M processor.

use anyhow::{Context, Result, bail, ensure};

use super::decode::{COUNTER, Instruction, Operand, Shift};
use super::flags::Flags;
use crate::image::Image;
use crate::memory::Memory;
use crate::terms::{Term, constant, variable};

/// The numbers of the stack pointer and of the register with the return address.
pub(super) const STACK_POINTER: usize = 13;
pub(super) const LINK: usize = 14;

/// The processor.
pub(crate) struct Armv7<'a> {
    pub(super) image: &'a Image,
    pub(super) memory: Memory<'a>,
    pub(super) general: [Term; COUNTER],
    pub(super) flags: Flags,
    /// The conditions of the instructions that follow, in the format of the processor: ITSTATE.
    pub(super) block: u8,
    /// The address of the instruction.
    pub(super) at: u64,
}

pub(super) fn initial(number: usize) -> Term {
    variable(32, "register", number as u32)
}

impl Armv7<'_> {
    /// Returns a register. The program counter is four bytes ahead.
    pub(super) fn register(&self, number: usize) -> Term {
        match self.general.get(number) {
            Some(term) => *term,
            None => constant(32, self.at + 4),
        }
    }

    pub(super) fn set_register(&mut self, number: usize, term: Term) -> Result<()> {
        ensure!(term.width() == 32, "the widths differ");
        let register = self.general.get_mut(number);
        *register.context("there is no model of this kind of jump")? = term;
        Ok(())
    }

    /// Returns a register or an immediate value.
    pub(super) fn read(&self, i: &Instruction, operand: usize) -> Result<Term> {
        match i.operands.get(operand) {
            Some(Operand::Register(number)) => Ok(self.register(*number)),
            Some(Operand::Immediate(value)) => Ok(constant(32, (*value).into())),
            _ => bail!("there is no model of this form"),
        }
    }

    /// Writes a register.
    pub(super) fn write(&mut self, i: &Instruction, operand: usize, term: Term) -> Result<()> {
        match i.operands.get(operand) {
            Some(Operand::Register(number)) => self.set_register(*number, term),
            _ => bail!("an operand is not a register"),
        }
    }
}

/// Returns an immediate value.
pub(super) fn immediate(i: &Instruction, operand: usize) -> Result<u32> {
    match i.operands.get(operand) {
        Some(Operand::Immediate(value)) => Ok(*value),
        _ => bail!("an operand is not an immediate value"),
    }
}

/// Shifts a term.
pub(super) fn shifted(term: Term, how: Shift, by: u32) -> Term {
    match how {
        Shift::Left => term.shift_left(by),
        Shift::Right => term.shift_right(by),
        Shift::RightSigned => term.shift_right_signed(by),
        Shift::Rotate => term.rotate_right(by),
    }
}
