//! Tests of the memory of the caller, which Miri executes too. The tests in C are those of the whole interface.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may panic")]

mod miri;

use crate::caller::guarded;
use crate::status::{MOISSANITE_ERROR_INTERNAL, MOISSANITE_ERROR_LENGTH, MOISSANITE_OK, message};

#[test]
fn a_panic_is_an_error() {
    assert_eq!(guarded(|| panic!("a bug")), Err(MOISSANITE_ERROR_INTERNAL));
    assert_eq!(
        guarded(|| Err(MOISSANITE_ERROR_LENGTH)),
        Err(MOISSANITE_ERROR_LENGTH)
    );
    assert_eq!(guarded(|| Ok(())), Ok(()));
}

/// C programs print these sentences.
#[test]
fn each_status_has_its_own_sentence() {
    let sentences = (MOISSANITE_OK..=MOISSANITE_ERROR_INTERNAL).map(message);
    let mut sentences: std::vec::Vec<_> = sentences.collect();
    sentences.push(message(-1));
    sentences.sort();
    let all = sentences.len();
    sentences.dedup();
    assert_eq!(sentences.len(), all);
}
