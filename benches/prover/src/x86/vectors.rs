//! Vector instructions that treat each lane alone.

use anyhow::{Context, Result, bail};
use iced_x86::{Instruction, Mnemonic as M, OpKind};

use super::operands::{sources, width};
use super::state::X86;
use crate::lanes::regroup;
use crate::terms::{Term, choose, constant, signed, ternary};

type Unary = fn(Term) -> Term;
type Binary = fn(Term, Term) -> Term;

/// Returns the product of the lower halves, as integers that the function extends.
fn product_of_halves(a: Term, b: Term, extend: fn(Term, u32) -> Term) -> Term {
    let half = a.width() / 2;
    let [a, b] = [a, b].map(|term| extend(term.slice(0, half), 2 * half));
    a.multiply(b)
}

/// Returns the sum of the products of the lower and of the upper halves.
fn sum_of_products(a: Term, b: Term) -> Term {
    let half = a.width() / 2;
    let of = |low| {
        let [a, b] = [a, b].map(|term| term.slice(low, half).sign_extend(2 * half));
        a.multiply(b)
    };
    of(0).plus(of(half))
}

/// Returns the upper half of the product, as integers that the function extends.
fn high_product(a: Term, b: Term, extend: fn(Term, u32) -> Term) -> Term {
    let width = a.width();
    let [a, b] = [a, b].map(|term| extend(term, 2 * width));
    a.multiply(b).slice(width, width)
}

/// Returns the upper 52 bits of the product of 52 bits and a constant.
fn high_52(a: Term, b: Term) -> Result<Term> {
    match (a.value(), b.value()) {
        (_, Some(factor)) => Ok(a.multiply_high_52(factor)),
        (Some(factor), _) => Ok(b.multiply_high_52(factor)),
        _ => bail!("there is no model of a product of two inputs with 104 bits"),
    }
}

/// Returns the width of the lanes and the operation of an instruction with two sources.
fn binary(mnemonic: M) -> Option<(u32, Binary)> {
    Some(match mnemonic {
        M::Paddb | M::Vpaddb => (8, Term::plus),
        M::Paddw | M::Vpaddw => (16, Term::plus),
        M::Paddd | M::Vpaddd => (32, Term::plus),
        M::Paddq | M::Vpaddq => (64, Term::plus),
        M::Psubb | M::Vpsubb => (8, Term::minus),
        M::Psubw | M::Vpsubw => (16, Term::minus),
        M::Psubd | M::Vpsubd => (32, Term::minus),
        M::Psubq | M::Vpsubq => (64, Term::minus),
        M::Pmullw | M::Vpmullw => (16, Term::multiply),
        M::Pmulld | M::Vpmulld => (32, Term::multiply),
        M::Vpmullq => (64, Term::multiply),
        M::Pmuludq | M::Vpmuludq => (64, |a, b| product_of_halves(a, b, Term::zero_extend)),
        M::Pmuldq | M::Vpmuldq => (64, |a, b| product_of_halves(a, b, Term::sign_extend)),
        M::Pmulhw | M::Vpmulhw => (16, |a, b| high_product(a, b, Term::sign_extend)),
        M::Pmulhuw | M::Vpmulhuw => (16, |a, b| high_product(a, b, Term::zero_extend)),
        M::Pmaddwd | M::Vpmaddwd => (32, sum_of_products),
        M::Pminub | M::Vpminub => (8, |a, b| choose(a.below(b), a, b)),
        M::Pmaxub | M::Vpmaxub => (8, |a, b| choose(a.below(b), b, a)),
        M::Pminsw | M::Vpminsw => (16, |a, b| choose(a.less(b), a, b)),
        M::Pmaxsw | M::Vpmaxsw => (16, |a, b| choose(a.less(b), b, a)),
        M::Pminsd | M::Vpminsd => (32, |a, b| choose(a.less(b), a, b)),
        M::Pmaxsd | M::Vpmaxsd => (32, |a, b| choose(a.less(b), b, a)),
        M::Pminud | M::Vpminud => (32, |a, b| choose(a.below(b), a, b)),
        M::Pmaxud | M::Vpmaxud => (32, |a, b| choose(a.below(b), b, a)),
        M::Vpminuq => (64, |a, b| choose(a.below(b), a, b)),
        M::Vpmaxuq => (64, |a, b| choose(a.below(b), b, a)),
        M::Vpandd => (32, Term::and),
        M::Vpord => (32, Term::or),
        M::Vpxord => (32, Term::xor),
        M::Vpandnd => (32, Term::and_not),
        M::Pand | M::Vpand | M::Vpandq | M::Andps | M::Vandps | M::Andpd | M::Vandpd => {
            (64, Term::and)
        }
        M::Por | M::Vpor | M::Vporq | M::Orps | M::Vorps | M::Orpd | M::Vorpd => (64, Term::or),
        M::Pxor | M::Vpxor | M::Vpxorq | M::Xorps | M::Vxorps | M::Xorpd | M::Vxorpd => {
            (64, Term::xor)
        }
        M::Pandn | M::Vpandn | M::Vpandnq | M::Andnps | M::Vandnps | M::Andnpd | M::Vandnpd => {
            (64, Term::and_not)
        }
        _ => return None,
    })
}

/// The numbers of the conditions of comparisons.
const EQUAL: u8 = 0;
const GREATER: u8 = 6;

/// Returns the width of the lanes, the order of integers and the condition of a comparison.
fn comparison(i: &Instruction) -> Option<(u32, Binary, u8)> {
    let condition = X86::immediate(i, i.op_count() - 1).unwrap_or_default();
    Some(match i.mnemonic() {
        M::Pcmpeqb | M::Vpcmpeqb => (8, Term::less, EQUAL),
        M::Pcmpeqw | M::Vpcmpeqw => (16, Term::less, EQUAL),
        M::Pcmpeqd | M::Vpcmpeqd => (32, Term::less, EQUAL),
        M::Pcmpeqq | M::Vpcmpeqq => (64, Term::less, EQUAL),
        M::Pcmpgtb | M::Vpcmpgtb => (8, Term::less, GREATER),
        M::Pcmpgtw | M::Vpcmpgtw => (16, Term::less, GREATER),
        M::Pcmpgtd | M::Vpcmpgtd => (32, Term::less, GREATER),
        M::Pcmpgtq | M::Vpcmpgtq => (64, Term::less, GREATER),
        M::Vpcmpb => (8, Term::less, condition),
        M::Vpcmpw => (16, Term::less, condition),
        M::Vpcmpd => (32, Term::less, condition),
        M::Vpcmpq => (64, Term::less, condition),
        M::Vpcmpub => (8, Term::below, condition),
        M::Vpcmpuw => (16, Term::below, condition),
        M::Vpcmpud => (32, Term::below, condition),
        M::Vpcmpuq => (64, Term::below, condition),
        _ => return None,
    })
}

fn compare(condition: u8, less: Binary, a: Term, b: Term) -> Term {
    match condition & 7 {
        0 => a.equals(b),
        1 => less(a, b),
        2 => less(b, a).not(),
        3 => constant(1, 0),
        4 => a.equals(b).not(),
        5 => less(a, b).not(),
        6 => less(b, a),
        _ => constant(1, 1),
    }
}

type Shift = fn(Term, u32) -> Term;

/// Returns the width of the lanes and the operation of a shift by one count for all lanes.
fn shift(mnemonic: M) -> Option<(u32, Shift)> {
    Some(match mnemonic {
        M::Psllw | M::Vpsllw => (16, Term::shift_left),
        M::Pslld | M::Vpslld => (32, Term::shift_left),
        M::Psllq | M::Vpsllq => (64, Term::shift_left),
        M::Psrlw | M::Vpsrlw => (16, Term::shift_right),
        M::Psrld | M::Vpsrld => (32, Term::shift_right),
        M::Psrlq | M::Vpsrlq => (64, Term::shift_right),
        M::Psraw | M::Vpsraw => (16, Term::shift_right_signed),
        M::Psrad | M::Vpsrad => (32, Term::shift_right_signed),
        M::Vpsraq => (64, Term::shift_right_signed),
        _ => return None,
    })
}

/// Returns the width of the lanes and the operation of a shift by a count for each lane.
fn shift_by_lane(mnemonic: M) -> Option<(u32, Shift)> {
    Some(match mnemonic {
        M::Vpsllvw => (16, Term::shift_left),
        M::Vpsllvd => (32, Term::shift_left),
        M::Vpsllvq => (64, Term::shift_left),
        M::Vpsrlvw => (16, Term::shift_right),
        M::Vpsrlvd => (32, Term::shift_right),
        M::Vpsrlvq => (64, Term::shift_right),
        M::Vpsravw => (16, Term::shift_right_signed),
        M::Vpsravd => (32, Term::shift_right_signed),
        M::Vpsravq => (64, Term::shift_right_signed),
        _ => return None,
    })
}

/// Returns the width of the lanes and the operation of an instruction with one source.
fn unary(mnemonic: M) -> Option<(u32, Unary)> {
    Some(match mnemonic {
        M::Pabsb | M::Vpabsb => (8, Term::absolute),
        M::Pabsw | M::Vpabsw => (16, Term::absolute),
        M::Pabsd | M::Vpabsd => (32, Term::absolute),
        M::Vpabsq => (64, Term::absolute),
        _ => return None,
    })
}

impl X86<'_> {
    /// Executes an instruction that treats each lane alone; returns false if it is not one.
    pub(super) fn vector(&mut self, i: &Instruction) -> Result<bool> {
        let (first, second) = sources(i);
        if let Some((unit, operation)) = binary(i.mnemonic()) {
            let (a, b) = self.pair(i, first, second, width(i, 0)?, unit)?;
            let out = a.into_iter().zip(b).map(|(a, b)| operation(a, b));
            self.put(i, out.collect())?;
        } else if let Some((unit, less, condition)) = comparison(i) {
            self.compare(i, unit, less, condition)?;
        } else if let Some((unit, shift)) = shift(i.mnemonic()) {
            let count = self.vector_count(i, second)?;
            let from = self.units(i, first, width(i, 0)?, unit)?;
            self.put(i, from.into_iter().map(|a| shift(a, count)).collect())?;
        } else if let Some((unit, shift)) = shift_by_lane(i.mnemonic()) {
            let (a, b) = self.pair(i, first, second, width(i, 0)?, unit)?;
            let out = a.into_iter().zip(b).map(|(a, b)| {
                let count = b
                    .value()
                    .context("the count of a shift depends on an input")?;
                Ok(shift(a, count.min(64) as u32))
            });
            let out: Result<_> = out.collect();
            self.put(i, out?)?;
        } else if let Some((unit, operation)) = unary(i.mnemonic()) {
            let from = self.units(i, 1, width(i, 0)?, unit)?;
            self.put(i, from.into_iter().map(operation).collect())?;
        } else {
            return self.special(i);
        }
        Ok(true)
    }

    /// Returns the units of two sources.
    fn pair(
        &mut self,
        i: &Instruction,
        first: u32,
        second: u32,
        bits: u32,
        unit: u32,
    ) -> Result<(Vec<Term>, Vec<Term>)> {
        let a = self.units(i, first, bits, unit)?;
        Ok((a, self.units(i, second, bits, unit)?))
    }

    fn compare(&mut self, i: &Instruction, unit: u32, less: Binary, condition: u8) -> Result<()> {
        let to_mask = i.op0_register().is_k();
        let (first, second) = if to_mask { (1, 2) } else { sources(i) };
        let bits = width(i, first)?;
        let (a, b) = self.pair(i, first, second, bits, unit)?;
        let out = a.into_iter().zip(b).map(|(a, b)| {
            let holds = compare(condition, less, a, b);
            if to_mask {
                holds
            } else {
                holds.sign_extend(unit)
            }
        });
        self.put(i, out.collect())
    }

    /// Returns the count of a shift of all lanes: an immediate value, or the lowest 64 bits of a register.
    fn vector_count(&mut self, i: &Instruction, operand: u32) -> Result<u32> {
        let count = match i.op_kind(operand) {
            OpKind::Register | OpKind::Memory => self.units(i, operand, 64, 64)?[0].value(),
            _ => Some(Self::immediate(i, operand)?.into()),
        };
        let count = count.context("the count of a shift depends on an input")?;
        Ok(count.min(64) as u32)
    }

    /// Adds a half of the product of the lower 52 bits of two sources to the target.
    fn multiply_52(&mut self, i: &Instruction, half: fn(Term, Term) -> Result<Term>) -> Result<()> {
        let bits = width(i, 0)?;
        let old = self.units(i, 0, bits, 64)?;
        let (a, b) = self.pair(i, 1, 2, bits, 64)?;
        let out = old.into_iter().zip(a).zip(b).map(|((old, a), b)| {
            let [a, b] = [a, b].map(|term| term.slice(0, 52));
            Ok(old.plus(half(a, b)?.zero_extend(64)))
        });
        let out: Result<_> = out.collect();
        self.put(i, out?)
    }

    fn special(&mut self, i: &Instruction) -> Result<bool> {
        let bits = || width(i, 0);
        match i.mnemonic() {
            M::Vpmadd52luq => self.multiply_52(i, |a, b| Ok(a.multiply(b)))?,
            M::Vpmadd52huq => self.multiply_52(i, high_52)?,
            M::Vpternlogd | M::Vpternlogq => {
                let unit = if i.mnemonic() == M::Vpternlogd {
                    32
                } else {
                    64
                };
                let (bits, table) = (bits()?, Self::immediate(i, 3)?);
                let x = self.units(i, 0, bits, 64)?;
                let (y, z) = self.pair(i, 1, 2, bits, 64)?;
                let out = x.into_iter().zip(y).zip(z);
                let out: Vec<_> = out.map(|((x, y), z)| ternary(table, x, y, z)).collect();
                self.put(i, regroup(&out, unit))?;
            }
            M::Vprold | M::Vprolq | M::Vprord | M::Vprorq => {
                let unit = match i.mnemonic() {
                    M::Vprold | M::Vprord => 32,
                    _ => 64,
                };
                let count = u32::from(Self::immediate(i, 2)?);
                let left = matches!(i.mnemonic(), M::Vprold | M::Vprolq);
                let from = self.units(i, 1, bits()?, unit)?.into_iter();
                let rotate = if left {
                    Term::rotate_left
                } else {
                    Term::rotate_right
                };
                self.put(i, from.map(|a| rotate(a, count)).collect())?;
            }
            // The second source chooses bits where the sign of the third one is set.
            M::Vpblendvb | M::Vblendvps | M::Vblendvpd => {
                let unit = match i.mnemonic() {
                    M::Vpblendvb => 8,
                    M::Vblendvps => 32,
                    _ => 64,
                };
                let bits = bits()?;
                let (a, b) = self.pair(i, 1, 2, bits, unit)?;
                let by = self.units(i, 3, bits, unit)?;
                let out = a.into_iter().zip(b).zip(by);
                let out = out.map(|((a, b), by)| choose(by.sign(), b, a));
                self.put(i, out.collect())?;
            }
            M::Packuswb | M::Vpackuswb => self.pack(i, 16, saturate_unsigned)?,
            M::Packusdw | M::Vpackusdw => self.pack(i, 32, saturate_unsigned)?,
            M::Packsswb | M::Vpacksswb => self.pack(i, 16, saturate_signed)?,
            M::Packssdw | M::Vpackssdw => self.pack(i, 32, saturate_signed)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Saturates the units of two sources to half of their width, for each 128 bits.
    fn pack(&mut self, i: &Instruction, unit: u32, saturate: Unary) -> Result<()> {
        let (first, second) = sources(i);
        let (a, b) = self.pair(i, first, second, width(i, 0)?, unit)?;
        let each = (128 / unit) as usize;
        let out = a.chunks(each).zip(b.chunks(each));
        let out = out.flat_map(|(a, b)| a.iter().chain(b).map(|term| saturate(*term)));
        self.put(i, out.collect())
    }
}

/// Returns a signed integer as one of half the width, cut to an interval.
fn saturate(term: Term, low: i64, high: i64) -> Term {
    let (width, half) = (term.width(), term.width() / 2);
    let (range_low, range_high) = term.range();
    let value = |value: i64| constant(width, value as u64);
    let cut = |limit: i64| constant(half, limit as u64);
    if low <= range_low && range_high <= high {
        return term.slice(0, half);
    }
    let not_above = choose(value(high).less(term), cut(high), term.slice(0, half));
    choose(term.less(value(low)), cut(low), not_above)
}

fn saturate_unsigned(term: Term) -> Term {
    saturate(term, 0, (1 << (term.width() / 2)) - 1)
}

fn saturate_signed(term: Term) -> Term {
    let half = term.width() / 2;
    saturate(term, signed(1 << (half - 1), half), (1 << (half - 1)) - 1)
}
