//! Where the emulator learns which operation runs.

use core::hint::black_box;

/// Says which operation comes next; the first one is the name of the backend.
pub(crate) fn step(name: &str) {
    moissanite_step(name.as_ptr(), name.len());
}

/// Where the emulator looks, by this name.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn moissanite_step(name: *const u8, length: usize) {
    black_box((name, length));
}
