//! Calls to the emulator, which a debugger also answers: text output, the end of the program, and the file
//! with the vectors.

use core::arch::asm;
use core::fmt;

const OPEN: usize = 0x01;
const WRITE0: usize = 0x04;
const READ: usize = 0x06;
const SEEK: usize = 0x0a;
const EXIT_EXTENDED: usize = 0x20;
const APPLICATION_EXIT: usize = 0x2_0026;
/// The mode of `fopen` for reading bytes.
const READ_BINARY: usize = 1;
/// The name of the file in the working directory of the emulator, with a zero byte at the end.
const FILE: &[u8] = b"vectors\0";

/// The text output.
pub struct Console;

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // The written text ends with a zero byte.
        let mut buffer = [0; 33];
        for piece in text.as_bytes().chunks(32) {
            buffer[..piece.len()].copy_from_slice(piece);
            buffer[piece.len()] = 0;
            call(WRITE0, buffer.as_ptr().addr());
        }
        Ok(())
    }
}

/// Ends the program; the status 0 means success.
pub fn exit(status: usize) -> ! {
    call(EXIT_EXTENDED, [APPLICATION_EXIT, status].as_ptr().addr());
    loop {
        core::hint::spin_loop();
    }
}

/// The file with the vectors.
#[derive(Clone, Copy)]
pub struct File(usize);

impl File {
    /// Opens the file, which must exist.
    pub fn open() -> Self {
        let name = [FILE.as_ptr().addr(), READ_BINARY, FILE.len() - 1];
        let handle = call(OPEN, name.as_ptr().addr());
        assert!(handle != usize::MAX, "there is no file vectors");
        Self(handle)
    }

    /// Reads bytes, all of which must be in the file.
    pub fn read(self, offset: usize, bytes: &mut [u8]) {
        if bytes.is_empty() {
            return;
        }
        let sought = call(SEEK, [self.0, offset].as_ptr().addr());
        let into = [self.0, bytes.as_mut_ptr().addr(), bytes.len()];
        let missing = call(READ, into.as_ptr().addr());
        assert!(sought == 0 && missing == 0, "the file vectors is too short");
    }
}

/// Calls the emulator. The argument is an address, whose memory has what the operation needs.
fn call(operation: usize, argument: usize) -> usize {
    let result;
    // SAFETY: the operations read the memory at the argument and what it points to, and `READ` writes to the
    // slice that it describes. The compiler assumes that the instructions access memory.
    unsafe {
        #[cfg(target_arch = "arm")]
        asm!("bkpt #0xab", inout("r0") operation => result, in("r1") argument, options(nostack));
        // The emulator recognises three instructions of four bytes in one page.
        #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
        asm!(
            ".balign 16", ".option push", ".option norvc",
            "slli x0, x0, 0x1f", "ebreak", "srai x0, x0, 7", ".option pop",
            inout("a0") operation => result, in("a1") argument, options(nostack)
        );
    }
    result
}
