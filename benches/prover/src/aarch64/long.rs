//! Vector instructions whose results have twice the width of a source, or half of it.

use anyhow::{Context, Result, ensure};
use yaxpeax_arm::armv8::a64::{Instruction, Opcode as O, Operand};

use super::operands::{immediate, shape};
use super::state::Aarch64;
use crate::terms::Term;

type Binary = fn(Term, Term) -> Term;
type Extend = fn(Term, u32) -> Term;

impl Aarch64<'_> {
    /// Executes an instruction whose results have twice the width of a source, or half of it.
    pub(super) fn long(&mut self, i: &Instruction) -> Result<bool> {
        if matches!(i.opcode, O::XTN | O::XTN2) {
            return self.narrow(i);
        }
        let Some(long) = Long::of(i.opcode) else {
            return Ok(false);
        };
        let (bits, unit) = shape(i, 0)?;
        let count = (bits / unit) as usize;
        let skip = if long.upper { count } else { 0 };
        let source = |operand: usize| -> Result<Vec<Term>> {
            let elements = self.elements(i, operand)?;
            // One element for all is the same in both halves.
            let skip = match i.operands[operand] {
                Operand::SIMDRegisterElementsLane(..) => 0,
                _ => skip,
            };
            let elements = elements.get(skip..skip + count);
            let elements = elements.context("there is no model of this form")?;
            let wide = elements.iter().map(|term| (long.extend)(*term, unit));
            Ok(wide.collect())
        };
        let out: Vec<_> = match long.operation {
            Operation::Shift => {
                let by = immediate(i, 2).unwrap_or_default() as u32;
                let source = source(1)?.into_iter();
                source.map(|a| a.shift_left(by)).collect()
            }
            Operation::Combine(operation) => {
                let pairs = source(1)?.into_iter().zip(source(2)?);
                pairs.map(|(a, b)| operation(a, b)).collect()
            }
            Operation::Widen(operation) => {
                let pairs = self.elements(i, 1)?.into_iter().zip(source(2)?);
                pairs.map(|(a, b)| operation(a, b)).collect()
            }
            Operation::Accumulate(operation) => {
                let old = self.elements(i, 0)?.into_iter();
                let products = source(1)?.into_iter().zip(source(2)?);
                let all = old.zip(products);
                all.map(|(old, (a, b))| operation(old, a.multiply(b)))
                    .collect()
            }
        };
        self.put(i, &out)?;
        Ok(true)
    }

    fn narrow(&mut self, i: &Instruction) -> Result<bool> {
        let (_, unit) = shape(i, 0)?;
        let mut out = Vec::new();
        if i.opcode == O::XTN2 {
            let old = self.elements(i, 0)?;
            out.extend(&old[..old.len() / 2]);
        }
        for element in self.elements(i, 1)? {
            ensure!(
                element.width() == 2 * unit,
                "there is no model of this form"
            );
            out.push(element.slice(0, unit));
        }
        self.put(i, &out)?;
        Ok(true)
    }
}

/// An instruction whose results have twice the width of a source.
struct Long {
    extend: Extend,
    /// Whether it reads the upper half of the source.
    upper: bool,
    operation: Operation,
}

enum Operation {
    /// A shift by an immediate value, or none.
    Shift,
    /// Of two extended sources.
    Combine(Binary),
    /// Of a wide source and an extended one.
    Widen(Binary),
    /// Of the target and the product of two extended sources.
    Accumulate(Binary),
}

impl Long {
    fn of(opcode: O) -> Option<Self> {
        use Operation::{Accumulate, Combine, Shift, Widen};
        let (extend, upper, operation): (Extend, _, _) = match opcode {
            O::SSHLL => (Term::sign_extend, false, Shift),
            O::SSHLL2 => (Term::sign_extend, true, Shift),
            O::USHLL => (Term::zero_extend, false, Shift),
            O::USHLL2 => (Term::zero_extend, true, Shift),
            O::SMULL => (Term::sign_extend, false, Combine(Term::multiply)),
            O::SMULL2 => (Term::sign_extend, true, Combine(Term::multiply)),
            O::UMULL => (Term::zero_extend, false, Combine(Term::multiply)),
            O::UMULL2 => (Term::zero_extend, true, Combine(Term::multiply)),
            O::SADDL => (Term::sign_extend, false, Combine(Term::plus)),
            O::SADDL2 => (Term::sign_extend, true, Combine(Term::plus)),
            O::UADDL => (Term::zero_extend, false, Combine(Term::plus)),
            O::UADDL2 => (Term::zero_extend, true, Combine(Term::plus)),
            O::SSUBL => (Term::sign_extend, false, Combine(Term::minus)),
            O::SSUBL2 => (Term::sign_extend, true, Combine(Term::minus)),
            O::USUBL => (Term::zero_extend, false, Combine(Term::minus)),
            O::USUBL2 => (Term::zero_extend, true, Combine(Term::minus)),
            O::SADDW => (Term::sign_extend, false, Widen(Term::plus)),
            O::SADDW2 => (Term::sign_extend, true, Widen(Term::plus)),
            O::UADDW => (Term::zero_extend, false, Widen(Term::plus)),
            O::UADDW2 => (Term::zero_extend, true, Widen(Term::plus)),
            O::SSUBW => (Term::sign_extend, false, Widen(Term::minus)),
            O::SSUBW2 => (Term::sign_extend, true, Widen(Term::minus)),
            O::USUBW => (Term::zero_extend, false, Widen(Term::minus)),
            O::USUBW2 => (Term::zero_extend, true, Widen(Term::minus)),
            O::SMLAL => (Term::sign_extend, false, Accumulate(Term::plus)),
            O::SMLAL2 => (Term::sign_extend, true, Accumulate(Term::plus)),
            O::UMLAL => (Term::zero_extend, false, Accumulate(Term::plus)),
            O::UMLAL2 => (Term::zero_extend, true, Accumulate(Term::plus)),
            O::SMLSL => (Term::sign_extend, false, Accumulate(Term::minus)),
            O::SMLSL2 => (Term::sign_extend, true, Accumulate(Term::minus)),
            O::UMLSL => (Term::zero_extend, false, Accumulate(Term::minus)),
            O::UMLSL2 => (Term::zero_extend, true, Accumulate(Term::minus)),
            _ => return None,
        };
        Some(Self {
            extend,
            upper,
            operation,
        })
    }
}
