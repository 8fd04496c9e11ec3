//! A program that the bootloader starts, and that prints a line.

#![no_std]
#![no_main]

use image::board;

/// With this variable, the image also contains data that is copied to RAM at the start.
static mut GREETING: &core::ffi::CStr = c"booted\n";

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    board::stop(c"panic\n", 1)
}

#[cortex_m_rt::entry]
fn main() -> ! {
    // SAFETY: no other code uses this static.
    let greeting = unsafe { (&raw const GREETING).read_volatile() };
    board::stop(greeting, 0)
}
