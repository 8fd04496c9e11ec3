//! Loads and stores of groups of vectors, whose elements may alternate in memory.

use anyhow::{Result, bail, ensure};
use yaxpeax_arm::armv8::a64::{Instruction, Opcode as O, Operand};

use super::operands::simd_bits;
use super::state::Aarch64;

impl Aarch64<'_> {
    /// Executes an access to a group of vectors; returns false if it is not one.
    pub(super) fn structure(&mut self, i: &Instruction) -> Result<bool> {
        let (loads, alternate) = match i.opcode {
            O::LD1 => (true, 1),
            O::LD2 => (true, 2),
            O::LD3 => (true, 3),
            O::LD4 => (true, 4),
            O::ST1 => (false, 1),
            O::ST2 => (false, 2),
            O::ST3 => (false, 3),
            O::ST4 => (false, 4),
            O::LD1R => return self.repeat(i),
            _ => return Ok(false),
        };
        match i.operands[0] {
            Operand::SIMDRegisterGroup(size, first, element, count) => {
                ensure!(
                    alternate == 1 || alternate == u64::from(count),
                    "there is no model of this form"
                );
                let (bits, unit) = (simd_bits(size), simd_bits(element));
                let at = self.address(i, 1)?;
                let mut at = self.fixed(at)?;
                // The vectors alternate, or follow one another.
                let step = alternate * u64::from(unit / 8);
                for register in 0..u16::from(count) {
                    let number = (first + register) % 32;
                    let places = (0..u64::from(bits / unit)).map(|index| at + index * step);
                    if loads {
                        let units: Result<Vec<_>> =
                            places.map(|at| self.memory.load(at, unit)).collect();
                        self.put_units(number, &units?)?;
                    } else {
                        let units = self.units(number, bits, unit);
                        for (at, unit) in places.zip(units) {
                            self.memory.store(at, unit)?;
                        }
                    }
                    at += if alternate == 1 {
                        u64::from(bits / 8)
                    } else {
                        u64::from(unit / 8)
                    };
                }
            }
            Operand::SIMDRegisterGroupLane(number, element, 1, lane) => {
                let unit = simd_bits(element);
                let at = self.address(i, 1)?;
                let at = self.fixed(at)?;
                let mut units = self.units(number, 128, unit);
                let lane = usize::from(lane) % units.len();
                if loads {
                    units[lane] = self.memory.load(at, unit)?;
                    self.put_units(number, &units)?;
                } else {
                    self.memory.store(at, units[lane])?;
                }
            }
            _ => bail!("there is no model of this form"),
        }
        Ok(true)
    }

    /// Loads one element for all.
    fn repeat(&mut self, i: &Instruction) -> Result<bool> {
        let Operand::SIMDRegisterGroup(size, number, element, 1) = i.operands[0] else {
            bail!("there is no model of this form");
        };
        let (bits, unit) = (simd_bits(size), simd_bits(element));
        let at = self.address(i, 1)?;
        let at = self.fixed(at)?;
        let element = self.memory.load(at, unit)?;
        self.put_units(number, &vec![element; (bits / unit) as usize])?;
        Ok(true)
    }
}
