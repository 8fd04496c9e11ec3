//! Vector instructions that treat each lane alone.

use anyhow::{Context, Result, bail, ensure};
use yaxpeax_arm::armv8::a64::{Instruction, Opcode as O, Operand};

use super::Aarch64;
use super::operands::{immediate, shape};
use crate::terms::{Barrett, Node, Term, choose, constant, signed, sum, ternary};

type Binary = fn(Term, Term) -> Term;
type Extend = fn(Term, u32) -> Term;

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

    /// Executes an instruction whose results have twice the width of a source, or half of it.
    fn long(&mut self, i: &Instruction) -> Result<bool> {
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

/// Returns ⌊(2ab + 2³¹) / 2³²⌋ of a constant and a term. It saturates only if both are −2³¹.
fn doubling_high(a: Term, b: Term) -> Result<Term> {
    let (term, factor) = match (a.value(), b.value()) {
        (_, Some(factor)) => (a, factor),
        (Some(factor), _) => (b, factor),
        _ => bail!("there is no model of a doubling product of two inputs"),
    };
    let factor = factor as i32;
    ensure!(
        term.width() == 32 && factor != i32::MIN,
        "there is no model of this form"
    );
    Ok(term.doubling_high(factor))
}

/// Returns sum ± ab. Where that is a Barrett product by its definition, it is written as one, because a sum
/// loses which of its terms belong together.
fn multiply_add(addend: Term, a: Term, b: Term, minus: bool) -> Term {
    for (high, factor) in [(a, b), (b, a)] {
        if let (Node::DoublingHigh(x, by), Some(factor)) = (&*high.node(), factor.value()) {
            let q = signed(factor, 32) * if minus { 1 } else { -1 };
            if let Some(product) = barrett(*x, *by, q, addend) {
                return product;
            }
        }
    }
    // The multiple of q is subtracted first.
    if let Node::Sum { terms, constant: 0 } = &*addend.node()
        && let [(high, factor)] = terms[..]
        && let Node::DoublingHigh(x, by) = *high.node()
        && !minus
        && let Some(product) = barrett(x, by, -signed(factor, 32), a.multiply(b))
    {
        return product;
    }
    let product = a.multiply(b);
    if minus {
        addend.minus(product)
    } else {
        addend.plus(product)
    }
}

/// Returns the Barrett product of x if `product` is the product of x and the number that the factor is an
/// approximation of.
fn barrett(x: Term, factor: i32, q: i64, product: Term) -> Option<Term> {
    let zeta = (2 * i128::from(factor) * i128::from(q) + (1 << 31)) >> 32;
    let by = Barrett {
        zeta: zeta.try_into().ok()?,
        factor,
        q: q.try_into().ok()?,
    };
    let expected = x.multiply(constant(32, by.zeta as u64));
    (product == expected).then(|| x.barrett(by))
}
