//! The verification of many signatures.

use std::vec::Vec;

use super::public_key::Item;
use super::verifying_key::VerifyingKey;
use crate::caller::{Caller, called};
use crate::status::{MOISSANITE_ERROR_SIGNATURE, Status};

/// A public key, a message and a signature, for moissanite_verify_batch.
#[repr(C)]
pub struct BatchItem {
    /// The public key. Prepare a key that several items have.
    pub key: *const VerifyingKey,
    /// The message.
    pub message: *const u8,
    /// The bytes of the message.
    pub message_length: usize,
    /// The signature.
    pub signature: *const u8,
    /// The bytes of the signature.
    pub signature_length: usize,
}

/// Verifies many signatures, which takes less time than one after the other. The keys can be of any algorithms, in any
/// order; all items have the same context, as in moissanite_verify. For each item, verdicts gets 1 if its signature is
/// valid, and otherwise 0.
///
/// Besides the results, less than 256 KiB are allocated, and less than 1 KiB and a signature for each item.
///
/// Errors: MOISSANITE_ERROR_SIGNATURE if not all signatures are valid. After any other error, the verdicts are 0:
/// MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_OVERLAP,
/// MOISSANITE_ERROR_CONTEXT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_verify_batch(
    context: *const u8,
    context_length: usize,
    items: *const BatchItem,
    items_count: usize,
    verdicts: *mut u8,
    verdicts_count: usize,
) -> Status {
    let body = |caller: &Caller| {
        let verdicts = caller.exact_output(verdicts, verdicts_count, items_count)?;
        verdicts.fill(0);
        let context = caller.bytes(context, context_length)?;
        let items = caller.array(items, items_count)?;
        let items: Result<Vec<_>, _> = items.iter().map(|item| read(caller, item)).collect();
        let results = verify(context, &items?)?;
        for (verdict, is_valid) in verdicts.iter_mut().zip(&results) {
            *verdict = u8::from(*is_valid);
        }
        if results.iter().all(|is_valid| *is_valid) {
            Ok(())
        } else {
            Err(MOISSANITE_ERROR_SIGNATURE)
        }
    };
    // SAFETY: All pointers are arguments of this function, or in memory to which an argument points.
    unsafe { called(body) }
}

fn read<'a>(caller: &'a Caller, item: &BatchItem) -> Result<Item<'a>, Status> {
    Ok((
        &*caller.value(item.key)?.key,
        caller.bytes(item.message, item.message_length)?,
        caller.bytes(item.signature, item.signature_length)?,
    ))
}

/// Verifies the items in groups whose keys are of the same kind.
fn verify(context: &[u8], items: &[Item<'_>]) -> Result<Vec<bool>, Status> {
    let kind = |(key, ..): &Item<'_>| (key.algorithm(), key.is_prepared());
    let mut results: Vec<Option<bool>> = std::vec![None; items.len()];
    while let Some(first) = results.iter().position(Option::is_none) {
        let Some(one) = items.get(first) else { break };
        let of_kind = |item: &&Item<'_>| kind(item) == kind(one);
        let group: Vec<Item<'_>> = items.iter().filter(of_kind).copied().collect();
        let mut verdicts = one.0.verify_batch(context, &group)?.into_iter();
        for (result, item) in results.iter_mut().zip(items) {
            if of_kind(&item) {
                *result = Some(verdicts.next().unwrap_or(false));
            }
        }
    }
    Ok(results.into_iter().map(|r| r.unwrap_or(false)).collect())
}
