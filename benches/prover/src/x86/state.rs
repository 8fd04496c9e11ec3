//! The registers and the memory of an x86-64 processor.

use anyhow::{Context, Result};
use iced_x86::Register;

use crate::flags::Flags;
use crate::image::Image;
use crate::memory::Memory;
use crate::terms::{Term, constant, variable};

/// The numbers of the registers that have roles in the calling convention.
pub(super) const RAX: usize = 0;
pub(super) const RDX: usize = 2;
pub(super) const RSP: usize = 4;

/// A register of 512 bits, in 16 parts.
pub(super) type Vector = [Term; 16];

/// The processor.
pub(crate) struct X86<'a> {
    pub(super) image: &'a Image,
    pub(super) memory: Memory<'a>,
    pub(super) general: [Term; 16],
    pub(super) vectors: [Vector; 32],
    pub(super) masks: [Term; 8],
    pub(super) flags: Flags,
}

pub(super) fn initial(number: usize) -> Term {
    variable(64, "register", number as u32)
}

pub(super) fn unknown_vectors(group: &'static str) -> [Vector; 32] {
    std::array::from_fn(|register| {
        std::array::from_fn(|lane| variable(32, group, (16 * register + lane) as u32))
    })
}

impl X86<'_> {
    pub(super) fn push(&mut self, term: Term) -> Result<()> {
        let to = self.general[RSP].minus(constant(64, 8));
        self.general[RSP] = to;
        let at = to
            .value()
            .context("the stack pointer depends on an input")?;
        self.memory.store(at, term)
    }

    pub(super) fn pop(&mut self) -> Result<Term> {
        let from = self.general[RSP];
        self.general[RSP] = from.plus(constant(64, 8));
        let at = from
            .value()
            .context("the stack pointer depends on an input")?;
        self.memory.load(at, 64)
    }
}

/// Returns the number of a register in its file.
pub(super) fn number(register: Register) -> usize {
    register.full_register().number()
}
