//! In place of a board, the machine that this is built on, which has no clock for this.

use std::fmt;

/// Starts nothing.
pub fn start() {}

/// No time goes by.
pub fn ticks() -> u32 {
    0
}

/// Where text goes: standard error.
pub struct Console;

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        eprint!("{text}");
        Ok(())
    }
}

/// The end: 0 if all went well.
pub fn exit(status: i32) -> ! {
    std::process::exit(status)
}
