//! Starts the program in the slot if the vendor signed it, and nothing else.

#![no_std]
#![no_main]

use core::arch::asm;
use core::ptr::addr_of;
use core::slice;

use image::{Program, PublicKey, board};

/// If this file has another length, `cargo build` fails.
static VENDOR: &PublicKey = include_bytes!(env!("VENDOR_PUBLIC_KEY"));

/// Vector Table Offset Register (Armv7-M Architecture Reference Manual, B3.2.5).
const VTOR: *mut u32 = 0xe000_ed08 as *mut u32;

unsafe extern "C" {
    // These symbols are from memory.x; only their addresses have a meaning.
    static __slot_start: u8;
    static __slot_end: u8;
    static __ram_start: u8;
    static __ram_end: u8;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    board::stop(c"refused: panic\n", 1)
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let (start, end) = (addr_of!(__slot_start), addr_of!(__slot_end));
    // SAFETY: the slot is in flash, which is not written while this program runs.
    let slot = unsafe { slice::from_raw_parts(start, end.addr() - start.addr()) };
    let ram = addr_of!(__ram_start).addr() as u32..addr_of!(__ram_end).addr() as u32;
    match image::verify(VENDOR, slot, start.addr() as u32, &ram) {
        Ok(program) => jump(&program),
        Err(refusal) => board::stop(refusal.text(), 1),
    }
}

/// Performs the steps of the processor at reset, with the program's vectors. No interrupt is
/// enabled here, and the stack is the main one, as after reset.
fn jump(program: &Program) -> ! {
    // SAFETY: `image::verify` returned this program: the vendor signed the code at `reset` for this
    // stack and these vectors. The program takes over all of RAM, and no code of the bootloader
    // runs afterwards.
    unsafe {
        VTOR.write_volatile(program.vectors);
        asm!(
            "dsb",
            "msr msp, {stack}",
            "isb",
            "bx {reset}",
            stack = in(reg) program.stack,
            reset = in(reg) program.reset,
            options(noreturn)
        )
    }
}
