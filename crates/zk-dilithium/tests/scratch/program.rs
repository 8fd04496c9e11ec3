//! What a small program does with a key, on a thread with as much stack as the first argument
//! says. The second names the operation, or is `all`. A stack that is too small ends the process by
//! a signal.

use moissanite_zk_dilithium::{Signature, SigningKey, VerifyingKey, prelude::*};

const OPERATIONS: [(&str, fn()); 6] = [
    ("keygen", || drop(keygen())),
    ("sign", || drop(sign())),
    ("verify", verify),
    ("sign-prepared", sign_prepared),
    ("verify-prepared", verify_prepared),
    ("import", import),
];

/// Not inlined, so that the operations do not share a frame.
#[inline(never)]
fn keygen() -> Box<SigningKey> {
    Box::new(SigningKey::from_seed(&[7; 32]))
}

#[inline(never)]
fn sign() -> Box<Signature> {
    Box::new(keygen().try_sign(b"message").unwrap())
}

#[inline(never)]
fn verify() {
    let signature = sign();
    keygen().verifying_key().verify(b"message", &signature).unwrap();
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

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().expect("STACK OPERATION");
    let (stack, operation) = (next().parse().expect("bytes"), next());
    let chosen: Vec<fn()> = OPERATIONS
        .into_iter()
        .filter(|(name, _)| operation == *name || operation == "all")
        .map(|(_, run)| run)
        .collect();
    assert!(!chosen.is_empty(), "no operation {operation}");
    std::thread::Builder::new()
        .stack_size(stack)
        .spawn(move || chosen.into_iter().for_each(|run| run()))
        .expect("a thread")
        .join()
        .expect("no panic");
}
