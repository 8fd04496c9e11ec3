//! The functions that sign.

use super::signing_key::SigningKey;
use crate::algorithm::{MOISSANITE_MU_LENGTH, moissanite_signature_length};
use crate::caller::{Caller, called};
use crate::digest::Hash;
use crate::status::{MOISSANITE_ERROR_MODE, Status};

/// The mode of signing: MOISSANITE_HEDGED or MOISSANITE_DETERMINISTIC.
pub type Mode = u32;

/// With 32 random bytes from the operating system. Use this mode: it makes attacks by faults and side channels
/// harder.
pub const MOISSANITE_HEDGED: u32 = 1;
/// Without randomness: the same message gives the same signature.
pub const MOISSANITE_DETERMINISTIC: u32 = 2;

pub(super) fn is_hedged(mode: Mode) -> Result<bool, Status> {
    match mode {
        MOISSANITE_HEDGED => Ok(true),
        MOISSANITE_DETERMINISTIC => Ok(false),
        _ => Err(MOISSANITE_ERROR_MODE),
    }
}

/// The memory for a signature.
fn output<'a>(
    caller: &'a Caller,
    key: &SigningKey,
    signature: *mut u8,
    length: usize,
) -> Result<&'a mut [u8], Status> {
    let expected = moissanite_signature_length(key.key.algorithm());
    caller.exact_output(signature, length, expected)
}

/// Signs a message (FIPS 204, Algorithm 2, ML-DSA.Sign). signature_length is the length of a signature of the
/// algorithm.
///
/// The context has at most MOISSANITE_MAX_CONTEXT_LENGTH bytes and may be empty; the verifier must use the same one.
/// Algorithms of round 3 have none. No address, branch or division depends on the key or the random bytes.
///
/// Errors: MOISSANITE_ERROR_RANDOM, MOISSANITE_ERROR_FAULT, after both of which the signature is all zero;
/// MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_OVERLAP, MOISSANITE_ERROR_CONTEXT,
/// MOISSANITE_ERROR_MODE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_sign(
    key: *const SigningKey,
    mode: Mode,
    context: *const u8,
    context_length: usize,
    message: *const u8,
    message_length: usize,
    signature: *mut u8,
    signature_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let key = caller.value(key)?;
        let is_hedged = is_hedged(mode)?;
        let context = caller.bytes(context, context_length)?;
        let message = caller.bytes(message, message_length)?;
        let output = output(caller, key, signature, signature_length)?;
        let mut mu = [0; MOISSANITE_MU_LENGTH];
        let mut hash = key.key.start(context)?;
        hash.update(message);
        hash.finish(&mut mu);
        key.key.sign_mu(is_hedged, &mu, output)
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Signs a message representative of MOISSANITE_MU_LENGTH bytes (FIPS 204, Algorithm 7, from line 7 on). It must have
/// been computed with the public key of this key: the signature of another one is not valid.
///
/// Errors: as moissanite_sign.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_sign_mu(
    key: *const SigningKey,
    mode: Mode,
    mu: *const u8,
    mu_length: usize,
    signature: *mut u8,
    signature_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let key = caller.value(key)?;
        let is_hedged = is_hedged(mode)?;
        let mu = caller.fixed::<MOISSANITE_MU_LENGTH>(mu, mu_length)?;
        let output = output(caller, key, signature, signature_length)?;
        key.key.sign_mu(is_hedged, mu, output)
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Signs a digest (FIPS 204, Algorithm 4, HashML-DSA.Sign), of the length of the hash function. Such a signature does
/// not verify as one of the message. Use it only if a protocol requires it: moissanite_signing_key_start_message takes
/// long messages too.
///
/// Errors: MOISSANITE_ERROR_HASH if the hash function is unknown or too weak; MOISSANITE_ERROR_LENGTH also for the
/// digest; MOISSANITE_ERROR_UNSUPPORTED for round 3; and as moissanite_sign.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_sign_digest(
    key: *const SigningKey,
    mode: Mode,
    hash: Hash,
    context: *const u8,
    context_length: usize,
    digest: *const u8,
    digest_length: usize,
    signature: *mut u8,
    signature_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let key = caller.value(key)?;
        let is_hedged = is_hedged(mode)?;
        let context = caller.bytes(context, context_length)?;
        let digest = caller.bytes(digest, digest_length)?;
        let output = output(caller, key, signature, signature_length)?;
        let mu = key.key.public_key().digest_mu(hash, context, digest)?;
        key.key.sign_mu(is_hedged, &mu, output)
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}
