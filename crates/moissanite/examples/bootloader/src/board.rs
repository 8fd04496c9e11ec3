//! What depends on the board, with board.x. As it is, for QEMU, with semihosting.

use core::arch::asm;
use core::ffi::CStr;

const SYS_WRITE0: u32 = 0x04;
const SYS_EXIT_EXTENDED: u32 = 0x20;
const APPLICATION_EXIT: u32 = 0x2_0026;

/// The end: says why, and never starts anything. A product would light a lamp, and wait for an image
/// over some wire or for its watchdog.
pub fn stop(text: &CStr, status: u32) -> ! {
    semihosting(SYS_WRITE0, text.as_ptr().cast());
    semihosting(SYS_EXIT_EXTENDED, [APPLICATION_EXIT, status].as_ptr());
    loop {
        core::hint::spin_loop();
    }
}

fn semihosting(operation: u32, argument: *const u32) {
    // SAFETY: these operations only read what the argument points to, as they expect it.
    unsafe {
        asm!("bkpt #0xab", inout("r0") operation => _, in("r1") argument, options(nostack));
    }
}
