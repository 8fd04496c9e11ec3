//! Text output and the end of the program by semihosting, which QEMU offers, and a debugger on a real board.

use core::arch::asm;
use core::fmt;

const SYS_WRITE0: usize = 0x04;
const SYS_EXIT_EXTENDED: usize = 0x20;
const APPLICATION_EXIT: usize = 0x2_0026;

/// The text output.
pub struct Console;

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // The written text ends with a zero byte.
        let mut buffer = [0; 65];
        for piece in text.as_bytes().chunks(64) {
            buffer[..piece.len()].copy_from_slice(piece);
            buffer[piece.len()] = 0;
            call(SYS_WRITE0, buffer.as_ptr().cast());
        }
        Ok(())
    }
}

/// Ends the program; the status 0 means success.
pub fn exit(status: usize) -> ! {
    call(SYS_EXIT_EXTENDED, [APPLICATION_EXIT, status].as_ptr());
    loop {
        core::hint::spin_loop();
    }
}

#[cfg(target_arch = "arm")]
fn call(operation: usize, argument: *const usize) {
    // SAFETY: these operations only read the memory that the argument points to, which has the
    // expected form.
    unsafe {
        asm!("bkpt #0xab", inout("r0") operation => _, in("r1") argument, options(nostack));
    }
}

#[cfg(target_arch = "riscv32")]
fn call(operation: usize, argument: *const usize) {
    // SAFETY: these operations only read the memory that the argument points to, which has the
    // expected form. The emulator recognises three instructions of four bytes in one page.
    unsafe {
        asm!(
            ".balign 16", ".option push", ".option norvc",
            "slli x0, x0, 0x1f", "ebreak", "srai x0, x0, 7", ".option pop",
            inout("a0") operation => _, in("a1") argument, options(nostack)
        );
    }
}
