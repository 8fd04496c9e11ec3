//! The cost of one call.

use core::arch::asm;
use core::fmt::{Display, Write};
use core::hint::black_box;

use crate::board::{self, Console};

const PAINT: u32 = 0xa5c3_5a3c;
/// The number of bytes below the stack pointer that are filled with a pattern, if the stack is
/// large enough. It is more than any operation uses.
const PAINTED: usize = if cfg!(debug_assertions) {
    1 << 20
} else {
    160 << 10
};
/// The number of bytes below the stack pointer that are not filled, which the function that writes
/// the pattern needs if it is not inlined. Every operation uses more.
const SPARED: usize = 1 << 10;

/// A line of text.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => {{
        use core::fmt::Write;
        let _ = writeln!($crate::board::Console, $($text)*);
    }};
}

/// Runs an operation, which has to return true, and prints its cost: `name: bytes of stack, ticks`.
#[inline(never)]
pub fn measure(name: impl Display, mut operation: impl FnMut() -> bool) {
    let (stack, ticks) = on_painted_stack(&mut operation);
    let _ = writeln!(Console, "{name}: {stack} {ticks}");
}

/// Runs a short operation, and prints a line of the same form, with 0 for the stack.
#[inline(never)]
pub fn count(name: impl Display, operation: &mut dyn FnMut()) {
    let before = board::ticks();
    start_counting();
    operation();
    stop_counting();
    let ticks = board::ticks().wrapping_sub(before);
    let _ = writeln!(Console, "{name}: 0 {ticks}");
}

/// Returns the stack below this function, and the ticks.
#[inline(never)]
fn on_painted_stack(operation: &mut dyn FnMut() -> bool) -> (usize, u32) {
    let top = stack_pointer();
    let bottom = usize::max(top - PAINTED, lowest());
    let mut at = bottom;
    while at < top - SPARED {
        // SAFETY: the memory between the end of the stack and the stack pointer is not in use,
        // except by functions that are called here, which use less than the bytes that are not
        // filled.
        unsafe { (at as *mut u32).write_volatile(PAINT) };
        at += 4;
    }
    let before = board::ticks();
    start_counting();
    let done = operation();
    stop_counting();
    let ticks = board::ticks().wrapping_sub(before);
    let mut at = bottom;
    // SAFETY: as above; the word at the stack pointer is this function's.
    while at < top && unsafe { (at as *const u32).read_volatile() } == PAINT {
        at += 4;
    }
    assert!(done, "the operation failed");
    assert!(at > bottom, "more stack than there is, or than is painted");
    assert!(at < top - SPARED, "less than what is not painted");
    (top - at, ticks)
}

#[inline(always)]
fn stack_pointer() -> usize {
    let pointer;
    // SAFETY: it reads the stack pointer.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("mov {}, rsp", out(reg) pointer, options(nomem, nostack));
        #[cfg(target_arch = "riscv32")]
        asm!("mv {}, sp", out(reg) pointer, options(nomem, nostack));
        #[cfg(not(any(target_arch = "x86_64", target_arch = "riscv32")))]
        asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack));
    }
    pointer
}

/// The lowest address of the stack.
#[cfg(target_os = "none")]
fn lowest() -> usize {
    unsafe extern "C" {
        /// This symbol is from cortex-m-rt or riscv-rt.
        #[cfg_attr(target_arch = "riscv32", link_name = "__estack")]
        static mut _stack_end: u32;
    }
    core::ptr::addr_of_mut!(_stack_end).addr()
}

/// The system extends the stack of the main thread beyond the filled part.
#[cfg(not(target_os = "none"))]
fn lowest() -> usize {
    0
}

/// The plugin `qemu_count.c` counts from the return of this function.
#[inline(never)]
fn start_counting() {
    black_box("start");
}

/// The plugin counts until the call of this function.
#[inline(never)]
fn stop_counting() {
    black_box("stop");
}
