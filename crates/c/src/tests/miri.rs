//! Tests that execute the `unsafe` code.

use core::ffi::{c_int, c_void};
use core::mem::MaybeUninit;
use core::ptr;
use std::vec::Vec;

use crate::algorithm::{
    MOISSANITE_ML_DSA_44, MOISSANITE_ML_DSA_44_PUBLIC_KEY_LENGTH,
    MOISSANITE_ML_DSA_44_SIGNATURE_LENGTH, MOISSANITE_MU_LENGTH,
};
use crate::caller::{Caller, called};
use crate::message::{
    MessageMemory, moissanite_message_finish, moissanite_message_update, moissanite_message_wipe,
};
use crate::status::{
    MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_NULL,
    MOISSANITE_ERROR_OVERLAP, MOISSANITE_ERROR_READ, MOISSANITE_ERROR_STATE, MOISSANITE_OK, Status,
};
use crate::stream::callbacks::{Bytes, Sink, Source, moissanite_read_memory};
use crate::stream::signing::{
    MatrixEntryMemory, StreamKeyMemory, moissanite_stream_key_from_seed,
    moissanite_stream_key_keep, moissanite_stream_key_start_message, moissanite_stream_key_wipe,
    moissanite_stream_key_write_public_key, moissanite_stream_sign,
};
use crate::stream::verifying::{moissanite_stream_start_message, moissanite_stream_verify};

/// Calls the body of a function.
fn call(body: impl FnOnce(&Caller) -> Result<(), Status>) -> Status {
    // SAFETY: The tests pass pointers to their variables, with lengths that are not too large.
    unsafe { called(body) }
}

/// A source in memory.
fn source(bytes: &mut Bytes) -> Source {
    Source {
        read: Some(moissanite_read_memory),
        user: ptr::from_mut(bytes).cast(),
    }
}

fn bytes(of: &[u8]) -> Bytes {
    Bytes {
        bytes: of.as_ptr(),
        length: of.len(),
    }
}

#[test]
fn overlaps_are_found() {
    let mut memory = [0_u8; 8];
    let start = memory.as_mut_ptr();
    let at = |offset| start.wrapping_add(offset);
    let overlap = |first: (usize, usize), second: (usize, usize)| {
        call(|caller| {
            caller.bytes(at(first.0), first.1)?;
            caller.output(at(second.0), second.1)?.fill(1);
            Ok(())
        })
    };
    assert_eq!(overlap((0, 4), (4, 4)), MOISSANITE_OK);
    assert_eq!(overlap((4, 4), (0, 4)), MOISSANITE_OK);
    assert_eq!(overlap((0, 0), (0, 8)), MOISSANITE_OK);
    for (first, second) in [
        ((0, 5), (4, 4)),
        ((4, 4), (0, 5)),
        ((2, 1), (0, 8)),
        ((0, 8), (2, 1)),
    ] {
        assert_eq!(overlap(first, second), MOISSANITE_ERROR_OVERLAP);
    }
    // Two inputs may be the same.
    let inputs = |caller: &Caller| {
        assert_eq!(caller.bytes(start, 8)?, caller.bytes(start, 8)?);
        Ok(())
    };
    assert_eq!(call(inputs), MOISSANITE_OK);
    // More memory than is recorded.
    let many = |caller: &Caller| {
        for _ in 0..20 {
            caller.bytes(start, 1)?;
        }
        caller.output(at(4), 1).map(|_| ())
    };
    assert_eq!(call(many), MOISSANITE_ERROR_OVERLAP);
}

#[test]
fn pointers_are_checked() {
    let mut word = 0_u64;
    let pointer = &raw mut word;
    let null = ptr::null_mut::<u64>();
    let misaligned = pointer.wrapping_byte_add(1);
    assert_eq!(call(|c| c.value(pointer).map(|_| ())), MOISSANITE_OK);
    assert_eq!(call(|c| c.value(null).map(|_| ())), MOISSANITE_ERROR_NULL);
    assert_eq!(call(|c| c.changed(null).map(|_| ())), MOISSANITE_ERROR_NULL);
    assert_eq!(
        call(|c| c.changed(misaligned).map(|_| ())),
        MOISSANITE_ERROR_ALIGNMENT
    );
    assert_eq!(
        call(|c| c.array(misaligned, 1).map(|_| ())),
        MOISSANITE_ERROR_ALIGNMENT
    );
    assert_eq!(
        call(|c| c.array(pointer, usize::MAX).map(|_| ())),
        MOISSANITE_ERROR_LENGTH
    );
    assert_eq!(
        call(|c| c.bytes(pointer.cast(), usize::MAX).map(|_| ())),
        MOISSANITE_ERROR_LENGTH
    );
    assert_eq!(
        call(|c| c.fixed::<8>(pointer.cast(), 7).map(|_| ())),
        MOISSANITE_ERROR_LENGTH
    );
    assert_eq!(call(|c| c.optional(null).map(|_| ())), MOISSANITE_OK);
}

#[test]
fn a_message_is_an_object() {
    let key = [7; MOISSANITE_ML_DSA_44_PUBLIC_KEY_LENGTH];
    let mut of_key = bytes(&key);
    let from_key = source(&mut of_key);
    let mut memory = MaybeUninit::<MessageMemory>::zeroed();
    let message = memory.as_mut_ptr();
    let mut mu = [0; MOISSANITE_MU_LENGTH];
    // SAFETY: All pointers are of variables of this test.
    unsafe {
        let update = |message| moissanite_message_update(message, key.as_ptr(), 10);
        let set = MOISSANITE_ML_DSA_44;
        assert_eq!(update(message), MOISSANITE_ERROR_STATE);
        let start = |key| moissanite_stream_start_message(message, set, key, ptr::null(), 0);
        assert_eq!(start(&from_key), MOISSANITE_OK);
        assert_eq!(update(message), MOISSANITE_OK);
        let mut copied = message.read();
        assert_eq!(update(&raw mut copied), MOISSANITE_ERROR_STATE);
        let finish = |mu: &mut [u8; 64]| moissanite_message_finish(message, mu.as_mut_ptr(), 64);
        assert_eq!(finish(&mut mu), MOISSANITE_OK);
        assert_ne!(mu, [0; MOISSANITE_MU_LENGTH]);
        assert_eq!(update(message), MOISSANITE_ERROR_STATE);
        assert_eq!(start(&from_key), MOISSANITE_OK);
        assert_eq!(moissanite_message_wipe(message), MOISSANITE_OK);
        assert_eq!(finish(&mut mu), MOISSANITE_ERROR_STATE);
        let wiped = core::slice::from_raw_parts(message.cast::<u8>(), size_of::<MessageMemory>());
        assert!(wiped.iter().all(|byte| *byte == 0));
        let mut too_short = bytes(&key[1..]);
        assert_eq!(start(&source(&mut too_short)), MOISSANITE_ERROR_READ);
    }
}

unsafe extern "C" fn collect(user: *mut c_void, piece: *const u8, length: usize) -> c_int {
    // SAFETY: The test passes a vector, and the library passes a piece of this length.
    unsafe {
        let bytes = core::slice::from_raw_parts(piece, length);
        (*user.cast::<Vec<u8>>()).extend_from_slice(bytes);
    }
    0
}

/// In Miri, this takes minutes.
#[test]
fn a_key_signs() {
    let mut written = Vec::<u8>::new();
    let sink = Sink {
        write: Some(collect),
        user: (&raw mut written).cast(),
    };
    let text = *b"message";
    let mut of_text = bytes(&text);
    let from_text = source(&mut of_text);
    let mut memory = MaybeUninit::<StreamKeyMemory>::zeroed();
    let key = memory.as_mut_ptr();
    let mut matrix = MaybeUninit::<[MatrixEntryMemory; 2]>::uninit();
    let entries = matrix.as_mut_ptr().cast::<MatrixEntryMemory>();
    let seed = [9_u8; 32];
    // SAFETY: All pointers are of variables of this test.
    unsafe {
        let sign = |key| {
            let (none, no_random) = (ptr::null(), ptr::null());
            moissanite_stream_sign(key, no_random, none, 0, &from_text, text.len(), &sink)
        };
        assert_eq!(sign(key), MOISSANITE_ERROR_STATE);
        let set = MOISSANITE_ML_DSA_44;
        let made = moissanite_stream_key_from_seed(key, set, seed.as_ptr(), seed.len());
        assert_eq!(made, MOISSANITE_OK);
        let keep = |entries, count| moissanite_stream_key_keep(key, entries, count);
        assert_eq!(keep(ptr::null_mut(), 1), MOISSANITE_ERROR_NULL);
        assert_eq!(keep(ptr::null_mut(), 0), MOISSANITE_OK);
        assert_eq!(keep(entries, usize::MAX), MOISSANITE_ERROR_LENGTH);
        assert_eq!(keep(key.cast(), 1), MOISSANITE_ERROR_OVERLAP);
        assert_eq!(keep(entries, 1), MOISSANITE_OK);
        assert_eq!(keep(entries, 2), MOISSANITE_OK);
        let start = moissanite_stream_key_start_message(key, entries.cast(), ptr::null(), 0);
        assert_eq!(start, MOISSANITE_ERROR_OVERLAP);
        assert_eq!(
            moissanite_stream_key_write_public_key(key, &sink),
            MOISSANITE_OK
        );
        let public_key = core::mem::take(&mut *sink.user.cast::<Vec<u8>>());
        assert_eq!(public_key.len(), MOISSANITE_ML_DSA_44_PUBLIC_KEY_LENGTH);
        assert_eq!(sign(key), MOISSANITE_OK);
        let signature = core::mem::take(&mut *sink.user.cast::<Vec<u8>>());
        assert_eq!(signature.len(), MOISSANITE_ML_DSA_44_SIGNATURE_LENGTH);
        let (mut of_key, mut of_signature) = (bytes(&public_key), bytes(&signature));
        let (from_key, from_signature) = (source(&mut of_key), source(&mut of_signature));
        let verdict = moissanite_stream_verify(
            set,
            &from_key,
            ptr::null(),
            0,
            &from_text,
            text.len(),
            &from_signature,
        );
        assert_eq!(verdict, MOISSANITE_OK);
        assert_eq!(moissanite_stream_key_wipe(key), MOISSANITE_OK);
        assert_eq!(sign(key), MOISSANITE_ERROR_STATE);
        assert_eq!(keep(entries, 2), MOISSANITE_ERROR_STATE);
    }
}
