//! What a small program does with keys of each set, on a thread with as much
//! stack as the first argument says. The second names the operation: one of
//! [`operations`], or `all`. A stack that is too small ends the process by a signal.

use moissanite::batch::{generate_batch, sign_batch, verify_batch};
use moissanite::keys::PrivateKeyForm;
use moissanite::pkcs8::{DecodePublicKey, EncodePublicKey};
use moissanite::{
    Fips204, MlDsa44, MlDsa65, MlDsa87, Signature, SigningKey, VerifyingKey, prelude::*,
};

type Operations = [(&'static str, fn()); 7];

fn operations<P: Fips204>() -> Operations {
    [
        ("keygen", || drop(keygen::<P>())),
        ("sign", || drop(sign::<P>())),
        ("verify", verify::<P>),
        ("sign-prepared", sign_prepared::<P>),
        ("verify-prepared", verify_prepared::<P>),
        ("batches", batches::<P>),
        ("key-formats", key_formats::<P>),
    ]
}

/// Not inlined, so that the operations do not share a frame.
#[inline(never)]
fn keygen<P: Fips204>() -> Box<SigningKey<P>> {
    Box::new(SigningKey::from_seed(&[7; 32]))
}

#[inline(never)]
fn sign<P: Fips204>() -> Box<Signature<P>> {
    let key = keygen::<P>();
    Box::new(key.try_sign(b"message").unwrap())
}

#[inline(never)]
fn verify<P: Fips204>() {
    let signature = sign::<P>();
    keygen::<P>()
        .verifying_key()
        .verify(b"message", &signature)
        .unwrap();
}

#[inline(never)]
fn sign_prepared<P: Fips204>() {
    let key = keygen::<P>();
    let prepared = key.prepare();
    for message in [b"one", b"two"] {
        prepared.try_sign(message).unwrap();
    }
}

#[inline(never)]
fn verify_prepared<P: Fips204>() {
    let signature = sign::<P>();
    let key = keygen::<P>();
    let prepared = key.verifying_key().prepare();
    prepared.verify(b"message", &signature).unwrap();
}

#[inline(never)]
fn batches<P: Fips204>() {
    let keys = generate_batch::<P>(&[[7; 32]; 9]);
    let prepared = keys[0].prepare();
    let message = b"message".as_slice();
    let signed = sign_batch(b"", &[(&prepared, message); 9]).unwrap();
    let signed: Vec<_> = signed.into_iter().map(Result::unwrap).collect();
    let items = keys.iter().zip(&signed);
    let items: Vec<_> = items
        .map(|(key, s)| (key.verifying_key(), message, s))
        .collect();
    assert!(verify_batch(b"", &items).unwrap().iter().all(Result::is_ok));
}

#[inline(never)]
fn key_formats<P: Fips204>() {
    let key = keygen::<P>();
    for form in [
        PrivateKeyForm::Seed,
        PrivateKeyForm::Expanded,
        PrivateKeyForm::Both,
    ] {
        let document = key.to_pkcs8(form).unwrap();
        let (read, _) = SigningKey::<P>::from_pkcs8(document.as_bytes()).unwrap();
        assert_eq!(read.verifying_key(), key.verifying_key());
    }
    let document = key.verifying_key().to_public_key_der().unwrap();
    let read = VerifyingKey::<P>::from_public_key_der(document.as_bytes()).unwrap();
    assert_eq!(&read, key.verifying_key());
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().expect("STACK OPERATION SET");
    let (stack, operation, set) = (next().parse().expect("bytes"), next(), next());
    let operations = match set.as_str() {
        "ML-DSA-44" => operations::<MlDsa44>(),
        "ML-DSA-65" => operations::<MlDsa65>(),
        "ML-DSA-87" => operations::<MlDsa87>(),
        other => panic!("no set {other}"),
    };
    let chosen: Vec<fn()> = operations
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
