//! The registers and the memory of an AArch64 processor.

use crate::flags::Flags;
use crate::image::Image;
use crate::memory::Memory;
use crate::terms::{Term, variable};

/// A register of 128 bits, in four parts.
pub(super) type Vector = [Term; 4];

/// The processor.
pub(crate) struct Aarch64<'a> {
    pub(super) image: &'a Image,
    pub(super) memory: Memory<'a>,
    pub(super) general: [Term; 31],
    pub(super) stack: Term,
    pub(super) vectors: [Vector; 32],
    pub(super) flags: Flags,
}

pub(super) fn initial(number: usize) -> Term {
    variable(64, "register", number as u32)
}

pub(super) fn unknown_vectors(group: &'static str) -> [Vector; 32] {
    std::array::from_fn(|register| {
        std::array::from_fn(|lane| variable(32, group, (4 * register + lane) as u32))
    })
}
