//! AArch64.

use super::operands::{compared, constant, split, values};
use crate::code::flag::{CARRY, NEGATIVE, OVERFLOW, ZERO};
use crate::code::{Condition, Decision, Flow, Instruction, Sets, Value};

const ALL: u8 = ZERO | NEGATIVE | CARRY | OVERFLOW;
/// The number of the stack pointer, after those of x0 to x30.
pub(crate) const STACK: u8 = 31;

fn register(name: &str) -> Option<Value> {
    let number = |name: &str| Some(Value::Register(name.parse().ok()?));
    match name {
        "xzr" | "wzr" => Some(Value::Constant(0)),
        "sp" => Some(Value::Register(STACK)),
        "wsp" => Some(Value::Low(32, Value::Register(STACK).boxed())),
        "fp" => Some(Value::Register(29)),
        "lr" => Some(Value::Register(30)),
        _ => match name.split_at_checked(1)? {
            ("x", rest) => number(rest),
            ("w", rest) => Some(Value::Low(32, number(rest)?.boxed())),
            _ => None,
        },
    }
}

pub(super) fn instruction(mut it: Instruction, mnemonic: &str, text: &str) -> Instruction {
    let parts = split(text);
    let operands = values(&parts, register);
    it.flow = flow(mnemonic, &parts, &operands);
    it.accesses = mnemonic.starts_with("ld")
        || mnemonic.starts_with("st")
        || mnemonic.starts_with("swp")
        || mnemonic.starts_with("cas");
    if ["udiv", "sdiv"].contains(&mnemonic) {
        it.divides = Some(Value::All(operands.get(1..).unwrap_or_default().to_vec()));
    }
    let bits = if parts.first().is_some_and(|part| part.starts_with('w')) {
        32
    } else {
        64
    };
    it.sets = sets(mnemonic, bits, &operands, &parts);
    it
}

/// The flags that a condition reads.
fn condition(name: &str) -> u8 {
    match name {
        "eq" | "ne" => ZERO,
        "hs" | "lo" | "cs" | "cc" => CARRY,
        "mi" | "pl" => NEGATIVE,
        "vs" | "vc" => OVERFLOW,
        "hi" | "ls" => CARRY | ZERO,
        "ge" | "lt" => NEGATIVE | OVERFLOW,
        "gt" | "le" => NEGATIVE | OVERFLOW | ZERO,
        _ => 0,
    }
}

/// Returns the condition with this name.
fn comparison(name: &str) -> Option<Condition> {
    const NAMES: [[&str; 2]; 8] = [
        ["eq", "ne"],
        ["hs", "lo"],
        ["mi", "pl"],
        ["vs", "vc"],
        ["hi", "ls"],
        ["ge", "lt"],
        ["gt", "le"],
        ["al", "nv"],
    ];
    let name = match name {
        "cs" => "hs",
        "cc" => "lo",
        _ => name,
    };
    let is_it = |pair: &[&str; 2]| pair.contains(&name);
    let comparison = NAMES.iter().position(is_it)? as u8;
    let opposite = NAMES[usize::from(comparison)][1] == name;
    Some(Condition {
        comparison,
        opposite,
    })
}

fn flow(name: &str, parts: &[&str], operands: &[Value]) -> Flow {
    let target = parts.last().and_then(|part| constant(part));
    let branch = |value: Value| Flow::Branch(Decision::Value(value), target);
    let indirect = |call| match operands.first() {
        Some(to) => Flow::Indirect {
            to: to.clone(),
            call,
        },
        None => Flow::Leave,
    };
    if let Some(name) = name.strip_prefix("b.") {
        return Flow::Branch(Decision::Flags(condition(name)), target);
    }
    match (name, operands) {
        ("b", _) => target.map_or(Flow::Leave, Flow::Jump),
        ("bl", _) => Flow::Call(target),
        ("cbz" | "cbnz", [value, ..]) => branch(value.clone()),
        ("tbz" | "tbnz", [value, Value::Constant(bit), ..]) => {
            let bit = Value::Constant(1_u64.wrapping_shl(*bit as u32));
            branch(Value::And(value.clone().boxed(), bit.boxed()))
        }
        ("blr", _) => indirect(true),
        ("br", _) => indirect(false),
        ("ret" | "brk" | "udf" | "hlt" | "svc", _) => Flow::Leave,
        _ => Flow::Next,
    }
}

fn sets(name: &str, bits: u8, operands: &[Value], parts: &[&str]) -> Option<Sets> {
    if let Some((result, rest)) = compared(name, bits, operands) {
        return Some(Sets {
            flags: ALL,
            result,
            after: false,
            rest,
            chained: 0,
        });
    }
    match name {
        // The flags of an earlier comparison decide whether these instructions compare.
        "ccmp" | "ccmn" => {
            let chained = parts.last().map_or(ALL, |name| condition(name));
            let both = Value::All(operands.to_vec());
            let both = match parts.last().and_then(|name| comparison(name)) {
                Some(condition) => Value::If(condition, both.boxed()),
                None => both,
            };
            Some(Sets {
                flags: ALL,
                result: both.clone(),
                after: false,
                rest: both,
                chained,
            })
        }
        "adds" | "subs" | "adcs" | "sbcs" | "ands" | "bics" | "negs" | "ngcs" => {
            let (result, rest) = operands.split_first()?;
            Some(Sets {
                flags: ALL,
                result: result.clone(),
                after: true,
                rest: if matches!(name, "ands" | "bics") {
                    Value::Constant(0)
                } else {
                    Value::All(rest.to_vec())
                },
                chained: if matches!(name, "adcs" | "sbcs" | "ngcs") {
                    CARRY
                } else {
                    0
                },
            })
        }
        "fcmp" | "fcmpe" => Some(Sets {
            flags: ALL,
            result: Value::Flags,
            after: true,
            rest: Value::Flags,
            chained: 0,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions() {
        let (n, z, c, v) = (1 << 31, 1 << 30, 1 << 29, 1 << 28);
        for (name, flags, holds) in [
            ("eq", z, true),
            ("eq", c, false),
            ("ne", z, false),
            ("ne", 0, true),
            ("cs", c, true),
            ("lo", c, false),
            ("mi", n, true),
            ("vc", v, false),
            ("hi", c, true),
            ("hi", c | z, false),
            ("ls", c | z, true),
            ("ge", n | v, true),
            ("lt", n, true),
            ("gt", n | v | z, false),
            ("le", z, true),
            ("al", 0, true),
        ] {
            let condition = comparison(name).map(|condition| condition.holds(flags));
            assert_eq!(condition, Some(holds), "{name} of {flags:x}");
        }
    }
}
