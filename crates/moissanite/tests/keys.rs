//! Keys in PKCS#8 and SubjectPublicKeyInfo: every form, written and read.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::document::{
    Document, FORMS, OCTET_STRING, SEED, SEQUENCE, der, expanded_bytes, expanded_key, key,
};
use moissanite::keys::{KeyFormatError, PrivateKeyForm, oid};
use moissanite::pkcs8::spki::{
    AssociatedAlgorithmIdentifier, SignatureAlgorithmIdentifier, SignatureBitStringEncoding,
};
use moissanite::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, LineEnding,
};
use moissanite::{
    Fips204, MlDsa44, MlDsa65, MlDsa87, PreparedSigningKey, Signature, SigningKey, VerifyingKey,
    prelude::*,
};

fn forms<P: Fips204>() {
    let key = key::<P>();
    let expanded = expanded_bytes::<P>();
    let content = [
        der(0x80, &[&SEED]),
        der(OCTET_STRING, &[&expanded]),
        der(
            SEQUENCE,
            &[
                &der(OCTET_STRING, &[&SEED]),
                &der(OCTET_STRING, &[&expanded]),
            ],
        ),
    ];
    for (form, content) in FORMS.into_iter().zip(content) {
        let document = Document::new::<P>(content);
        assert_eq!(key.to_pkcs8(form).unwrap().as_bytes(), document.to_der());
        let (read, read_form) = document.read::<P>().unwrap();
        assert_eq!(read_form, form);
        assert_eq!(read.verifying_key(), key.verifying_key());
        assert_eq!(read.as_expanded_bytes().as_ref(), expanded);
        let has_seed = form != PrivateKeyForm::Expanded;
        assert_eq!(read.as_seed(), has_seed.then(|| SEED.into()).as_ref());
        let preferred = if has_seed { PrivateKeyForm::Seed } else { form };
        assert_eq!(read.preferred_form(), preferred);
        let written = read.to_pkcs8_der().unwrap();
        assert_eq!(
            written.as_bytes(),
            key.to_pkcs8(preferred).unwrap().as_bytes()
        );
    }
}

#[test]
fn every_form_is_written_and_read() {
    forms::<MlDsa44>();
    forms::<MlDsa65>();
    forms::<MlDsa87>();
}

#[test]
fn a_key_without_seed_says_so() {
    let key = expanded_key::<MlDsa65>();
    for form in [PrivateKeyForm::Seed, PrivateKeyForm::Both] {
        assert_eq!(key.to_pkcs8(form).unwrap_err(), KeyFormatError::SeedUnknown);
    }
    assert_eq!(key.preferred_form(), PrivateKeyForm::Expanded);
    let document = key.to_pkcs8_der().unwrap();
    let (_, form) = SigningKey::<MlDsa65>::from_pkcs8(document.as_bytes()).unwrap();
    assert_eq!(form, PrivateKeyForm::Expanded);
}

#[test]
fn pem() {
    let key = key::<MlDsa65>();
    let pem = key.to_pkcs8_pem(LineEnding::LF).unwrap();
    assert!(pem.starts_with("-----BEGIN PRIVATE KEY-----\n"));
    let read = SigningKey::<MlDsa65>::from_pkcs8_pem(&pem).unwrap();
    assert_eq!(read.as_seed(), Some(&SEED.into()));
    let pem = expanded_key::<MlDsa65>()
        .to_pkcs8_pem(LineEnding::CRLF)
        .unwrap();
    let read = SigningKey::<MlDsa65>::from_pkcs8_pem(&pem).unwrap();
    assert!(read.as_seed().is_none());
    assert_eq!(read.verifying_key(), key.verifying_key());

    let public = key
        .verifying_key()
        .to_public_key_pem(LineEnding::LF)
        .unwrap();
    assert!(public.starts_with("-----BEGIN PUBLIC KEY-----\n"));
    let read = VerifyingKey::<MlDsa65>::from_public_key_pem(&public).unwrap();
    assert_eq!(&read, key.verifying_key());

    // Neither document is accepted as the other, and truncated text is accepted as none.
    SigningKey::<MlDsa65>::from_pkcs8_pem(&public).unwrap_err();
    VerifyingKey::<MlDsa65>::from_public_key_pem(&pem).unwrap_err();
    SigningKey::<MlDsa65>::from_pkcs8_pem(&pem[..pem.len() - 20]).unwrap_err();
    VerifyingKey::<MlDsa65>::from_public_key_pem(&public[..1000]).unwrap_err();
}

fn identifiers<P: Fips204>(expected: &str) {
    let algorithm = SigningKey::<P>::SIGNATURE_ALGORITHM_IDENTIFIER;
    assert_eq!(algorithm.oid.to_string(), expected);
    assert_eq!(algorithm.parameters, None);
    assert_eq!(algorithm.oid, oid::<P>());
    assert_eq!(
        PreparedSigningKey::<P>::SIGNATURE_ALGORITHM_IDENTIFIER,
        algorithm
    );
    assert_eq!(VerifyingKey::<P>::SIGNATURE_ALGORITHM_IDENTIFIER, algorithm);
    assert_eq!(Signature::<P>::ALGORITHM_IDENTIFIER, algorithm);
    let signature = key::<P>().try_sign(b"message").unwrap();
    let bits = signature.to_bitstring().unwrap();
    assert_eq!(bits.as_bytes().unwrap(), signature.as_ref());
}

#[test]
fn algorithm_identifiers() {
    identifiers::<MlDsa44>("2.16.840.1.101.3.4.3.17");
    identifiers::<MlDsa65>("2.16.840.1.101.3.4.3.18");
    identifiers::<MlDsa87>("2.16.840.1.101.3.4.3.19");
}
