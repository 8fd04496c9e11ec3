//! The runtime of a program without an operating system.

use core::alloc::{GlobalAlloc, Layout};
use core::panic::PanicInfo;
use core::ptr::{addr_of_mut, null_mut};
use core::sync::atomic::{AtomicUsize, Ordering};

const HEAP: usize = 4 << 20;
static mut MEMORY: Memory = Memory([0; HEAP]);
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// Memory with an alignment that suffices for every type.
#[repr(align(4096))]
struct Memory([u8; HEAP]);

/// An allocator that never reuses memory.
struct Bump;

#[global_allocator]
static ALLOCATOR: Bump = Bump;

// SAFETY: each piece is allocated once between two calls of `forget_allocations`, and the program has
// one thread.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let at = TAKEN
            .load(Ordering::Relaxed)
            .next_multiple_of(layout.align());
        let end = at + layout.size();
        if end > HEAP {
            return null_mut();
        }
        TAKEN.store(end, Ordering::Relaxed);
        // SAFETY: it is within `MEMORY`.
        unsafe { addr_of_mut!(MEMORY.0).cast::<u8>().add(at) }
    }
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

/// Makes all memory available again, so that each run has the same addresses.
pub(crate) fn forget_allocations() {
    TAKEN.store(0, Ordering::Relaxed);
}

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
