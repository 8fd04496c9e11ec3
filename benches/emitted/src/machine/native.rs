//! Execution on this processor, for instructions that no emulator supports.
//!
//! The code of the program is encoded again at another address, with a call of the tracer before
//! each observed instruction. Everything else is unchanged: the executed instructions are those of
//! the compiler, and they compute the same addresses. Addresses of functions and of jump tables
//! refer to the old code, so indirect jumps and calls are translated.

mod hook;
mod rewrite;

use std::ffi::c_void;
use std::ptr::without_provenance_mut;

use anyhow::{Context as _, Result, ensure};

use self::hook::{LOG, LOG_LEN, Tracer};
use self::rewrite::{CODE, Rewritten};
use super::{Arguments, Machine};
use crate::program::Program;
use crate::trace::Trace;
use crate::watch::Watch;

const STACK: u64 = 0x3000_0000;
const STACK_LEN: u64 = 32 << 20;

/// This processor. There can be only one at a time, because a program is mapped at its link address.
pub(crate) struct Native {
    /// The mapped ranges: the program, the stack, the log and the new code, as start and length.
    mapped: Vec<(u64, u64)>,
    code: Rewritten,
}

impl Machine for Native {
    fn run(
        &mut self,
        program: &Program,
        arguments: Arguments,
        trace: Trace,
    ) -> Result<(Option<u32>, Trace)> {
        for (range, data) in &program.segments {
            let length = (range.end - range.start) as usize;
            // SAFETY: `new` has mapped it, and it contains no data of the tracer.
            unsafe {
                let to = without_provenance_mut::<u8>(range.start as usize);
                std::ptr::copy_nonoverlapping(data.as_ptr(), to, data.len());
                std::ptr::write_bytes(to.add(data.len()), 0, length - data.len());
            }
        }
        let mut watch = Watch::new(program, trace);
        let entry = self.code.new_place(program.entry);
        let entry = entry.context("the entry is not an instruction")?;
        let tracer = Tracer::new(&self.code, program, &mut watch);
        // SAFETY: `new` has mapped the code, the stack and the program's memory.
        let returned = unsafe { tracer.enter(entry, STACK + STACK_LEN - 4096, arguments) };
        Ok((returned, watch.trace))
    }
}

impl Native {
    /// Maps a program at its link address, and its new code elsewhere.
    pub(crate) fn new(program: &Program) -> Result<Self> {
        let memory = program.memory();
        let data = libc::PROT_READ | libc::PROT_WRITE;
        let code = Rewritten::new(program, hook::address())?;
        let mapped = vec![
            map(memory.start, memory.end - memory.start, data)?,
            map(STACK, STACK_LEN, data)?,
            map(LOG, LOG_LEN, data)?,
            map(CODE, code.bytes.len() as u64, data | libc::PROT_EXEC)?,
        ];
        // SAFETY: the memory was just mapped for this code.
        unsafe {
            let to = without_provenance_mut::<u8>(CODE as usize);
            std::ptr::copy_nonoverlapping(code.bytes.as_ptr(), to, code.bytes.len());
        }
        Ok(Self { mapped, code })
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        for (start, length) in &self.mapped {
            // SAFETY: `new` has mapped it, and nothing else refers to it.
            unsafe { libc::munmap(without_provenance_mut(*start as usize), *length as usize) };
        }
    }
}

/// Maps memory at an address; returns its start and length.
fn map(at: u64, length: u64, protection: i32) -> Result<(u64, u64)> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
    let start = at & !4095;
    let length = (at + length).next_multiple_of(4096) - start;
    // SAFETY: `MAP_FIXED_NOREPLACE` leaves existing mappings alone.
    let mapped = unsafe {
        let at = without_provenance_mut::<c_void>(start as usize);
        libc::mmap(at, length as usize, protection, flags, -1, 0)
    };
    ensure!(mapped.addr() as u64 == start, "no memory at {start:#x}");
    Ok((start, length))
}
