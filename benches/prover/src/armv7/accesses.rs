//! Loads and stores.

use anyhow::{Context, Result, bail, ensure};

use super::decode::{COUNTER, Instruction, Offset, Operand};
use super::state::{Armv7, STACK_POINTER};
use crate::terms::{Term, constant};

/// A load or a store of one or two registers.
struct Access {
    loads: bool,
    registers: usize,
    width: u32,
    signed: bool,
}

impl Access {
    fn of(name: &str) -> Option<Self> {
        let (loads, registers, width, signed) = match name {
            "ldr" => (true, 1, 32, false),
            "ldrb" => (true, 1, 8, false),
            "ldrh" => (true, 1, 16, false),
            "ldrsb" => (true, 1, 8, true),
            "ldrsh" => (true, 1, 16, true),
            "ldrd" => (true, 2, 32, false),
            "str" => (false, 1, 32, false),
            "strb" => (false, 1, 8, false),
            "strh" => (false, 1, 16, false),
            "strd" => (false, 2, 32, false),
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

impl Armv7<'_> {
    /// Executes a load or a store; returns false if it is not one.
    pub(super) fn access(&mut self, i: &Instruction) -> Result<bool> {
        let Some(access) = Access::of(&i.name) else {
            return Ok(false);
        };
        let address = self.address(i, access.registers)?;
        if access.registers > 1 {
            self.aligned(address)?;
        }
        let offsets = (0..).step_by(4);
        for (operand, offset) in i.operands[..access.registers].iter().zip(offsets) {
            let Operand::Register(number) = *operand else {
                bail!("there is no model of this form");
            };
            if access.loads {
                let value = self.memory.load_from(address, offset, access.width)?;
                let value = match access.signed {
                    true => value.sign_extend(32),
                    false => value.zero_extend(32),
                };
                self.set_register(number, value)?;
            } else {
                ensure!(number < COUNTER, "there is no model of this form");
                let value = self.register(number).slice(0, access.width);
                let at = self.fixed(address)? + offset;
                self.memory.store(at, value)?;
            }
        }
        Ok(true)
    }

    /// Executes a load or a store of a list of registers. Returns the next address if it is loaded, and nothing
    /// if it is another instruction.
    pub(super) fn list(&mut self, i: &Instruction) -> Result<Option<Option<u64>>> {
        let (loads, down) = match i.name.as_str() {
            "ldm" | "pop" => (true, false),
            "stm" => (false, false),
            "ldmdb" => (true, true),
            "stmdb" | "push" => (false, true),
            _ => return Ok(None),
        };
        let (base, updated, list) = match &i.operands[..] {
            [Operand::List(list)] => (STACK_POINTER, true, list),
            [Operand::Register(base), Operand::List(list)] => (*base, false, list),
            [Operand::Updated(base), Operand::List(list)] => (*base, true, list),
            _ => bail!("there is no model of this form"),
        };
        let bytes = 4 * list.len() as u64;
        let start = self.register(base);
        let (first, last) = match down {
            false => (start, start.plus(constant(32, bytes))),
            true => (
                start.minus(constant(32, bytes)),
                start.minus(constant(32, bytes)),
            ),
        };
        let at = self.aligned(first)?;
        if updated {
            ensure!(!list.contains(&base), "there is no model of this form");
            self.set_register(base, last)?;
        }
        let mut next = None;
        for (at, number) in (at..).step_by(4).zip(list) {
            match (loads, *number) {
                (true, COUNTER) => {
                    let to = self.memory.load(at, 32)?.value();
                    let to = to.context("the target of the jump depends on an input")?;
                    next = Some(to & !1);
                }
                (true, number) => {
                    let value = self.memory.load(at, 32)?;
                    self.set_register(number, value)?;
                }
                (false, number) => {
                    // The base register is updated after it is stored.
                    self.memory.store(at, self.register(number))?;
                }
            }
        }
        Ok(Some(next))
    }

    /// Returns the address in an operand, and changes the base register if the operand says so.
    pub(super) fn address(&mut self, i: &Instruction, operand: usize) -> Result<Term> {
        let Some(Operand::Memory {
            base,
            offset,
            write_back,
        }) = i.operands.get(operand)
        else {
            bail!("there is no model of this kind of address");
        };
        let start = match *base {
            COUNTER => constant(32, (self.at + 4) & !3),
            base => self.register(base),
        };
        let by = match *offset {
            Offset::Constant(by) => constant(32, by as u64),
            Offset::Register(by, places) => self.register(by).shift_left(places),
        };
        let address = start.plus(by);
        if *write_back {
            self.set_register(*base, address)?;
        }
        // A constant after the address is added to the base afterwards.
        if i.operands.len() > operand + 1 {
            let by = self.read(i, operand + 1)?;
            self.set_register(*base, address.plus(by))?;
        }
        Ok(address)
    }

    /// Returns an address of which nothing is loaded by a public index.
    pub(super) fn fixed(&mut self, address: Term) -> Result<u64> {
        self.memory
            .decide(address, "the address depends on an input")
    }

    /// Returns an address where an access must be aligned.
    fn aligned(&mut self, address: Term) -> Result<u64> {
        let at = self.fixed(address)?;
        ensure!(at % 4 == 0, "the address is not aligned");
        Ok(at)
    }
}
