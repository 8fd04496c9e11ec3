//! The replay of declassified values by an emulator or by the program itself.
//!
//! `benches/emitted` and `benches/trace` execute an operation with several secrets and compare what
//! an observer sees. Values that become public on purpose depend on the secret, so they are
//! replayed: in the first run, the bytes that are passed to [`public`] are recorded, and in later
//! runs the passed bytes are overwritten with the recorded ones. The emulator of `benches/emitted`
//! does this, and in `benches/trace` a function of the program, which it passes to [`set_hook`].
//! Without either, the function has no effect.
#![allow(
    unsafe_code,
    reason = "the name of a symbol, and a pointer to a function"
)]

use core::hint::black_box;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

/// A function that receives the address and the number of the bytes that become public, and may
/// change the bytes.
pub type Hook = extern "C" fn(at: *mut u8, length: usize);

/// A [`Hook`], or null.
static HOOK: AtomicPtr<()> = AtomicPtr::new(null_mut());

/// Sets the function that is called with each value that becomes public.
pub fn set_hook(hook: Hook) {
    HOOK.store(hook as *mut (), Ordering::Relaxed);
}

/// Marks the bytes of `value` (but not the memory that it points to) as public.
#[inline(always)]
pub fn public<T: ?Sized>(value: &mut T) {
    moissanite_replay(core::ptr::from_mut(value).cast(), size_of_val(value));
}

/// An emulator intercepts this function by its name, and may change the bytes.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn moissanite_replay(at: *mut u8, length: usize) {
    let hook = HOOK.load(Ordering::Relaxed);
    if !hook.is_null() {
        // SAFETY: only `set_hook` stores a pointer that is not null, and this has the type `Hook`.
        let hook = unsafe { core::mem::transmute::<*mut (), Hook>(hook) };
        hook(at, length);
    }
    black_box((at, length));
}
