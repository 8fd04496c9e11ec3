//! The functions that read and write public keys.

use std::boxed::Box;

use super::document::{self, Encoding};
use super::handle::{copy_out, free, give};
use super::public_key::{self, PublicKey};
use crate::algorithm::Algorithm;
use crate::caller::{Caller, called};
use crate::message::{self, MessageMemory};
use crate::status::Status;

/// A public key, on the heap.
///
/// Several threads can use it at the same time with functions that take a pointer to a const key.
pub struct VerifyingKey {
    pub(super) key: Box<dyn PublicKey>,
}

/// Reads a public key (FIPS 204, Algorithm 23, pkDecode): any bytes of the length of the algorithm. The address is
/// stored, or null after an error. moissanite_verifying_key_free frees it.
///
/// Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_ALGORITHM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_verifying_key_from_bytes(
    algorithm: Algorithm,
    bytes: *const u8,
    bytes_length: usize,
    key: *mut *mut VerifyingKey,
) -> Status {
    let body = |caller: &Caller| {
        give(caller, key, || {
            let bytes = caller.bytes(bytes, bytes_length)?;
            let key = public_key::from_bytes(algorithm, bytes)?;
            Ok(VerifyingKey { key })
        })
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Reads a public key of FIPS 204 in SubjectPublicKeyInfo (RFC 9881). The document names the algorithm.
///
/// Errors: MOISSANITE_ERROR_DOCUMENT, MOISSANITE_ERROR_NULL; MOISSANITE_ERROR_FORM if the encoding is unknown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_verifying_key_read(
    encoding: Encoding,
    document: *const u8,
    document_length: usize,
    key: *mut *mut VerifyingKey,
) -> Status {
    let body = |caller: &Caller| {
        give(caller, key, || {
            let document = caller.bytes(document, document_length)?;
            let key = document::read_public(document, encoding)?;
            Ok(VerifyingKey { key })
        })
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Writes a public key of FIPS 204 in SubjectPublicKeyInfo (RFC 9881), and stores the length in length. If capacity
/// is too small, only the length is stored, so that a call with a null pointer and the capacity zero asks for it.
///
/// Errors: MOISSANITE_ERROR_BUFFER; MOISSANITE_ERROR_FORM if the encoding is unknown; MOISSANITE_ERROR_UNSUPPORTED for
/// round 3; MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_verifying_key_write(
    key: *const VerifyingKey,
    encoding: Encoding,
    document: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> Status {
    let body = |caller: &Caller| {
        let key = caller.value(key)?;
        let output = (caller.output(document, capacity)?, caller.changed(length)?);
        document::write_public(&key.key.document()?, encoding, output)
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Writes the bytes of a public key (FIPS 204, Algorithm 22, pkEncode), of the length of the algorithm.
///
/// Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_verifying_key_bytes(
    key: *const VerifyingKey,
    bytes: *mut u8,
    bytes_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let key = caller.value(key)?.key.bytes();
        let output = caller.exact_output(bytes, bytes_length, key.len())?;
        copy_out((output, &mut 0), key)
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Returns the algorithm of a key, or zero if key is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_verifying_key_algorithm(key: *const VerifyingKey) -> Algorithm {
    let mut algorithm = 0;
    let body = |caller: &Caller| {
        algorithm = caller.value(key)?.key.algorithm();
        Ok(())
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) };
    algorithm
}

/// Computes the values that every verification with this key needs, and keeps them: 21 to 63 KiB. The results are the
/// same as before, and take less time. No other thread may use the key meanwhile.
///
/// Errors: MOISSANITE_ERROR_NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_verifying_key_prepare(key: *mut VerifyingKey) -> Status {
    let body = |caller: &Caller| {
        caller.changed(key)?.key.prepare();
        Ok(())
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Starts a message that is to be verified, in pieces. moissanite_message_update takes the pieces,
/// moissanite_message_finish gives the message representative, and moissanite_verify_mu verifies it with the same
/// key. The context has at most MOISSANITE_MAX_CONTEXT_LENGTH bytes and may be empty; algorithms of round 3 have none.
///
/// Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_verifying_key_start_message(
    key: *const VerifyingKey,
    message: *mut MessageMemory,
    context: *const u8,
    context_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let key = caller.value(key)?;
        let context = caller.bytes(context, context_length)?;
        message::start(caller, message, || key.key.start(context))
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Frees a public key, and stores null, so that a second call has no effect. Nothing happens if the stored address is
/// null.
///
/// Errors: MOISSANITE_ERROR_NULL if key itself is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_verifying_key_free(key: *mut *mut VerifyingKey) -> Status {
    // SAFETY: All pointers are arguments of this function, or in memory to which an argument points.
    unsafe { called(|caller| free(caller, key)) }
}
