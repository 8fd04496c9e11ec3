//! The replay of declassified values by an emulator.
//!
//! `benches/emitted` executes an operation with several secrets and compares the branches and
//! addresses. Values that become public on purpose depend on the secret, so they are replayed: in
//! the first run, the emulator records the bytes that are passed to [`public`], and in later runs
//! it overwrites the passed bytes with the recorded ones. Without an emulator, the function has no
//! effect.
#![allow(unsafe_code, reason = "the name of a symbol")]

use core::hint::black_box;

/// Marks the bytes of `value` (but not the memory that it points to) as public.
#[inline(always)]
pub fn public<T: ?Sized>(value: &mut T) {
    moissanite_replay(core::ptr::from_mut(value).cast(), size_of_val(value));
}

/// The emulator intercepts this function by its name, and may change the bytes.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn moissanite_replay(at: *mut u8, length: usize) {
    black_box((at, length));
}
