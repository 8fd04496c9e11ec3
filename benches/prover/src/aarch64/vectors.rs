//! Vector instructions that treat each lane alone.

use anyhow::{Context, Result};
use yaxpeax_arm::armv8::a64::{Instruction, Opcode as O, Operand};

use super::operands::{immediate, shape};
use super::products::{doubling_high, multiply_add};
use super::state::Aarch64;
use crate::terms::{Term, choose, constant, signed, sum, ternary};

type Binary = fn(Term, Term) -> Term;

/// Returns the operation of an instruction on elements of two sources.
fn binary(opcode: O) -> Option<Binary> {
    fn all(condition: Term, like: Term) -> Term {
        condition.sign_extend(like.width())
    }
    Some(match opcode {
        O::ADD => Term::plus,
        O::SUB => Term::minus,
        O::MUL => Term::multiply,
        O::SMAX => |a, b| choose(a.less(b), b, a),
        O::SMIN => |a, b| choose(a.less(b), a, b),
        O::UMAX => |a, b| choose(a.below(b), b, a),
        O::UMIN => |a, b| choose(a.below(b), a, b),
        O::CMEQ => |a, b| all(a.equals(b), a),
        O::CMGT => |a, b| all(b.less(a), a),
        O::CMGE => |a, b| all(a.less(b).not(), a),
        O::CMLT => |a, b| all(a.less(b), a),
        O::CMLE => |a, b| all(b.less(a).not(), a),
        O::CMHI => |a, b| all(b.below(a), a),
        O::CMHS => |a, b| all(a.below(b).not(), a),
        O::CMTST => |a, b| all(a.and(b).equals(constant(a.width(), 0)).not(), a),
        O::RAX1 => |a, b| a.xor(b.rotate_left(1)),
        _ => return None,
    })
}

/// Returns the bitwise operation of an instruction on two sources.
fn bitwise(opcode: O) -> Option<Binary> {
    Some(match opcode {
        O::AND => Term::and,
        O::ORR => Term::or,
        O::EOR => Term::xor,
        O::BIC => |a, b| b.and_not(a),
        O::ORN => |a, b| a.or(b.not()),
        _ => return None,
    })
}

impl Aarch64<'_> {
    /// Executes an instruction that treats each lane alone; returns false if it is not one.
    pub(super) fn vector(&mut self, i: &Instruction) -> Result<bool> {
        Ok(self.bits(i)? || self.lanewise(i)? || self.shift(i)? || self.long(i)?)
    }

    fn bits(&mut self, i: &Instruction) -> Result<bool> {
        if let Some(operation) = bitwise(i.opcode) {
            if matches!(i.operands[1], Operand::ImmShift(..)) {
                return self.bits_of_immediate(i, operation);
            }
            let (a, b) = (self.words(i, 1)?, self.words(i, 2)?);
            let out: Vec<_> = a.into_iter().zip(b).map(|(a, b)| operation(a, b)).collect();
            self.put(i, &out)?;
            return Ok(true);
        }
        // The function of three bits by its table, and the order of the operands.
        let (table, order) = match i.opcode {
            O::BSL => (0xca, [0, 1, 2]),
            O::BIT => (0xca, [2, 1, 0]),
            O::BIF => (0xca, [2, 0, 1]),
            O::EOR3 => return self.three_words(i, |a, b, c| a.xor(b).xor(c)),
            O::BCAX => return self.three_words(i, |a, b, c| a.xor(c.and_not(b))),
            O::NOT => {
                let out: Vec<_> = self.words(i, 1)?.into_iter().map(Term::not).collect();
                self.put(i, &out)?;
                return Ok(true);
            }
            O::MOVI | O::MVNI => {
                let (bits, unit) = shape(i, 0)?;
                let value = constant(unit, immediate(i, 1)?);
                let value = if i.opcode == O::MVNI {
                    value.not()
                } else {
                    value
                };
                self.put(i, &vec![value; (bits / unit) as usize])?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let [a, b, c] = order;
        let (a, b, c) = (self.words(i, a)?, self.words(i, b)?, self.words(i, c)?);
        let out = a.into_iter().zip(b).zip(c);
        let out: Vec<_> = out.map(|((a, b), c)| ternary(table, a, b, c)).collect();
        self.put(i, &out)?;
        Ok(true)
    }

    /// Applies a bitwise operation to three sources.
    fn three_words(
        &mut self,
        i: &Instruction,
        operation: fn(Term, Term, Term) -> Term,
    ) -> Result<bool> {
        let (a, b, c) = (self.words(i, 1)?, self.words(i, 2)?, self.words(i, 3)?);
        let out = a.into_iter().zip(b).zip(c);
        let out: Vec<_> = out.map(|((a, b), c)| operation(a, b, c)).collect();
        self.put(i, &out)?;
        Ok(true)
    }

    fn bits_of_immediate(&mut self, i: &Instruction, operation: Binary) -> Result<bool> {
        let (_, unit) = shape(i, 0)?;
        let value = constant(unit, immediate(i, 1)?);
        let old = self.elements(i, 0)?.into_iter();
        let out: Vec<_> = old.map(|old| operation(old, value)).collect();
        self.put(i, &out)?;
        Ok(true)
    }

    /// Returns elements of an operand, or an immediate value for all.
    fn elements_or_immediate(&self, i: &Instruction, operand: usize) -> Result<Vec<Term>> {
        let (bits, unit) = shape(i, 0)?;
        match i.operands[operand] {
            Operand::Imm64(value) => Ok(vec![constant(unit, value); (bits / unit) as usize]),
            _ => self.elements(i, operand),
        }
    }

    fn lanewise(&mut self, i: &Instruction) -> Result<bool> {
        if let Some(operation) = binary(i.opcode) {
            let (a, b) = (self.elements(i, 1)?, self.elements_or_immediate(i, 2)?);
            let out: Vec<_> = a.into_iter().zip(b).map(|(a, b)| operation(a, b)).collect();
            self.put(i, &out)?;
            return Ok(true);
        }
        let out: Result<Vec<_>> = match i.opcode {
            O::MLA | O::MLS => {
                let (a, b) = (self.elements(i, 1)?, self.elements(i, 2)?);
                let old = self.elements(i, 0)?.into_iter().zip(a.into_iter().zip(b));
                let minus = i.opcode == O::MLS;
                Ok(old
                    .map(|(old, (a, b))| multiply_add(old, a, b, minus))
                    .collect())
            }
            O::SQRDMULH => {
                let (a, b) = (self.elements(i, 1)?, self.elements(i, 2)?);
                a.into_iter()
                    .zip(b)
                    .map(|(a, b)| doubling_high(a, b))
                    .collect()
            }
            O::XAR => {
                let by = immediate(i, 3)? as u32;
                let (a, b) = (self.elements(i, 1)?, self.elements(i, 2)?);
                let out = a.into_iter().zip(b);
                Ok(out.map(|(a, b)| a.xor(b).rotate_right(by)).collect())
            }
            O::ABS => Ok(self
                .elements(i, 1)?
                .into_iter()
                .map(Term::absolute)
                .collect()),
            O::NEG => Ok(self.elements(i, 1)?.into_iter().map(Term::negate).collect()),
            O::ADDV => {
                let elements = self.elements(i, 1)?;
                let unit = elements[0].width();
                Ok(vec![sum(unit, elements.into_iter().map(|a| (a, 1)), 0)])
            }
            O::UMAXV => {
                let elements = self.elements(i, 1)?.into_iter();
                let most = elements.reduce(|a, b| choose(a.below(b), b, a));
                Ok(most.into_iter().collect())
            }
            _ => return Ok(false),
        };
        self.put(i, &out?)?;
        Ok(true)
    }

    fn shift(&mut self, i: &Instruction) -> Result<bool> {
        type Shift = fn(Term, u32) -> Term;
        let (shift, adds): (Shift, _) = match i.opcode {
            O::SHL => (Term::shift_left, false),
            O::USHR => (Term::shift_right, false),
            O::SSHR => (Term::shift_right_signed, false),
            O::USRA => (Term::shift_right, true),
            O::SSRA => (Term::shift_right_signed, true),
            O::USHL | O::SSHL => return self.shift_by_lane(i),
            O::SLI | O::SRI => return self.shift_and_insert(i),
            _ => return Ok(false),
        };
        let by = immediate(i, 2)? as u32;
        let mut out: Vec<_> = self
            .elements(i, 1)?
            .into_iter()
            .map(|a| shift(a, by))
            .collect();
        if adds {
            for (out, old) in out.iter_mut().zip(self.elements(i, 0)?) {
                // A sum in which no bit is in both summands is their "or".
                *out = if old.is_disjoint(*out) {
                    old.or(*out)
                } else {
                    old.plus(*out)
                };
            }
        }
        self.put(i, &out)?;
        Ok(true)
    }

    /// Shifts by the lowest byte of each element, to the right if it is negative.
    fn shift_by_lane(&mut self, i: &Instruction) -> Result<bool> {
        let (a, b) = (self.elements(i, 1)?, self.elements(i, 2)?);
        let out = a.into_iter().zip(b).map(|(a, b)| {
            let by = b.slice(0, 8).value();
            let by = signed(by.context("the count of a shift depends on an input")?, 8);
            let count = by.unsigned_abs() as u32;
            Ok(match (by < 0, i.opcode) {
                (false, _) => a.shift_left(count),
                (true, O::USHL) => a.shift_right(count),
                (true, _) => a.shift_right_signed(count),
            })
        });
        let out: Result<Vec<_>> = out.collect();
        self.put(i, &out?)?;
        Ok(true)
    }

    /// Shifts, and keeps the bits of the target that nothing is shifted to.
    fn shift_and_insert(&mut self, i: &Instruction) -> Result<bool> {
        let by = immediate(i, 2)? as u32;
        let (_, unit) = shape(i, 0)?;
        let kept = match i.opcode {
            O::SLI => constant(unit, u64::MAX).shift_left(by).not(),
            _ => constant(unit, u64::MAX).shift_right(by).not(),
        };
        let elements = self.elements(i, 0)?.into_iter().zip(self.elements(i, 1)?);
        let out = elements.map(|(old, new)| {
            let new = match i.opcode {
                O::SLI => new.shift_left(by),
                _ => new.shift_right(by),
            };
            old.and(kept).or(new)
        });
        self.put(i, &out.collect::<Vec<_>>())?;
        Ok(true)
    }
}
