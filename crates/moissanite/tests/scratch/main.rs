//! What a small program does with keys of each set, on a thread with as much
//! stack as the first argument says. The second names the operation: one of
//! [`OPERATIONS`], or `all`. A stack that is too small ends the process by a signal.

use moissanite::keys::PrivateKeyForm;
use moissanite::pkcs8::{DecodePublicKey, EncodePublicKey};
use moissanite::{
    Fips204, MlDsa44, MlDsa65, MlDsa87, Signature, SigningKey, VerifyingKey, prelude::*,
};

const OPERATIONS: [(&str, fn(&str)); 6] = [
    ("keygen", |set| on_set(set, Operation::KeyGen)),
    ("sign", |set| on_set(set, Operation::Sign)),
    ("verify", |set| on_set(set, Operation::Verify)),
    ("sign-prepared", |set| on_set(set, Operation::SignPrepared)),
    ("verify-prepared", |set| {
        on_set(set, Operation::VerifyPrepared)
    }),
    ("key-formats", |set| on_set(set, Operation::KeyFormats)),
];

enum Operation {
    KeyGen,
    Sign,
    Verify,
    SignPrepared,
    VerifyPrepared,
    KeyFormats,
}

fn on_set(set: &str, operation: Operation) {
    match set {
        "ML-DSA-44" => run::<MlDsa44>(operation),
        "ML-DSA-65" => run::<MlDsa65>(operation),
        "ML-DSA-87" => run::<MlDsa87>(operation),
        other => panic!("no set {other}"),
    }
}

fn run<P: Fips204>(operation: Operation) {
    match operation {
        Operation::KeyGen => drop(keygen::<P>()),
        Operation::Sign => drop(sign::<P>()),
        Operation::Verify => verify::<P>(),
        Operation::SignPrepared => sign_prepared::<P>(),
        Operation::VerifyPrepared => verify_prepared::<P>(),
        Operation::KeyFormats => key_formats::<P>(),
    }
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
    let done = std::thread::Builder::new()
        .stack_size(stack)
        .spawn(move || {
            let mut count = 0;
            for (name, run) in OPERATIONS {
                if operation == name || operation == "all" {
                    run(&set);
                    count += 1;
                }
            }
            count
        })
        .expect("a thread")
        .join()
        .expect("no panic");
    assert!(done > 0, "no such operation");
}
