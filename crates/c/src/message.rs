//! A message that is hashed in pieces.

use moissanite::MuBuilder;
#[cfg(feature = "dilithium")]
use moissanite::Round3;

use crate::algorithm::MOISSANITE_MU_LENGTH;
use crate::caller::{Caller, called};
use crate::object::{self, Memory, Object};
#[cfg(feature = "dilithium")]
use crate::status::MOISSANITE_ERROR_CONTEXT;
use crate::status::Status;

/// The bytes of a message in pieces.
pub const MOISSANITE_MESSAGE_SIZE: usize = 512;

/// A message in pieces, in memory of the caller: a variable, a static, or memory from malloc.
///
/// A function that starts a message puts it there, moissanite_message_update takes its pieces, and
/// moissanite_message_finish ends it. It must not be copied. It is as secret as the message. It contains no pointers
/// to other memory, so that the key that started it may be freed before it ends.
#[repr(C)]
pub struct MessageMemory {
    /// Not to be used by programs.
    memory: [u64; 64],
}

const _: () = assert!(size_of::<MessageMemory>() == MOISSANITE_MESSAGE_SIZE);

// SAFETY: The memory is an array of integers.
unsafe impl Memory for MessageMemory {
    type Content = Message;
    const KIND: u32 = 0x6d65_7373;
}

/// The computation of μ.
pub(crate) enum Message {
    Standard(MuBuilder),
    #[cfg(feature = "dilithium")]
    Round3(MuBuilder<Round3>),
}

impl Message {
    pub(crate) fn update(&mut self, piece: &[u8]) {
        match self {
            Self::Standard(mu) => mu.update(piece),
            #[cfg(feature = "dilithium")]
            Self::Round3(mu) => mu.update(piece),
        }
    }

    /// Writes μ of the pieces so far.
    pub(crate) fn finish(&self, mu: &mut [u8; MOISSANITE_MU_LENGTH]) {
        *mu = match self {
            Self::Standard(builder) => *builder.clone().finish().as_bytes(),
            #[cfg(feature = "dilithium")]
            Self::Round3(builder) => *builder.clone().finish().as_bytes(),
        };
    }
}

/// Fails if there is a context, which algorithms of round 3 do not have.
#[cfg(feature = "dilithium")]
pub(crate) fn no_context(context: &[u8]) -> Result<(), Status> {
    if context.is_empty() {
        Ok(())
    } else {
        Err(MOISSANITE_ERROR_CONTEXT)
    }
}

/// Puts a message into memory.
pub(crate) fn start(
    caller: &Caller,
    memory: *mut MessageMemory,
    make: impl FnOnce() -> Result<Message, Status>,
) -> Result<(), Status> {
    Object::create(caller, memory, |place| {
        let message = make()?;
        // SAFETY: `create` has checked the place.
        unsafe { place.write(message) };
        Ok(())
    })
}

/// Takes the next piece of a message.
///
/// Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_STATE if no message was started,
/// MOISSANITE_ERROR_OVERLAP if the piece overlaps the memory of the message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_message_update(
    message: *mut MessageMemory,
    piece: *const u8,
    piece_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let piece = caller.bytes(piece, piece_length)?;
        Object::open(caller, message)?.content().update(piece);
        Ok(())
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Ends a message: computes its representative, of MOISSANITE_MU_LENGTH bytes, and wipes the memory of the message.
/// The functions whose names end in _mu sign and verify it.
///
/// Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_STATE if no message was started,
/// MOISSANITE_ERROR_LENGTH if mu_length is not MOISSANITE_MU_LENGTH, MOISSANITE_ERROR_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_message_finish(
    message: *mut MessageMemory,
    mu: *mut u8,
    mu_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let mu = caller.exact_output(mu, mu_length, MOISSANITE_MU_LENGTH)?;
        let mut message = Object::open(caller, message)?;
        if let Some(mu) = mu.first_chunk_mut() {
            message.content().finish(mu);
        }
        message.destroy();
        Ok(())
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Wipes the memory of a message, which may have any content. A message in it ends without a result.
///
/// Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_message_wipe(message: *mut MessageMemory) -> Status {
    // SAFETY: The pointer is an argument of this function.
    unsafe { called(|caller| object::wipe(caller, message)) }
}
