//! Keys and signatures of TUF.

use moissanite::prelude::*;
use moissanite_tokens::{Algorithm, Deterministic, Error, VerifyingKey, limits};
use serde_json::{Value, json};
use sha2::{Digest, Sha256, Sha512};

use crate::common::{KEY, PUBLIC, key};

const CANONICAL: &[u8] = br#"{"_type":"root","version":1}"#;

fn public() -> Value {
    serde_json::from_str(&PUBLIC.to_tuf_key().unwrap()).unwrap()
}

fn with(mut key: Value, name: &str, value: Value) -> Value {
    key[name] = value;
    key
}

#[track_caller]
fn refused(key: &Value, error: Error) {
    assert_eq!(
        VerifyingKey::from_tuf_key(&key.to_string()).unwrap_err(),
        error
    );
}

#[test]
fn keys_are_read_and_written() {
    for (algorithm, scheme) in [
        (Algorithm::MlDsa44, "ml-dsa-44/1"),
        (Algorithm::MlDsa65, "ml-dsa-65/1"),
        (Algorithm::MlDsa87, "ml-dsa-87/1"),
    ] {
        let public = key(algorithm).to_verifying_key();
        let text = public.to_tuf_key().unwrap();
        assert_eq!(VerifyingKey::from_tuf_key(&text).unwrap(), public);
        let written: Value = serde_json::from_str(&text).unwrap();
        let pem = written["keyval"]["public"].as_str().unwrap();
        assert!(pem.starts_with("-----BEGIN PUBLIC KEY-----\n") && pem.ends_with("-----\n"));
        let expected = json!({"keytype": "ml-dsa", "scheme": scheme, "keyval": {"public": pem}});
        assert_eq!(written, expected);
        let canonical = text.replace(r"\n", "\n");
        assert_eq!(
            public.tuf_key_id().unwrap(),
            hex::encode(Sha256::digest(canonical))
        );
    }
    // Other members are ignored.
    let more = with(public(), "keyid_hash_algorithms", json!(["sha256"]));
    assert_eq!(
        VerifyingKey::from_tuf_key(&more.to_string()).unwrap(),
        *PUBLIC
    );
}

#[test]
fn other_keys_are_refused() {
    for name in ["keytype", "scheme", "keyval"] {
        let mut key = public();
        key.as_object_mut().unwrap().remove(name).unwrap();
        refused(&key, Error::Missing(name));
        refused(&with(public(), name, json!(1)), Error::WrongType(name));
    }
    refused(
        &with(public(), "keyval", json!({})),
        Error::Missing("public"),
    );
    refused(&with(public(), "keytype", json!("ed25519")), Error::KeyType);
    for scheme in ["ed25519", "ml-dsa-44/2", "ml-dsa-44", "ML-DSA-44/1"] {
        refused(
            &with(public(), "scheme", json!(scheme)),
            Error::UnknownAlgorithm,
        );
    }
    refused(
        &with(public(), "scheme", json!("ml-dsa-65/1")),
        Error::Pem("public"),
    );
    let pem = public()["keyval"]["public"].as_str().unwrap().to_owned();
    for pem in [
        String::new(),
        format!("{pem}{pem}"),
        pem.replace("PUBLIC", "PRIVATE"),
        pem.replacen("MII", "mii", 1),
    ] {
        let key = with(public(), "keyval", json!({"public": pem}));
        refused(&key, Error::Pem("public"));
    }
    let text = public().to_string();
    for (text, error) in [
        (format!("{text}x"), Error::TrailingData),
        (text.replacen('{', r#"{"scheme":"","#, 1), Error::Duplicate),
        ("[]".to_owned(), Error::Json),
        (
            " ".repeat(limits::KEY + 1),
            Error::TooLong {
                part: "TUF key",
                limit: limits::KEY,
            },
        ),
    ] {
        assert_eq!(VerifyingKey::from_tuf_key(&text).unwrap_err(), error);
    }
}

#[test]
fn signatures() {
    let signature = KEY.sign_tuf(Deterministic, CANONICAL).unwrap();
    let facade = moissanite::SigningKey::<moissanite::MlDsa44>::from_seed(&[0; 32].into());
    let signed = [b"tuf\x01", &Sha512::digest(CANONICAL)[..]].concat();
    let expected = facade.try_sign(&signed).unwrap();
    assert_eq!(signature, hex::encode(expected.as_bytes()));

    PUBLIC.verify_tuf(CANONICAL, &signature).unwrap();
    PUBLIC
        .verify_tuf(CANONICAL, &signature.to_uppercase())
        .unwrap();
    let direct = hex::encode(facade.try_sign(CANONICAL).unwrap().as_bytes());
    let changed =
        |at: usize, to: &str| [&signature[..at], to, &signature[at + to.len()..]].concat();
    let other = if signature.starts_with('0') { "1" } else { "0" };
    for (canonical, signature, error) in [
        (&b"{}"[..], signature.clone(), Error::InvalidSignature),
        (CANONICAL, direct, Error::InvalidSignature),
        (CANONICAL, changed(0, other), Error::InvalidSignature),
        (CANONICAL, changed(10, "x"), Error::Hex("sig")),
        (CANONICAL, changed(10, "ä"), Error::Hex("sig")),
        (CANONICAL, signature[1..].to_owned(), Error::Hex("sig")),
        (CANONICAL, String::new(), Error::EmptySignature),
        (
            CANONICAL,
            signature[2..].to_owned(),
            Error::SignatureLength {
                expected: 2420,
                actual: 2419,
            },
        ),
    ] {
        assert_eq!(PUBLIC.verify_tuf(canonical, &signature).unwrap_err(), error);
    }
}
