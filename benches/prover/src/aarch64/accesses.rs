//! Loads and stores of one or two registers.

use anyhow::{Result, bail};
use yaxpeax_arm::armv8::a64::{Instruction, Opcode as O, Operand};

use super::operands::{bits, shifted, simd_bits};
use super::state::Aarch64;
use crate::terms::{Term, constant};

/// What an access does.
struct Access {
    loads: bool,
    registers: usize,
    /// The width in memory if it is not that of the register.
    width: Option<u32>,
    signed: bool,
}

impl Access {
    fn of(opcode: O) -> Option<Self> {
        let (loads, registers, width, signed) = match opcode {
            O::LDR | O::LDUR => (true, 1, None, false),
            O::LDRB | O::LDURB => (true, 1, Some(8), false),
            O::LDRH | O::LDURH => (true, 1, Some(16), false),
            O::LDRSB | O::LDURSB => (true, 1, Some(8), true),
            O::LDRSH | O::LDURSH => (true, 1, Some(16), true),
            O::LDRSW | O::LDURSW => (true, 1, Some(32), true),
            O::LDP => (true, 2, None, false),
            O::LDPSW => (true, 2, Some(32), true),
            O::STR | O::STUR => (false, 1, None, false),
            O::STRB | O::STURB => (false, 1, Some(8), false),
            O::STRH | O::STURH => (false, 1, Some(16), false),
            O::STP => (false, 2, None, false),
            _ => return None,
        };
        Some(Self {
            loads,
            registers,
            width,
            signed,
        })
    }
}

impl Aarch64<'_> {
    /// Executes a load or a store; returns false if it is not one.
    pub(super) fn access(&mut self, i: &Instruction) -> Result<bool> {
        let Some(access) = Access::of(i.opcode) else {
            return Ok(false);
        };
        let address = self.address(i, access.registers)?;
        let mut offset = 0;
        for operand in &i.operands[..access.registers] {
            offset += match *operand {
                Operand::Register(size, number) => {
                    let width = access.width.unwrap_or(bits(size));
                    if access.loads {
                        let value = self.memory.load_from(address, offset, width)?;
                        let value = match access.signed {
                            true => value.sign_extend(bits(size)),
                            false => value.zero_extend(bits(size)),
                        };
                        self.set_register(number, false, value);
                    } else {
                        let value = self.whole_register(number, false).slice(0, width);
                        self.memory.store_to(address, offset, value)?;
                    }
                    u64::from(width / 8)
                }
                Operand::SIMDRegister(size, number) => {
                    let width = simd_bits(size);
                    if access.loads {
                        let units = self.load_units(address, offset, width, width.min(64))?;
                        self.put_units(number, &units)?;
                    } else {
                        let units = self.units(number, width, width.min(64));
                        let at = self.fixed(address)? + offset;
                        self.store_units(at, &units)?;
                    }
                    u64::from(width / 8)
                }
                _ => bail!("there is no model of this form"),
            };
        }
        Ok(true)
    }

    fn load_units(&mut self, at: Term, offset: u64, bits: u32, unit: u32) -> Result<Vec<Term>> {
        let offsets = (0..bits / unit).map(|index| offset + u64::from(index * unit / 8));
        let load = |offset| self.memory.load_from(at, offset, unit);
        offsets.map(load).collect()
    }

    fn store_units(&mut self, mut at: u64, units: &[Term]) -> Result<()> {
        for unit in units {
            self.memory.store(at, *unit)?;
            at += u64::from(unit.width() / 8);
        }
        Ok(())
    }

    /// Returns the address in an operand, and changes the base register if the operand says so.
    pub(super) fn address(&mut self, i: &Instruction, operand: usize) -> Result<Term> {
        let offset = |by: i32| constant(64, i64::from(by) as u64);
        let address = match i.operands[operand] {
            Operand::RegPreIndex(base, by, write_back) => {
                let address = self.whole_register(base, true).plus(offset(by));
                if write_back {
                    self.set_register(base, true, address);
                }
                address
            }
            Operand::RegPostIndex(base, by) => {
                let address = self.whole_register(base, true);
                self.set_register(base, true, address.plus(offset(by)));
                address
            }
            Operand::RegPostIndexReg(base, by) => {
                let address = self.whole_register(base, true);
                let by = self.whole_register(by, false);
                self.set_register(base, true, address.plus(by));
                address
            }
            Operand::RegRegOffset(base, by, size, style, shift) => {
                let by = self.whole_register(by, false).slice(0, bits(size));
                let by = shifted(by, style, shift.into(), 64)?;
                self.whole_register(base, true).plus(by)
            }
            _ => bail!("there is no model of this kind of address"),
        };
        Ok(address)
    }

    /// Returns an address of which nothing is loaded by a public index.
    pub(super) fn fixed(&mut self, address: Term) -> Result<u64> {
        self.memory
            .decide(address, "the address depends on an input")
    }
}
