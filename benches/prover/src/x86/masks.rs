//! Instructions on the mask registers of AVX-512.

use anyhow::{Result, ensure};
use iced_x86::{Instruction, Mnemonic as M, OpKind, Register};

use super::operands::width;
use super::state::{X86, number};
use crate::flags::Flags;
use crate::terms::{Term, constant};

impl X86<'_> {
    /// Executes an instruction on masks; returns false if it is not one.
    pub(super) fn mask(&mut self, i: &Instruction) -> Result<bool> {
        Ok(self.mask_move(i)? || self.mask_operation(i)? || self.mask_vector(i)?)
    }

    fn mask_register(&self, register: Register, width: u32) -> Result<Term> {
        ensure!(register.is_k(), "it is not a mask");
        Ok(self.masks[number(register)].slice(0, width))
    }

    fn mask_move(&mut self, i: &Instruction) -> Result<bool> {
        let bits = match i.mnemonic() {
            M::Kmovb => 8,
            M::Kmovw => 16,
            M::Kmovd => 32,
            M::Kmovq => 64,
            _ => return Ok(false),
        };
        let from = match i.op1_kind() {
            OpKind::Register if i.op1_register().is_k() => {
                self.mask_register(i.op1_register(), bits)?
            }
            _ => self.read(i, 1)?.slice(0, bits),
        };
        if i.op0_kind() == OpKind::Register && i.op0_register().is_k() {
            self.masks[number(i.op0_register())] = from.zero_extend(64);
        } else {
            self.write(i, 0, from.zero_extend(width(i, 0)?))?;
        }
        Ok(true)
    }

    fn mask_operation(&mut self, i: &Instruction) -> Result<bool> {
        let (bits, operation): (u32, fn(Term, Term) -> Term) = match i.mnemonic() {
            M::Korb => (8, Term::or),
            M::Korw => (16, Term::or),
            M::Kord => (32, Term::or),
            M::Korq => (64, Term::or),
            M::Kandb => (8, Term::and),
            M::Kandw => (16, Term::and),
            M::Kandd => (32, Term::and),
            M::Kandq => (64, Term::and),
            M::Kxorb => (8, Term::xor),
            M::Kxorw => (16, Term::xor),
            M::Kxord => (32, Term::xor),
            M::Kxorq => (64, Term::xor),
            M::Kxnorb => (8, |a, b| a.xor(b).not()),
            M::Kxnorw => (16, |a, b| a.xor(b).not()),
            M::Kxnord => (32, |a, b| a.xor(b).not()),
            M::Kxnorq => (64, |a, b| a.xor(b).not()),
            M::Knotb => (8, |a, _| a.not()),
            M::Knotw => (16, |a, _| a.not()),
            M::Knotd => (32, |a, _| a.not()),
            M::Knotq => (64, |a, _| a.not()),
            M::Kortestb => return self.mask_test(i, 8),
            M::Kortestw => return self.mask_test(i, 16),
            M::Kortestd => return self.mask_test(i, 32),
            M::Kortestq => return self.mask_test(i, 64),
            _ => return Ok(false),
        };
        let a = self.mask_register(i.op1_register(), bits)?;
        let b = self.mask_register(i.op_register(i.op_count() - 1), bits)?;
        self.masks[number(i.op0_register())] = operation(a, b).zero_extend(64);
        Ok(true)
    }

    /// Sets the zero flag by the "or" of two masks, and the carry where all of its bits are set.
    fn mask_test(&mut self, i: &Instruction, bits: u32) -> Result<bool> {
        let a = self.mask_register(i.op0_register(), bits)?;
        let b = self.mask_register(i.op1_register(), bits)?;
        let either = a.or(b);
        let all = either.equals(constant(bits, u64::MAX));
        self.flags = Flags::Other(either, Some(all));
        Ok(true)
    }

    /// Moves signs and tests between vectors and masks.
    fn mask_vector(&mut self, i: &Instruction) -> Result<bool> {
        let unit = match i.mnemonic() {
            M::Vpmovb2m | M::Vpmovm2b | M::Vptestmb | M::Vptestnmb => 8,
            M::Vpmovw2m | M::Vpmovm2w | M::Vptestmw | M::Vptestnmw => 16,
            M::Vpmovd2m | M::Vpmovm2d | M::Vptestmd | M::Vptestnmd => 32,
            M::Vpmovq2m | M::Vpmovm2q | M::Vptestmq | M::Vptestnmq => 64,
            _ => return Ok(false),
        };
        match i.mnemonic() {
            M::Vpmovb2m | M::Vpmovw2m | M::Vpmovd2m | M::Vpmovq2m => {
                let units = self.units(i, 1, width(i, 1)?, unit)?.into_iter();
                self.put(i, units.map(Term::sign).collect())?;
            }
            M::Vpmovm2b | M::Vpmovm2w | M::Vpmovm2d | M::Vpmovm2q => {
                let count = width(i, 0)? / unit;
                let mask = self.mask_register(i.op1_register(), 64)?;
                let units = (0..count).map(|at| mask.bit(at).sign_extend(unit));
                self.put(i, units.collect())?;
            }
            _ => {
                let negated = matches!(
                    i.mnemonic(),
                    M::Vptestnmb | M::Vptestnmw | M::Vptestnmd | M::Vptestnmq
                );
                let bits = width(i, 1)?;
                let a = self.units(i, 1, bits, unit)?;
                let b = self.units(i, 2, bits, unit)?;
                let units = a.into_iter().zip(b).map(|(a, b)| {
                    let zero = a.and(b).equals(constant(unit, 0));
                    if negated { zero } else { zero.not() }
                });
                self.put(i, units.collect())?;
            }
        }
        Ok(true)
    }
}
