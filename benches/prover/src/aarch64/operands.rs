//! Operands: registers and immediate values.

use anyhow::{Result, bail, ensure};
use yaxpeax_arm::armv8::a64::{Instruction, Operand, SIMDSizeCode, ShiftStyle, SizeCode};

use super::state::{Aarch64, Vector};
use crate::lanes::regroup;
use crate::terms::{Term, constant};

pub(super) fn bits(size: SizeCode) -> u32 {
    match size {
        SizeCode::W => 32,
        SizeCode::X => 64,
    }
}

pub(super) fn simd_bits(size: SIMDSizeCode) -> u32 {
    match size {
        SIMDSizeCode::B => 8,
        SIMDSizeCode::H => 16,
        SIMDSizeCode::S => 32,
        SIMDSizeCode::D => 64,
        SIMDSizeCode::Q => 128,
    }
}

/// Returns the width of an operand that is a general register.
pub(super) fn width(i: &Instruction, operand: usize) -> Result<u32> {
    match i.operands[operand] {
        Operand::Register(size, _)
        | Operand::RegisterOrSP(size, _)
        | Operand::RegShift(_, _, size, _) => Ok(bits(size)),
        _ => bail!("an operand is not a register"),
    }
}

/// Returns an immediate value.
pub(super) fn immediate(i: &Instruction, operand: usize) -> Result<u64> {
    match i.operands[operand] {
        Operand::Immediate(value) => Ok(value.into()),
        Operand::Imm16(value) => Ok(value.into()),
        Operand::Imm64(value) => Ok(value),
        Operand::ImmShift(value, by) => Ok(u64::from(value) << by),
        Operand::ImmShiftMSL(value, by) => Ok(u64::from(value) << by | ((1 << by) - 1)),
        _ => bail!("an operand is not an immediate value"),
    }
}

/// Returns the width of all bits of a vector operand, and that of its elements.
pub(super) fn shape(i: &Instruction, operand: usize) -> Result<(u32, u32)> {
    match i.operands[operand] {
        Operand::SIMDRegisterElements(size, _, element) => {
            Ok((simd_bits(size), simd_bits(element)))
        }
        Operand::SIMDRegister(size, _) => Ok((simd_bits(size), simd_bits(size))),
        _ => bail!("an operand is not a vector"),
    }
}

impl Aarch64<'_> {
    /// Returns 64 bits of a register, of which number 31 is the stack pointer or zero.
    pub(super) fn whole_register(&self, number: u16, or_stack: bool) -> Term {
        match self.general.get(usize::from(number)) {
            Some(term) => *term,
            None if or_stack => self.stack,
            None => constant(64, 0),
        }
    }

    /// Returns a general register, shifted or extended if the operand says so, or an immediate value, which
    /// is as wide as the first operand.
    pub(super) fn read(&self, i: &Instruction, operand: usize) -> Result<Term> {
        Ok(match i.operands[operand] {
            Operand::Register(size, number) => {
                self.whole_register(number, false).slice(0, bits(size))
            }
            Operand::RegisterOrSP(size, number) => {
                self.whole_register(number, true).slice(0, bits(size))
            }
            Operand::RegShift(style, by, size, number) => {
                let term = self.whole_register(number, false).slice(0, bits(size));
                shifted(term, style, by.into(), width(i, 0)?)?
            }
            _ => constant(width(i, 0)?, immediate(i, operand)?),
        })
    }

    /// Writes a general register; 32 bits clear the upper half.
    pub(super) fn write(&mut self, i: &Instruction, operand: usize, term: Term) -> Result<()> {
        ensure!(term.width() == width(i, operand)?, "the widths differ");
        match i.operands[operand] {
            Operand::Register(_, number) => self.set_register(number, false, term),
            Operand::RegisterOrSP(_, number) => self.set_register(number, true, term),
            _ => bail!("an operand is not a register"),
        }
        Ok(())
    }

    pub(super) fn set_register(&mut self, number: u16, or_stack: bool, term: Term) {
        let term = term.zero_extend(64);
        match self.general.get_mut(usize::from(number)) {
            Some(register) => *register = term,
            None if or_stack => self.stack = term,
            None => {}
        }
    }

    /// Returns the elements of a vector operand.
    pub(super) fn elements(&self, i: &Instruction, operand: usize) -> Result<Vec<Term>> {
        match i.operands[operand] {
            Operand::SIMDRegisterElements(size, number, element) => {
                Ok(self.units(number, simd_bits(size), simd_bits(element)))
            }
            // One element for all.
            Operand::SIMDRegisterElementsLane(_, number, element, lane) => {
                let element = simd_bits(element);
                let all = self.units(number, 128, element);
                let one = all[usize::from(lane) % all.len()];
                Ok(vec![one; all.len()])
            }
            _ => bail!("an operand is not a vector"),
        }
    }

    /// Returns the bits of a vector operand as units of 64.
    pub(super) fn words(&self, i: &Instruction, operand: usize) -> Result<Vec<Term>> {
        match i.operands[operand] {
            Operand::SIMDRegisterElements(size, number, _) => {
                Ok(self.units(number, simd_bits(size), 64))
            }
            _ => bail!("an operand is not a vector"),
        }
    }

    /// Returns the lowest bits of a register of vectors as units of some width.
    pub(super) fn units(&self, number: u16, bits: u32, unit: u32) -> Vec<Term> {
        let lanes = &self.vectors[usize::from(number) % 32];
        let mut units = regroup(&lanes[..bits.div_ceil(32) as usize], unit.min(64));
        units.truncate((bits / unit).max(1) as usize);
        units
    }

    /// Writes units to the lowest bits of a register of vectors, and clears the others.
    pub(super) fn put_units(&mut self, number: u16, units: &[Term]) -> Result<()> {
        let mut units = units.to_vec();
        let unit = units[0].width();
        let whole = (128 / unit) as usize;
        ensure!(units.len() <= whole, "the widths differ");
        units.resize(whole, constant(unit, 0));
        let lanes: Result<Vector, _> = regroup(&units, 32).try_into();
        let Ok(lanes) = lanes else {
            bail!("the widths differ");
        };
        self.vectors[usize::from(number) % 32] = lanes;
        Ok(())
    }

    /// Writes the first operand, which is a register of vectors.
    pub(super) fn put(&mut self, i: &Instruction, units: &[Term]) -> Result<()> {
        let bits: u32 = units.iter().map(|unit| unit.width()).sum();
        match i.operands[0] {
            Operand::SIMDRegisterElements(size, number, _)
            | Operand::SIMDRegister(size, number) => {
                ensure!(bits == simd_bits(size), "the widths differ");
                self.put_units(number, units)
            }
            _ => bail!("an operand is not a vector"),
        }
    }
}

/// Shifts or extends an operand to some width.
pub(super) fn shifted(term: Term, style: ShiftStyle, by: u32, width: u32) -> Result<Term> {
    let extended = |from: u32, extend: fn(Term, u32) -> Term| {
        let part = term.slice(0, from.min(term.width()));
        extend(part, width).shift_left(by)
    };
    Ok(match style {
        ShiftStyle::LSL => term.shift_left(by),
        ShiftStyle::LSR => term.shift_right(by),
        ShiftStyle::ASR => term.shift_right_signed(by),
        ShiftStyle::ROR => term.rotate_right(by),
        ShiftStyle::UXTB => extended(8, Term::zero_extend),
        ShiftStyle::UXTH => extended(16, Term::zero_extend),
        ShiftStyle::UXTW => extended(32, Term::zero_extend),
        ShiftStyle::UXTX => extended(64, Term::zero_extend),
        ShiftStyle::SXTB => extended(8, Term::sign_extend),
        ShiftStyle::SXTH => extended(16, Term::sign_extend),
        ShiftStyle::SXTW => extended(32, Term::sign_extend),
        ShiftStyle::SXTX => extended(64, Term::sign_extend),
    })
}
