//! Loads and stores of elements whose addresses are the lanes of a vector, which must be constants.

use anyhow::{Context, Result, bail, ensure};
use iced_x86::{Instruction, Mnemonic as M, Register};

use super::operands::width;
use super::state::{X86, number};
use crate::lanes::regroup;
use crate::terms::{Term, constant};

impl X86<'_> {
    /// Executes a gather or a scatter; returns false if it is not one.
    pub(super) fn gather(&mut self, i: &Instruction) -> Result<bool> {
        let (loads, index, element) = match i.mnemonic() {
            M::Vpgatherdd | M::Vgatherdps => (true, 32, 32),
            M::Vpgatherdq | M::Vgatherdpd => (true, 32, 64),
            M::Vpgatherqd | M::Vgatherqps => (true, 64, 32),
            M::Vpgatherqq | M::Vgatherqpd => (true, 64, 64),
            M::Vpscatterdd | M::Vscatterdps => (false, 32, 32),
            M::Vpscatterdq | M::Vscatterdpd => (false, 32, 64),
            M::Vpscatterqd | M::Vscatterqps => (false, 64, 32),
            M::Vpscatterqq | M::Vscatterqpd => (false, 64, 64),
            _ => return Ok(false),
        };
        let data = if loads { 0 } else { 1 };
        let of_index = 8 * i.memory_index().size() as u32;
        let count = (width(i, data)? / element).min(of_index / index);
        let places = self.places(i, index, count)?;
        let selected = self.selected(i, element, count)?;
        let mut units = self.units(i, data, width(i, data)?, element)?;
        units.truncate(count as usize);
        for ((at, selected), unit) in places.into_iter().zip(selected).zip(&mut units) {
            match (selected, loads) {
                (false, _) => {}
                (true, true) => *unit = self.memory.load(at, element)?,
                (true, false) => self.memory.store(at, *unit)?,
            }
        }
        if loads {
            let lanes = regroup(&units, 32);
            let zero = constant(32, 0);
            let whole = std::array::from_fn(|lane| lanes.get(lane).copied().unwrap_or(zero));
            self.vectors[number(i.op0_register())] = whole;
        }
        // The mask says which elements are left.
        if i.op_mask() != Register::None {
            self.masks[number(i.op_mask())] = constant(64, 0);
        } else {
            self.vectors[number(i.op_register(2))] = [constant(32, 0); 16];
        }
        Ok(true)
    }

    /// Returns the addresses.
    fn places(&self, i: &Instruction, index: u32, count: u32) -> Result<Vec<u64>> {
        let base = match i.memory_base() {
            Register::None => constant(64, 0),
            base => {
                ensure!(base.is_gpr64(), "there is no model of this kind of address");
                self.register(base)?
            }
        };
        let indices = self.vector_register(i.memory_index())?;
        let indices = regroup(indices, index).into_iter().take(count as usize);
        let place = |index: Term| {
            let scaled = index
                .sign_extend(64)
                .multiply(constant(64, i.memory_index_scale().into()));
            let displacement = constant(64, i.memory_displacement64());
            let at = base.plus(scaled).plus(displacement).value();
            at.context("the address depends on an input")
        };
        indices.map(place).collect()
    }

    /// Returns which elements the mask selects: a mask, or the signs of a vector.
    fn selected(&mut self, i: &Instruction, element: u32, count: u32) -> Result<Vec<bool>> {
        if i.op_mask() != Register::None {
            return (0..count as usize)
                .map(|at| self.is_selected(i, at))
                .collect();
        }
        if i.op_count() != 3 {
            bail!("there is no model of this form");
        }
        let mask = regroup(self.vector_register(i.op_register(2))?, element);
        let mask = mask.into_iter().take(count as usize);
        let bit = |unit: Term| {
            let bit = unit.sign().value();
            Ok(bit.context("the mask of an access depends on an input")? == 1)
        };
        mask.map(bit).collect()
    }
}
