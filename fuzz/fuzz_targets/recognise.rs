//! Files of any kind, as `moissanite inspect` reads them. The input is a byte that stands for the options, and
//! the file.
//!
//! A key is the same after it is written in the encoding and the form of its file and read again. An error
//! shows nothing of the file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite_cli::fuzzing::recognise;
use moissanite_fuzz::{Input, assert_hidden};

/// Longer than any word of an error.
const WORD: usize = 24;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let options = input.byte();
    let file = input.rest();
    match recognise(options, file) {
        Ok(found) => {
            if let Some(key) = &found.key {
                assert_eq!(recognise(options, &key.written).expect("ours"), found);
            }
        }
        Err(message) => assert_hidden(&message, file, WORD),
    }
});
