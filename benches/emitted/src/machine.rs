//! What executes a program.

#[cfg(target_arch = "x86_64")]
mod native;
mod unicorn;
mod wasm;

use anyhow::Result;

use crate::program::Program;
use crate::targets::{Kind, Target};
use crate::trace::Trace;

pub(crate) use unicorn::Model;

/// What [`Machine::run`] calls the program with: a backend, a scheme, a secret.
pub(crate) type Arguments = [u32; 3];
/// What the program returns where there is no such backend.
pub(crate) const NO_SUCH_BACKEND: u32 = 2;

/// A program, and what executes it.
pub(crate) fn load(code: &[u8], target: &Target) -> Result<(Program, Box<dyn Machine>)> {
    if target.kind == Kind::Wasm {
        let (program, interpreter) = wasm::load(code)?;
        return Ok((program, Box::new(interpreter)));
    }
    let program = Program::read(code, target.isa)?;
    let machine: Box<dyn Machine> = match target.kind {
        Kind::Emulator(model) => Box::new(unicorn::Emulator(model)),
        #[cfg(target_arch = "x86_64")]
        Kind::Native => Box::new(native::Native::new(&program)?),
        #[allow(unreachable_patterns, reason = "on x86-64")]
        Kind::Native | Kind::Wasm => anyhow::bail!("nothing here executes {}", target.name),
    };
    Ok((program, machine))
}

/// Executes a program, from its beginning.
pub(crate) trait Machine {
    /// What the program returns, and what it showed; nothing where it panicked.
    fn run(
        &mut self,
        program: &Program,
        arguments: Arguments,
        trace: Trace,
    ) -> Result<(Option<u32>, Trace)>;
}
