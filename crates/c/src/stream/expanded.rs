//! Expanded private keys, which are read where they are.

use moissanite::InvalidKey;
use moissanite::stream::{Encoded, SigningKey};

use super::callbacks::{Generator, Random, Reader, Sink, Source, Writer};
use super::set::Set;
use super::signing::sign;
use super::verifying::read_message;
use crate::algorithm::{Algorithm, MOISSANITE_MU_LENGTH, with_set};
use crate::caller::{Caller, called};
use crate::digest::{Hash, MuBytes};
use crate::message::{self, Message, MessageMemory};
use crate::status::{MOISSANITE_ERROR_KEY, MOISSANITE_ERROR_LENGTH, Status};

/// Signs a message with an expanded private key (FIPS 204, Algorithm 25, skDecode) of the length of the algorithm,
/// which is read in place, for example in flash. It is secret, and must not change during the call.
///
/// The key is checked each time, which takes as long as generating it: the ranges of its secret coefficients, and that
/// its parts belong together. The rest is as in moissanite_stream_sign. This needs about 5 to 8 KiB of stack on a
/// Cortex-M4, by the algorithm.
///
/// Errors: MOISSANITE_ERROR_KEY if the bytes are not a consistent key; MOISSANITE_ERROR_LENGTH,
/// MOISSANITE_ERROR_ALGORITHM; and as moissanite_stream_sign, except MOISSANITE_ERROR_STATE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_expanded_sign(
    algorithm: Algorithm,
    expanded_key: *const u8,
    expanded_key_length: usize,
    random: *const Random,
    context: *const u8,
    context_length: usize,
    message: *const Source,
    message_length: usize,
    signature: *const Sink,
) -> Status {
    let body = |caller: &Caller| {
        let bytes = caller.bytes(expanded_key, expanded_key_length)?;
        let random = Generator::new(caller, random)?;
        let context = caller.bytes(context, context_length)?;
        let message = Reader::new(caller, message)?;
        let sink = Writer::new(caller, signature)?;
        with_set!(algorithm, Set => {
            let key = checked::<Set>(bytes)?;
            let mut mu = [0; MOISSANITE_MU_LENGTH];
            hash(&key, context, message, message_length, &mut mu)?;
            sign(&key, random, &mu, &sink)
        })
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Signs a message representative of MOISSANITE_MU_LENGTH bytes with an expanded private key, which is as in
/// moissanite_stream_expanded_sign. It must have been computed with the public key of this key.
///
/// Errors: as moissanite_stream_expanded_sign.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_expanded_sign_mu(
    algorithm: Algorithm,
    expanded_key: *const u8,
    expanded_key_length: usize,
    random: *const Random,
    mu: *const u8,
    mu_length: usize,
    signature: *const Sink,
) -> Status {
    let body = |caller: &Caller| {
        let bytes = caller.bytes(expanded_key, expanded_key_length)?;
        let random = Generator::new(caller, random)?;
        let mu = caller.fixed::<MOISSANITE_MU_LENGTH>(mu, mu_length)?;
        let sink = Writer::new(caller, signature)?;
        with_set!(algorithm, Set => sign(&checked::<Set>(bytes)?, random, mu, &sink))
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Signs a digest with an expanded private key, as moissanite_stream_sign_digest does. The key is as in
/// moissanite_stream_expanded_sign.
///
/// Errors: MOISSANITE_ERROR_HASH, MOISSANITE_ERROR_LENGTH and MOISSANITE_ERROR_UNSUPPORTED as
/// moissanite_stream_sign_digest; and as moissanite_stream_expanded_sign.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_expanded_sign_digest(
    algorithm: Algorithm,
    expanded_key: *const u8,
    expanded_key_length: usize,
    random: *const Random,
    hash: Hash,
    context: *const u8,
    context_length: usize,
    digest: *const u8,
    digest_length: usize,
    signature: *const Sink,
) -> Status {
    let body = |caller: &Caller| {
        let bytes = caller.bytes(expanded_key, expanded_key_length)?;
        let random = Generator::new(caller, random)?;
        let context = caller.bytes(context, context_length)?;
        let digest = caller.bytes(digest, digest_length)?;
        let sink = Writer::new(caller, signature)?;
        with_set!(algorithm, Set => {
            let key = checked::<Set>(bytes)?;
            let mu = digest_mu(&key, context, hash, digest)?;
            sign(&key, random, &mu, &sink)
        })
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Starts a message that is to be signed with an expanded private key, in pieces. moissanite_message_update takes the
/// pieces, moissanite_message_finish gives the message representative, and moissanite_stream_expanded_sign_mu signs
/// it. The key is as in moissanite_stream_expanded_sign.
///
/// Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_KEY, MOISSANITE_ERROR_LENGTH,
/// MOISSANITE_ERROR_ALGORITHM, MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_expanded_start_message(
    algorithm: Algorithm,
    expanded_key: *const u8,
    expanded_key_length: usize,
    message: *mut MessageMemory,
    context: *const u8,
    context_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let bytes = caller.bytes(expanded_key, expanded_key_length)?;
        let context = caller.bytes(context, context_length)?;
        message::start(
            caller,
            message,
            || with_set!(algorithm, Set => Set::start_signing(&checked::<Set>(bytes)?, context)),
        )
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Writes the public key of an expanded private key, of as many bytes as the algorithm has. The key is as in
/// moissanite_stream_expanded_sign.
///
/// Errors: MOISSANITE_ERROR_WRITE if the sink failed, and may have a part; MOISSANITE_ERROR_NULL,
/// MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_KEY, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_ALGORITHM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_expanded_write_public_key(
    algorithm: Algorithm,
    expanded_key: *const u8,
    expanded_key_length: usize,
    public_key: *const Sink,
) -> Status {
    let body = |caller: &Caller| {
        let bytes = caller.bytes(expanded_key, expanded_key_length)?;
        let sink = Writer::new(caller, public_key)?;
        with_set!(algorithm, Set => {
            checked::<Set>(bytes)?.write_public_key(|piece| sink.write(piece))
        })
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// A key of a set, which is not copied.
type Key<'a, P> = SigningKey<'static, P, Encoded<'a>>;

#[inline(never)]
fn checked<P: Set>(bytes: &[u8]) -> Result<Key<'_, P>, Status> {
    SigningKey::from_expanded_bytes(bytes).map_err(|error| match error {
        InvalidKey::Length { .. } => MOISSANITE_ERROR_LENGTH,
        _ => MOISSANITE_ERROR_KEY,
    })
}

/// Computes μ. This is not inlined, so that the hash is not on the stack afterwards.
#[inline(never)]
fn hash<P: Set>(
    key: &Key<'_, P>,
    context: &[u8],
    message: Reader,
    length: usize,
    mu: &mut MuBytes,
) -> Result<(), Status> {
    let mut hash: Message = P::start_signing(key, context)?;
    read_message(&mut hash, message, length)?;
    hash.finish(mu);
    Ok(())
}

/// Computes μ of a digest. This is not inlined, so that the hash is not on the stack afterwards.
#[inline(never)]
fn digest_mu<P: Set>(
    key: &Key<'_, P>,
    context: &[u8],
    hash: Hash,
    digest: &[u8],
) -> Result<MuBytes, Status> {
    P::digest_mu_signing(key, context, hash, digest)
}
