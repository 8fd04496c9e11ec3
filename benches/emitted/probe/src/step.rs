//! Announces the operations to the emulator.

use core::hint::black_box;

/// Announces the next operation; the first announcement is the name of the backend.
pub(crate) fn step(name: &str) {
    moissanite_step(name.as_ptr(), name.len());
}

/// The emulator recognises this function by its name.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn moissanite_step(name: *const u8, length: usize) {
    black_box((name, length));
}
