//! Chooses the machine for a target.

use anyhow::Result;
use moissanite_emitted_cases::targets::{Kind, Target};

#[cfg(target_arch = "x86_64")]
use super::native;
use super::{Machine, unicorn, wasm};
use crate::isa::Isa;
use crate::program::Program;

/// Reads the code for a target.
pub(crate) fn read(code: &[u8], target: &Target) -> Result<Program> {
    match target.kind {
        Kind::Wasm => Ok(wasm::load(code)?.0),
        Kind::Emulator(_) | Kind::Native => Program::read(code, Isa::of(target)),
    }
}

/// Reads the code for a target, and returns the program and the machine that executes it.
pub(crate) fn load(code: &[u8], target: &Target) -> Result<(Program, Box<dyn Machine>)> {
    if target.kind == Kind::Wasm {
        let (program, interpreter) = wasm::load(code)?;
        return Ok((program, Box::new(interpreter)));
    }
    let program = read(code, target)?;
    let machine: Box<dyn Machine> = match target.kind {
        Kind::Emulator(model) => Box::new(unicorn::Emulator(model)),
        #[cfg(target_arch = "x86_64")]
        Kind::Native => Box::new(native::Native::new(&program)?),
        #[allow(unreachable_patterns, reason = "on x86-64")]
        Kind::Native | Kind::Wasm => anyhow::bail!("nothing here executes {}", target.name),
    };
    Ok((program, machine))
}
