//! Declassified values, as an emulator sees them.
//!
//! `benches/emitted` executes an operation with several secrets and compares what the instructions
//! decide on. What becomes public on purpose differs with the secret, so it is replayed: in the
//! first run the emulator records the bytes that are passed to [`public`], and in later ones it
//! writes them over the bytes that are there. Without an emulator nothing happens.
#![allow(unsafe_code, reason = "the name of a symbol")]

use core::hint::black_box;

/// Marks the bytes of `value` (not what it points to) as public.
#[inline(always)]
pub fn public<T: ?Sized>(value: &mut T) {
    moissanite_replay(core::ptr::from_mut(value).cast(), size_of_val(value));
}

/// Where the emulator looks, by this name. It may have changed the bytes on return.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn moissanite_replay(at: *mut u8, length: usize) {
    black_box((at, length));
}
