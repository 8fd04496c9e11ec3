//! Vector instructions that move lanes.

use anyhow::{Result, bail, ensure};
use yaxpeax_arm::armv8::a64::{Instruction, Opcode as O, Operand};

use super::operands::{immediate, shape, simd_bits, width};
use super::state::Aarch64;
use crate::lanes::select;
use crate::terms::{Term, constant};

impl Aarch64<'_> {
    /// Executes an instruction that moves lanes; returns false if it is not one.
    pub(super) fn shuffle(&mut self, i: &Instruction) -> Result<bool> {
        Ok(self.permute(i)? || self.element(i)?)
    }

    fn permute(&mut self, i: &Instruction) -> Result<bool> {
        let out: Vec<Term> = match i.opcode {
            O::ZIP1 | O::ZIP2 | O::UZP1 | O::UZP2 | O::TRN1 | O::TRN2 => {
                let (a, b) = (self.elements(i, 1)?, self.elements(i, 2)?);
                let count = a.len();
                let both = [a, b].concat();
                let second = usize::from(matches!(i.opcode, O::ZIP2 | O::UZP2 | O::TRN2));
                let from = |at: usize| match i.opcode {
                    O::ZIP1 | O::ZIP2 => at % 2 * count + at / 2 + second * count / 2,
                    O::UZP1 | O::UZP2 => 2 * at + second,
                    _ => at % 2 * count + at / 2 * 2 + second,
                };
                (0..count).map(|at| both[from(at)]).collect()
            }
            O::EXT => {
                let (a, b) = (self.elements(i, 1)?, self.elements(i, 2)?);
                let from = immediate(i, 3)? as usize;
                ensure!(from < a.len(), "there is no model of this form");
                [a.clone(), b].concat()[from..from + a.len()].to_vec()
            }
            O::REV64 | O::REV32 | O::REV16 => {
                let each = match i.opcode {
                    O::REV64 => 64,
                    O::REV32 => 32,
                    _ => 16,
                };
                let (_, unit) = shape(i, 0)?;
                ensure!(unit < each, "there is no model of this form");
                let elements = self.elements(i, 1)?;
                let groups = elements.chunks((each / unit) as usize);
                groups
                    .flat_map(|group| group.iter().rev().copied())
                    .collect()
            }
            O::ADDP => {
                let mut all = self.elements(i, 1)?;
                if let Operand::SIMDRegisterElements(..) = i.operands[0] {
                    all.extend(self.elements(i, 2)?);
                }
                all.chunks(2).map(|pair| pair[0].plus(pair[1])).collect()
            }
            O::TBL | O::TBX => self.table(i)?,
            _ => return Ok(false),
        };
        self.put(i, &out)?;
        Ok(true)
    }

    /// Chooses bytes of up to four registers. An index that is not constant is one of an entry.
    fn table(&mut self, i: &Instruction) -> Result<Vec<Term>> {
        let Operand::SIMDRegisterGroup(_, first, _, count) = i.operands[1] else {
            bail!("there is no model of this form");
        };
        let table: Vec<_> = (0..u16::from(count))
            .flat_map(|register| self.units((first + register) % 32, 128, 8))
            .collect();
        let old = self.elements(i, 0)?;
        let by = self.elements(i, 2)?.into_iter().zip(old);
        let chosen = by.map(|(by, old)| {
            let outside = if i.opcode == O::TBX {
                old
            } else {
                constant(8, 0)
            };
            if let Some(by) = by.value() {
                return Ok(table.get(by as usize).copied().unwrap_or(outside));
            }
            let bits = table.len().ilog2();
            ensure!(
                table.len().is_power_of_two() && by.slice(bits, 8 - bits).value() == Some(0),
                "the choice of a lane depends on an input"
            );
            Ok(select(by, &table))
        });
        chosen.collect()
    }

    /// Moves an element.
    fn element(&mut self, i: &Instruction) -> Result<bool> {
        match (i.opcode, i.operands[0]) {
            (O::DUP, _) => {
                let (bits, unit) = shape(i, 0)?;
                let element = self.source_element(i, unit)?;
                self.put(i, &vec![element; (bits / unit) as usize])?;
            }
            (O::INS, Operand::SIMDRegisterElementsLane(_, number, element, lane)) => {
                let unit = simd_bits(element);
                let element = self.source_element(i, unit)?;
                let mut units = self.units(number, 128, unit);
                let lane = usize::from(lane) % units.len();
                units[lane] = element;
                self.put_units(number, &units)?;
            }
            (O::UMOV, _) => {
                let element = self.elements(i, 1)?[0].zero_extend(width(i, 0)?);
                self.write(i, 0, element)?;
            }
            (O::SMOV, _) => {
                let element = self.elements(i, 1)?[0].sign_extend(width(i, 0)?);
                self.write(i, 0, element)?;
            }
            (O::FMOV, Operand::SIMDRegister(..)) => {
                let value = self.read_general(i, 1)?;
                self.put(i, &[value])?;
            }
            (O::FMOV, Operand::Register(..)) => {
                let value = match i.operands[1] {
                    Operand::SIMDRegister(size, number) => {
                        let bits = simd_bits(size);
                        self.units(number, bits, bits)[0]
                    }
                    _ => self.elements(i, 1)?[0],
                };
                self.write(i, 0, value)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the second operand: an element, or the lowest bits of a general register.
    fn source_element(&self, i: &Instruction, unit: u32) -> Result<Term> {
        match i.operands[1] {
            Operand::SIMDRegisterElementsLane(..) => Ok(self.elements(i, 1)?[0]),
            _ => Ok(self.read_general(i, 1)?.slice(0, unit)),
        }
    }

    fn read_general(&self, i: &Instruction, operand: usize) -> Result<Term> {
        ensure!(
            matches!(i.operands[operand], Operand::Register(..)),
            "there is no model of this form"
        );
        self.read(i, operand)
    }
}
