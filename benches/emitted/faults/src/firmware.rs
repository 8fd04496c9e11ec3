//! The program, its functions and its instructions.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use capstone::arch::arm::{ArchExtraMode, ArchMode, ArmReg};
use capstone::prelude::*;
use moissanite_emitted_cases::functions::{Function, code_address, containing, functions};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind};

use crate::it;
use crate::registers::{FLAGS, LR, PC, SP};

pub(crate) struct Firmware {
    /// Addresses and contents.
    pub(crate) segments: Vec<(u64, Vec<u8>)>,
    pub(crate) functions: Vec<Function>,
    symbols: HashMap<String, u64>,
    code: (u64, Vec<u8>),
    capstone: Capstone,
}

/// An instruction.
pub(crate) struct Instruction {
    pub(crate) bytes: Vec<u8>,
    pub(crate) text: String,
    /// The written registers, by their index in a state.
    pub(crate) writes: Vec<usize>,
}

impl Firmware {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let elf = std::fs::read(path).with_context(|| path.display().to_string())?;
        let file = object::File::parse(&*elf).context("the firmware")?;
        let mut segments = Vec::new();
        for section in file.sections().filter(|section| section.address() > 0) {
            segments.push((section.address(), section.data()?.to_vec()));
        }
        let text = file
            .sections()
            .find(|section| section.kind() == SectionKind::Text && section.size() > 0)
            .context("the firmware has no code")?;
        let code = text.address()..text.address() + text.size();
        let mut names = functions(&file, &code)?;
        for function in &mut names {
            function.name = function.demangled();
        }
        let symbols = file.symbols().filter_map(|symbol| {
            let at = code_address(&file, symbol.address());
            Some((symbol.name().ok()?.to_owned(), at))
        });
        let capstone = Capstone::new()
            .arm()
            .mode(ArchMode::Thumb)
            .extra_mode([ArchExtraMode::MClass].into_iter())
            .detail(true)
            .build()
            .map_err(|error| anyhow!("{error}"))?;
        Ok(Self {
            segments: merged(segments),
            functions: names,
            symbols: symbols.collect(),
            code: (text.address(), text.data()?.to_vec()),
            capstone,
        })
    }

    pub(crate) fn symbol(&self, name: &str) -> Result<u64> {
        let at = self.symbols.get(name).copied();
        at.with_context(|| format!("the firmware has no {name}"))
    }

    /// The name of the function at an address.
    pub(crate) fn name(&self, at: u64) -> &str {
        containing(&self.functions, at).map_or("?", |function| &function.name)
    }

    /// The first half of the instruction at an address.
    pub(crate) fn halfword(&self, at: u64) -> u16 {
        let from = (at - self.code.0) as usize;
        let bytes = self.code.1.get(from..).and_then(<[u8]>::first_chunk);
        bytes.map_or(0, |bytes| u16::from_le_bytes(*bytes))
    }

    /// Returns ITSTATE before each instruction of the IT blocks among executed instructions.
    pub(crate) fn conditions(&self, executed: &[u32]) -> HashMap<u64, u8> {
        let mut conditions = HashMap::new();
        for at in executed {
            let mut at = u64::from(*at);
            let mut it = 0;
            if !it::begins(self.halfword(at)) {
                continue;
            }
            loop {
                let halfword = self.halfword(at);
                it = it::after(halfword, it);
                at += it::length(halfword);
                if it == 0 || conditions.insert(at, it).is_some() {
                    break;
                }
            }
        }
        conditions
    }

    pub(crate) fn instruction(&self, at: u64) -> Result<Instruction> {
        let from = (at - self.code.0) as usize;
        let bytes = self.code.1.get(from..).context("an instruction outside")?;
        let found = self
            .capstone
            .disasm_count(&bytes[..bytes.len().min(4)], at, 1)
            .map_err(|error| anyhow!("{error}"))?;
        let found = found
            .first()
            .with_context(|| format!("no instruction at {at:#x}"))?;
        let detail = self
            .capstone
            .insn_detail(found)
            .map_err(|error| anyhow!("{error}"))?;
        let mut writes: Vec<_> = detail
            .regs_write()
            .iter()
            .filter_map(|register| index(register.0))
            .collect();
        writes.sort_unstable();
        writes.dedup();
        let operands = found.op_str().unwrap_or_default();
        Ok(Instruction {
            bytes: found.bytes().to_vec(),
            text: format!("{} {operands}", found.mnemonic().unwrap_or_default()),
            writes,
        })
    }
}

/// Joins the contents of sections that share a page.
fn merged(mut sections: Vec<(u64, Vec<u8>)>) -> Vec<(u64, Vec<u8>)> {
    sections.sort();
    let mut merged: Vec<(u64, Vec<u8>)> = Vec::new();
    for (at, bytes) in sections.into_iter().filter(|(_, bytes)| !bytes.is_empty()) {
        if let Some((start, all)) = merged.last_mut() {
            all.resize((at - *start) as usize, 0);
            all.extend(bytes);
        } else {
            merged.push((at, bytes));
        }
    }
    merged
}

/// The index of a register in a state.
fn index(register: u16) -> Option<usize> {
    let register = u32::from(register);
    match register {
        ArmReg::ARM_REG_SP => Some(SP),
        ArmReg::ARM_REG_LR => Some(LR),
        ArmReg::ARM_REG_PC => Some(PC),
        ArmReg::ARM_REG_CPSR => Some(FLAGS),
        _ => register
            .checked_sub(ArmReg::ARM_REG_R0)
            .map(|number| number as usize)
            .filter(|number| *number < SP),
    }
}
