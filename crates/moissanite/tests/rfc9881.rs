//! The example keys and certificates of RFC 9881, and its three bad keys.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use moissanite::keys::{KeyFormatError, PrivateKeyForm, oid};
use moissanite::pkcs8::{
    self, DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, KeyError,
    LineEnding, SecretDocument,
};
use moissanite::{
    Fips204, InvalidKey, MlDsa44, MlDsa65, MlDsa87, Signature, SigningKey, VerifyingKey, prelude::*,
};
use x509_cert::Certificate;
use x509_cert::der::{DecodePem, Encode};

fn example(name: &str) -> Option<String> {
    moissanite_kats::text(&format!("rfc9881-examples/{name}"))
}

/// The PEM text without what surrounds it, and its DER.
fn document(pem: &str) -> SecretDocument {
    let (label, document) = SecretDocument::from_pem(pem).unwrap();
    assert_eq!(label, "PRIVATE KEY");
    document
}

/// The bytes 0, 1, ..., 31.
fn seed() -> [u8; 32] {
    std::array::from_fn(|i| i.try_into().unwrap())
}

fn good<P: Fips204>() {
    let Some(public) = example(&format!("{}.pub", P::NAME)) else {
        return;
    };
    let expected = SigningKey::<P>::from_seed(&seed().into());
    let public_key = VerifyingKey::<P>::from_public_key_pem(&public).unwrap();
    assert_eq!(&public_key, expected.verifying_key());
    assert_eq!(
        public_key.to_public_key_pem(LineEnding::LF).unwrap().trim(),
        public.trim()
    );

    for (form, name) in [
        (PrivateKeyForm::Seed, "seed"),
        (PrivateKeyForm::Expanded, "expanded"),
        (PrivateKeyForm::Both, "both"),
    ] {
        let pem = example(&format!("{}-{name}.priv", P::NAME)).unwrap();
        let document = document(&pem);
        let (key, read) = SigningKey::<P>::from_pkcs8(document.as_bytes()).unwrap();
        assert_eq!(read, form);
        assert_eq!(key.verifying_key(), expected.verifying_key());
        let expanded = expected.as_expanded_bytes().as_ref();
        assert_eq!(key.as_expanded_bytes().as_ref(), expanded);
        let has_seed = form != PrivateKeyForm::Expanded;
        assert_eq!(key.as_seed(), has_seed.then(|| seed().into()).as_ref());
        // A key that is written in the same form gives the same document.
        let written = key.to_pkcs8(form).unwrap();
        assert_eq!(written.as_bytes(), document.as_bytes());
        let written = expected.to_pkcs8(form).unwrap();
        assert_eq!(written.as_bytes(), document.as_bytes());

        let key = SigningKey::<P>::from_pkcs8_pem(&pem).unwrap();
        let preferred = if has_seed { "seed" } else { "expanded" };
        let preferred = example(&format!("{}-{preferred}.priv", P::NAME)).unwrap();
        let written = key.to_pkcs8_pem(LineEnding::LF).unwrap();
        assert_eq!(written.trim(), preferred.trim());
    }
    certificate::<P>(&public_key);
}

/// The self-signed certificate: its key, its algorithms, its signature.
fn certificate<P: Fips204>(public_key: &VerifyingKey<P>) {
    let pem = example(&format!("{}.crt", P::NAME)).unwrap();
    let certificate = Certificate::from_pem(pem).unwrap();
    let body = certificate.tbs_certificate();
    let key = body.subject_public_key_info().to_der().unwrap();
    assert_eq!(&VerifyingKey::<P>::from_spki(&key).unwrap(), public_key);
    assert_eq!(certificate.signature_algorithm().oid, oid::<P>());
    assert_eq!(body.signature(), certificate.signature_algorithm());

    let signature = certificate.signature().as_bytes().unwrap();
    let signature = Signature::<P>::from_bytes(signature).unwrap();
    let body = body.to_der().unwrap();
    public_key.verify(&body, &signature).unwrap();
    let mut other = body;
    other[40] ^= 1;
    public_key.verify(&other, &signature).unwrap_err();
}

#[test]
fn ml_dsa_44() {
    good::<MlDsa44>();
}
#[test]
fn ml_dsa_65() {
    good::<MlDsa65>();
}
#[test]
fn ml_dsa_87() {
    good::<MlDsa87>();
}

/// A key of one set is not accepted for another.
#[test]
fn another_set() {
    let (Some(private), Some(public)) = (example("ML-DSA-44-seed.priv"), example("ML-DSA-44.pub"))
    else {
        return;
    };
    let wrong = KeyFormatError::WrongAlgorithm {
        expected: oid::<MlDsa65>(),
        actual: oid::<MlDsa44>(),
    };
    let error = SigningKey::<MlDsa65>::from_pkcs8(document(&private).as_bytes()).unwrap_err();
    assert_eq!(error, wrong);
    let (_, document) = pkcs8::Document::from_pem(&public).unwrap();
    let error = VerifyingKey::<MlDsa65>::from_spki(document.as_bytes()).unwrap_err();
    assert_eq!(error, wrong);
}

#[test]
fn bad_keys() {
    for (number, expected) in [
        (1, InvalidKey::SeedMismatch),
        (2, InvalidKey::TrMismatch),
        (3, InvalidKey::T0Mismatch),
    ] {
        let Some(pem) = example(&format!("bad-ML-DSA-44-{number}.priv")) else {
            return;
        };
        let error = SigningKey::<MlDsa44>::from_pkcs8(document(&pem).as_bytes()).unwrap_err();
        assert_eq!(error, KeyFormatError::Key(expected));
        let error = SigningKey::<MlDsa44>::from_pkcs8_pem(&pem).unwrap_err();
        assert_eq!(error, pkcs8::Error::KeyMalformed(KeyError::Invalid));
    }
}
