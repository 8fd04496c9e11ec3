//! Sums, operations on bits, and shifts.

use anyhow::{Context, Result, ensure};

use super::decode::{Instruction, Operand, Shift};
use super::flags::{Carry, Flags};
use super::state::{Armv7, shifted};
use crate::flags::Flags as Operation;
use crate::terms::{Node, Term, constant, join};

/// The last operand, and the carry that computing it makes.
struct Second {
    value: Term,
    carry: Carry,
}

impl Armv7<'_> {
    /// Executes a sum, an operation on bits or a shift; returns false if it is none of them.
    pub(super) fn scalar(&mut self, i: &Instruction) -> Result<bool> {
        Ok(self.compare(i)? || self.arithmetic(i)? || self.bitwise(i)? || self.shift(i)?)
    }

    /// Returns the last operand, which may be a shifted register.
    fn second(&self, i: &Instruction) -> Result<Second> {
        let last = i.operands.len() - 1;
        match i.operands[last] {
            Operand::Shift(how, by) => {
                let value = self.read(i, last - 1)?;
                Ok(Second {
                    value: shifted(value, how, by),
                    carry: carry_of_shift(value, how, by),
                })
            }
            // Larger immediate values may be patterns whose rotation sets the carry.
            Operand::Immediate(256..) => Ok(Second {
                value: self.read(i, last)?,
                carry: Carry::Unknown,
            }),
            _ => Ok(Second {
                value: self.read(i, last)?,
                carry: Carry::Kept,
            }),
        }
    }

    /// Returns the operand before the last one. If there are only two, the first is both result and operand.
    fn first(&self, i: &Instruction) -> Result<Term> {
        let shifts = matches!(i.operands.last(), Some(Operand::Shift(..)));
        let count = i.operands.len() - usize::from(shifts);
        self.read(i, count - 2)
    }

    fn compare(&mut self, i: &Instruction) -> Result<bool> {
        if !["cmp", "cmn", "tst", "teq"].contains(&i.name.as_str()) {
            return Ok(false);
        }
        let (a, Second { value: b, carry }) = (self.first(i)?, self.second(i)?);
        self.flags = match i.name.as_str() {
            "cmp" => Flags::of(Operation::Difference(a, b)),
            "cmn" => Flags::of(Operation::Sum(a, b)),
            "tst" => self.flags.with_result(a.and(b), carry),
            _ => self.flags.with_result(a.xor(b), carry),
        };
        Ok(true)
    }

    fn arithmetic(&mut self, i: &Instruction) -> Result<bool> {
        if !["add", "sub", "rsb", "adc", "sbc", "adr"].contains(&i.name.as_str()) {
            return Ok(false);
        }
        if i.name == "adr" {
            let base = constant(32, (self.at + 4) & !3);
            self.write(i, 0, base.plus(self.read(i, 1)?))?;
            return Ok(true);
        }
        let (a, b) = (self.first(i)?, self.second(i)?.value);
        let (result, flags) = match i.name.as_str() {
            "add" => (plus(a, b), Flags::of(Operation::Sum(a, b))),
            "sub" => (a.minus(b), Flags::of(Operation::Difference(a, b))),
            "rsb" => (b.minus(a), Flags::of(Operation::Difference(b, a))),
            name => self.with_carry(name == "sbc", a, b)?,
        };
        self.write(i, 0, result)?;
        if i.sets_flags {
            self.flags = flags;
        }
        Ok(true)
    }

    /// Returns a + b + C, or a − b − 1 + C, and the flags. After a sum or a difference of words it is the upper
    /// word of the sum or difference of 64 bits.
    fn with_carry(&self, minus: bool, a: Term, b: Term) -> Result<(Term, Flags)> {
        let wide = match (minus, self.flags.operation()) {
            (false, Operation::Sum(x, y)) if x.width() == 32 => Some((x, y)),
            (true, Operation::Difference(x, y)) if x.width() == 32 => Some((x, y)),
            _ => None,
        };
        let Some((x, y)) = wide else {
            let carry = self.flags.carry()?.zero_extend(32);
            let result = match minus {
                false => a.plus(b).plus(carry),
                true => a.plus(b.not()).plus(carry),
            };
            return Ok((result, Flags::UNKNOWN));
        };
        // The summands of the upper words may be in the other order. A join of halves is no join.
        let halves = |low, high| !matches!(*join(&[low, high]).node(), Node::Join(_));
        let (a, b) = match minus {
            false if !halves(x, a) && halves(x, b) => (b, a),
            _ => (a, b),
        };
        let (a, b) = (join(&[x, a]), join(&[y, b]));
        let (whole, operation) = match minus {
            false => (a.plus(b), Operation::Sum(a, b)),
            true => (a.minus(b), Operation::Difference(a, b)),
        };
        let upper = whole.slice(32, 32);
        Ok((upper, Flags::of_upper(operation, upper)))
    }

    fn bitwise(&mut self, i: &Instruction) -> Result<bool> {
        let Second { value: b, carry } = match i.name.as_str() {
            "mov" | "movw" | "mvn" | "and" | "bic" | "orr" | "orn" | "eor" => self.second(i)?,
            "movt" => {
                let low = self.read(i, 0)?.slice(0, 16);
                let high = self.read(i, 1)?.slice(0, 16);
                self.write(i, 0, join(&[low, high]))?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let result = match i.name.as_str() {
            "mov" | "movw" => b,
            "mvn" => b.not(),
            "and" => self.first(i)?.and(b),
            "bic" => b.and_not(self.first(i)?),
            "orr" => self.first(i)?.or(b),
            "orn" => self.first(i)?.or(b.not()),
            _ => self.first(i)?.xor(b),
        };
        self.write(i, 0, result)?;
        if i.sets_flags {
            self.flags = self.flags.with_result(result, carry);
        }
        Ok(true)
    }

    fn shift(&mut self, i: &Instruction) -> Result<bool> {
        let how = match i.name.as_str() {
            "lsl" => Shift::Left,
            "lsr" => Shift::Right,
            "asr" => Shift::RightSigned,
            "ror" => Shift::Rotate,
            _ => return Ok(false),
        };
        let by = self.second(i)?.value.value();
        let by = by.context("the count of a shift depends on an input")? as u32 & 255;
        let value = self.first(i)?;
        let result = shifted(value, how, by);
        self.write(i, 0, result)?;
        if i.sets_flags {
            self.flags = self
                .flags
                .with_result(result, carry_of_shift(value, how, by));
        }
        Ok(true)
    }

    /// Divides constants, or counts their zeros. The time of a division depends on its operands, so no input
    /// may be one. Returns false if it is neither.
    pub(super) fn of_constants(&mut self, i: &Instruction) -> Result<bool> {
        let known = |operand: usize| -> Result<u64> {
            let value = self.read(i, operand)?.value();
            value.context("a division or a count of zeros depends on an input")
        };
        let value = match i.name.as_str() {
            // A division by zero is zero.
            "udiv" => known(1)?.checked_div(known(2)?).unwrap_or_default(),
            "clz" => known(1)?.leading_zeros().into(),
            _ => return Ok(false),
        };
        let value = if i.name == "clz" { value - 32 } else { value };
        ensure!(value <= u32::MAX.into(), "a result is too large");
        self.write(i, 0, constant(32, value))?;
        Ok(true)
    }
}

/// Returns a + b. Terms without a common bit, as shifts of bytes are, are joined: compilers add them.
fn plus(a: Term, b: Term) -> Term {
    let joined = |term: Term| matches!(*term.node(), Node::Join(_));
    if joined(a) && joined(b) && a.and(b).value() == Some(0) {
        return a.or(b);
    }
    a.plus(b)
}

/// Returns the last bit that a shift drops.
fn carry_of_shift(value: Term, how: Shift, by: u32) -> Carry {
    match (how, by) {
        (_, 0) => Carry::Kept,
        (Shift::Left, ..=32) => Carry::Bit(value.bit(32 - by)),
        (Shift::Right, ..=32) => Carry::Bit(value.bit(by - 1)),
        (Shift::RightSigned, _) => Carry::Bit(value.bit(by.min(32) - 1)),
        (Shift::Rotate, _) => Carry::Bit(value.bit((by + 31) % 32)),
        _ => Carry::Bit(constant(1, 0)),
    }
}
