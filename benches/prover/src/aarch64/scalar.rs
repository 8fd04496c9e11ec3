//! Instructions on general registers.

use anyhow::{Context, Result, bail, ensure};
use yaxpeax_arm::armv8::a64::{Instruction, Opcode as O, Operand};

use super::flags;
use super::operands::{immediate, width};
use super::state::Aarch64;
use crate::flags::Flags;
use crate::terms::{Term, choose, constant, join};

impl Aarch64<'_> {
    /// Executes an instruction on general registers; returns false if it is not one.
    pub(super) fn scalar(&mut self, i: &Instruction, at: u64) -> Result<bool> {
        let result = match i.opcode {
            O::HINT => return Ok(true),
            O::ADR | O::ADRP => {
                let Operand::PCOffset(offset) = i.operands[1] else {
                    bail!("there is no model of this form");
                };
                let base = if i.opcode == O::ADRP { at & !0xfff } else { at };
                constant(64, base.wrapping_add_signed(offset))
            }
            O::MOVZ => self.read(i, 1)?,
            O::MOVN => self.read(i, 1)?.not(),
            O::MOVK => self.move_keep(i)?,
            O::EXTR => {
                let (high, low) = (self.read(i, 1)?, self.read(i, 2)?);
                let by = immediate(i, 3)? as u32;
                let width = high.width();
                ensure!(by < width, "there is no model of this form");
                match by {
                    0 => low,
                    _ => join(&[low.slice(by, width - by), high.slice(0, by)]),
                }
            }
            O::UBFM | O::SBFM | O::BFM => self.bit_field(i)?,
            O::CLZ => {
                let value = self.read(i, 1)?;
                let known = value
                    .value()
                    .context("a count of zeros depends on an input")?;
                let zeros = known.leading_zeros() - (64 - value.width());
                constant(value.width(), zeros.into())
            }
            O::RBIT | O::REV => {
                let unit = if i.opcode == O::RBIT { 1 } else { 8 };
                let mut parts: Vec<_> = self.read(i, 1)?.split(unit).collect();
                parts.reverse();
                join(&parts)
            }
            O::UDIV | O::UMULH => self.of_constants(i)?,
            O::LSLV | O::LSRV | O::ASRV | O::RORV => {
                let value = self.read(i, 1)?;
                let by = self.read(i, 2)?.value();
                let by = by.context("the count of a shift depends on an input")?;
                let by = by as u32 % value.width();
                match i.opcode {
                    O::LSLV => value.shift_left(by),
                    O::LSRV => value.shift_right(by),
                    O::ASRV => value.shift_right_signed(by),
                    _ => value.rotate_right(by),
                }
            }
            O::CSEL | O::CSINC | O::CSINV | O::CSNEG => {
                let Operand::ConditionCode(condition) = i.operands[3] else {
                    bail!("there is no model of this form");
                };
                let (a, b) = (self.read(i, 1)?, self.read(i, 2)?);
                let other = match i.opcode {
                    O::CSINC => b.plus(constant(b.width(), 1)),
                    O::CSINV => b.not(),
                    O::CSNEG => b.negate(),
                    _ => b,
                };
                choose(flags::condition(self.flags, condition)?, a, other)
            }
            _ => return Ok(self.product(i)? || self.sum_or_bits(i)?),
        };
        self.write(i, 0, result)?;
        Ok(true)
    }

    /// Replaces 16 bits.
    fn move_keep(&self, i: &Instruction) -> Result<Term> {
        let Operand::ImmShift(value, by) = i.operands[1] else {
            bail!("there is no model of this form");
        };
        let old = self.read(i, 0)?;
        let by = u32::from(by);
        let mut parts: Vec<_> = old.split(16).collect();
        let part = parts.get_mut((by / 16) as usize);
        *part.context("the shift is too large")? = constant(16, value.into());
        Ok(join(&parts))
    }

    /// Moves a field of bits: from position r on to the lowest bits, or from the lowest bits to the position
    /// −r modulo the width.
    fn bit_field(&self, i: &Instruction) -> Result<Term> {
        let source = self.read(i, 1)?;
        let width = source.width();
        let (r, s) = (immediate(i, 2)? as u32, immediate(i, 3)? as u32);
        ensure!(r < width && s < width, "there is no model of this form");
        let (field, to) = if s >= r {
            (source.slice(r, s - r + 1), 0)
        } else {
            (source.slice(0, s + 1), width - r)
        };
        let end = to + field.width();
        let old = self.read(i, 0)?;
        let mut parts = Vec::new();
        if to > 0 {
            parts.push(match i.opcode {
                O::BFM => old.slice(0, to),
                _ => constant(to, 0),
            });
        }
        parts.push(field);
        if end < width {
            parts.push(match i.opcode {
                O::BFM => old.slice(end, width - end),
                O::SBFM => field.sign().sign_extend(width - end),
                _ => constant(width - end, 0),
            });
        }
        Ok(join(&parts))
    }

    /// Divides or multiplies constants. The time of a division depends on its operands, so no input may be
    /// one; an upper half of 128 bits is wider than terms are.
    fn of_constants(&self, i: &Instruction) -> Result<Term> {
        let width = width(i, 0)?;
        let known = |operand: usize| -> Result<u64> {
            let value = self.read(i, operand)?.value();
            value.context("a division or an upper half of a product depends on an input")
        };
        let (a, b) = (known(1)?, known(2)?);
        let value = match i.opcode {
            // A division by zero is zero.
            O::UDIV => a.checked_div(b).unwrap_or_default(),
            _ => ((u128::from(a) * u128::from(b)) >> 64) as u64,
        };
        Ok(constant(width, value))
    }

    fn product(&mut self, i: &Instruction) -> Result<bool> {
        type Extend = fn(Term, u32) -> Term;
        let (extend, minus): (Extend, _) = match i.opcode {
            O::MADD => (|term, _| term, false),
            O::MSUB => (|term, _| term, true),
            O::SMADDL => (Term::sign_extend, false),
            O::SMSUBL => (Term::sign_extend, true),
            O::UMADDL => (Term::zero_extend, false),
            O::UMSUBL => (Term::zero_extend, true),
            _ => return Ok(false),
        };
        let to = width(i, 0)?;
        let product = extend(self.read(i, 1)?, to).multiply(extend(self.read(i, 2)?, to));
        let summand = self.read(i, 3)?;
        let result = if minus {
            summand.minus(product)
        } else {
            summand.plus(product)
        };
        self.write(i, 0, result)?;
        Ok(true)
    }

    fn sum_or_bits(&mut self, i: &Instruction) -> Result<bool> {
        let known = matches!(
            i.opcode,
            O::ADD
                | O::ADDS
                | O::SUB
                | O::SUBS
                | O::AND
                | O::ANDS
                | O::BIC
                | O::BICS
                | O::ORR
                | O::ORN
                | O::EOR
                | O::EON
        );
        if !known {
            return Ok(false);
        }
        let (a, b) = (self.read(i, 1)?, self.read(i, 2)?);
        let result = match i.opcode {
            O::ADD | O::ADDS => a.plus(b),
            O::SUB | O::SUBS => a.minus(b),
            O::AND | O::ANDS => a.and(b),
            O::BIC | O::BICS => b.and_not(a),
            O::ORR => a.or(b),
            O::ORN => a.or(b.not()),
            O::EOR => a.xor(b),
            _ => a.xor(b.not()),
        };
        match i.opcode {
            O::ADDS => self.flags = Flags::Sum(a, b),
            O::SUBS => self.flags = Flags::Difference(a, b),
            O::ANDS | O::BICS => self.flags = Flags::Bitwise(result),
            _ => {}
        }
        self.write(i, 0, result)?;
        Ok(true)
    }
}
