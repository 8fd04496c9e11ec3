//! Signatures of many messages.

use std::vec::Vec;

use super::private_key::{Item, PrivateKey};
use super::sign::{Mode, is_hedged};
use super::signing_key::SigningKey;
use crate::algorithm::moissanite_signature_length;
use crate::caller::{Caller, called};
use crate::status::{MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_LENGTH, Status};

/// A private key and a message, for moissanite_sign_batch.
#[repr(C)]
pub struct SignItem {
    /// The private key. Prepare a key that signs several batches.
    pub key: *const SigningKey,
    /// The message.
    pub message: *const u8,
    /// The bytes of the message.
    pub message_length: usize,
}

/// Signs many messages, which takes less time than one after the other. The keys can be of any algorithms, in any
/// order; all items have the same mode and the same context, as in moissanite_sign. The signatures are written one
/// after the other, in the order of the items: signatures_length is the sum of their lengths.
///
/// A key that is not prepared is prepared for this call, on the heap, in 44 to 103 KiB, which are wiped. The signatures
/// are also on the heap before they are written.
///
/// Errors: MOISSANITE_ERROR_RANDOM and MOISSANITE_ERROR_FAULT if not all messages were signed: the signatures of those
/// that were not are all zero, and the others are valid. After any other error, all are zero, unless the memory for
/// them is null, too long or overlaps: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_LENGTH,
/// MOISSANITE_ERROR_OVERLAP, MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_MODE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_sign_batch(
    mode: Mode,
    context: *const u8,
    context_length: usize,
    items: *const SignItem,
    items_count: usize,
    signatures: *mut u8,
    signatures_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let mut rest = caller.output(signatures, signatures_length)?;
        rest.fill(0);
        let is_hedged = is_hedged(mode)?;
        let context = caller.bytes(context, context_length)?;
        let items = caller.array(items, items_count)?;
        let mut signing = Vec::with_capacity(items.len());
        for item in items {
            let key = &*caller.value(item.key)?.key;
            let message = caller.bytes(item.message, item.message_length)?;
            let length = moissanite_signature_length(key.algorithm());
            let signature = rest.split_off_mut(..length);
            signing.push((key, message, signature.ok_or(MOISSANITE_ERROR_LENGTH)?));
        }
        if !rest.is_empty() {
            return Err(MOISSANITE_ERROR_LENGTH);
        }
        sign(is_hedged, context, signing)
    };
    // SAFETY: All pointers are arguments of this function, or in memory to which an argument points.
    unsafe { called(body) }
}

/// Signs the items in groups whose keys are of the same set.
fn sign(is_hedged: bool, context: &[u8], mut items: Vec<Item<'_>>) -> Result<(), Status> {
    // The order of items of the same set is kept.
    items.sort_by_key(|(key, ..)| key.algorithm());
    let mut result = Ok(());
    for group in items.chunk_by_mut(|(one, ..), (other, ..)| one.algorithm() == other.algorithm()) {
        if let Some((key, ..)) = group.first() {
            let key: &dyn PrivateKey = *key;
            match key.sign_batch(is_hedged, context, group) {
                // Sets of round 3 have the smallest numbers, so the first group fails if any does, and nothing
                // has been signed.
                Err(MOISSANITE_ERROR_CONTEXT) => return Err(MOISSANITE_ERROR_CONTEXT),
                signed => result = result.and(signed),
            }
        }
    }
    result
}
