//! The code that depends on the board, together with memory.x: a clock, text output, and the end of the
//! program.
//!
//! This file is for QEMU's mps2-an386 (Cortex-M4) and mps2-an500 (Cortex-M7), with semihosting, which
//! a debugger on a real board also offers. README.md describes the changes for other boards.

use core::arch::asm;
use core::fmt;

/// The clock: timer 0 of the CMSDK, which counts down from `u32::MAX`. With QEMU's
/// `-icount shift=0` it ticks once in 40 instructions.
const TIMER: *mut u32 = 0x4000_0000 as *mut u32;
const SYS_WRITE0: u32 = 0x04;
const SYS_EXIT_EXTENDED: u32 = 0x20;
const APPLICATION_EXIT: u32 = 0x2_0026;

/// Starts the clock.
pub fn start() {
    // SAFETY: the timer's registers CTRL, VALUE and RELOAD, which nothing else uses.
    unsafe {
        TIMER.add(2).write_volatile(u32::MAX);
        TIMER.add(1).write_volatile(u32::MAX);
        TIMER.write_volatile(1);
    }
}

/// Returns the ticks since an arbitrary time, modulo 2³².
#[inline(always)]
pub fn ticks() -> u32 {
    // SAFETY: the timer's register VALUE.
    unsafe { !TIMER.add(1).read_volatile() }
}

/// The text output.
pub struct Console;

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // The written text ends with a zero byte.
        let mut buffer = [0; 65];
        for piece in text.as_bytes().chunks(64) {
            buffer[..piece.len()].copy_from_slice(piece);
            buffer[piece.len()] = 0;
            semihosting(SYS_WRITE0, buffer.as_ptr().cast());
        }
        Ok(())
    }
}

/// Ends the program; the status 0 means success.
pub fn exit(status: u32) -> ! {
    semihosting(SYS_EXIT_EXTENDED, [APPLICATION_EXIT, status].as_ptr());
    loop {
        core::hint::spin_loop();
    }
}

fn semihosting(operation: u32, argument: *const u32) {
    // SAFETY: these operations only read the memory that the argument points to, which has the
    // expected form.
    unsafe {
        asm!("bkpt #0xab", inout("r0") operation => _, in("r1") argument, options(nostack));
    }
}
