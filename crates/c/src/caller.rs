//! References to memory of the caller.

use core::cell::Cell;
use core::slice;

use crate::status::{
    MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_NULL,
    MOISSANITE_ERROR_OVERLAP, MOISSANITE_OK, Status,
};

/// The most pointers of one call that are recorded. A function that reads more memory than this takes what it writes
/// first.
const ARGUMENTS: usize = 10;

/// The caller of an exported function, and the memory of it that the function has references to.
///
/// A value of this type states that the caller keeps the contract of the header, so that its methods can be safe. It
/// is made once for each call. A reference to the caller's memory lives no longer than it.
pub(crate) struct Caller {
    taken: Cell<[Range; ARGUMENTS]>,
    count: Cell<usize>,
}

/// Memory that a function has a reference to.
#[derive(Clone, Copy)]
struct Range {
    start: usize,
    end: usize,
    is_written: bool,
}

/// Runs the body of an exported function.
///
/// # Safety
/// Each pointer that `body` passes to a method of [`Caller`] is an argument of the exported function, or was read
/// from memory to which an argument points. The caller of the function keeps the contract of the header: a pointer
/// that is not null is valid for its length during the call, its bytes are initialised if the function reads them,
/// and no other thread writes to them.
#[inline(always)]
pub(crate) unsafe fn called(body: impl FnOnce(&Caller) -> Result<(), Status>) -> Status {
    const NOTHING: Range = Range {
        start: 0,
        end: 0,
        is_written: false,
    };
    let caller = Caller {
        taken: Cell::new([NOTHING; ARGUMENTS]),
        count: Cell::new(0),
    };
    match guarded(|| body(&caller)) {
        Ok(()) => MOISSANITE_OK,
        Err(status) => status,
    }
}

/// Returns an error in place of a panic. No operation panics, so a panic is a bug.
#[cfg(feature = "std")]
pub(crate) fn guarded(body: impl FnOnce() -> Result<(), Status>) -> Result<(), Status> {
    use crate::status::MOISSANITE_ERROR_INTERNAL;
    let body = std::panic::AssertUnwindSafe(body);
    std::panic::catch_unwind(body).unwrap_or(Err(MOISSANITE_ERROR_INTERNAL))
}

#[cfg(not(feature = "std"))]
#[inline(always)]
pub(crate) fn guarded(body: impl FnOnce() -> Result<(), Status>) -> Result<(), Status> {
    body()
}

impl Caller {
    /// Records memory of the caller, and fails if it overlaps other memory and one of the two is written.
    #[inline(never)]
    fn take(&self, start: usize, length: usize, is_written: bool) -> Result<(), Status> {
        let end = start.checked_add(length);
        let end = end.filter(|_| length <= isize::MAX.cast_unsigned());
        let end = end.ok_or(MOISSANITE_ERROR_LENGTH)?;
        let mut taken = self.taken.get();
        let count = self.count.get();
        if is_written && count > ARGUMENTS {
            // There is memory that is not recorded.
            return Err(MOISSANITE_ERROR_OVERLAP);
        }
        let overlaps = |other: &Range| {
            (is_written || other.is_written) && start < other.end && other.start < end
        };
        if taken.iter().any(overlaps) {
            return Err(MOISSANITE_ERROR_OVERLAP);
        }
        if let Some(range) = taken.get_mut(count) {
            *range = Range {
                start,
                end,
                is_written,
            };
        }
        self.count.set(count.saturating_add(1));
        self.taken.set(taken);
        Ok(())
    }

    /// Memory for a value of type `T`.
    fn take_place<T>(&self, place: *const T, is_written: bool) -> Result<(), Status> {
        if place.is_null() {
            return Err(MOISSANITE_ERROR_NULL);
        }
        if !place.is_aligned() {
            return Err(MOISSANITE_ERROR_ALIGNMENT);
        }
        self.take(place.addr(), size_of::<T>(), is_written)
    }

    /// A byte string that is read.
    pub(crate) fn bytes(&self, bytes: *const u8, length: usize) -> Result<&[u8], Status> {
        self.array(bytes, length)
    }

    /// Values that are read.
    pub(crate) fn array<T>(&self, values: *const T, count: usize) -> Result<&[T], Status> {
        if count == 0 {
            return Ok(&[]);
        }
        if values.is_null() {
            return Err(MOISSANITE_ERROR_NULL);
        }
        if !values.is_aligned() {
            return Err(MOISSANITE_ERROR_ALIGNMENT);
        }
        let length = count.checked_mul(size_of::<T>());
        self.take(values.addr(), length.ok_or(MOISSANITE_ERROR_LENGTH)?, false)?;
        // SAFETY: The contract of `called`: the memory is valid for this length. It is aligned and not null, and
        // `take` has checked that it is not longer than a slice can be and that nothing of it is written.
        Ok(unsafe { slice::from_raw_parts(values, count) })
    }

    /// A byte string of a fixed length that is read.
    pub(crate) fn fixed<const LENGTH: usize>(
        &self,
        bytes: *const u8,
        length: usize,
    ) -> Result<&[u8; LENGTH], Status> {
        if length != LENGTH {
            return Err(MOISSANITE_ERROR_LENGTH);
        }
        let bytes = self.bytes(bytes, length)?;
        bytes.try_into().map_err(|_| MOISSANITE_ERROR_LENGTH)
    }

    /// A byte string that is written.
    #[allow(
        clippy::mut_from_ref,
        reason = "`take` has checked that there is no other reference to this memory"
    )]
    pub(crate) fn output(&self, bytes: *mut u8, length: usize) -> Result<&mut [u8], Status> {
        if length == 0 {
            return Ok(&mut []);
        }
        self.places(bytes, length)?;
        // SAFETY: The contract of `called`: the memory is valid for this length. It is not null, and `places` has
        // checked that it is not longer than a slice can be and that there is no other reference to it.
        Ok(unsafe { slice::from_raw_parts_mut(bytes, length) })
    }

    /// Memory for values that are written. This makes no reference, because the memory can have any content.
    pub(crate) fn places<T>(&self, values: *mut T, count: usize) -> Result<(), Status> {
        if values.is_null() {
            return Err(MOISSANITE_ERROR_NULL);
        }
        if !values.is_aligned() {
            return Err(MOISSANITE_ERROR_ALIGNMENT);
        }
        let length = count.checked_mul(size_of::<T>());
        self.take(values.addr(), length.ok_or(MOISSANITE_ERROR_LENGTH)?, true)
    }

    /// The same as [`Self::output`], for an output of a fixed length.
    #[allow(
        clippy::mut_from_ref,
        reason = "`take` has checked that there is no other reference to this memory"
    )]
    pub(crate) fn exact_output(
        &self,
        bytes: *mut u8,
        length: usize,
        expected: usize,
    ) -> Result<&mut [u8], Status> {
        if length != expected {
            return Err(MOISSANITE_ERROR_LENGTH);
        }
        self.output(bytes, length)
    }

    /// A value that is read.
    pub(crate) fn value<T>(&self, value: *const T) -> Result<&T, Status> {
        self.take_place(value, false)?;
        // SAFETY: The contract of `called`: the memory is valid and has a value of this type. It is aligned and
        // not null, and nothing of it is written.
        Ok(unsafe { &*value })
    }

    /// A value that is read, or nothing for a null pointer.
    pub(crate) fn optional<T>(&self, value: *const T) -> Result<Option<&T>, Status> {
        if value.is_null() {
            return Ok(None);
        }
        self.value(value).map(Some)
    }

    /// A value that is changed.
    #[allow(
        clippy::mut_from_ref,
        reason = "`take` has checked that there is no other reference to this memory"
    )]
    pub(crate) fn changed<T>(&self, value: *mut T) -> Result<&mut T, Status> {
        self.take_place(value, true)?;
        // SAFETY: The contract of `called`: the memory is valid and has a value of this type. It is aligned and
        // not null, and there is no other reference to it.
        Ok(unsafe { &mut *value })
    }
}
