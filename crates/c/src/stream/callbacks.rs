//! Functions of the caller that read and write bytes.

use core::ffi::{c_int, c_void};

use moissanite::rand_core::{TryCryptoRng, TryRng};
use moissanite::stream;

use crate::caller::{Caller, called};
use crate::status::{MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_READ, MOISSANITE_ERROR_WRITE, Status};

/// Bytes that are read in pieces, in any order and repeatedly, such as those of a flash chip. The bytes must not
/// change while a function has the source. moissanite_read_memory reads memory.
#[repr(C)]
pub struct Source {
    /// Copies length bytes, from the byte number offset on, to the given place, and returns zero. Any other result
    /// means that the bytes cannot be read, and ends the operation with MOISSANITE_ERROR_READ. length is at most
    /// 128. The function must return: it must not call longjmp or throw an exception.
    pub read: Option<
        unsafe extern "C" fn(user: *mut c_void, offset: usize, to: *mut u8, length: usize) -> c_int,
    >,
    /// The first argument of read.
    pub user: *mut c_void,
}

/// The bytes of a source in memory: the argument user of moissanite_read_memory.
#[repr(C)]
pub struct Bytes {
    /// The first byte.
    pub bytes: *const u8,
    /// The number of bytes.
    pub length: usize,
}

/// Takes bytes that are written in pieces, in order.
#[repr(C)]
pub struct Sink {
    /// Takes the next length bytes and returns zero. Any other result ends the operation with
    /// MOISSANITE_ERROR_WRITE. length is at most 128. The function must return: it must not call longjmp or throw an
    /// exception.
    pub write:
        Option<unsafe extern "C" fn(user: *mut c_void, piece: *const u8, length: usize) -> c_int>,
    /// The first argument of write.
    pub user: *mut c_void,
}

/// A generator of random numbers that is suitable for keys.
#[repr(C)]
pub struct Random {
    /// Writes length random bytes to the given place and returns zero. Any other result ends the operation with
    /// MOISSANITE_ERROR_RANDOM. The bytes are secret. The function must return: it must not call longjmp or throw an
    /// exception.
    pub fill: Option<unsafe extern "C" fn(user: *mut c_void, to: *mut u8, length: usize) -> c_int>,
    /// The first argument of fill.
    pub user: *mut c_void,
}

/// The function read of a source in memory. user points to the bytes, a struct moissanite_bytes.
///
/// Returns zero, or MOISSANITE_ERROR_READ if the bytes end before, or MOISSANITE_ERROR_NULL,
/// MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_read_memory(
    user: *mut c_void,
    offset: usize,
    to: *mut u8,
    length: usize,
) -> c_int {
    let body = |caller: &Caller| {
        let source: &Bytes = caller.value(user.cast())?;
        let bytes = caller.bytes(source.bytes, source.length)?;
        let rest = bytes.get(offset..).and_then(|rest| rest.get(..length));
        let from = rest.ok_or(MOISSANITE_ERROR_READ)?;
        let to = caller.output(to, length)?;
        for (to, from) in to.iter_mut().zip(from) {
            *to = *from;
        }
        Ok(())
    };
    // SAFETY: All pointers are arguments of this function, or are in memory to which an argument points.
    unsafe { called(body) }
}

/// The callback of a source.
#[derive(Clone, Copy)]
pub(crate) struct Reader {
    read: unsafe extern "C" fn(*mut c_void, usize, *mut u8, usize) -> c_int,
    user: *mut c_void,
}

impl Reader {
    /// The callback of a source that the caller passes.
    pub(crate) fn new(caller: &Caller, source: *const Source) -> Result<Self, Status> {
        let source = caller.value(source)?;
        let read = source.read.ok_or(MOISSANITE_ERROR_NULL)?;
        let user = source.user;
        Ok(Self { read, user })
    }
}

impl stream::Source for Reader {
    type Error = Status;
    #[inline(never)]
    fn read(&mut self, offset: usize, piece: &mut [u8]) -> Result<(), Status> {
        // SAFETY: `new` has got the function from the caller, whose contract is that it takes these arguments.
        let failed = unsafe { (self.read)(self.user, offset, piece.as_mut_ptr(), piece.len()) };
        if failed != 0 {
            return Err(MOISSANITE_ERROR_READ);
        }
        Ok(())
    }
}

/// The callback of a sink.
pub(crate) struct Writer {
    write: unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int,
    user: *mut c_void,
}

impl Writer {
    /// The callback of a sink that the caller passes.
    pub(crate) fn new(caller: &Caller, sink: *const Sink) -> Result<Self, Status> {
        let sink = caller.value(sink)?;
        let write = sink.write.ok_or(MOISSANITE_ERROR_NULL)?;
        let user = sink.user;
        Ok(Self { write, user })
    }

    #[inline(never)]
    pub(crate) fn write(&self, piece: &[u8]) -> Result<(), Status> {
        // SAFETY: `new` has got the function from the caller, whose contract is that it takes these arguments.
        let failed = unsafe { (self.write)(self.user, piece.as_ptr(), piece.len()) };
        if failed != 0 {
            return Err(MOISSANITE_ERROR_WRITE);
        }
        Ok(())
    }
}

/// The callback of a generator.
pub(crate) struct Generator {
    fill: unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_int,
    user: *mut c_void,
}

impl Generator {
    /// The callback of a generator that the caller passes, or nothing for a null pointer.
    pub(crate) fn new(caller: &Caller, random: *const Random) -> Result<Option<Self>, Status> {
        let Some(random) = caller.optional(random)? else {
            return Ok(None);
        };
        let fill = random.fill.ok_or(MOISSANITE_ERROR_NULL)?;
        let user = random.user;
        Ok(Some(Self { fill, user }))
    }
}

/// The generator has failed.
#[derive(Debug)]
pub(crate) struct GeneratorFailed;

impl core::fmt::Display for GeneratorFailed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the generator of random numbers failed")
    }
}
impl core::error::Error for GeneratorFailed {}

impl TryRng for Generator {
    type Error = GeneratorFailed;
    fn try_next_u32(&mut self) -> Result<u32, GeneratorFailed> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
    fn try_next_u64(&mut self) -> Result<u64, GeneratorFailed> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), GeneratorFailed> {
        // SAFETY: `new` has got the function from the caller, whose contract is that it takes these arguments.
        let failed = unsafe { (self.fill)(self.user, bytes.as_mut_ptr(), bytes.len()) };
        if failed != 0 {
            return Err(GeneratorFailed);
        }
        Ok(())
    }
}
impl TryCryptoRng for Generator {}
