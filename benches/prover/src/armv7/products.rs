//! Products, fields of bits, and sums of packed numbers.

use anyhow::{Result, ensure};

use super::decode::{Instruction, Operand, Shift};
use super::flags::Carry;
use super::state::{Armv7, immediate};
use crate::terms::{Node, Term, constant, join};

type Extend = fn(Term, u32) -> Term;

impl Armv7<'_> {
    /// Executes a product; returns false if it is not one.
    pub(super) fn product(&mut self, i: &Instruction) -> Result<bool> {
        let result = match i.name.as_str() {
            "mul" if i.operands.len() == 2 => self.read(i, 0)?.multiply(self.read(i, 1)?),
            "mul" => self.read(i, 1)?.multiply(self.read(i, 2)?),
            "mla" => multiply_add(self.read(i, 1)?, self.read(i, 2)?, self.read(i, 3)?),
            "mls" => self
                .read(i, 3)?
                .minus(self.read(i, 1)?.multiply(self.read(i, 2)?)),
            _ => return self.long_product(i),
        };
        self.write(i, 0, result)?;
        if i.sets_flags {
            self.flags = self.flags.with_result(result, Carry::Kept);
        }
        Ok(true)
    }

    /// Executes a product of 64 bits, whose lower half is written to the first operand.
    fn long_product(&mut self, i: &Instruction) -> Result<bool> {
        let (extend, accumulates): (Extend, _) = match i.name.as_str() {
            "smull" => (Term::sign_extend, false),
            "umull" => (Term::zero_extend, false),
            "smlal" => (Term::sign_extend, true),
            "umlal" => (Term::zero_extend, true),
            _ => return Ok(false),
        };
        let (a, b) = (self.read(i, 2)?, self.read(i, 3)?);
        let mut product = extend(a, 64).multiply(extend(b, 64));
        if accumulates {
            product = product.plus(join(&[self.read(i, 0)?, self.read(i, 1)?]));
        }
        self.write(i, 0, product.slice(0, 32))?;
        self.write(i, 1, product.slice(32, 32))?;
        Ok(true)
    }

    /// Executes an instruction that takes, extends or replaces a field of bits; returns false if it does not.
    pub(super) fn field(&mut self, i: &Instruction) -> Result<bool> {
        let result = match i.name.as_str() {
            "ubfx" | "sbfx" => {
                let (low, width) = (immediate(i, 2)?, immediate(i, 3)?);
                ensure!(
                    width > 0 && low + width <= 32,
                    "there is no model of this form"
                );
                let field = self.read(i, 1)?.slice(low, width);
                match i.name.as_str() {
                    "ubfx" => field.zero_extend(32),
                    _ => field.sign_extend(32),
                }
            }
            "bfi" => self.replaced(i, self.read(i, 1)?, 2)?,
            "bfc" => self.replaced(i, constant(32, 0), 1)?,
            "uxtb" => self.extended(i, 1, 8, Term::zero_extend)?,
            "uxth" => self.extended(i, 1, 16, Term::zero_extend)?,
            "sxtb" => self.extended(i, 1, 8, Term::sign_extend)?,
            "sxth" => self.extended(i, 1, 16, Term::sign_extend)?,
            "sxtab" => self
                .read(i, 1)?
                .plus(self.extended(i, 2, 8, Term::sign_extend)?),
            "sxtah" => self
                .read(i, 1)?
                .plus(self.extended(i, 2, 16, Term::sign_extend)?),
            "uxtab" => self
                .read(i, 1)?
                .plus(self.extended(i, 2, 8, Term::zero_extend)?),
            "uxtah" => self
                .read(i, 1)?
                .plus(self.extended(i, 2, 16, Term::zero_extend)?),
            "uxtb16" => {
                let bytes = self.extended(i, 1, 32, Term::zero_extend)?;
                let halves = [0, 16].map(|low| bytes.slice(low, 8).zero_extend(16));
                join(&halves)
            }
            "uadd8" => self.packed(i, 8, Term::plus)?,
            "usub8" => self.packed(i, 8, Term::minus)?,
            "uadd16" => self.packed(i, 16, Term::plus)?,
            "usub16" => self.packed(i, 16, Term::minus)?,
            _ => return Ok(false),
        };
        self.write(i, 0, result)?;
        Ok(true)
    }

    /// Returns the first operand, some bits of which are the lowest ones of a term.
    fn replaced(&self, i: &Instruction, by: Term, at: usize) -> Result<Term> {
        let (low, width) = (immediate(i, at)?, immediate(i, at + 1)?);
        ensure!(
            width > 0 && low + width <= 32,
            "there is no model of this form"
        );
        let old = self.read(i, 0)?;
        let mut parts = Vec::new();
        if low > 0 {
            parts.push(old.slice(0, low));
        }
        parts.push(by.slice(0, width));
        let end = low + width;
        if end < 32 {
            parts.push(old.slice(end, 32 - end));
        }
        Ok(join(&parts))
    }

    /// Extends the lowest bits of an operand, which may be rotated.
    fn extended(&self, i: &Instruction, at: usize, width: u32, extend: Extend) -> Result<Term> {
        let by = match i.operands.get(at + 1) {
            Some(Operand::Shift(Shift::Rotate, by)) => *by,
            _ => 0,
        };
        let rotated = self.read(i, at)?.rotate_right(by);
        Ok(extend(rotated.slice(0, width), 32))
    }

    /// Returns the results of an operation on each part of two registers. The model has no flags GE.
    fn packed(
        &self,
        i: &Instruction,
        width: u32,
        operation: fn(Term, Term) -> Term,
    ) -> Result<Term> {
        let pairs = self
            .read(i, 1)?
            .split(width)
            .zip(self.read(i, 2)?.split(width));
        let parts: Vec<_> = pairs.map(|(a, b)| operation(a, b)).collect();
        Ok(join(&parts))
    }
}

/// Returns ab + c. Where c is the upper word of t · b for t without a sign, and a is the sign of t in all bits,
/// this is the upper word of t · b for t with its sign, because that t is 2³² less if it is negative.
fn multiply_add(a: Term, b: Term, c: Term) -> Term {
    if let Some(t) = without_sign(c, b)
        && a == t.shift_right_signed(31)
    {
        let product = t.sign_extend(64).multiply(b.zero_extend(64));
        return product.slice(32, 32);
    }
    c.plus(a.multiply(b))
}

/// Returns t if a term is the upper word of t · b, both without signs.
fn without_sign(upper: Term, b: Term) -> Option<Term> {
    let Node::Slice {
        of: product,
        low: 32,
    } = *upper.node()
    else {
        return None;
    };
    let node = product.node();
    let Node::Sum { terms, constant: 0 } = &*node else {
        return None;
    };
    let [(t, factor)] = terms[..] else {
        return None;
    };
    let word = t.slice(0, 32);
    (Some(factor) == b.value() && t == word.zero_extend(64)).then_some(word)
}
