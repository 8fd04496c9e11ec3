//! Composites. The input is the number of the composite and a document; or the number, a public
//! key, a signature and a message. The ends of these are also used for the Ed25519 half.
//!
//! An accepted document is written as it was read. Ed25519 gives the same verdict for a message at
//! once and in pieces.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite_composite::{
    Composite, MlDsa44Ed25519, MlDsa65Ed25519, Signature, SigningKey, VerifyingKey, ed25519,
    pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey},
    prelude::*,
};
use moissanite_fuzz::Input;

fn documents<C: Composite>(der: &[u8]) {
    if let Ok(key) = SigningKey::<C>::from_pkcs8_der(der) {
        let document = key.to_pkcs8_der().expect("a key is written");
        // Attributes and the public key, which can follow the private key, are not written.
        let again = SigningKey::<C>::from_pkcs8_der(document.as_bytes()).expect("ours");
        assert_eq!(key.as_seed(), again.as_seed());
    }
    if let Ok(key) = VerifyingKey::<C>::from_public_key_der(der) {
        let document = key.to_public_key_der().expect("a key is written");
        assert_eq!(document.as_bytes(), der);
    }
}

fn verification<C: Composite>(mut input: Input<'_>) {
    let mut key = vec![0; C::PUBLIC_KEY_LEN];
    let mut signature = vec![0; C::SIGNATURE_LEN];
    input.fill(&mut key);
    input.fill(&mut signature);
    let message = input.rest();
    let Ok(read) = VerifyingKey::<C>::from_bytes(&key) else {
        return;
    };
    assert_eq!(read.to_bytes().as_ref(), key);
    let whole = Signature::<C>::from_bytes(&signature).expect("any bytes can be verified");
    let _ = read.verify(message, &whole);

    let (_, half) = key.split_last_chunk::<32>().expect("it is longer");
    let half = ed25519::VerifyingKey::from_bytes(half).expect("the composite has taken it");
    let (_, signature) = signature.split_last_chunk().expect("it is longer");
    let signature = ed25519::Signature::from_bytes(signature);
    let pieces = half.verifier(&signature).and_then(|mut verifier| {
        message.chunks(7).for_each(|piece| verifier.update(piece));
        verifier.verify()
    });
    assert_eq!(half.verify(message, &signature).is_ok(), pieces.is_ok());
}

fn run<C: Composite>(input: Input<'_>) {
    documents::<C>(input.rest());
    verification::<C>(input);
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    match input.byte() % 2 {
        0 => run::<MlDsa44Ed25519>(input),
        _ => run::<MlDsa65Ed25519>(input),
    }
});
