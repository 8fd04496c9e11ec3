//! What one call costs.

use core::arch::asm;
use core::fmt::{Display, Write};
use core::hint::black_box;
use core::ptr::addr_of_mut;

use crate::board::{self, Console};

const PAINT: u32 = 0xa5c3_5a3c;
/// Bytes below the stack pointer that are painted, if there are as many: more than any operation
/// uses.
const PAINTED: usize = 160 * 1024;

/// A line of text.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => {{
        use core::fmt::Write;
        let _ = writeln!($crate::board::Console, $($text)*);
    }};
}

/// Runs an operation, which has to return true, and says what it cost: `name: bytes of stack, ticks`.
#[inline(never)]
pub fn measure(name: impl Display, mut operation: impl FnMut() -> bool) {
    let (stack, ticks) = on_painted_stack(&mut operation);
    let _ = writeln!(Console, "{name}: {stack} {ticks}");
}

/// Stack below this function's, and ticks.
#[inline(never)]
fn on_painted_stack(operation: &mut dyn FnMut() -> bool) -> (usize, u32) {
    unsafe extern "C" {
        /// The lowest address of the stack (cortex-m-rt).
        static mut _stack_end: u32;
    }
    let top: usize;
    // SAFETY: it reads the stack pointer.
    unsafe { asm!("mov {}, sp", out(reg) top, options(nomem, nostack)) };
    let bottom = usize::max(top - PAINTED, addr_of_mut!(_stack_end).addr());
    let words = || (bottom..top).step_by(4).map(|address| address as *mut u32);
    // SAFETY: between the end of the stack and the stack pointer is nobody's memory, and this
    // function calls nothing while it paints.
    words().for_each(|word| unsafe { word.write_volatile(PAINT) });
    let before = board::ticks();
    start_counting();
    let done = operation();
    stop_counting();
    let ticks = board::ticks().wrapping_sub(before);
    // SAFETY: as above.
    let painted = words().take_while(|word| unsafe { word.read_volatile() } == PAINT);
    let painted = 4 * painted.count();
    assert!(done, "the operation failed");
    assert!(painted > 0, "more stack than there is, or than is painted");
    (top - bottom - painted, ticks)
}

/// The plugin, which knows it by its name, counts from its return on.
#[inline(never)]
fn start_counting() {
    black_box("start");
}

/// The plugin counts until it is called.
#[inline(never)]
fn stop_counting() {
    black_box("stop");
}
