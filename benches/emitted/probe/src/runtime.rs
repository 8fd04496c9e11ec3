//! The runtime of a program without an operating system.

use core::panic::PanicInfo;

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    moissanite_panic()
}

/// The emulator recognises this function by its name.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn moissanite_panic() -> ! {
    loop {
        core::hint::spin_loop();
    }
}

/// The functions of the C library that the compiler calls. All loads are volatile, because the compiler
/// would otherwise replace each loop by a call of the same function.
#[cfg(target_os = "linux")]
mod memory {
    use core::ptr::{read_volatile, write_volatile};

    // SAFETY: the caller does as in C.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
        for i in 0..count {
            // SAFETY: the caller says that both have as many bytes.
            unsafe { write_volatile(to.wrapping_add(i), read_volatile(from.wrapping_add(i))) };
        }
        to
    }

    // SAFETY: the caller does as in C.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
        if to.addr() <= from.addr() {
            // SAFETY: no byte is written before it is read.
            return unsafe { memcpy(to, from, count) };
        }
        for i in (0..count).rev() {
            // SAFETY: the caller says that both have as many bytes.
            unsafe { write_volatile(to.wrapping_add(i), read_volatile(from.wrapping_add(i))) };
        }
        to
    }

    // SAFETY: the caller does as in C.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memset(to: *mut u8, byte: i32, count: usize) -> *mut u8 {
        for i in 0..count {
            // SAFETY: the caller says that it has as many bytes.
            unsafe { write_volatile(to.wrapping_add(i), byte as u8) };
        }
        to
    }

    // SAFETY: the caller does as in C.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, count: usize) -> i32 {
        for i in 0..count {
            // SAFETY: the caller says that both have as many bytes.
            let (a, b) = unsafe {
                (
                    read_volatile(a.wrapping_add(i)),
                    read_volatile(b.wrapping_add(i)),
                )
            };
            if a != b {
                return i32::from(a) - i32::from(b);
            }
        }
        0
    }

    // SAFETY: the caller does as in C.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, count: usize) -> i32 {
        // SAFETY: the caller says that both have as many bytes.
        unsafe { memcmp(a, b, count) }
    }
}
