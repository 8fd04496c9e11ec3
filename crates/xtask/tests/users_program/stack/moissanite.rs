//! The operations of a small program with keys of each set.

use moissanite::batch::{generate_batch, sign_batch, verify_batch};
use moissanite::keys::PrivateKeyForm;
use moissanite::pkcs8::{DecodePublicKey, EncodePublicKey};
use moissanite::{
    Dilithium2, Dilithium3, Dilithium5, Fips204, MlDsa44, MlDsa65, MlDsa87, ParameterSet,
    Signature, SigningKey, VerifyingKey, prelude::*,
};

type Operation = (String, fn());

/// Returns all operations with their names.
pub fn operations() -> Vec<Operation> {
    [
        ml_dsa::<MlDsa44>(),
        ml_dsa::<MlDsa65>(),
        ml_dsa::<MlDsa87>(),
        every_set::<Dilithium2>(),
        every_set::<Dilithium3>(),
        every_set::<Dilithium5>(),
    ]
    .concat()
}

/// Returns the operations that are tested with every set.
fn every_set<P: ParameterSet>() -> Vec<Operation> {
    named::<P, _>([
        ("keygen", || drop(keygen::<P>())),
        ("sign", || drop(sign::<P>())),
        ("verify", verify::<P>),
    ])
}

fn ml_dsa<P: Fips204>() -> Vec<Operation> {
    let more = named::<P, _>([
        ("sign-prepared", sign_prepared::<P>),
        ("verify-prepared", verify_prepared::<P>),
        ("batches", batches::<P>),
        ("key-formats", key_formats::<P>),
    ]);
    [every_set::<P>(), more].concat()
}

fn named<P: ParameterSet, const N: usize>(operations: [(&str, fn()); N]) -> Vec<Operation> {
    let named = operations.map(|(name, run)| (format!("{} {name}", P::NAME), run));
    named.into()
}

/// The operations are not inlined, so that they do not share a stack frame.
#[inline(never)]
fn keygen<P: ParameterSet>() -> Box<SigningKey<P>> {
    Box::new(SigningKey::from_seed(&[7; 32].into()))
}

#[inline(never)]
fn sign<P: ParameterSet>() -> Box<Signature<P>> {
    let key = keygen::<P>();
    Box::new(key.try_sign(b"message").unwrap())
}

#[inline(never)]
fn verify<P: ParameterSet>() {
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
    let keys = generate_batch::<P>(&std::array::from_fn::<_, 9, _>(|_| [7; 32].into()));
    let prepared = keys[0].prepare();
    let message = b"message".as_slice();
    let signed = sign_batch(b"", &[(&prepared, message); 9]).unwrap();
    let items = keys.iter().zip(&signed);
    let items: Vec<_> = items
        .map(|(key, s)| (key.verifying_key(), message, s))
        .collect();
    verify_batch(b"", &items).unwrap();
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
