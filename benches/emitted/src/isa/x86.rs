//! x86 with 32 and 64 bits.

use anyhow::Result;
use iced_x86::{
    ConditionCode, Decoder, DecoderOptions, FlowControl, Instruction as Iced,
    InstructionInfoFactory, MemorySize, Mnemonic, OpKind, Register as IcedRegister, RflagsBits,
    UsedMemory,
};

use crate::code::flag::{CARRY, NEGATIVE, OVERFLOW, PARITY, ZERO};
use crate::code::{Decision, Flow, Instruction, Register, Sets, Value};

/// The number of the stack pointer.
pub(crate) const STACK: Register = 4;

pub(super) fn decode(bits: u32, code: &[u8], at: u64, out: &mut Vec<Instruction>) -> Result<()> {
    let mut factory = InstructionInfoFactory::new();
    for iced in &mut Decoder::with_ip(bits, code, at, DecoderOptions::NONE) {
        out.push(instruction(&iced, &mut factory));
    }
    Ok(())
}

fn instruction(iced: &Iced, factory: &mut InstructionInfoFactory) -> Instruction {
    let mut it = Instruction::plain(iced.ip(), iced.len(), iced.to_string());
    if matches!(
        iced.mnemonic(),
        Mnemonic::Nop | Mnemonic::Lea | Mnemonic::INVALID | Mnemonic::Endbr64
    ) {
        return it;
    }
    let info = factory.info(iced);
    it.addresses = info.used_memory().iter().map(address).collect();
    it.accesses = !it.addresses.is_empty();
    it.flow = flow(iced);
    if matches!(iced.mnemonic(), Mnemonic::Div | Mnemonic::Idiv) {
        it.divides = Some(Value::All(vec![
            Value::Register(0),
            Value::Register(2),
            operand(iced, 0),
        ]));
    }
    it.sets = sets(iced);
    it
}

fn flow(iced: &Iced) -> Flow {
    let target = || match iced.op0_kind() {
        OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64 => {
            Some(iced.near_branch_target())
        }
        _ => None,
    };
    match iced.flow_control() {
        FlowControl::Next => Flow::Next,
        FlowControl::ConditionalBranch if iced.condition_code() == ConditionCode::None => {
            Flow::Branch(Decision::Value(Value::Register(1)), target())
        }
        FlowControl::ConditionalBranch => {
            Flow::Branch(Decision::Flags(flags(iced.rflags_read())), target())
        }
        FlowControl::UnconditionalBranch => target().map_or(Flow::Leave, Flow::Jump),
        FlowControl::Call => Flow::Call(target()),
        FlowControl::IndirectBranch => Flow::Indirect {
            to: operand(iced, 0),
            call: false,
        },
        FlowControl::IndirectCall => Flow::Indirect {
            to: operand(iced, 0),
            call: true,
        },
        _ => Flow::Leave,
    }
}

fn flags(bits: u32) -> u8 {
    const FLAGS: [(u32, u8); 5] = [
        (RflagsBits::ZF, ZERO),
        (RflagsBits::SF, NEGATIVE),
        (RflagsBits::CF, CARRY),
        (RflagsBits::OF, OVERFLOW),
        (RflagsBits::PF, PARITY),
    ];
    FLAGS
        .iter()
        .filter(|(bit, _)| bits & bit != 0)
        .fold(0, |all, (_, flag)| all | flag)
}

/// Returns the value of a general register: low bits of a full register, except for `ah` and the like.
fn register(register: IcedRegister) -> Option<Value> {
    if !register.is_gpr() {
        return None;
    }
    let full = Value::Register(register.full_register().number() as Register);
    use IcedRegister::{AH, BH, CH, DH};
    Some(match register {
        AH | BH | CH | DH => {
            let shifted = Value::ShiftRight(full.boxed(), Value::Constant(8).boxed());
            Value::Low(8, shifted.boxed())
        }
        _ => Value::Low(register.size() as u8 * 8, full.boxed()),
    })
}

fn address(memory: &UsedMemory) -> Value {
    // Each lane of a gather or a scatter has its own address.
    if memory.index().is_xmm() || memory.index().is_ymm() || memory.index().is_zmm() {
        return Value::Unknown;
    }
    place(
        memory.base(),
        memory.index(),
        memory.scale(),
        memory.displacement(),
    )
}

fn place(base: IcedRegister, index: IcedRegister, scale: u32, displacement: u64) -> Value {
    let mut place = Value::Constant(displacement);
    if let Some(base) = register(base) {
        place = Value::Add(base.boxed(), place.boxed());
    }
    if let Some(index) = register(index) {
        let by = Value::Constant(scale.trailing_zeros().into());
        let scaled = Value::ShiftLeft(index.boxed(), by.boxed());
        place = Value::Add(scaled.boxed(), place.boxed());
    }
    place
}

fn operand(iced: &Iced, number: u32) -> Value {
    match iced.op_kind(number) {
        OpKind::Register => register(iced.op_register(number)).unwrap_or(Value::Flags),
        OpKind::Memory => {
            let bytes = match iced.memory_size() {
                MemorySize::Unknown => 8,
                size => size.size().min(8) as u8,
            };
            let (base, index) = (iced.memory_base(), iced.memory_index());
            // With the instruction pointer as the base, the displacement here is the whole address.
            let scale = iced.memory_index_scale();
            let place = place(base, index, scale, iced.memory_displacement64());
            let bits = if base.size() == 4 { 32 } else { 64 };
            Value::Memory(Value::Low(bits, place.boxed()).boxed(), bytes)
        }
        _ => iced
            .try_immediate(number)
            .map_or(Value::Constant(0), Value::Constant),
    }
}

/// Returns the size of the first operand.
fn bits(iced: &Iced) -> u8 {
    match iced.op0_kind() {
        OpKind::Register => iced.op0_register().size() as u8 * 8,
        _ => iced.memory_size().size().min(8) as u8 * 8,
    }
}

fn sets(iced: &Iced) -> Option<Sets> {
    let set = flags(iced.rflags_modified());
    if set == 0 {
        return None;
    }
    let (a, b) = (|| operand(iced, 0), || operand(iced, 1));
    let low = |value: Value| Value::Low(bits(iced), value.boxed());
    let mut sets = Sets {
        flags: set,
        result: low(a()),
        after: true,
        rest: Value::Constant(0),
        chained: 0,
    };
    match iced.mnemonic() {
        Mnemonic::Cmp => {
            sets.result = low(Value::Subtract(a().boxed(), b().boxed()));
            sets.rest = Value::All(vec![low(a()), low(b())]);
            sets.after = false;
        }
        Mnemonic::Test => {
            sets.result = low(Value::And(a().boxed(), b().boxed()));
            sets.after = false;
        }
        Mnemonic::Bt if iced.op0_kind() == OpKind::Register => {
            let by = Value::And(
                b().boxed(),
                Value::Constant(u64::from(bits(iced)) - 1).boxed(),
            );
            sets.rest = Value::Low(1, Value::ShiftRight(a().boxed(), by.boxed()).boxed());
            sets.after = false;
        }
        Mnemonic::And | Mnemonic::Or | Mnemonic::Xor => {}
        Mnemonic::Add
        | Mnemonic::Sub
        | Mnemonic::Inc
        | Mnemonic::Dec
        | Mnemonic::Neg
        | Mnemonic::Shl
        | Mnemonic::Shr
        | Mnemonic::Sar => {
            let operands = (0..iced.op_count()).map(|number| low(operand(iced, number)));
            sets.rest = Value::All(operands.collect());
            // A shift by zero changes no flag.
            if iced.op_count() == 2 && iced.op1_kind() == OpKind::Register && sets.is_shift(iced) {
                sets.chained = set;
            }
        }
        Mnemonic::Adc | Mnemonic::Sbb => {
            sets.rest = Value::All(vec![low(a()), low(b())]);
            sets.chained = CARRY;
        }
        // The operands of other instructions, such as vectors and masks, are not decoded, so the flags are
        // compared.
        _ => {
            sets.result = Value::Flags;
            sets.rest = Value::Flags;
        }
    }
    Some(sets)
}

impl Sets {
    fn is_shift(&self, iced: &Iced) -> bool {
        matches!(
            iced.mnemonic(),
            Mnemonic::Shl | Mnemonic::Shr | Mnemonic::Sar
        )
    }
}
