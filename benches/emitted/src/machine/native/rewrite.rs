//! Encodes the code of a program again, with a call of the tracer before each observed instruction.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};
use iced_x86::{
    BlockEncoder, BlockEncoderOptions, Code, ConditionCode, Decoder, DecoderOptions, FlowControl,
    Instruction as Iced, InstructionBlock, MemoryOperand, Register as IcedRegister,
};

use crate::code::{Decision, Flow};
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
    /// For each instruction, the condition of a branch that tests flags.
    conditions: Vec<ConditionCode>,
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
            conditions: program
                .instructions
                .iter()
                .map(|one| condition(program, one.at))
                .collect(),
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

    /// The address to which the branch with this index goes, if it tests flags.
    pub(super) fn target(&self, program: &Program, index: usize, flags: u64) -> Option<u64> {
        let branch = &program.instructions[index];
        let Flow::Branch(_, to) = branch.flow else {
            return None;
        };
        match self.conditions[index] {
            ConditionCode::None => None,
            condition if holds(condition, flags) => to,
            _ => Some(branch.end()),
        }
    }

    /// The old address of the instruction before which a call returns to a new address.
    pub(super) fn old_place(&self, back: u64) -> u64 {
        u64::from(self.returns[(back - CODE - HEADER) as usize])
    }
}

/// Returns the condition of the instruction at an address.
fn condition(program: &Program, at: u64) -> ConditionCode {
    let Some(code) = code_bytes(program) else {
        return ConditionCode::None;
    };
    let code = &code[(at - program.code.start) as usize..];
    let instruction = Decoder::with_ip(64, code, at, DecoderOptions::NONE).decode();
    match instruction.flow_control() {
        FlowControl::ConditionalBranch => instruction.condition_code(),
        _ => ConditionCode::None,
    }
}

/// Whether a condition holds for the register of flags.
fn holds(condition: ConditionCode, flags: u64) -> bool {
    let [c, p, z, s, o] = [0, 2, 6, 7, 11].map(|bit| flags >> bit & 1 == 1);
    match condition {
        ConditionCode::None => false,
        ConditionCode::o => o,
        ConditionCode::no => !o,
        ConditionCode::b => c,
        ConditionCode::ae => !c,
        ConditionCode::e => z,
        ConditionCode::ne => !z,
        ConditionCode::be => c || z,
        ConditionCode::a => !(c || z),
        ConditionCode::s => s,
        ConditionCode::ns => !s,
        ConditionCode::p => p,
        ConditionCode::np => !p,
        ConditionCode::l => s != o,
        ConditionCode::ge => s == o,
        ConditionCode::le => z || s != o,
        ConditionCode::g => !z && s == o,
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

/// Returns the addresses of the observed instructions, and of those before which their results are observed.
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
        // The target of other branches is known where they are.
        if let Flow::Branch(Decision::Value(_), to) = instruction.flow {
            looked_at.extend([instruction.end()].into_iter().chain(to));
        }
    }
    looked_at
}
