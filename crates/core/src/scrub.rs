//! Overwriting of unused stack memory after an operation.
//!
//! Variables with secrets wipe themselves. The functions of this module overwrite the other copies:
//! those that the compiler spills to the stack, and those of external code. These copies are in the
//! stack below the function that called the operation.

use core::mem::MaybeUninit;

use moissanite_keccak::Keccak;

use crate::backend::Backend;

/// The number of bytes that are overwritten at a time: few enough for stores without a call of
/// `memset`.
const PIECE: usize = 256;

/// Runs an operation, and then overwrites the first `DEPTH` bytes of the stack that it used with
/// zeros. The result must not be secret, or the caller must wipe it.
#[inline(always)]
pub fn scrubbed<const DEPTH: usize, T>(operation: impl FnOnce() -> T) -> T {
    let result = apart(operation);
    scrub::<DEPTH>();
    result
}

/// [`scrubbed`] for a lattice operation whose caller provides the large variables. The depth covers
/// the deepest stack that the functions of this crate use on this backend.
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

/// Runs the operation in a stack frame of its own, which is no longer in use when this function
/// returns.
#[inline(never)]
fn apart<T>(operation: impl FnOnce() -> T) -> T {
    operation()
}

/// Overwrites the stack. This function is not inlined, so that its frame starts at the same address
/// as that of [`apart`].
#[inline(never)]
fn scrub<const DEPTH: usize>() {
    const { assert!(DEPTH.is_multiple_of(PIECE)) };
    let mut stack = [MaybeUninit::<u8>::uninit(); DEPTH];
    for piece in stack.as_chunks_mut::<PIECE>().0 {
        *piece = [MaybeUninit::new(0); PIECE];
        // The compiler must assume that the piece is read here, so that it cannot remove the
        // stores.
        zeroize::optimization_barrier(piece);
    }
}
