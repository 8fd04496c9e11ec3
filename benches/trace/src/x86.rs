//! The memory that an instruction of x86-64 accesses, from its encoding and the registers before it.

use anyhow::{Context, Result, ensure};
use iced_x86::{
    Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register, UsedMemory,
};

use crate::record::Event;

/// The registers before an instruction.
pub(crate) trait Registers {
    /// A general register, by its number.
    fn general(&mut self, number: usize) -> u64;
    /// The base of a segment.
    fn segment(&mut self, segment: Register) -> u64;
    /// A mask register of AVX-512.
    fn mask(&mut self, number: usize) -> Result<u64>;
    /// A vector register, with zeros where the processor has no upper parts.
    fn vector(&mut self, number: usize) -> Result<[u8; 64]>;
}

/// An instruction and its accesses.
pub(crate) struct Decoded {
    instruction: Instruction,
    accesses: Vec<(UsedMemory, Elements)>,
}

/// The elements of an operand in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Elements {
    /// The operand is accessed as a whole.
    All(usize),
    /// `count` elements of `size` bytes, each of which is accessed if its bit of the mask is set.
    Masked {
        count: usize,
        size: usize,
        mask: Mask,
        places: Places,
    },
}

/// Where the elements of a masked operand are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Places {
    /// Element i is at the i-th place.
    InOrder,
    /// The accessed elements follow each other.
    Compressed,
    /// All elements are in one place.
    Same,
    /// The elements of a vector contain the addresses.
    Indexed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mask {
    /// A mask register.
    Bits(Register),
    /// The most significant bits of the elements of a vector register.
    Signs(Register),
}

impl Decoded {
    pub(crate) fn new(instruction: Instruction, factory: &mut InstructionInfoFactory) -> Self {
        let used = factory.info(&instruction).used_memory();
        let accesses = used
            .iter()
            .filter(|used| used.access() != OpAccess::NoMemAccess);
        let accesses = accesses.map(|used| (*used, elements(&instruction, used)));
        Self {
            instruction,
            accesses: accesses.collect(),
        }
    }

    /// Adds the accesses of the instruction to `events`.
    pub(crate) fn events(
        &self,
        registers: &mut impl Registers,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let repeats = self.instruction.has_rep_prefix() || self.instruction.has_repne_prefix();
        if repeats && self.instruction.is_string_instruction() {
            // A repeated instruction is one step for each repetition.
            let count = registers.general(Register::RCX.number());
            if count == 0 {
                return Ok(());
            }
        }
        for (used, elements) in &self.accesses {
            access(used, *elements, registers, events)?;
        }
        Ok(())
    }
}

fn elements(instruction: &Instruction, used: &UsedMemory) -> Elements {
    use Mnemonic as M;
    let memory = instruction.memory_size();
    let whole = Elements::All(match used.memory_size().size() {
        0 => memory.size(),
        size => size,
    });
    // An access to the stack is not the operand.
    if instruction.is_stack_instruction() {
        return whole;
    }
    let opmask = Some(instruction.op_mask()).filter(|mask| *mask != Register::None);
    let size = memory.element_size().max(1);
    if instruction.is_vsib() {
        let data = (0..instruction.op_count())
            .find(|i| instruction.op_kind(*i) == OpKind::Register)
            .map_or(Register::None, |i| instruction.op_register(i));
        let index = instruction.memory_index();
        let index_size = if instruction.is_vsib64() { 8 } else { 4 };
        let mask = opmask.map_or_else(|| Mask::Signs(instruction.op_register(2)), Mask::Bits);
        return Elements::Masked {
            count: (data.size() / size).min(index.size() / index_size),
            size,
            mask,
            places: Places::Indexed,
        };
    }
    let signs = match instruction.mnemonic() {
        M::Vpmaskmovd | M::Vpmaskmovq | M::Vmaskmovps | M::Vmaskmovpd => {
            Some((size, Mask::Signs(instruction.op_register(1))))
        }
        M::Maskmovdqu | M::Vmaskmovdqu | M::Maskmovq => {
            Some((1, Mask::Signs(instruction.op_register(2))))
        }
        _ => None,
    };
    let (size, mask) = match (signs, opmask) {
        (Some(signs), _) => signs,
        (None, Some(opmask)) => (size, Mask::Bits(opmask)),
        (None, None) => return whole,
    };
    let places = match instruction.mnemonic() {
        M::Vpcompressb
        | M::Vpcompressw
        | M::Vpcompressd
        | M::Vpcompressq
        | M::Vcompressps
        | M::Vcompresspd
        | M::Vpexpandb
        | M::Vpexpandw
        | M::Vpexpandd
        | M::Vpexpandq
        | M::Vexpandps
        | M::Vexpandpd => Places::Compressed,
        _ if instruction.is_broadcast() => Places::Same,
        _ => Places::InOrder,
    };
    let count = match places {
        // The mask has a bit for each element of the vectors.
        Places::Same => {
            let operands = (0..instruction.op_count())
                .filter(|i| instruction.op_kind(*i) == OpKind::Register)
                .map(|i| instruction.op_register(i));
            let sizes = operands.filter(|register| register.is_vector_register());
            sizes
                .map(|register| register.size())
                .max()
                .unwrap_or_default()
                / size
        }
        _ => memory.size() / size,
    };
    Elements::Masked {
        count,
        size,
        mask,
        places,
    }
}

fn access(
    used: &UsedMemory,
    elements: Elements,
    registers: &mut impl Registers,
    events: &mut Vec<Event>,
) -> Result<()> {
    let mut event = |address, size| {
        let (loads, stores) = directions(used.access());
        if loads {
            events.push(Event::accesses(address, size, false));
        }
        if stores {
            events.push(Event::accesses(address, size, true));
        }
    };
    let Elements::Masked {
        count,
        size,
        mask,
        places,
    } = elements
    else {
        let Elements::All(size) = elements else {
            return Ok(());
        };
        event(address(used, 0, registers)?, size);
        return Ok(());
    };
    let bits = match mask {
        Mask::Bits(register) => registers.mask(register.number())?,
        Mask::Signs(register) => {
            let vector = registers.vector(register.number())?;
            let sign = |i: usize| u64::from(vector[(i + 1) * size - 1] >> 7);
            ensure!(count * size <= vector.len(), "a mask of {count} elements");
            (0..count).fold(0, |bits, i| bits | sign(i) << i)
        }
    };
    let mut accessed = 0;
    for i in (0..count).filter(|i| bits >> i & 1 == 1) {
        let place = match places {
            Places::InOrder => address(used, 0, registers)?.wrapping_add((i * size) as u64),
            Places::Compressed => {
                address(used, 0, registers)?.wrapping_add((accessed * size) as u64)
            }
            Places::Same if accessed > 0 => continue,
            Places::Same => address(used, 0, registers)?,
            Places::Indexed => address(used, i, registers)?,
        };
        accessed += 1;
        event(place, size);
    }
    Ok(())
}

/// Whether an access loads, and whether it stores. What may happen counts.
fn directions(access: OpAccess) -> (bool, bool) {
    match access {
        OpAccess::Read | OpAccess::CondRead => (true, false),
        OpAccess::Write | OpAccess::CondWrite => (false, true),
        OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
        OpAccess::None | OpAccess::NoMemAccess => (false, false),
    }
}

/// The address of an operand, or of one element of it.
fn address(used: &UsedMemory, element: usize, registers: &mut impl Registers) -> Result<u64> {
    let mut failed = Ok(());
    let address = used.virtual_address(element, |register, element, size| {
        if register.is_segment_register() {
            Some(registers.segment(register))
        } else if register.is_gpr64() || register.is_gpr32() {
            let value = registers.general(register.number());
            Some(if register.is_gpr32() {
                value & 0xffff_ffff
            } else {
                value
            })
        } else if register.is_ip() {
            // The decoder has added the address of the instruction.
            Some(0)
        } else if register.is_vector_register() {
            let vector = match registers.vector(register.number()) {
                Ok(vector) => vector,
                Err(error) => {
                    failed = Err(error);
                    return None;
                }
            };
            let mut index = [0; 8];
            index[..size].copy_from_slice(vector.get(element * size..(element + 1) * size)?);
            Some(u64::from_le_bytes(index))
        } else {
            None
        }
    });
    failed?;
    address.with_context(|| format!("the address of {used:?}"))
}

#[cfg(test)]
mod tests;
