//! The interface of the machines that execute a program: emulators, this processor and an interpreter.

mod load;
#[cfg(target_arch = "x86_64")]
mod native;
mod unicorn;
mod wasm;

use anyhow::Result;

use crate::program::Program;
use crate::trace::Trace;

pub(crate) use load::{load, read};

/// The arguments of the program: a backend, a scheme, a secret.
pub(crate) type Arguments = [u32; 3];

/// A machine that executes a program from its entry.
pub(crate) trait Machine {
    /// Returns the program's status, which is `None` after a panic, and its trace.
    fn run(
        &mut self,
        program: &Program,
        arguments: Arguments,
        trace: Trace,
    ) -> Result<(Option<u32>, Trace)>;
}
