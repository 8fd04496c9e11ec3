//! Encodes the code of a program again, with a call of the tracer before each observed instruction.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};
use iced_x86::{
    BlockEncoder, BlockEncoderOptions, Code, Decoder, DecoderOptions, Instruction as Iced,
    InstructionBlock, MemoryOperand, Register as IcedRegister,
};

use crate::code::Flow;
use crate::program::Program;

/// The address of the new code, within reach of the old code at 16 MiB.
pub(super) const CODE: u64 = 0x1000_0000;
/// The length of the code before it, which jumps into the tracer.
const HEADER: u64 = 64;
/// The code that jumps to an instruction, the place of its address, and the place of the address of an
/// indirect jump.
pub(super) const GO: u64 = CODE + 16;
pub(super) const GO_TO: u64 = CODE + 32;
pub(super) const INDIRECT: u64 = CODE + 40;
/// The bytes below the stack pointer that a function may use.
pub(super) const RED_ZONE: i64 = 128;
const NONE: u32 = u32::MAX;

/// The new code of a program, and the mapping between old and new instructions.
pub(super) struct Rewritten {
    /// The bytes at [`CODE`]: the jumps into the tracer, and the code.
    pub(super) bytes: Vec<u8>,
    /// The first address of the old code.
    start: u64,
    /// For each byte of old code, the offset of its instruction in the new code.
    places: Vec<u32>,
    /// For each byte of new code, the old address of the instruction whose call returns there.
    returns: Vec<u32>,
}

impl Rewritten {
    /// Encodes a program again, with calls of the function at the address `hook`.
    pub(super) fn new(program: &Program, hook: u64) -> Result<Self> {
        let (instructions, old) = with_calls(program)?;
        let block = InstructionBlock::new(&instructions, CODE + HEADER);
        let options = BlockEncoderOptions::RETURN_NEW_INSTRUCTION_OFFSETS;
        let encoded = BlockEncoder::encode(64, block, options)?;
        let code = encoded.code_buffer;
        let mut bytes = vec![0; HEADER as usize];
        // jmp [hook]; lea rsp, [rsp + 128]; jmp [GO_TO]
        bytes[..6].copy_from_slice(&[0xff, 0x25, 2, 0, 0, 0]);
        bytes[8..16].copy_from_slice(&hook.to_le_bytes());
        bytes[16..24].copy_from_slice(&[0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0]);
        bytes[24..30].copy_from_slice(&[0xff, 0x25, 2, 0, 0, 0]);
        bytes.extend_from_slice(&code);
        let mut rewritten = Self {
            bytes,
            start: program.code.start,
            places: vec![NONE; (program.code.end - program.code.start) as usize],
            returns: vec![NONE; code.len() + 1],
        };
        let offsets = encoded.new_instruction_offsets;
        for ((old, offset), instruction) in old.iter().zip(offsets).zip(&instructions) {
            if instruction.ip() != 0 && offset != NONE {
                rewritten.places[(instruction.ip() - program.code.start) as usize] = offset;
            }
            if let Some(old) = old {
                rewritten.returns[offset as usize] = *old as u32;
            }
        }
        Ok(rewritten)
    }

    /// The new address of an instruction.
    pub(super) fn new_place(&self, old: u64) -> Option<u64> {
        let place = *self.places.get(old.wrapping_sub(self.start) as usize)?;
        (place != NONE).then_some(CODE + HEADER + u64::from(place))
    }

    /// The old address of the instruction before which a call returns to a new address.
    pub(super) fn old_place(&self, back: u64) -> u64 {
        u64::from(self.returns[(back - CODE - HEADER) as usize])
    }
}

/// Returns the instructions of a program with the inserted calls, and for each instruction that follows a
/// call the old address of the observed instruction.
fn with_calls(program: &Program) -> Result<(Vec<Iced>, Vec<Option<u64>>)> {
    let looked_at = looked_at(program);
    let (mut out, mut old) = (Vec::new(), Vec::new());
    let bytes = code_bytes(program).context("the code is in no segment")?;
    for mut instruction in
        &mut Decoder::with_ip(64, bytes, program.code.start, DecoderOptions::NONE)
    {
        let at = instruction.ip();
        if instruction.is_invalid() {
            continue;
        }
        if looked_at.contains(&at) {
            let stack = |by| {
                let place = MemoryOperand::with_base_displ(IcedRegister::RSP, by);
                Iced::with2(Code::Lea_r64_m, IcedRegister::RSP, place)
            };
            let mut first = stack(-RED_ZONE)?;
            first.set_ip(at);
            let mut call = Iced::with_branch(Code::Call_rel32_64, CODE)?;
            let mut last = stack(RED_ZONE)?;
            call.set_ip(0);
            last.set_ip(0);
            out.extend([first, call, last]);
            old.extend([None, None, Some(at)]);
            instruction.set_ip(0);
        }
        if let Some(index) = program.index(at)
            && let Flow::Indirect { call, .. } = &program.instructions[index].flow
        {
            let code = if *call {
                Code::Call_rm64
            } else {
                Code::Jmp_rm64
            };
            let slot = MemoryOperand::with_base_displ(IcedRegister::RIP, INDIRECT as i64);
            instruction = Iced::with1(code, slot)?;
            instruction.set_ip(0);
        }
        out.push(instruction);
        old.push(None);
    }
    Ok((out, old))
}

fn code_bytes(program: &Program) -> Option<&[u8]> {
    let (range, data) = program
        .segments
        .iter()
        .find(|(range, _)| range.contains(&program.code.start))?;
    let from = (program.code.start - range.start) as usize;
    data.get(from..from + (program.code.end - program.code.start) as usize)
}

/// Returns the addresses of the observed instructions and of those that follow them.
fn looked_at(program: &Program) -> BTreeSet<u64> {
    let mut looked_at = BTreeSet::new();
    for instruction in &program.instructions {
        if program.index(instruction.at).is_none() {
            continue;
        }
        looked_at.insert(instruction.at);
        if instruction.sets.as_ref().is_some_and(|sets| sets.after) {
            looked_at.insert(instruction.end());
        }
        if let Flow::Branch(_, to) = instruction.flow {
            looked_at.extend([instruction.end()].into_iter().chain(to));
        }
    }
    looked_at
}
