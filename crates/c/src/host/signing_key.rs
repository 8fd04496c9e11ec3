//! The functions that make, read and write private keys.

use std::boxed::Box;

use moissanite::Seed;

use super::document::{self, Encoding, Form};
use super::handle::{copy_out, free, give};
use super::private_key::{self, PrivateKey};
use super::verifying_key::VerifyingKey;
use crate::algorithm::{Algorithm, MOISSANITE_SEED_LENGTH};
use crate::caller::{Caller, called};
use crate::message::{self, MessageMemory};
use crate::status::{MOISSANITE_ERROR_SEED, Status};

/// A private key with its public key, on the heap. It is secret, and wiped when it is freed.
///
/// Several threads can use it at the same time with functions that take a pointer to a const key.
pub struct SigningKey {
    pub(super) key: Box<dyn PrivateKey>,
}

/// Generates a private key with the random number generator of the operating system (FIPS 204, Algorithm 1,
/// ML-DSA.KeyGen), and stores its address, or null after an error. moissanite_signing_key_free frees it.
///
/// Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALGORITHM, MOISSANITE_ERROR_RANDOM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_signing_key_generate(
    algorithm: Algorithm,
    key: *mut *mut SigningKey,
) -> Status {
    let make = || {
        let key = private_key::generate(algorithm)?;
        Ok(SigningKey { key })
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(|caller| give(caller, key, make)) }
}

/// Generates the private key of a seed (FIPS 204, Algorithm 6, ML-DSA.KeyGen_internal). Every seed of
/// MOISSANITE_SEED_LENGTH random bytes gives a key. The seed is secret; the caller wipes it with moissanite_wipe.
///
/// Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_ALGORITHM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_signing_key_from_seed(
    algorithm: Algorithm,
    seed: *const u8,
    seed_length: usize,
    key: *mut *mut SigningKey,
) -> Status {
    let body = |caller: &Caller| {
        give(caller, key, || {
            let seed = caller.fixed::<MOISSANITE_SEED_LENGTH>(seed, seed_length)?;
            let key = private_key::from_seed(algorithm, &Seed::from_bytes(seed))?;
            Ok(SigningKey { key })
        })
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Reads an expanded private key (FIPS 204, Algorithm 25, skDecode), of as many bytes as the algorithm has. The
/// ranges of its coefficients are checked, and that its parts belong together. It is secret.
///
/// Errors: MOISSANITE_ERROR_KEY, MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_ALGORITHM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_signing_key_from_expanded(
    algorithm: Algorithm,
    expanded: *const u8,
    expanded_length: usize,
    key: *mut *mut SigningKey,
) -> Status {
    let body = |caller: &Caller| {
        give(caller, key, || {
            let expanded = caller.bytes(expanded, expanded_length)?;
            let key = private_key::from_expanded(algorithm, expanded)?;
            Ok(SigningKey { key })
        })
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Reads a private key of FIPS 204 in PKCS#8 (RFC 9881), in any of its forms. The document names the algorithm. The
/// parts of the document must belong together. It is secret.
///
/// Errors: MOISSANITE_ERROR_DOCUMENT, MOISSANITE_ERROR_KEY, MOISSANITE_ERROR_NULL; MOISSANITE_ERROR_FORM if the
/// encoding is unknown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_signing_key_read(
    encoding: Encoding,
    document: *const u8,
    document_length: usize,
    key: *mut *mut SigningKey,
) -> Status {
    let body = |caller: &Caller| {
        give(caller, key, || {
            let document = caller.bytes(document, document_length)?;
            let key = document::read_private(document, encoding)?;
            Ok(SigningKey { key })
        })
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Writes a private key of FIPS 204 in PKCS#8 (RFC 9881), and stores the length in length. If capacity is too small,
/// only the length is stored, so that a call with a null pointer and the capacity zero asks for it. The output is
/// secret; the caller wipes it with moissanite_wipe.
///
/// Errors: MOISSANITE_ERROR_BUFFER; MOISSANITE_ERROR_FORM if the form or the encoding is unknown;
/// MOISSANITE_ERROR_SEED if the form has the seed, and it is not known; MOISSANITE_ERROR_UNSUPPORTED for round 3;
/// MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_signing_key_write(
    key: *const SigningKey,
    form: Form,
    encoding: Encoding,
    document: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> Status {
    let body = |caller: &Caller| {
        let key = caller.value(key)?;
        let output = (caller.output(document, capacity)?, caller.changed(length)?);
        let document = key.key.document(document::form(form)?)?;
        document::write_private(&document, encoding, output)
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Writes the seed, of MOISSANITE_SEED_LENGTH bytes, which is the form to store a key in. It is secret; the caller
/// wipes it with moissanite_wipe.
///
/// Errors: MOISSANITE_ERROR_SEED if the key was read in expanded form; MOISSANITE_ERROR_NULL,
/// MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_signing_key_seed(
    key: *const SigningKey,
    seed: *mut u8,
    seed_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let key = caller.value(key)?;
        let output = caller.exact_output(seed, seed_length, MOISSANITE_SEED_LENGTH)?;
        let seed = key.key.seed().ok_or(MOISSANITE_ERROR_SEED)?;
        copy_out((output, &mut 0), seed.as_bytes())
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Writes the expanded private key (FIPS 204, Algorithm 24, skEncode), of as many bytes as the algorithm has. It is
/// secret; the caller wipes it with moissanite_wipe. Store the seed instead, if it is known.
///
/// Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_signing_key_expanded(
    key: *const SigningKey,
    expanded: *mut u8,
    expanded_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let bytes = caller.value(key)?.key.expanded();
        let output = caller.exact_output(expanded, expanded_length, bytes.len())?;
        copy_out((output, &mut 0), bytes)
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Returns the algorithm of a key, or zero if key is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_signing_key_algorithm(key: *const SigningKey) -> Algorithm {
    let mut algorithm = 0;
    let body = |caller: &Caller| {
        algorithm = caller.value(key)?.key.algorithm();
        Ok(())
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) };
    algorithm
}

/// Makes a copy of the public key, and stores its address, or null after an error. moissanite_verifying_key_free
/// frees it.
///
/// Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_signing_key_public(
    key: *const SigningKey,
    public_key: *mut *mut VerifyingKey,
) -> Status {
    let body = |caller: &Caller| {
        give(caller, public_key, || {
            let key = caller.value(key)?.key.public_key();
            Ok(VerifyingKey { key })
        })
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Computes the values that every signature with this key needs, and keeps them: 26 to 75 KiB, which are secret.
/// Signatures have the same bytes as before, and take less time. No other thread may use the key meanwhile.
///
/// Errors: MOISSANITE_ERROR_NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_signing_key_prepare(key: *mut SigningKey) -> Status {
    let body = |caller: &Caller| {
        caller.changed(key)?.key.prepare();
        Ok(())
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Signs a message and verifies the signature, as a cryptographic module of FIPS 140-3 does with a new key.
///
/// Errors: MOISSANITE_ERROR_FAULT if the signature is not valid; MOISSANITE_ERROR_NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_signing_key_check_pair(key: *const SigningKey) -> Status {
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(|caller| caller.value(key)?.key.check_pair()) }
}

/// Starts a message that is to be signed, in pieces. moissanite_message_update takes the pieces,
/// moissanite_message_finish gives the message representative, and moissanite_sign_mu signs it with the same key. The
/// context has at most MOISSANITE_MAX_CONTEXT_LENGTH bytes and may be empty; algorithms of round 3 have none.
///
/// Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_signing_key_start_message(
    key: *const SigningKey,
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

/// Wipes and frees a private key, and stores null, so that a second call has no effect. Nothing happens if the stored
/// address is null.
///
/// Errors: MOISSANITE_ERROR_NULL if key itself is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_signing_key_free(key: *mut *mut SigningKey) -> Status {
    // SAFETY: All pointers are arguments of this function, or in memory to which an argument points.
    unsafe { called(|caller| free(caller, key)) }
}
