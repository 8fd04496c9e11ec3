//! The instructions of Thumb-2, as Capstone prints them.

use std::cell::RefCell;
use std::rc::Rc;

use anyhow::{Context, Result, anyhow, bail};
use capstone::Capstone;
use capstone::arch::arm::{ArchExtraMode, ArchMode};
use capstone::arch::{BuildsCapstone, BuildsCapstoneExtraMode};
use rustc_hash::FxHashMap;

use crate::image::Image;

/// The number of the program counter.
pub(super) const COUNTER: usize = 15;

/// The instructions that set the flags if an "s" follows their names.
const FLAG_SETTERS: [&str; 18] = [
    "adc", "add", "and", "asr", "bic", "eor", "lsl", "lsr", "mov", "mul", "mvn", "orn", "orr",
    "ror", "rrx", "rsb", "sbc", "sub",
];

/// The conditions in the order of their numbers.
const CONDITIONS: [&str; 14] = [
    "eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shift {
    Left,
    Right,
    RightSigned,
    Rotate,
}

/// What is added to the base of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offset {
    Constant(i32),
    /// A register, shifted to the left.
    Register(usize, u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Register(usize),
    /// A register that is changed to the address after the last access.
    Updated(usize),
    Immediate(u32),
    /// A shift of the operand before.
    Shift(Shift, u32),
    List(Vec<usize>),
    Memory {
        base: usize,
        offset: Offset,
        write_back: bool,
    },
}

/// An instruction outside of a block of conditional ones.
#[derive(Debug)]
pub(super) struct Instruction {
    /// The name without the width, the condition and the "s".
    pub(super) name: String,
    /// The number of the condition of a branch.
    pub(super) condition: Option<u8>,
    pub(super) sets_flags: bool,
    pub(super) operands: Vec<Operand>,
    pub(super) length: u64,
    pub(super) text: String,
    /// The lowest 16 bits.
    pub(super) bits: u16,
}

/// Instructions by their address and bytes.
type Decoded = FxHashMap<(u64, [u8; 4]), Rc<Instruction>>;

thread_local! {
    static CAPSTONE: RefCell<Option<Capstone>> = const { RefCell::new(None) };
    static KNOWN: RefCell<Decoded> = RefCell::default();
}

/// Returns the instruction at an address.
pub(super) fn decode(image: &Image, at: u64) -> Result<Rc<Instruction>> {
    let code = image.bytes(at).context("there is no code")?;
    let mut bytes = [0; 4];
    for (to, byte) in bytes.iter_mut().zip(code) {
        *to = *byte;
    }
    let known = KNOWN.with_borrow(|known| known.get(&(at, bytes)).cloned());
    if let Some(known) = known {
        return Ok(known);
    }
    let decoded = Rc::new(disassemble(&bytes, at)?);
    KNOWN.with_borrow_mut(|known| known.insert((at, bytes), Rc::clone(&decoded)));
    Ok(decoded)
}

fn disassemble(bytes: &[u8; 4], at: u64) -> Result<Instruction> {
    CAPSTONE.with_borrow_mut(|capstone| {
        let capstone = match capstone {
            Some(capstone) => capstone,
            None => {
                let thumb = Capstone::new().arm().mode(ArchMode::Thumb);
                let built = thumb.extra_mode([ArchExtraMode::MClass].into_iter());
                capstone.insert(
                    built
                        .build()
                        .map_err(|error| anyhow!("Capstone: {error}"))?,
                )
            }
        };
        let all = capstone.disasm_count(bytes, at, 1);
        let all = all.map_err(|error| anyhow!("Capstone: {error}"))?;
        let one = all.iter().next().context("it is not an instruction")?;
        let mnemonic = one.mnemonic().unwrap_or_default();
        let operands = one.op_str().unwrap_or_default();
        let mut instruction = parse(mnemonic, operands)?;
        instruction.length = one.bytes().len() as u64;
        instruction.bits = u16::from_le_bytes([bytes[0], bytes[1]]);
        Ok(instruction)
    })
}

fn parse(mnemonic: &str, operands: &str) -> Result<Instruction> {
    let name = mnemonic.trim_end_matches(".w").trim_end_matches(".n");
    let bare = name
        .strip_suffix('s')
        .filter(|bare| FLAG_SETTERS.contains(bare));
    let condition = name.strip_prefix('b').and_then(|condition| {
        let number = CONDITIONS.iter().position(|known| *known == condition)?;
        Some(number as u8)
    });
    let name = match (bare, condition) {
        (_, Some(_)) => "b",
        (Some(bare), _) => bare,
        // The second operand is 12 bits, instead of a pattern of bits.
        _ if name == "addw" => "add",
        _ if name == "subw" => "sub",
        _ if name.starts_with("it") => "it",
        _ => name,
    };
    Ok(Instruction {
        name: name.to_owned(),
        condition,
        sets_flags: bare.is_some(),
        operands: match name {
            // Its operand is a condition, which the bits tell.
            "it" => Vec::new(),
            _ => split(operands)
                .into_iter()
                .map(operand)
                .collect::<Result<_>>()?,
        },
        length: 0,
        text: format!("{mnemonic} {operands}"),
        bits: 0,
    })
}

/// Splits a text at the commas outside of brackets and braces.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let parts = text.split(|character| {
        match character {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            _ => {}
        }
        depth == 0 && character == ','
    });
    parts
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect()
}

fn register(text: &str) -> Option<usize> {
    Some(match text {
        "sb" => 9,
        "sl" => 10,
        "fp" => 11,
        "ip" => 12,
        "sp" => 13,
        "lr" => 14,
        "pc" => COUNTER,
        _ => text
            .strip_prefix('r')?
            .parse()
            .ok()
            .filter(|number| *number < 13)?,
    })
}

/// Returns a constant such as `#12`, `#0x1f` or `#-1`.
fn number(text: &str) -> Option<i64> {
    let text = text.strip_prefix('#')?;
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    Some(sign * value.ok()?)
}

fn shift(text: &str) -> Option<(Shift, u32)> {
    let (kind, by) = text.split_once(' ')?;
    let kind = match kind {
        "lsl" => Shift::Left,
        "lsr" => Shift::Right,
        "asr" => Shift::RightSigned,
        "ror" => Shift::Rotate,
        _ => return None,
    };
    Some((kind, u32::try_from(number(by)?).ok()?))
}

fn operand(text: &str) -> Result<Operand> {
    if let Some(list) = text.strip_prefix('{') {
        let names = list.trim_end_matches('}').split(',').map(str::trim);
        let registers: Option<Vec<_>> = names.map(register).collect();
        return registers
            .map(Operand::List)
            .context("a list of other registers");
    }
    if let Some(inner) = text.strip_prefix('[') {
        let write_back = inner.ends_with('!');
        return memory(inner.trim_end_matches(['!', ']']), write_back);
    }
    if let Some(number) = register(text) {
        return Ok(Operand::Register(number));
    }
    if let Some(number) = text.strip_suffix('!').and_then(register) {
        return Ok(Operand::Updated(number));
    }
    if let Some(value) = number(text) {
        return Ok(Operand::Immediate(value as u32));
    }
    let Some((kind, by)) = shift(text) else {
        bail!("there is no model of the operand {text}");
    };
    Ok(Operand::Shift(kind, by))
}

fn memory(text: &str, write_back: bool) -> Result<Operand> {
    let parts = split(text);
    let offset = match parts[..] {
        [_] => Some(Offset::Constant(0)),
        [_, by] => match register(by) {
            Some(by) => Some(Offset::Register(by, 0)),
            None => number(by).map(|by| Offset::Constant(by as i32)),
        },
        [_, by, how] => match (register(by), shift(how)) {
            (Some(by), Some((Shift::Left, places))) => Some(Offset::Register(by, places)),
            _ => None,
        },
        _ => None,
    };
    let base = parts.first().and_then(|base| register(base));
    let (Some(base), Some(offset)) = (base, offset) else {
        bail!("there is no model of the address {text}");
    };
    Ok(Operand::Memory {
        base,
        offset,
        write_back,
    })
}
