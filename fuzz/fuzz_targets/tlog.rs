//! Keys, notes, checkpoints and cosignatures of transparency logs. The first byte of an input chooses what the
//! rest is.
//!
//! What is read is written in the same way, and a note that verifies contains the signature of the seed.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use moissanite_fuzz::{Input, assert_hidden};
use moissanite_tlog::{
    Checkpoint, Cosignature, Cosigner, CosignerKey, Ed25519Key, Error, Note, Seed, SigningKey,
};

/// Longer than any word of an error.
const WORD: usize = 24;
/// The key of the seeds.
static KEY: LazyLock<CosignerKey> = LazyLock::new(|| {
    let key = SigningKey::from_seed(&Seed::from_bytes(&[0; 32]));
    Cosigner::new("witness.example/w", key)
        .expect("a name")
        .key()
});
/// The text that this key signed in the seeds.
const SIGNED: &str = "example.com/log\n42\nAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=\n";

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let kind = input.byte() % 4;
    let bytes = input.take(usize::MAX);
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let result = match kind {
        0 => key(text),
        1 => note(text),
        2 => Checkpoint::parse(text).map(|checkpoint| assert_eq!(checkpoint.to_string(), text)),
        _ => Cosignature::from_bytes(bytes).map(|one| assert_eq!(one.to_bytes(), bytes)),
    };
    if let Err(error) = result {
        assert_hidden(&error.to_string(), bytes, WORD);
    }
});

fn key(text: &str) -> Result<(), Error> {
    match CosignerKey::from_vkey(text) {
        Ok(key) => assert_eq!(CosignerKey::from_vkey(&key.to_vkey()).expect("ours"), key),
        Err(Error::SignatureType) => {
            let key = Ed25519Key::from_vkey(text)?;
            let again = Ed25519Key::from_vkey(&key.to_vkey()).expect("ours");
            assert_eq!(again.to_vkey(), key.to_vkey());
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

fn note(text: &str) -> Result<(), Error> {
    let note = Note::parse(text)?;
    assert_eq!(note.to_string(), text);
    let verified = note.verify(&[&*KEY])?;
    assert_eq!(*verified.content(), SIGNED);
    Ok(())
}
