//! The operations of a small program with a key of zkDilithium.

use moissanite_zk_dilithium::{Signature, SigningKey, VerifyingKey, prelude::*};

/// Returns all operations with their names.
pub fn operations() -> Vec<(&'static str, fn())> {
    vec![
        ("keygen", || drop(keygen())),
        ("sign", || drop(sign())),
        ("verify", verify),
        ("sign-prepared", sign_prepared),
        ("verify-prepared", verify_prepared),
        ("import", import),
    ]
}

/// The operations are not inlined, so that they do not share a stack frame.
#[inline(never)]
fn keygen() -> Box<SigningKey> {
    Box::new(SigningKey::from_seed(&[7; 32].into()))
}

#[inline(never)]
fn sign() -> Box<Signature> {
    Box::new(keygen().try_sign(b"message").unwrap())
}

#[inline(never)]
fn verify() {
    let signature = sign();
    keygen()
        .verifying_key()
        .verify(b"message", &signature)
        .unwrap();
}

#[inline(never)]
fn sign_prepared() {
    let prepared = keygen().prepare();
    for message in [b"one", b"two"] {
        prepared.try_sign(message).unwrap();
    }
}

#[inline(never)]
fn verify_prepared() {
    let signature = sign();
    let prepared = keygen().verifying_key().prepare();
    prepared.verify(b"message", &signature).unwrap();
}

#[inline(never)]
fn import() {
    let key = keygen();
    drop(Box::new(SigningKey::from_bytes(key.as_bytes()).unwrap()));
    drop(VerifyingKey::from_bytes(key.verifying_key().as_bytes()).unwrap());
}
