//! Files of any kind, as `moissanite inspect` and `doctor` read them. The input is a byte that stands for the
//! options, and the file.
//!
//! A key is the same after it is written in the encoding and the form of its file and read again. `doctor` calls
//! a key healthy that the other subcommands read, and a repaired key is healthy. An error and the report of
//! `doctor` show nothing of the file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite_cli::fuzzing::{doctor, inspect, recognise};
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
    if let Err(message) = inspect(file) {
        assert_hidden(&message, file, WORD);
    }
    match doctor(file) {
        Ok(found) => {
            for text in &found.texts {
                assert_hidden(text, file, WORD);
            }
            let is_key = recognise(0, file).is_ok_and(|found| found.key.is_some());
            assert!(!is_key || found.state == "healthy", "{found:?}");
            // Raw keys of Dilithium have the length of those of ML-DSA.
            if let Some(key) = &found.repaired
                && let Ok(again) = doctor(key)
            {
                assert_eq!((again.state, again.repaired), ("healthy", None));
            }
        }
        Err(message) => assert_hidden(&message, file, WORD),
    }
});
