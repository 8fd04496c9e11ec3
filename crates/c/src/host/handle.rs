//! Objects on the heap, to which the caller has pointers; and outputs whose length the caller does not know.

use std::boxed::Box;
use std::ptr;

use zeroize::Zeroize;

use crate::caller::{Caller, called};
use crate::status::{MOISSANITE_ERROR_BUFFER, Status};

/// Moves an object to the heap, and stores its address, or null after an error.
pub(super) fn give<T>(
    caller: &Caller,
    place: *mut *mut T,
    make: impl FnOnce() -> Result<T, Status>,
) -> Result<(), Status> {
    let place = caller.changed(place)?;
    *place = ptr::null_mut();
    *place = Box::into_raw(Box::new(make()?));
    Ok(())
}

/// Frees an object and stores null, so that a second call has no effect.
pub(super) fn free<T>(caller: &Caller, place: *mut *mut T) -> Result<(), Status> {
    let place = caller.changed(place)?;
    let object = std::mem::replace(place, ptr::null_mut());
    if !object.is_null() {
        // SAFETY: The contract of the header: the pointer is one that `give` has stored, and was not freed.
        drop(unsafe { Box::from_raw(object) });
    }
    Ok(())
}

/// Copies bytes to the caller, and stores their number. If the memory is too small, only the number is stored.
pub(super) fn copy_out(
    (output, length): (&mut [u8], &mut usize),
    bytes: &[u8],
) -> Result<(), Status> {
    *length = bytes.len();
    let output = output.get_mut(..bytes.len());
    output
        .ok_or(MOISSANITE_ERROR_BUFFER)?
        .copy_from_slice(bytes);
    Ok(())
}

/// Overwrites memory with zeros, in a way that a compiler does not remove. Seeds, private keys in any form and random
/// bytes are secret: wipe them when they are not needed any more.
///
/// Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_wipe(memory: *mut u8, length: usize) -> Status {
    let body = |caller: &Caller| {
        caller.output(memory, length)?.zeroize();
        Ok(())
    };
    // SAFETY: The pointer is an argument of this function.
    unsafe { called(body) }
}
