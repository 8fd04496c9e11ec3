//! The results of functions.

use core::ffi::{CStr, c_char};

/// The result of a function: zero, which is MOISSANITE_OK, or one of the errors MOISSANITE_ERROR_....
pub type Status = i32;

/// The function has done what it is documented to do.
pub const MOISSANITE_OK: i32 = 0;
/// The signature is not valid for this message, context and public key. The result does not say why.
pub const MOISSANITE_ERROR_SIGNATURE: i32 = 1;
/// A pointer is null that must not be. A null pointer is accepted for a byte string of length zero.
pub const MOISSANITE_ERROR_NULL: i32 = 2;
/// A length is not the length that the algorithm has, or is too large for a byte string in memory.
pub const MOISSANITE_ERROR_LENGTH: i32 = 3;
/// Memory that the function writes overlaps other memory that it was given.
pub const MOISSANITE_ERROR_OVERLAP: i32 = 4;
/// Memory for an object is not aligned as its type needs.
pub const MOISSANITE_ERROR_ALIGNMENT: i32 = 5;
/// The memory has no object of this kind: it was not started, it was finished or wiped, it was copied to another
/// address, or a callback uses the object that has called it.
pub const MOISSANITE_ERROR_STATE: i32 = 6;
/// The algorithm is unknown, or this library was built without it.
pub const MOISSANITE_ERROR_ALGORITHM: i32 = 7;
/// The context has more than 255 bytes, or a context is given to an algorithm of round 3, which has none.
pub const MOISSANITE_ERROR_CONTEXT: i32 = 8;
/// The mode of signing is unknown.
pub const MOISSANITE_ERROR_MODE: i32 = 9;
/// The hash function is unknown, or weaker than the algorithm.
pub const MOISSANITE_ERROR_HASH: i32 = 10;
/// The bytes have the right length, but are not a private key: a secret coefficient is out of range, or the parts
/// of the key do not belong together.
pub const MOISSANITE_ERROR_KEY: i32 = 11;
/// The bytes are not a document of PKCS#8 or SubjectPublicKeyInfo in the expected encoding, or its key is of an
/// algorithm that this library does not have.
pub const MOISSANITE_ERROR_DOCUMENT: i32 = 12;
/// The private key was read in expanded form, so its seed is not known.
pub const MOISSANITE_ERROR_SEED: i32 = 13;
/// The form of a private key in a document is unknown.
pub const MOISSANITE_ERROR_FORM: i32 = 14;
/// The memory for the output is too small. The length that is needed was stored.
pub const MOISSANITE_ERROR_BUFFER: i32 = 15;
/// The algorithms of round 3 do not have this operation.
pub const MOISSANITE_ERROR_UNSUPPORTED: i32 = 16;
/// The generator of random numbers failed. Nothing was signed or generated.
pub const MOISSANITE_ERROR_RANDOM: i32 = 17;
/// A callback that reads failed.
pub const MOISSANITE_ERROR_READ: i32 = 18;
/// A callback that writes failed. It may have a part of the output.
pub const MOISSANITE_ERROR_WRITE: i32 = 19;
/// The machine is faulty: no attempt to sign succeeded, or a result was different when it was computed again.
/// Discard the output.
pub const MOISSANITE_ERROR_FAULT: i32 = 20;
/// A self-test failed: the library does not compute its known answers.
pub const MOISSANITE_ERROR_SELF_TEST: i32 = 21;
/// There is a bug in this library. Discard the output, and free or wipe the objects that were used.
pub const MOISSANITE_ERROR_INTERNAL: i32 = 22;

/// Returns a sentence about a status, in English, which is a constant string and ends without a full stop.
#[unsafe(no_mangle)]
pub extern "C" fn moissanite_error_message(status: Status) -> *const c_char {
    message(status).as_ptr()
}

/// Returns the version of this library, such as "0.1.0", which is a constant string.
#[unsafe(no_mangle)]
pub extern "C" fn moissanite_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

pub(crate) fn message(status: Status) -> &'static CStr {
    match status {
        MOISSANITE_OK => c"no error",
        MOISSANITE_ERROR_SIGNATURE => c"the signature is not valid",
        MOISSANITE_ERROR_NULL => c"a pointer is null",
        MOISSANITE_ERROR_LENGTH => c"a length is not that of the algorithm",
        MOISSANITE_ERROR_OVERLAP => c"the output overlaps other memory",
        MOISSANITE_ERROR_ALIGNMENT => c"memory for an object is not aligned",
        MOISSANITE_ERROR_STATE => c"there is no object of this kind in the memory",
        MOISSANITE_ERROR_ALGORITHM => c"the algorithm is unknown or not in this library",
        MOISSANITE_ERROR_CONTEXT => {
            c"the context has more than 255 bytes, or the algorithm has no contexts"
        }
        MOISSANITE_ERROR_MODE => c"the mode of signing is unknown",
        MOISSANITE_ERROR_HASH => c"the hash function is unknown or weaker than the algorithm",
        MOISSANITE_ERROR_KEY => c"the bytes are not a consistent private key",
        MOISSANITE_ERROR_DOCUMENT => c"the document is not a key of this library's algorithms",
        MOISSANITE_ERROR_SEED => c"the seed of the private key is not known",
        MOISSANITE_ERROR_FORM => c"the form of a private key is unknown",
        MOISSANITE_ERROR_BUFFER => c"the memory for the output is too small",
        MOISSANITE_ERROR_UNSUPPORTED => c"the algorithms of round 3 do not have this operation",
        MOISSANITE_ERROR_RANDOM => c"the generator of random numbers failed",
        MOISSANITE_ERROR_READ => c"a callback that reads failed",
        MOISSANITE_ERROR_WRITE => c"a callback that writes failed",
        MOISSANITE_ERROR_FAULT => c"the machine may be faulty; the output is void",
        MOISSANITE_ERROR_SELF_TEST => c"a self-test failed",
        MOISSANITE_ERROR_INTERNAL => c"there is a bug in this library",
        _ => c"the status is unknown",
    }
}
