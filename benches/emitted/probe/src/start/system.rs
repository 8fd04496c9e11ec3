//! The calls of the system that end the program.

use core::arch::asm;

/// Writes bytes to standard output, which for a Cortex-M is that of the emulator, and ends the program.
pub(crate) fn end(bytes: *const u8, length: usize) -> ! {
    #[cfg(not(target_arch = "arm"))]
    linux(bytes, length);
    #[cfg(target_arch = "arm")]
    semihosting(bytes, length);
    loop {
        core::hint::spin_loop();
    }
}

#[cfg(not(target_arch = "arm"))]
fn linux(bytes: *const u8, length: usize) {
    let (mut from, mut left) = (bytes, length);
    // A pipe takes some of the bytes at a time.
    while left > 0 {
        let written = call(WRITE, 1, from.addr(), left);
        if written <= 0 {
            break;
        }
        from = from.wrapping_add(written.unsigned_abs());
        left -= written.unsigned_abs();
    }
    call(EXIT, 0, 0, 0);
}

/// The numbers of the calls of Linux.
#[cfg(target_arch = "x86_64")]
const WRITE: usize = 1;
#[cfg(target_arch = "x86_64")]
const EXIT: usize = 60;
#[cfg(not(any(target_arch = "x86_64", target_arch = "arm")))]
const WRITE: usize = 64;
#[cfg(not(any(target_arch = "x86_64", target_arch = "arm")))]
const EXIT: usize = 93;

#[cfg(not(target_arch = "arm"))]
fn call(number: usize, a: usize, b: usize, c: usize) -> isize {
    let result: isize;
    // SAFETY: the arguments are those of `write` with bytes of this program, or of `exit`.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("syscall", inlateout("rax") number => result, in("rdi") a, in("rsi") b, in("rdx") c,
             lateout("rcx") _, lateout("r11") _, options(nostack));
        #[cfg(target_arch = "aarch64")]
        asm!("svc #0", in("x8") number, inlateout("x0") a => result, in("x1") b, in("x2") c,
             options(nostack));
        #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
        asm!("ecall", in("a7") number, inlateout("a0") a => result, in("a1") b, in("a2") c,
             options(nostack));
    }
    result
}

/// The numbers of the calls of Arm's specification of semihosting, and its names of the console and of the
/// reason for the end.
#[cfg(target_arch = "arm")]
mod number {
    pub(super) const OPEN: usize = 0x01;
    pub(super) const WRITE: usize = 0x05;
    pub(super) const EXIT: usize = 0x18;
    pub(super) const CONSOLE: &[u8; 4] = b":tt\0";
    pub(super) const FOR_WRITING: usize = 4;
    pub(super) const APPLICATION_EXIT: usize = 0x20026;
}

#[cfg(target_arch = "arm")]
fn semihosting(bytes: *const u8, length: usize) {
    use number::*;
    fn call(number: usize, argument: usize) -> usize {
        let result;
        // SAFETY: the arguments are those of the specification.
        unsafe {
            asm!("bkpt 0xab", inlateout("r0") number => result, in("r1") argument, options(nostack))
        };
        result
    }
    let file = [CONSOLE.as_ptr().addr(), FOR_WRITING, CONSOLE.len() - 1];
    let file = call(OPEN, file.as_ptr().addr());
    let piece = [file, bytes.addr(), length];
    call(WRITE, piece.as_ptr().addr());
    call(EXIT, APPLICATION_EXIT);
}
