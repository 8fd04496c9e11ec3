//! Encodes the code of a program again, with a call of the tracer before each observed instruction.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use iced_x86::{
    BlockEncoder, BlockEncoderOptions, Code, ConditionCode, Decoder, DecoderOptions, FlowControl,
    Instruction as Iced, InstructionBlock, MemoryOperand, Register as IcedRegister,
};

use crate::code::{Decision, Flow, Value};
use crate::program::Program;

/// The address of the new code, within reach of the old code at 16 MiB.
pub(super) const CODE: u64 = 0x1000_0000;
/// The length of the code before it, which jumps into the tracer: at once from [`NOW`], and from [`LATER`]
/// through the pointer at [`LATER_TO`].
const HEADER: u64 = 64;
const NOW: u64 = CODE;
const LATER: u64 = CODE + 48;
pub(super) const LATER_TO: u64 = CODE + 56;
/// The code that jumps to an instruction, the place of its address, and the place of the address of an
/// indirect jump.
pub(super) const GO: u64 = CODE + 16;
pub(super) const GO_TO: u64 = CODE + 32;
pub(super) const INDIRECT: u64 = CODE + 40;
/// The bytes below the stack pointer that a function may use.
const RED_ZONE: i64 = 128;
/// The bytes below them for an operand in memory.
const OPERAND: i64 = 8;
/// The distance from the return address of a call of the tracer to the stack pointer of the program.
pub(super) const ABOVE_CALL: u64 = (8 + OPERAND + RED_ZONE) as u64;
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
    /// Encodes a program again, with calls of the function at the address `now` before instructions that have
    /// to be observed at once, and before the others of the one whose address is at [`LATER_TO`].
    pub(super) fn new(program: &Program, now: u64) -> Result<Self> {
        let (instructions, old) = with_calls(program)?;
        let block = InstructionBlock::new(&instructions, CODE + HEADER);
        let options = BlockEncoderOptions::RETURN_NEW_INSTRUCTION_OFFSETS;
        let encoded = BlockEncoder::encode(64, block, options)?;
        let code = encoded.code_buffer;
        let mut bytes = vec![0; HEADER as usize];
        // jmp [CODE + 8]; lea rsp, [rsp + 136]; jmp [GO_TO]; jmp [LATER_TO]
        bytes[..6].copy_from_slice(&[0xff, 0x25, 2, 0, 0, 0]);
        bytes[8..16].copy_from_slice(&now.to_le_bytes());
        bytes[16..24].copy_from_slice(&[0x48, 0x8d, 0xa4, 0x24, 0x88, 0, 0, 0]);
        bytes[24..30].copy_from_slice(&[0xff, 0x25, 2, 0, 0, 0]);
        bytes[48..54].copy_from_slice(&[0xff, 0x25, 2, 0, 0, 0]);
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
    match decoded(program, at) {
        Some(iced) if iced.flow_control() == FlowControl::ConditionalBranch => {
            iced.condition_code()
        }
        _ => ConditionCode::None,
    }
}

/// Returns the instruction at an address.
fn decoded(program: &Program, at: u64) -> Option<Iced> {
    let code = code_bytes(program)?.get((at - program.code.start) as usize..)?;
    Some(Decoder::with_ip(64, code, at, DecoderOptions::NONE).decode())
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
        if let Some(look) = looked_at.get(&at) {
            let stack = |by| {
                let place = MemoryOperand::with_base_displ(IcedRegister::RSP, by);
                Iced::with2(Code::Lea_r64_m, IcedRegister::RSP, place)
            };
            let (hook, operand) = match *look {
                Look::Now => (NOW, None),
                Look::Later(operand) => (LATER, operand),
            };
            let mut call = vec![stack(-RED_ZONE)?];
            call.push(match operand {
                Some(operand) => Iced::with1(Code::Push_rm64, operand)?,
                None => stack(-OPERAND)?,
            });
            call.push(Iced::with_branch(Code::Call_rel32_64, hook)?);
            call.push(stack(OPERAND + RED_ZONE)?);
            for one in &mut call {
                one.set_ip(0);
            }
            call[0].set_ip(at);
            out.extend(call);
            old.extend([None, None, None, Some(at)]);
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

/// When the state before an instruction is observed.
#[derive(Clone, Copy)]
enum Look {
    /// Before the program continues.
    Now,
    /// Later, from the registers, the flags and eight bytes of memory.
    Later(Option<MemoryOperand>),
}

impl Look {
    /// Returns what suffices for both.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Later(one), Self::Later(None)) | (Self::Later(None), Self::Later(one)) => {
                Self::Later(one)
            }
            _ => Self::Now,
        }
    }
}

/// Returns the addresses of the observed instructions, and of those before which their results are observed.
fn looked_at(program: &Program) -> BTreeMap<u64, Look> {
    let mut looked_at = BTreeMap::new();
    let mut add = |at, look: Look| {
        let all = looked_at.entry(at).or_insert(Look::Later(None));
        *all = all.and(look);
    };
    for instruction in &program.instructions {
        if program.index(instruction.at).is_none() {
            continue;
        }
        let look = if instruction.any_value(|value| *value == Value::Unknown) {
            Look::Now
        } else if instruction.any_value(|value| matches!(value, Value::Memory(..))) {
            decoded(program, instruction.at).map_or(Look::Now, |iced| Look::Later(memory(&iced)))
        } else {
            Look::Later(None)
        };
        let changes_course = matches!(instruction.flow, Flow::Indirect { .. })
            || program.special(instruction.at).is_some();
        add(
            instruction.at,
            if changes_course { Look::Now } else { look },
        );
        if instruction.sets.as_ref().is_some_and(|sets| sets.after) {
            add(instruction.end(), look);
        }
        // The target of other branches is known where they are.
        if let Flow::Branch(Decision::Value(_), to) = instruction.flow {
            for at in [instruction.end()].into_iter().chain(to) {
                add(at, Look::Later(None));
            }
        }
    }
    looked_at
}

/// Returns the location of an instruction's operand in memory, relative to the stack pointer above the red zone.
fn memory(iced: &Iced) -> Option<MemoryOperand> {
    let base = iced.memory_base();
    let displacement = iced.memory_displacement64() as i64;
    let red_zone = if base == IcedRegister::RSP {
        RED_ZONE
    } else {
        0
    };
    Some(MemoryOperand::new(
        base,
        iced.memory_index(),
        iced.memory_index_scale(),
        displacement + red_zone,
        if base == IcedRegister::None { 8 } else { 1 },
        false,
        iced.segment_prefix(),
    ))
}
