//! The build machine in place of a board. It has no clock for this purpose.

use std::fmt;

/// Starts nothing.
pub fn start() {}

/// Returns 0 always.
pub fn ticks() -> u32 {
    0
}

/// The text output, which is standard error.
pub struct Console;

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        eprint!("{text}");
        Ok(())
    }
}

/// Ends the program; the status 0 means success.
pub fn exit(status: i32) -> ! {
    std::process::exit(status)
}
