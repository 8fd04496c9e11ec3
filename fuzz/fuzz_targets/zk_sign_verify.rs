//! Signing and verification with zkDilithium. The input is the seed, the position and the value of
//! a change, and the message. The signature verifies, is the same for the message in two pieces,
//! and is refused if a bit of it, of the key or of the message is changed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite_fuzz::Input;
use moissanite_zk_dilithium::{Signature, SigningKey, VerifyingKey, prelude::*};

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let seed = input.array().into();
    let (at, flip) = (input.number(), input.byte().max(1));
    let message = input.rest();
    let key = SigningKey::from_seed(&seed);
    let signature = key.try_sign(message).expect("it signs");
    key.verifying_key()
        .verify(message, &signature)
        .expect("it verifies");
    let expanded = SigningKey::from_bytes(key.as_bytes()).expect("a sound key");
    let (first, rest) = message.split_at(at % (message.len() + 1));
    let mut signer = expanded.signer();
    signer.update(first);
    signer.update(rest);
    assert_eq!(signer.try_sign().expect("it signs"), signature);

    let mut changed = signature.to_bytes();
    changed[at % changed.len()] ^= flip;
    let changed = Signature::from_bytes(&changed).expect("a length");
    assert!(key.verifying_key().verify(message, &changed).is_err());
    let mut public_key = key.verifying_key().to_bytes();
    public_key[at % public_key.len()] ^= flip;
    if let Ok(public_key) = VerifyingKey::from_bytes(&public_key) {
        assert!(public_key.verify(message, &signature).is_err());
    }
    let mut longer = message.to_vec();
    longer.push(flip);
    assert!(key.verifying_key().verify(&longer, &signature).is_err());
});
