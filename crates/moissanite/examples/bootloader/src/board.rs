//! The code that depends on the board, together with board.x. This version is for QEMU, with
//! semihosting.

use core::arch::asm;
use core::ffi::CStr;

const SYS_WRITE0: u32 = 0x04;
const SYS_EXIT_EXTENDED: u32 = 0x20;
const APPLICATION_EXIT: u32 = 0x2_0026;

/// Prints the reason and stops, without starting a program. A product would signal the error, and
/// wait for a new image or for its watchdog.
pub fn stop(text: &CStr, status: u32) -> ! {
    semihosting(SYS_WRITE0, text.as_ptr().cast());
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
