//! x86 with 32 and 64 bits.

use anyhow::Result;
use iced_x86::{
    ConditionCode, Decoder, DecoderOptions, FlowControl, Instruction as Iced, InstructionInfo,
    InstructionInfoFactory, MemorySize, Mnemonic, OpAccess, OpKind, Register as IcedRegister,
    RflagsBits, UsedMemory,
};

use crate::code::flag::{CARRY, NEGATIVE, OVERFLOW, PARITY, ZERO};
use crate::code::{Decision, Flow, Instruction, Register, Sets, Value};

/// The number of the stack pointer.
pub(crate) const STACK: Register = 4;
/// The number of the frame pointer.
const FRAME: Register = 5;

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
        Mnemonic::Nop | Mnemonic::INVALID | Mnemonic::Endbr64
    ) {
        return it;
    }
    let info = factory.info(iced);
    it.addresses.extend(new_stack_pointer(iced, info));
    if iced.mnemonic() != Mnemonic::Lea {
        let accesses = info.used_memory().iter();
        let accesses = accesses.filter(|memory| !is_beside_stack_pointer(memory));
        it.addresses.extend(accesses.map(address));
    }
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

/// Whether a location has a constant distance from the stack pointer. Its address depends on no secret, because
/// the stack pointer does not: what an instruction adds to it is either constant, so that the path decides, or
/// observed, see [`new_stack_pointer`]. Without optimisation, most loads and stores are such.
fn is_beside_stack_pointer(memory: &UsedMemory) -> bool {
    is_stack_pointer(memory.base()) && memory.index() == IcedRegister::None
}

fn is_stack_pointer(register: IcedRegister) -> bool {
    register.full_register() == IcedRegister::RSP
}

/// Returns the value that an instruction adds to the stack pointer or replaces it by, unless it is constant.
fn new_stack_pointer(iced: &Iced, info: &InstructionInfo) -> Option<Value> {
    let writes = |access| !matches!(access, OpAccess::None | OpAccess::Read | OpAccess::CondRead);
    let mut used = info.used_registers().iter();
    if !used.any(|used| is_stack_pointer(used.register()) && writes(used.access())) {
        return None;
    }
    let names_it = iced.op0_kind() == OpKind::Register && is_stack_pointer(iced.op0_register());
    match iced.mnemonic() {
        Mnemonic::Call | Mnemonic::Ret | Mnemonic::Push => None,
        Mnemonic::Pop if !names_it => None,
        Mnemonic::Leave => Some(Value::Register(FRAME)),
        Mnemonic::Lea
            if is_stack_pointer(iced.memory_base())
                && iced.memory_index() == IcedRegister::None =>
        {
            None
        }
        Mnemonic::Lea => Some(place(
            iced.memory_base(),
            iced.memory_index(),
            iced.memory_index_scale(),
            iced.memory_displacement64(),
        )),
        Mnemonic::Add | Mnemonic::Sub | Mnemonic::And if iced.try_immediate(1).is_ok() => None,
        Mnemonic::Add | Mnemonic::Sub | Mnemonic::And | Mnemonic::Mov if names_it => {
            Some(operand(iced, 1))
        }
        _ => Some(Value::Unknown),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the addresses that are observed before an instruction.
    fn addresses(code: &[u8]) -> Vec<Value> {
        let mut out = Vec::new();
        decode(64, code, 0, &mut out).unwrap();
        assert_eq!(out.len(), 1, "{code:x?}");
        assert_eq!(out[0].accesses, !out[0].addresses.is_empty());
        out.remove(0).addresses
    }

    #[test]
    fn accesses_beside_the_stack_pointer_are_not_observed() {
        let constant: [&[u8]; 9] = [
            &[0x48, 0x89, 0x44, 0x24, 0x08], // mov [rsp + 8], rax
            &[0x48, 0x83, 0xec, 0x40],       // sub rsp, 64
            &[0x48, 0x83, 0xe4, 0xc0],       // and rsp, -64
            &[0x48, 0x8d, 0x64, 0x24, 0x08], // lea rsp, [rsp + 8]
            &[0x48, 0x8d, 0x44, 0x24, 0x08], // lea rax, [rsp + 8]
            &[0x53],                         // push rbx
            &[0x5b],                         // pop rbx
            &[0xc3],                         // ret
            &[0xe8, 0, 0, 0, 0],             // call
        ];
        for code in constant {
            assert_eq!(addresses(code), [], "{code:x?}");
        }
        let observed: [&[u8]; 3] = [
            &[0x48, 0x89, 0x47, 0x08], // mov [rdi + 8], rax
            &[0x48, 0x89, 0x04, 0xcc], // mov [rsp + 8 rcx], rax
            &[0xff, 0x37],             // push [rdi]
        ];
        for code in observed {
            assert_eq!(addresses(code).len(), 1, "{code:x?}");
        }
    }

    #[test]
    fn values_for_the_stack_pointer_are_observed() {
        let low = |register| Value::Low(64, Value::Register(register).boxed());
        assert_eq!(addresses(&[0x48, 0x29, 0xc4]), [low(0)], "sub rsp, rax");
        assert_eq!(addresses(&[0x48, 0x89, 0xec]), [low(FRAME)], "mov rsp, rbp");
        assert_eq!(
            addresses(&[0x48, 0x87, 0xc4]),
            [Value::Unknown],
            "xchg rsp, rax"
        );
        let frame = |by: i64| Value::Add(low(FRAME).boxed(), Value::Constant(by as u64).boxed());
        assert_eq!(
            addresses(&[0x48, 0x8d, 0x65, 0xd8]),
            [frame(-40)],
            "lea rsp, [rbp - 40]"
        );
        // They load what was in the place of the frame pointer, whose address is observed.
        assert_eq!(addresses(&[0xc9])[0], Value::Register(FRAME), "leave");
        assert_eq!(addresses(&[0x5c]), [Value::Unknown], "pop rsp");
    }
}
