//! RISC-V, which has no flags.

use super::operands::split;
use crate::code::{Decision, Flow, Instruction, Value};

/// Returns the number of a register, x0 to x31, by its name in the calling convention.
fn register(name: &str) -> Option<Value> {
    const NAMES: [&str; 32] = [
        "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4",
        "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4",
        "t5", "t6",
    ];
    let number = NAMES.iter().position(|known| *known == name)?;
    Some(match number {
        0 => Value::Constant(0),
        _ => Value::Register(number as u8),
    })
}

pub(super) fn instruction(mut it: Instruction, mnemonic: &str, text: &str) -> Instruction {
    let name = mnemonic.strip_prefix("c.").unwrap_or(mnemonic);
    let parts = split(text);
    let operands: Vec<_> = parts.iter().filter_map(|part| register(part)).collect();
    // The base register of `jalr rd, rs, offset` and `jalr rd, offset(rs)`.
    let base = parts
        .iter()
        .skip(usize::from(parts.len() > 1))
        .find_map(|part| {
            let inside = part
                .split_once('(')
                .map(|(_, rest)| rest.trim_end_matches(')'));
            register(inside.unwrap_or(part))
        });
    it.flow = match (name, base) {
        (
            "beq" | "bne" | "blt" | "bge" | "bltu" | "bgeu" | "beqz" | "bnez" | "blez" | "bgez"
            | "bltz" | "bgtz",
            _,
        ) => Flow::Branch(Decision::Value(Value::All(operands.clone())), None),
        ("j", _) => Flow::Leave,
        ("jal", _) => Flow::Call(None),
        ("ret", _) => Flow::Leave,
        ("jr", Some(Value::Register(1))) if parts.len() == 1 => Flow::Leave,
        ("jr", Some(to)) => Flow::Indirect { to, call: false },
        ("jalr", Some(to)) => Flow::Indirect {
            to,
            call: parts.first() != Some(&"zero"),
        },
        ("ebreak" | "ecall" | "unimp", _) => Flow::Leave,
        _ => Flow::Next,
    };
    if name.starts_with("div") || name.starts_with("rem") {
        it.divides = Some(Value::All(operands.get(1..).unwrap_or_default().to_vec()));
    }
    it.accesses = matches!(
        name.trim_end_matches("sp"),
        "lb" | "lh"
            | "lw"
            | "ld"
            | "lbu"
            | "lhu"
            | "lwu"
            | "sb"
            | "sh"
            | "sw"
            | "sd"
            | "flw"
            | "fld"
            | "fsw"
            | "fsd"
    ) || name.starts_with("lr.")
        || name.starts_with("sc.")
        || name.starts_with("amo");
    it
}
