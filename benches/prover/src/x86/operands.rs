//! Operands: registers, memory and immediate values.

use anyhow::{Result, bail, ensure};
use iced_x86::{EncodingKind, Instruction, OpKind, Register};

use super::state::{Vector, X86, number};
use crate::lanes::regroup;
use crate::terms::{Term, choose, constant, join, sum};

/// Returns the width of an operand in bits.
pub(super) fn width(i: &Instruction, operand: u32) -> Result<u32> {
    let bytes = match i.op_kind(operand) {
        OpKind::Register => i.op_register(operand).size(),
        OpKind::Memory => i.memory_size().size(),
        _ => bail!("an operand has no width"),
    };
    ensure!(bytes > 0, "an operand has no width");
    Ok(8 * bytes as u32)
}

/// Returns the operands of an operation with two sources. In the old encoding, the target is the first one.
pub(super) fn sources(i: &Instruction) -> (u32, u32) {
    match i.code().encoding() {
        EncodingKind::Legacy => (0, 1),
        _ => (1, 2),
    }
}

impl X86<'_> {
    /// Returns the address of the memory operand, as a term.
    pub(super) fn effective_address(&self, i: &Instruction) -> Result<Term> {
        ensure!(
            matches!(
                i.segment_prefix(),
                Register::None | Register::CS | Register::DS
            ),
            "there is no model of segments"
        );
        let mut terms = Vec::new();
        for (register, scale) in [
            (i.memory_base(), 1),
            (i.memory_index(), i.memory_index_scale()),
        ] {
            // Relative to the instruction pointer, the displacement is the whole address.
            if register == Register::None || register == Register::RIP {
                continue;
            }
            ensure!(
                register.is_gpr64(),
                "there is no model of this kind of address"
            );
            terms.push((self.general[number(register)], u64::from(scale)));
        }
        Ok(sum(64, terms, i.memory_displacement64()))
    }

    /// Returns the address of the memory operand.
    pub(super) fn address(&mut self, i: &Instruction) -> Result<u64> {
        let address = self.effective_address(i)?;
        self.memory
            .decide(address, "the address depends on an input")
    }

    /// Returns an operand of at most 64 bits; immediate values are as wide as the target.
    pub(super) fn read(&mut self, i: &Instruction, operand: u32) -> Result<Term> {
        match i.op_kind(operand) {
            OpKind::Register => self.register(i.op_register(operand)),
            OpKind::Memory => {
                let at = self.effective_address(i)?;
                self.memory.load_from(at, 0, width(i, operand)?)
            }
            _ => Ok(constant(width(i, 0)?, i.try_immediate(operand)?)),
        }
    }

    pub(super) fn register(&self, register: Register) -> Result<Term> {
        ensure!(register.is_gpr(), "it is not a general register");
        let low = match register {
            Register::AH | Register::BH | Register::CH | Register::DH => 8,
            _ => 0,
        };
        let whole = self.general[number(register)];
        Ok(whole.slice(low, 8 * register.size() as u32))
    }

    /// Writes an operand. 32 bits in a register clear the upper half; fewer bits leave the others.
    pub(super) fn write(&mut self, i: &Instruction, operand: u32, term: Term) -> Result<()> {
        ensure!(term.width() == width(i, operand)?, "the widths differ");
        match i.op_kind(operand) {
            OpKind::Register => {
                let register = i.op_register(operand);
                ensure!(register.is_gpr(), "it is not a general register");
                let whole = &mut self.general[number(register)];
                *whole = match (term.width(), register) {
                    (64, _) => term,
                    (32, _) => term.zero_extend(64),
                    (_, Register::AH | Register::BH | Register::CH | Register::DH) => {
                        join(&[whole.slice(0, 8), term, whole.slice(16, 48)])
                    }
                    (bits, _) => join(&[term, whole.slice(bits, 64 - bits)]),
                };
                Ok(())
            }
            OpKind::Memory => {
                let at = self.effective_address(i)?;
                self.memory.store_to(at, 0, term)
            }
            _ => bail!("an immediate value cannot be a target"),
        }
    }

    /// Returns a register of vectors.
    pub(super) fn vector_register(&self, register: Register) -> Result<&Vector> {
        ensure!(register.is_vector_register(), "it is not a vector register");
        Ok(&self.vectors[number(register)])
    }

    /// Returns `bits` bits of an operand as units of some width. An element in memory may be repeated.
    pub(super) fn units(
        &mut self,
        i: &Instruction,
        operand: u32,
        bits: u32,
        unit: u32,
    ) -> Result<Vec<Term>> {
        if i.op_kind(operand) == OpKind::Register {
            let lanes = self.vector_register(i.op_register(operand))?;
            return Ok(regroup(&lanes[..bits.div_ceil(32) as usize], unit));
        }
        ensure!(i.op_kind(operand) == OpKind::Memory, "it is not a vector");
        let at = self.effective_address(i)?;
        if i.is_broadcast() {
            let element = 8 * i.memory_size().element_size() as u32;
            let term = self.memory.load_from(at, 0, element)?;
            return Ok(regroup(&vec![term; (bits / element) as usize], unit));
        }
        self.load_units(at, bits, unit)
    }

    /// Loads `bits` bits as units of some width.
    pub(super) fn load_units(&mut self, at: Term, bits: u32, unit: u32) -> Result<Vec<Term>> {
        let offsets = (0..bits / unit).map(|index| u64::from(index * unit / 8));
        let load = |offset| self.memory.load_from(at, offset, unit);
        offsets.map(load).collect()
    }

    /// Returns an immediate value of eight bits.
    pub(super) fn immediate(i: &Instruction, operand: u32) -> Result<u8> {
        Ok(i.try_immediate(operand)? as u8)
    }

    /// Writes units to the first operand: a register of vectors, memory, or a mask if the units are bits.
    pub(super) fn put(&mut self, i: &Instruction, units: Vec<Term>) -> Result<()> {
        if i.op0_kind() == OpKind::Memory {
            return self.put_to_memory(i, &units);
        }
        let target = i.op0_register();
        if target.is_k() {
            let mut bits = join(&units).zero_extend(64);
            if i.op_mask() != Register::None {
                bits = bits.and(self.masks[number(i.op_mask())]);
            }
            self.masks[number(target)] = bits;
            return Ok(());
        }
        let mut units = units;
        let unit = units[0].width();
        let old = self.vector_register(target)?;
        if i.op_mask() != Register::None {
            let mask = self.masks[number(i.op_mask())];
            let old = regroup(old, unit);
            for (bit, new) in units.iter_mut().enumerate() {
                let kept = if i.zeroing_masking() {
                    constant(unit, 0)
                } else {
                    old[bit]
                };
                *new = choose(mask.bit(bit as u32), *new, kept);
            }
        }
        let lanes = regroup(&units, 32);
        // The old encoding leaves what is above; the others clear it.
        let legacy = i.code().encoding() == EncodingKind::Legacy;
        let above = |lane: usize| if legacy { old[lane] } else { constant(32, 0) };
        let whole = std::array::from_fn(|lane| match lanes.get(lane) {
            Some(term) => *term,
            None => above(lane),
        });
        self.vectors[number(target)] = whole;
        Ok(())
    }

    /// Writes the units that the mask selects.
    fn put_to_memory(&mut self, i: &Instruction, units: &[Term]) -> Result<()> {
        let at = self.address(i)?;
        for (index, unit) in units.iter().enumerate() {
            if self.is_selected(i, index)? {
                let at = at + index as u64 * u64::from(unit.width() / 8);
                self.memory.store(at, *unit)?;
            }
        }
        Ok(())
    }

    /// Returns whether the mask selects a unit in memory. This decides about an access, so it must not
    /// depend on an input.
    pub(super) fn is_selected(&mut self, i: &Instruction, index: usize) -> Result<bool> {
        if i.op_mask() == Register::None {
            return Ok(true);
        }
        let bit = self.masks[number(i.op_mask())].bit(index as u32);
        let what = "the mask of an access depends on an input";
        Ok(self.memory.decide(bit, what)? == 1)
    }
}
