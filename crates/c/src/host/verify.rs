//! The functions that verify.

use super::verifying_key::VerifyingKey;
use crate::algorithm::MOISSANITE_MU_LENGTH;
use crate::caller::{Caller, called};
use crate::digest::Hash;
use crate::status::Status;

/// Verifies a signature of a message (FIPS 204, Algorithm 3, ML-DSA.Verify), with the context of the signer, which has
/// at most MOISSANITE_MAX_CONTEXT_LENGTH bytes and may be empty. Algorithms of round 3 have none.
///
/// Errors: MOISSANITE_ERROR_SIGNATURE if the signature is not valid, also if it has another length than the algorithm;
/// MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_CONTEXT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_verify(
    key: *const VerifyingKey,
    context: *const u8,
    context_length: usize,
    message: *const u8,
    message_length: usize,
    signature: *const u8,
    signature_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let key = caller.value(key)?;
        let context = caller.bytes(context, context_length)?;
        let message = caller.bytes(message, message_length)?;
        let signature = caller.bytes(signature, signature_length)?;
        key.key.verify(context, message, signature)
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Verifies a signature of a message representative of MOISSANITE_MU_LENGTH bytes (FIPS 204, Algorithm 8, from line 8
/// on), which must have been computed with the same public key.
///
/// Errors: MOISSANITE_ERROR_SIGNATURE as in moissanite_verify; MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_verify_mu(
    key: *const VerifyingKey,
    mu: *const u8,
    mu_length: usize,
    signature: *const u8,
    signature_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let key = caller.value(key)?;
        let mu = caller.fixed::<MOISSANITE_MU_LENGTH>(mu, mu_length)?;
        let signature = caller.bytes(signature, signature_length)?;
        key.key.verify_mu(mu, signature)
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Verifies a signature of a digest (FIPS 204, Algorithm 5, HashML-DSA.Verify), of the length of the hash function.
///
/// Errors: MOISSANITE_ERROR_SIGNATURE as in moissanite_verify; MOISSANITE_ERROR_HASH if the hash function is unknown
/// or too weak; MOISSANITE_ERROR_UNSUPPORTED for round 3; MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH,
/// MOISSANITE_ERROR_CONTEXT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_verify_digest(
    key: *const VerifyingKey,
    hash: Hash,
    context: *const u8,
    context_length: usize,
    digest: *const u8,
    digest_length: usize,
    signature: *const u8,
    signature_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let key = caller.value(key)?;
        let context = caller.bytes(context, context_length)?;
        let digest = caller.bytes(digest, digest_length)?;
        let signature = caller.bytes(signature, signature_length)?;
        let mu = key.key.digest_mu(hash, context, digest)?;
        key.key.verify_mu(&mu, signature)
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}
