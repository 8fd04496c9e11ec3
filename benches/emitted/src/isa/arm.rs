//! Thumb, the instruction set of Cortex-M.

use anyhow::Result;
use capstone::arch::ArchDetail;
use capstone::arch::arm::ArmCC;
use capstone::{Capstone, Insn};

use super::operands::{compared, constant, split, values};
use crate::code::flag::{CARRY, NEGATIVE, OVERFLOW, ZERO};
use crate::code::{Decision, Flow, Instruction, Sets, Value};

/// Returns the flags that the condition of an instruction reads, and the name without the condition.
pub(super) fn condition(capstone: &Capstone, one: &Insn<'_>) -> Result<(u8, &'static str)> {
    let detail = capstone.insn_detail(one).map_err(anyhow::Error::msg)?;
    let ArchDetail::ArmDetail(detail) = detail.arch_detail() else {
        return Ok((0, ""));
    };
    Ok(match detail.cc() {
        ArmCC::ARM_CC_EQ => (ZERO, "eq"),
        ArmCC::ARM_CC_NE => (ZERO, "ne"),
        ArmCC::ARM_CC_HS => (CARRY, "hs"),
        ArmCC::ARM_CC_LO => (CARRY, "lo"),
        ArmCC::ARM_CC_MI => (NEGATIVE, "mi"),
        ArmCC::ARM_CC_PL => (NEGATIVE, "pl"),
        ArmCC::ARM_CC_VS => (OVERFLOW, "vs"),
        ArmCC::ARM_CC_VC => (OVERFLOW, "vc"),
        ArmCC::ARM_CC_HI => (CARRY | ZERO, "hi"),
        ArmCC::ARM_CC_LS => (CARRY | ZERO, "ls"),
        ArmCC::ARM_CC_GE => (NEGATIVE | OVERFLOW, "ge"),
        ArmCC::ARM_CC_LT => (NEGATIVE | OVERFLOW, "lt"),
        ArmCC::ARM_CC_GT => (NEGATIVE | OVERFLOW | ZERO, "gt"),
        ArmCC::ARM_CC_LE => (NEGATIVE | OVERFLOW | ZERO, "le"),
        _ => (0, ""),
    })
}

/// r0 to r15.
fn register(name: &str) -> Option<Value> {
    let number = match name {
        "sb" => 9,
        "sl" => 10,
        "fp" => 11,
        "ip" => 12,
        "sp" => 13,
        "lr" => 14,
        "pc" => 15,
        _ => name.strip_prefix('r')?.parse().ok()?,
    };
    Some(Value::Register(number))
}

pub(super) fn instruction(
    mut it: Instruction,
    mnemonic: &str,
    text: &str,
    (flags, suffix): (u8, &str),
    slow_products: bool,
) -> Instruction {
    let name = mnemonic.trim_end_matches(".w").trim_end_matches(".n");
    let name = name.strip_suffix(suffix).unwrap_or(name);
    let parts = split(text);
    let operands = values(&parts, register);
    if name == "b" && flags != 0 {
        it.flow = Flow::Branch(Decision::Flags(flags), target(&parts));
        return it;
    }
    it.predicate = flags;
    it.flow = flow(name, &parts, &operands);
    it.accesses = accesses(name);
    let divides = ["udiv", "sdiv"].contains(&name)
        || slow_products && ["umull", "smull", "umlal", "smlal"].contains(&name);
    if divides {
        // The results come first. A long product has two; if it accumulates, it also reads them.
        let results = if name.ends_with("div") { 1 } else { 2 };
        it.divides = Some(Value::All(
            operands.get(results..).unwrap_or_default().to_vec(),
        ));
    }
    it.sets = sets(name, &operands);
    it
}

fn target(parts: &[&str]) -> Option<u64> {
    constant(parts.last()?)
}

fn flow(name: &str, parts: &[&str], operands: &[Value]) -> Flow {
    let first = parts.first().copied().unwrap_or_default();
    let indirect = |call| match operands.first() {
        Some(to) => Flow::Indirect {
            to: to.clone(),
            call,
        },
        None => Flow::Leave,
    };
    match name {
        "b" => target(parts).map_or(Flow::Leave, Flow::Jump),
        "bl" => Flow::Call(target(parts)),
        "cbz" | "cbnz" => match operands.first() {
            Some(value) => Flow::Branch(Decision::Value(value.clone()), target(parts)),
            None => Flow::Leave,
        },
        "blx" => indirect(true),
        "bx" if first == "lr" => Flow::Leave,
        "bx" => indirect(false),
        "mov" | "add" | "ldr" if first == "pc" => match operands.get(1) {
            Some(to) => Flow::Indirect {
                to: to.clone(),
                call: false,
            },
            None => Flow::Leave,
        },
        // The operand is an address in memory. If the address is the same, so is the target.
        "tbb" | "tbh" => Flow::Indirect {
            to: Value::Constant(0),
            call: false,
        },
        "pop" | "ldm" | "ldmdb" if text_has_pc(parts) => Flow::Leave,
        "udf" | "bkpt" | "svc" => Flow::Leave,
        _ => Flow::Next,
    }
}

fn text_has_pc(parts: &[&str]) -> bool {
    parts
        .iter()
        .any(|part| part.trim_end_matches('}').ends_with("pc"))
}

fn accesses(name: &str) -> bool {
    [
        "ldr", "str", "ldm", "stm", "push", "pop", "tbb", "tbh", "vld", "vst", "vpush", "vpop",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
}

fn sets(name: &str, operands: &[Value]) -> Option<Sets> {
    if let Some((result, rest)) = compared(name, 32, operands) {
        // A test sets the carry from a shift, or leaves it unchanged.
        let flags = match name {
            "cmp" | "cmn" => ZERO | NEGATIVE | CARRY | OVERFLOW,
            _ => ZERO | NEGATIVE,
        };
        return Some(Sets {
            flags,
            result,
            after: false,
            rest,
            chained: 0,
        });
    }
    let flags = match name {
        "adds" | "subs" | "rsbs" | "adcs" | "sbcs" | "negs" => ZERO | NEGATIVE | CARRY | OVERFLOW,
        "lsls" | "lsrs" | "asrs" | "rors" | "rrxs" => ZERO | NEGATIVE | CARRY,
        "ands" | "orrs" | "orns" | "eors" | "bics" | "movs" | "mvns" | "muls" => ZERO | NEGATIVE,
        _ => return None,
    };
    let (result, rest) = operands.split_first()?;
    // With two operands, the first one is both result and input.
    let rest = if rest.len() == 1 && !matches!(name, "negs") {
        operands
    } else {
        rest
    };
    Some(Sets {
        flags,
        result: result.clone(),
        after: true,
        rest: Value::All(rest.to_vec()),
        chained: if matches!(name, "adcs" | "sbcs" | "rrxs") {
            CARRY
        } else {
            0
        },
    })
}
