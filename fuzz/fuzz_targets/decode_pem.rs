//! PEM text. The input is the text.
//!
//! The contents of a document with a known label are the same after they are written and read again. The
//! documents of a text are all of it from the beginning of the first one. An error shows nothing of the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite_cli::fuzzing::{decode_pem, encode_pem, split_pem};
use moissanite_fuzz::assert_hidden;

/// Longer than any word of an error.
const WORD: usize = 24;

fuzz_target!(|text: &[u8]| {
    check(text);
    let documents = split_pem(text);
    for document in &documents {
        assert!(document.starts_with(b"-----BEGIN "));
        check(document);
    }
    assert!(text.ends_with(&documents.concat()));
});

fn check(text: &[u8]) {
    match decode_pem(text) {
        Ok(("", _)) => {}
        Ok((label, contents)) => {
            let written = encode_pem(label, &contents).expect("the contents of a text fit a text");
            assert_eq!(decode_pem(&written).expect("ours"), (label, contents));
        }
        Err(message) => assert_hidden(&message, text, WORD),
    }
}
