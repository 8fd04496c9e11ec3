//! Overwriting what an operation has left in dead stack memory.
//!
//! Variables with secrets in them wipe themselves. What the compiler spills and copies besides, and
//! what code from elsewhere leaves, lies in the stack below the function that called it, where it is
//! overwritten by these functions.

use core::mem::MaybeUninit;

use moissanite_keccak::Keccak;

use crate::backend::Backend;

/// How many bytes are overwritten at a time: few enough for stores without a call of `memset`.
const PIECE: usize = 256;

/// Runs an operation, and then overwrites the first `DEPTH` bytes of the stack that it used with
/// zeros. What it returns must not be secret, or must be wiped by the caller.
#[inline(always)]
pub fn scrubbed<const DEPTH: usize, T>(operation: impl FnOnce() -> T) -> T {
    let result = apart(operation);
    scrub::<DEPTH>();
    result
}

/// [`scrubbed`], for an operation of lattices whose large variables are the caller's: as deep as
/// the functions of this crate get on this backend.
#[inline(always)]
pub fn scrubbed_on<B: Backend, T>(_: B, operation: impl FnOnce() -> T) -> T {
    let result = apart(operation);
    match B::Keccak::WIDTH {
        8.. => scrub::<{ 12 << 10 }>(),
        2.. => scrub::<{ 8 << 10 }>(),
        _ if usize::BITS == 64 => scrub::<{ 4 << 10 }>(),
        _ => scrub::<{ 2 << 10 }>(),
    }
    result
}

/// A frame of its own, which is dead when this returns.
#[inline(never)]
fn apart<T>(operation: impl FnOnce() -> T) -> T {
    operation()
}

/// Not inlined, so that its frame starts where that of [`apart`] did.
#[inline(never)]
fn scrub<const DEPTH: usize>() {
    const { assert!(DEPTH.is_multiple_of(PIECE)) };
    let mut stack = [MaybeUninit::<u8>::uninit(); DEPTH];
    for piece in stack.as_chunks_mut::<PIECE>().0 {
        *piece = [MaybeUninit::new(0); PIECE];
        // The piece counts as read here, so that the stores cannot be left out.
        zeroize::optimization_barrier(piece);
    }
}
