//! Verification.

use moissanite::stream::VerifyingKey;
use moissanite::{Mu, stream::Source as _};

use super::callbacks::{Reader, Source};
use super::set::{MuOf, Set, status};
use crate::algorithm::{Algorithm, MOISSANITE_MU_LENGTH, with_set};
use crate::caller::{Caller, called};
use crate::digest::{Hash, MuBytes};
use crate::message::{self, Message, MessageMemory};
use crate::status::{MOISSANITE_ERROR_LENGTH, Status};

/// The bytes of a message that are read at a time.
const PIECE: usize = 128;

/// Verifies a signature of a message (FIPS 204, Algorithm 3, ML-DSA.Verify). This is the function for a boot loader:
/// it needs less than 4 KiB of stack on a Cortex-M4, and no other memory.
///
/// The public key and the signature must have the bytes of the algorithm; the message is the first message_length
/// bytes of its source, each of which is read once. The context has at most MOISSANITE_MAX_CONTEXT_LENGTH bytes and
/// may be empty; it must be that of the signer. Algorithms of round 3 have no context. Nothing here is secret; the
/// content of the message does not influence the time.
///
/// Errors: MOISSANITE_ERROR_SIGNATURE if the signature is not valid; MOISSANITE_ERROR_READ if a source failed;
/// MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_ALGORITHM, MOISSANITE_ERROR_CONTEXT,
/// MOISSANITE_ERROR_LENGTH.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_verify(
    algorithm: Algorithm,
    public_key: *const Source,
    context: *const u8,
    context_length: usize,
    message: *const Source,
    message_length: usize,
    signature: *const Source,
) -> Status {
    let body = |caller: &Caller| {
        let public_key = Reader::new(caller, public_key)?;
        let context = caller.bytes(context, context_length)?;
        let message = Reader::new(caller, message)?;
        let signature = Reader::new(caller, signature)?;
        with_set!(algorithm, Set => {
            let mut mu = [0; MOISSANITE_MU_LENGTH];
            hash::<Set>(public_key, context, message, message_length, &mut mu)?;
            verify::<Set>(public_key, &mu, signature)
        })
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Starts a message that is to be verified, in pieces. moissanite_message_update takes the pieces,
/// moissanite_message_finish gives the message representative, and moissanite_stream_verify_mu verifies it. The
/// public key and the context are as in moissanite_stream_verify.
///
/// Errors: MOISSANITE_ERROR_READ if the source failed; MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT,
/// MOISSANITE_ERROR_ALGORITHM, MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_start_message(
    message: *mut MessageMemory,
    algorithm: Algorithm,
    public_key: *const Source,
    context: *const u8,
    context_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let public_key = Reader::new(caller, public_key)?;
        let context = caller.bytes(context, context_length)?;
        let make = || with_set!(algorithm, Set => start::<Set>(public_key, context));
        message::start(caller, message, make)
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Verifies a signature of a message representative of MOISSANITE_MU_LENGTH bytes (FIPS 204, Algorithm 8, from line
/// 8 on), which must have been computed with the same public key.
///
/// Errors: as moissanite_stream_verify.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_verify_mu(
    algorithm: Algorithm,
    public_key: *const Source,
    mu: *const u8,
    mu_length: usize,
    signature: *const Source,
) -> Status {
    let body = |caller: &Caller| {
        let public_key = Reader::new(caller, public_key)?;
        let mu = caller.fixed::<MOISSANITE_MU_LENGTH>(mu, mu_length)?;
        let signature = Reader::new(caller, signature)?;
        with_set!(algorithm, Set => verify::<Set>(public_key, mu, signature))
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Verifies a signature of a digest (FIPS 204, Algorithm 5, HashML-DSA.Verify), of the length of the hash function. The
/// public key, the context and the signature are as in moissanite_stream_verify.
///
/// Errors: MOISSANITE_ERROR_HASH if the hash function is unknown or too weak; MOISSANITE_ERROR_LENGTH for the digest;
/// MOISSANITE_ERROR_UNSUPPORTED for round 3; and as moissanite_stream_verify.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_verify_digest(
    algorithm: Algorithm,
    public_key: *const Source,
    hash: Hash,
    context: *const u8,
    context_length: usize,
    digest: *const u8,
    digest_length: usize,
    signature: *const Source,
) -> Status {
    let body = |caller: &Caller| {
        let public_key = Reader::new(caller, public_key)?;
        let context = caller.bytes(context, context_length)?;
        let digest = caller.bytes(digest, digest_length)?;
        let signature = Reader::new(caller, signature)?;
        with_set!(algorithm, Set => {
            let mu = digest_mu::<Set>(public_key, context, hash, digest)?;
            verify::<Set>(public_key, &mu, signature)
        })
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Computes μ of a digest. This is not inlined, so that the hash is not on the stack afterwards.
#[inline(never)]
fn digest_mu<P: Set>(
    public_key: Reader,
    context: &[u8],
    hash: Hash,
    digest: &[u8],
) -> Result<MuBytes, Status> {
    P::digest_mu(
        &mut VerifyingKey::from_source(public_key)?,
        context,
        hash,
        digest,
    )
}

fn start<P: Set>(public_key: Reader, context: &[u8]) -> Result<Message, Status> {
    P::start(&mut VerifyingKey::from_source(public_key)?, context)
}

/// Computes μ of a message of a source. This is not inlined, so that the hash is not on the stack afterwards.
#[inline(never)]
fn hash<P: Set>(
    public_key: Reader,
    context: &[u8],
    message: Reader,
    length: usize,
    mu: &mut [u8; MOISSANITE_MU_LENGTH],
) -> Result<(), Status> {
    let mut hash = start::<P>(public_key, context)?;
    read_message(&mut hash, message, length)?;
    hash.finish(mu);
    Ok(())
}

/// Passes the bytes of a source to a message.
pub(super) fn read_message(
    hash: &mut Message,
    mut message: Reader,
    length: usize,
) -> Result<(), Status> {
    let mut piece = [0; PIECE];
    let mut offset = 0;
    while offset < length {
        let count = PIECE.min(length - offset);
        let piece = piece.get_mut(..count).ok_or(MOISSANITE_ERROR_LENGTH)?;
        message.read(offset, piece)?;
        hash.update(piece);
        offset += count;
    }
    Ok(())
}

#[inline(never)]
fn verify<P: Set>(
    public_key: Reader,
    mu: &[u8; MOISSANITE_MU_LENGTH],
    signature: Reader,
) -> Result<(), Status> {
    let mut key = VerifyingKey::<P, _>::from_source(public_key)?;
    let mu: MuOf<P> = Mu::from_bytes(*mu);
    key.verify_mu_source(&mu, signature).map_err(status)
}
