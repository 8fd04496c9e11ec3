//! Files with a signature, as `verify` reads them. The input is a byte that chooses the algorithm of the key, a
//! byte that chooses the hash function of HashML-DSA, a context after its length, and the file.
//!
//! A signature has the length of its algorithm, and is the same after it is armored, or written in hex or base64,
//! and read again. The text of an armored signature states its fingerprint, and the context and the hash function
//! with which it was made and no others. `inspect` finds the same algorithm in an armored signature. An error shows
//! nothing of the file.
#![no_main]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use libfuzzer_sys::fuzz_target;
use moissanite_cli::fuzzing::recognise;
use moissanite_cli::fuzzing::signatures::{Stated, armor, length, read};
use moissanite_fuzz::{Input, assert_hidden};

/// Longer than any word of an error.
const WORD: usize = 24;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    // Beyond the algorithms and hash functions, a number chooses any algorithm or none.
    let (number, hash) = (input.byte() % 16, input.byte() % 16);
    let stated = Stated::new(input.short(), hash);
    let file = input.rest();
    armored(number, &stated, file);
    match read(number, &stated, file) {
        Ok(found) => {
            assert!(!found.algorithms.is_empty());
            for name in &found.algorithms {
                check(name, &found.signature);
            }
            if let Some(fingerprint) = &found.fingerprint {
                let digits = fingerprint.strip_prefix("sha256:").expect("a fingerprint");
                assert!(digits.len() == 64 && digits.bytes().all(|b| b.is_ascii_hexdigit()));
            }
            // A file of the length of a raw signature can have PEM text in it.
            if let Ok(inspected) = recognise(0, file)
                && inspected.encoding == "PEM"
                && found.signature != file
            {
                assert_eq!([inspected.algorithm], *found.algorithms);
            }
        }
        Err(message) => assert_hidden(&message, file, WORD),
    }
});

/// Checks that a signature of an algorithm is the same after it is written and read again.
fn check(name: &'static str, signature: &[u8]) {
    let nothing = Stated::new(b"", 0);
    let number = (1..16).find(|number| length(*number) == Some((name, signature.len())));
    let number =
        number.expect("a number chooses each algorithm, and the length is that of the algorithm");
    let base64 = STANDARD.encode(signature);
    let armored = armor(number, &nothing, "", signature).expect("an algorithm");
    let contents: String = armored
        .lines()
        .filter(|line| !line.contains([' ', '-']))
        .collect();
    assert_eq!(contents, base64);
    for text in [
        signature.iter().map(|byte| format!("{byte:02x}")).collect(),
        base64,
        armored,
    ] {
        let again = read(number, &nothing, text.as_bytes()).expect("ours");
        assert_eq!(again.signature, signature);
        assert!(!again.has_other_framing);
    }
}

/// Checks the text of a signature that is made here, which `noise` begins.
fn armored(number: u8, stated: &Stated, noise: &[u8]) {
    let Some((name, length)) = length(number) else {
        return;
    };
    let mut signature = vec![0; length];
    signature
        .iter_mut()
        .zip(noise)
        .for_each(|(byte, noise)| *byte = *noise);
    let fingerprint = format!("sha256:{}", "5a".repeat(32));
    let text = armor(number, stated, &fingerprint, &signature).expect("an algorithm");
    let found = read(number, stated, text.as_bytes()).expect("ours");
    assert_eq!(
        (found.algorithms, &found.signature),
        (vec![name], &signature)
    );
    assert_eq!(found.fingerprint, Some(fingerprint));
    assert!(!found.has_other_framing, "{text}");
    let context = &stated.context;
    for other in [
        Stated::new(&[context.as_slice(), b" "].concat(), 0),
        Stated::new(context.trim_ascii(), 0),
        Stated::new(context.split_last().map_or(&[], |(_, rest)| rest), 0),
        Stated::new(context, 0),
        Stated::new(context, 1),
    ] {
        let found = read(number, &other, text.as_bytes()).expect("ours");
        assert_eq!(
            found.has_other_framing,
            other != *stated,
            "{other:?}: {text}"
        );
    }
}
