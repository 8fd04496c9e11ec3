//! Instructions on general registers.

use anyhow::{Context, Result, ensure};
use iced_x86::{Instruction, Mnemonic as M, OpKind};

use super::flags;
use super::operands::width;
use super::state::{RAX, RDX, X86};
use crate::flags::Flags;
use crate::terms::{Term, choose, constant, join, sum};

impl X86<'_> {
    /// Executes an instruction on general registers; returns false if it is not one.
    pub(super) fn scalar(&mut self, i: &Instruction) -> Result<bool> {
        match i.mnemonic() {
            M::Nop | M::Endbr64 => {}
            M::Mov => {
                let value = self.read(i, 1)?;
                self.write(i, 0, value)?;
            }
            M::Movzx => {
                let value = self.read(i, 1)?.zero_extend(width(i, 0)?);
                self.write(i, 0, value)?;
            }
            M::Movsx | M::Movsxd => {
                let value = self.read(i, 1)?.sign_extend(width(i, 0)?);
                self.write(i, 0, value)?;
            }
            M::Cdqe => self.general[RAX] = self.general[RAX].slice(0, 32).sign_extend(64),
            M::Lea => {
                let value = self.effective_address(i)?.slice(0, width(i, 0)?);
                self.write(i, 0, value)?;
            }
            M::Push => {
                ensure!(width(i, 0)? == 64, "there is no model of this form");
                let value = self.read(i, 0)?;
                self.push(value)?;
            }
            M::Pop => {
                ensure!(width(i, 0)? == 64, "there is no model of this form");
                let value = self.pop()?;
                self.write(i, 0, value)?;
            }
            M::Xchg => {
                let (a, b) = (self.read(i, 0)?, self.read(i, 1)?);
                self.write(i, 0, b)?;
                self.write(i, 1, a)?;
            }
            M::Bswap => {
                let mut bytes: Vec<_> = self.read(i, 0)?.split(8).collect();
                bytes.reverse();
                self.write(i, 0, join(&bytes))?;
            }
            _ if is_set(i.mnemonic()) => {
                let value = flags::condition(self.flags, i.condition_code())?.zero_extend(8);
                self.write(i, 0, value)?;
            }
            _ if is_conditional_move(i.mnemonic()) => {
                let condition = flags::condition(self.flags, i.condition_code())?;
                let (old, new) = (self.read(i, 0)?, self.read(i, 1)?);
                self.write(i, 0, choose(condition, new, old))?;
            }
            _ => {
                return Ok(self.arithmetic(i)?
                    || self.bitwise(i)?
                    || self.shift(i)?
                    || self.count(i)?);
            }
        }
        Ok(true)
    }

    fn arithmetic(&mut self, i: &Instruction) -> Result<bool> {
        match i.mnemonic() {
            M::Add => {
                let (a, b) = (self.read(i, 0)?, self.read(i, 1)?);
                self.flags = Flags::Sum(a, b);
                self.write(i, 0, a.plus(b))?;
            }
            M::Sub => {
                let (a, b) = (self.read(i, 0)?, self.read(i, 1)?);
                self.flags = Flags::Difference(a, b);
                self.write(i, 0, a.minus(b))?;
            }
            M::Cmp => self.flags = Flags::Difference(self.read(i, 0)?, self.read(i, 1)?),
            M::Adc => {
                let carry = self.flags.carry()?.zero_extend(width(i, 0)?);
                let (a, b) = (self.read(i, 0)?, self.read(i, 1)?);
                self.flags = Flags::Unknown;
                self.write(i, 0, a.plus(b).plus(carry))?;
            }
            M::Sbb => {
                let carry = self.flags.carry()?.zero_extend(width(i, 0)?);
                let (a, b) = (self.read(i, 0)?, self.read(i, 1)?);
                self.flags = Flags::Unknown;
                self.write(i, 0, a.minus(b).minus(carry))?;
            }
            // The carry stays as it was.
            M::Inc | M::Dec => {
                let carry = self.flags.carry().ok();
                let step = if i.mnemonic() == M::Inc { 1 } else { u64::MAX };
                let a = self.read(i, 0)?;
                let result = a.plus(constant(a.width(), step));
                self.flags = Flags::Other(result, carry);
                self.write(i, 0, result)?;
            }
            M::Neg => {
                let a = self.read(i, 0)?;
                self.flags = Flags::Difference(constant(a.width(), 0), a);
                self.write(i, 0, a.negate())?;
            }
            M::Imul if i.op_count() >= 2 => {
                let last = i.op_count() - 1;
                let (a, b) = (self.read(i, last - 1)?, self.read(i, last)?);
                self.flags = Flags::Unknown;
                self.write(i, 0, a.multiply(b))?;
            }
            M::Div => self.divide(i)?,
            // 32 bits times 32 bits; the upper half of the product goes to the first target.
            M::Mulx if width(i, 0)? == 32 => {
                let product = self.general[RDX].slice(0, 32).zero_extend(64);
                let product = product.multiply(self.read(i, 2)?.zero_extend(64));
                self.write(i, 1, product.slice(0, 32))?;
                self.write(i, 0, product.slice(32, 32))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Divides constants. The time of a division depends on its operands, so no input may be one.
    fn divide(&mut self, i: &Instruction) -> Result<()> {
        let by = self.read(i, 0)?;
        let width = by.width();
        ensure!(width >= 32, "there is no model of this form");
        let known = |term: Term| {
            let value = term.slice(0, width).value();
            Ok::<_, anyhow::Error>(u128::from(value.context("a division depends on an input")?))
        };
        let (high, low) = (known(self.general[RDX])?, known(self.general[RAX])?);
        let by = known(by)?;
        ensure!(high < by, "the quotient of a division does not fit");
        let dividend = high << width | low;
        self.flags = Flags::Unknown;
        self.general[RAX] = constant(64, (dividend / by) as u64);
        self.general[RDX] = constant(64, (dividend % by) as u64);
        Ok(())
    }

    fn bitwise(&mut self, i: &Instruction) -> Result<bool> {
        let result = match i.mnemonic() {
            M::Not => {
                let result = self.read(i, 0)?.not();
                self.write(i, 0, result)?;
                return Ok(true);
            }
            M::And | M::Test => self.read(i, 0)?.and(self.read(i, 1)?),
            M::Or => self.read(i, 0)?.or(self.read(i, 1)?),
            M::Xor => self.read(i, 0)?.xor(self.read(i, 1)?),
            M::Andn => self.read(i, 1)?.and_not(self.read(i, 2)?),
            M::Bzhi => self.low_bits(i)?,
            _ => return Ok(false),
        };
        self.flags = Flags::Bitwise(result);
        if i.mnemonic() != M::Test {
            self.write(i, 0, result)?;
        }
        Ok(true)
    }

    /// Returns the count of a shift, which the processor takes modulo the width, or modulo 32 if it is less.
    fn shift_count(&mut self, i: &Instruction, operand: u32, width: u32) -> Result<u32> {
        let count = match i.op_kind(operand) {
            OpKind::Register | OpKind::Memory => {
                let count = self.read(i, operand)?.slice(0, 8);
                let what = "the count of a shift depends on an input";
                self.memory.decide(count, what)?
            }
            _ => i.try_immediate(operand)?,
        };
        Ok(count as u32 & if width == 64 { 63 } else { 31 })
    }

    /// Keeps the bits below a position, which is in the lowest byte of the last operand.
    fn low_bits(&mut self, i: &Instruction) -> Result<Term> {
        let term = self.read(i, 1)?;
        let position = self.read(i, 2)?.slice(0, 8);
        let what = "the count of a shift depends on an input";
        let position = self.memory.decide(position, what)?;
        let above = constant(term.width(), u64::MAX).shift_left(position as u32);
        Ok(above.and_not(term))
    }

    fn shift(&mut self, i: &Instruction) -> Result<bool> {
        type Shift = fn(Term, u32) -> Term;
        let (shift, separate, flags): (Shift, _, _) = match i.mnemonic() {
            M::Shl | M::Sal => (Term::shift_left, false, true),
            M::Shr => (Term::shift_right, false, true),
            M::Sar => (Term::shift_right_signed, false, true),
            M::Rol => (Term::rotate_left, false, false),
            M::Ror => (Term::rotate_right, false, false),
            M::Shlx => (Term::shift_left, true, false),
            M::Shrx => (Term::shift_right, true, false),
            M::Sarx => (Term::shift_right_signed, true, false),
            M::Rorx => (Term::rotate_right, true, false),
            M::Shld | M::Shrd => return self.double_shift(i),
            _ => return Ok(false),
        };
        let width = width(i, 0)?;
        let (from, by) = if separate { (1, 2) } else { (0, 1) };
        let a = self.read(i, from)?;
        let count = self.shift_count(i, by, width)?;
        let result = shift(a, count);
        if flags && count > 0 {
            self.flags = Flags::Other(result, None);
        } else if !separate && count > 0 {
            self.flags = Flags::Unknown;
        }
        self.write(i, 0, result)?;
        Ok(true)
    }

    /// Shifts bits of a second register in.
    fn double_shift(&mut self, i: &Instruction) -> Result<bool> {
        let (a, b) = (self.read(i, 0)?, self.read(i, 1)?);
        let width = a.width();
        ensure!(width >= 32, "there is no model of this form");
        let count = self.shift_count(i, 2, width)?;
        if count > 0 {
            let result = if i.mnemonic() == M::Shld {
                join(&[b.slice(width - count, count), a.slice(0, width - count)])
            } else {
                join(&[a.slice(count, width - count), b.slice(0, count)])
            };
            self.flags = Flags::Unknown;
            self.write(i, 0, result)?;
        }
        Ok(true)
    }

    /// Counts bits. The position of a bit is known only for constants.
    fn count(&mut self, i: &Instruction) -> Result<bool> {
        if i.mnemonic() == M::Popcnt {
            let width = width(i, 0)?;
            let bits = self.read(i, 1)?.split(1);
            let result = sum(width, bits.map(|bit| (bit.zero_extend(width), 1)), 0);
            self.flags = Flags::Unknown;
            self.write(i, 0, result)?;
            return Ok(true);
        }
        if !matches!(i.mnemonic(), M::Tzcnt | M::Lzcnt | M::Bsf | M::Bsr) {
            return Ok(false);
        }
        let value = self.read(i, 1)?.value();
        let value = value.context("the position of a bit depends on an input")?;
        let width = width(i, 0)?;
        let defined = value != 0 || matches!(i.mnemonic(), M::Tzcnt);
        ensure!(defined, "there is no model of this instruction for zero");
        let result = match i.mnemonic() {
            M::Tzcnt | M::Bsf => value.trailing_zeros().min(width),
            M::Bsr => value.ilog2(),
            _ => width - 1 - value.ilog2(),
        };
        self.flags = Flags::Unknown;
        self.write(i, 0, constant(width, result.into()))?;
        Ok(true)
    }
}

fn is_set(mnemonic: M) -> bool {
    matches!(
        mnemonic,
        M::Seta
            | M::Setae
            | M::Setb
            | M::Setbe
            | M::Sete
            | M::Setne
            | M::Setg
            | M::Setge
            | M::Setl
            | M::Setle
            | M::Sets
            | M::Setns
    )
}

fn is_conditional_move(mnemonic: M) -> bool {
    matches!(
        mnemonic,
        M::Cmova
            | M::Cmovae
            | M::Cmovb
            | M::Cmovbe
            | M::Cmove
            | M::Cmovne
            | M::Cmovg
            | M::Cmovge
            | M::Cmovl
            | M::Cmovle
            | M::Cmovs
            | M::Cmovns
    )
}
