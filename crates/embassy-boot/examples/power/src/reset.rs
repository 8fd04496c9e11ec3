//! The reset of the board.

/// Resets the board. RAM keeps its content.
pub fn reset() -> ! {
    const AIRCR: *mut u32 = 0xe000_ed0c as *mut u32;
    const KEY: u32 = 0x05fa << 16;
    const SYSRESETREQ: u32 = 1 << 2;
    // SAFETY: this register of every Cortex-M may be written at any time.
    unsafe { AIRCR.write_volatile(KEY | SYSRESETREQ) };
    loop {
        core::hint::spin_loop();
    }
}
