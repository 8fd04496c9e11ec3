//! Something to start, which says that it was.

#![no_std]
#![no_main]

use image::board;

/// So that what has to be in RAM at the start is part of the image, too.
static mut GREETING: &core::ffi::CStr = c"booted\n";

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    board::stop(c"panic\n", 1)
}

#[cortex_m_rt::entry]
fn main() -> ! {
    // SAFETY: a static that nothing else uses.
    let greeting = unsafe { (&raw const GREETING).read_volatile() };
    board::stop(greeting, 0)
}
