//! Keys, signatures and lists of allowed signers of OpenSSH. The first byte of an input chooses what the rest is.
//!
//! What is read is written as something that is equal when it is read again, and an error shows nothing of the
//! input.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite_fuzz::{Input, assert_hidden};
use moissanite_ssh::{AllowedSigners, Error, PrivateKey, PublicKey, SshSignature};

/// Longer than any word of an error.
const WORD: usize = 24;
/// The passphrase of the encrypted seeds.
const PASSPHRASE: &[u8] = b"a";

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let kind = input.byte() % 5;
    let bytes = input.take(usize::MAX);
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let result = match kind {
        0 => public(text),
        1 => private(text, PrivateKey::from_openssh(text)),
        2 => private(text, PrivateKey::from_encrypted_openssh(text, PASSPHRASE)),
        3 => signature(text),
        _ => AllowedSigners::parse(text)
            .map(|_| ())
            .map_err(|error| error.error),
    };
    if let Err(error) = result {
        assert_hidden(&error.to_string(), bytes, WORD);
    }
});

fn public(text: &str) -> Result<(), Error> {
    let key = PublicKey::from_openssh(text)?;
    let again = PublicKey::from_openssh(&key.to_openssh()).expect("ours");
    assert_eq!((&again, again.comment()), (&key, key.comment()));
    assert_eq!(PublicKey::from_blob(&key.to_blob()).expect("ours"), key);
    Ok(())
}

fn private(text: &str, key: Result<PrivateKey, Error>) -> Result<(), Error> {
    let key = key?;
    assert!(PrivateKey::is_encrypted(text).is_ok());
    let again = key.to_openssh().expect("it was read");
    let again = PrivateKey::from_openssh(&again).expect("ours");
    let [a, b] = [&key, &again].map(|key| key.signing_key().as_seed().as_bytes());
    assert_eq!(a, b);
    assert_eq!(again.public_key().comment(), key.public_key().comment());
    Ok(())
}

fn signature(text: &str) -> Result<(), Error> {
    let signature = SshSignature::from_pem(text)?;
    let again = signature.to_pem().expect("it was read");
    assert_eq!(SshSignature::from_pem(&again).expect("ours"), signature);
    Ok(())
}
