//! The operands in the text of an instruction of Thumb or AArch64.

use crate::code::Value;

/// Splits a text at the commas outside of brackets and braces.
pub(super) fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, character) in text.char_indices() {
        match character {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Parses a constant such as `#12`, `#0x1f` or `#-1`.
pub(super) fn constant(text: &str) -> Option<u64> {
    let text = text.trim_start_matches('#');
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}

/// Parses registers, constants, and shifts or extensions, which apply to the operand before them.
pub(super) fn values(parts: &[&str], register: impl Fn(&str) -> Option<Value>) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    for part in parts {
        let (word, by) = part.split_once(' ').unwrap_or((part, ""));
        let value = register(part).or_else(|| constant(part).map(Value::Constant));
        if let Some(value) = value {
            values.push(value);
        } else if let Some(last) = values.pop() {
            let by = constant(by).map_or_else(|| register(by), |by| Some(Value::Constant(by)));
            values.push(changed(last, word, by.unwrap_or(Value::Constant(0))));
        }
    }
    values
}

/// Applies a modifier such as `lsl #2`, `uxtb` or `sxtw #1`. Shifts and extensions of the sign depend on
/// all bits of the number.
fn changed(value: Value, how: &str, by: Value) -> Value {
    let shifted = |value: Value| match &by {
        Value::Constant(0) => value,
        _ => Value::ShiftLeft(value.boxed(), by.clone().boxed()),
    };
    match how {
        "lsl" => shifted(value),
        "lsr" => Value::ShiftRight(value.boxed(), by.boxed()),
        "uxtb" | "sxtb" => shifted(Value::Low(8, value.boxed())),
        "uxth" | "sxth" => shifted(Value::Low(16, value.boxed())),
        "uxtw" | "sxtw" => shifted(Value::Low(32, value.boxed())),
        _ => Value::All(vec![value, by]),
    }
}

/// Returns the flags that a comparison sets, which has no other result.
pub(super) fn compared(name: &str, bits: u8, operands: &[Value]) -> Option<(Value, Value)> {
    let [a, b] = operands else { return None };
    let (x, y) = (a.clone().boxed(), b.clone().boxed());
    let result = match name {
        "cmp" => Value::Subtract(x, y),
        "cmn" => Value::Add(x, y),
        "tst" => Value::And(x, y),
        "teq" => Value::Xor(x, y),
        _ => return None,
    };
    let rest = match name {
        "cmp" | "cmn" => Value::All(operands.to_vec()),
        _ => Value::Constant(0),
    };
    Some((Value::Low(bits, result.boxed()), rest))
}
