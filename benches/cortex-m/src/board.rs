//! The code that depends on the board, together with memory.x: a clock, text output, and the end of the
//! program.
//!
//! This file is for QEMU's mps2-an386 (Cortex-M4) and mps2-an500 (Cortex-M7), with semihosting, which
//! a debugger on a real board also offers. README.md describes the changes for other boards.

pub use crate::semihosting::{Console, exit};

/// The clock: timer 0 of the CMSDK, which counts down from `u32::MAX`. With QEMU's
/// `-icount shift=0` it ticks once in 40 instructions.
const TIMER: *mut u32 = 0x4000_0000 as *mut u32;

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
