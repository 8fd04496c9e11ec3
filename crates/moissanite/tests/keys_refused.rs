//! Invalid keys in PKCS#8 and SubjectPublicKeyInfo, each with one fault.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::error::Error;

use crate::document::{
    BIT_STRING, Document, FORMS, NULL, OCTET_STRING, SEED, SEQUENCE, algorithm, der,
    expanded_bytes, key,
};
use moissanite::keys::{KeyFormatError, PrivateKeyForm, oid};
use moissanite::pkcs8::{self, DecodePrivateKey, DecodePublicKey, EncodePublicKey, KeyError, spki};
use moissanite::{InvalidKey, MlDsa44, MlDsa65, MlDsa87, SigningKey, VerifyingKey};
use proptest::prelude::*;

#[test]
fn wrong_algorithm() {
    let mut document = Document::seed::<MlDsa65>();
    document.oid_arc = 32;
    let error = document.error::<MlDsa65>();
    let KeyFormatError::WrongAlgorithm { expected, actual } = error else {
        panic!("{error}");
    };
    assert_eq!(expected.to_string(), "2.16.840.1.101.3.4.3.18");
    assert_eq!(actual.to_string(), "2.16.840.1.101.3.4.3.32");
    assert_eq!(
        pkcs8::Error::from(error),
        spki::Error::OidUnknown { oid: actual }.into()
    );
    // Another set is another algorithm, whatever the sizes.
    let document = Document::seed::<MlDsa65>();
    assert_eq!(
        document.error::<MlDsa87>(),
        KeyFormatError::WrongAlgorithm {
            expected: oid::<MlDsa87>(),
            actual: oid::<MlDsa65>()
        }
    );
}

#[test]
fn parameters_must_be_absent() {
    for parameters in [NULL.to_vec(), der(SEQUENCE, &[]), der(6, &[&[42, 3]])] {
        let mut document = Document::seed::<MlDsa44>();
        document.parameters = parameters;
        assert_eq!(
            document.error::<MlDsa44>(),
            KeyFormatError::ParametersPresent
        );
    }
}

#[test]
fn lengths() {
    for len in [0, 1, 31, 33, 64, 2560] {
        let document = Document::new::<MlDsa44>(der(0x80, &[&vec![7; len]]));
        let expected = InvalidKey::Length {
            expected: 32,
            actual: len,
        };
        assert_eq!(document.error::<MlDsa44>(), KeyFormatError::Key(expected));
        let coarse = if len < 32 {
            KeyError::TooShort
        } else {
            KeyError::TooLong
        };
        assert_eq!(
            pkcs8::Error::from(document.error::<MlDsa44>()),
            coarse.into()
        );
    }
    let expanded = expanded_bytes::<MlDsa44>();
    for len in [0, 1, 32, 2528, 2559, 2561, 4032] {
        let mut expanded = expanded.clone();
        expanded.resize(len, 0);
        let wrong = InvalidKey::Length {
            expected: 2560,
            actual: len,
        };
        let content = der(OCTET_STRING, &[&expanded]);
        let both = der(SEQUENCE, &[&der(OCTET_STRING, &[&SEED]), &content]);
        for content in [content, both] {
            let document = Document::new::<MlDsa44>(content);
            assert_eq!(document.error::<MlDsa44>(), KeyFormatError::Key(wrong));
        }
    }
}

#[test]
fn seed_and_expanded_key_must_agree() {
    let expanded = expanded_bytes::<MlDsa44>();
    let read = |seed: &[u8], expanded: &[u8]| {
        let parts = [der(OCTET_STRING, &[seed]), der(OCTET_STRING, &[expanded])];
        Document::new::<MlDsa44>(der(SEQUENCE, &[&parts[0], &parts[1]])).read::<MlDsa44>()
    };
    read(&SEED, &expanded).unwrap();
    let mismatch = KeyFormatError::Key(InvalidKey::SeedMismatch);
    for i in (0..expanded.len()).step_by(97).chain([expanded.len() - 1]) {
        let mut other = expanded.clone();
        other[i] ^= 0x80;
        assert_eq!(read(&SEED, &other).unwrap_err(), mismatch, "byte {i}");
    }
    let mut seed = SEED;
    seed[31] ^= 1;
    assert_eq!(read(&seed, &expanded).unwrap_err(), mismatch);
}

/// Each part of an expanded key, changed.
#[test]
fn an_expanded_key_is_checked() {
    let expanded = expanded_bytes::<MlDsa44>();
    // ρ and K of 32 bytes, tr of 64, then s₁, s₂ (96 bytes a polynomial), t₀.
    for (at, with, expected) in [
        (0, 1, InvalidKey::T0Mismatch),
        (64, 1, InvalidKey::TrMismatch),
        (127, 0x80, InvalidKey::TrMismatch),
        (2559, 0x80, InvalidKey::T0Mismatch),
    ] {
        let mut other = expanded.clone();
        other[at] ^= with;
        let document = Document::new::<MlDsa44>(der(OCTET_STRING, &[&other]));
        assert_eq!(document.error::<MlDsa44>(), KeyFormatError::Key(expected));
    }
    // Coefficients of s₁ and s₂ have three bits; above 4 there is no secret.
    for at in [128, 128 + 8 * 96 - 3] {
        let mut other = expanded.clone();
        other[at] |= 7;
        let document = Document::new::<MlDsa44>(der(OCTET_STRING, &[&other]));
        let error = document.error::<MlDsa44>();
        assert_eq!(error, KeyFormatError::Key(InvalidKey::SecretOutOfRange));
    }
    // No other part of the key depends on K: a key with another K is another key.
    let mut other = expanded.clone();
    other[32] ^= 1;
    let document = Document::new::<MlDsa44>(der(OCTET_STRING, &[&other]));
    let (key, _) = document.read::<MlDsa44>().unwrap();
    assert_eq!(key.verifying_key(), self::key::<MlDsa44>().verifying_key());
}

#[test]
fn structure() {
    let good = Document::seed::<MlDsa44>();
    let is_der = |document: &Document| {
        let error = document.error::<MlDsa44>();
        assert!(matches!(error, KeyFormatError::Der(_)), "{error}");
        assert!(matches!(error.into(), pkcs8::Error::Asn1(_)));
    };
    let with_key = |key: &[&[u8]]| Document::new::<MlDsa44>(key.concat());
    let (seed, expanded) = (
        der(OCTET_STRING, &[&SEED]),
        der(OCTET_STRING, &[&expanded_bytes::<MlDsa44>()]),
    );
    // Bytes after the private key, within its OCTET STRING.
    is_der(&with_key(&[&good.key, &[0]]));
    is_der(&with_key(&[&expanded, &NULL]));
    // No bytes at all, half a header, a length that is not the shortest.
    is_der(&with_key(&[]));
    is_der(&with_key(&[&[0x80]]));
    is_der(&with_key(&[&[0x80, 0x81, 32], &SEED]));
    // A SEQUENCE of one, of three, in the wrong types.
    is_der(&with_key(&[&der(SEQUENCE, &[&seed])]));
    is_der(&with_key(&[&der(SEQUENCE, &[&seed, &expanded, &NULL])]));
    is_der(&with_key(&[&der(SEQUENCE, &[&good.key, &expanded])]));
    // None of the three forms: the seed bare, in an explicit tag, a BOOLEAN.
    for key in [der(0xa0, &[&seed]), vec![1, 1, 0], der(0x81, &[&SEED])] {
        let error = with_key(&[&key]).error::<MlDsa44>();
        assert_eq!(error, KeyFormatError::UnknownForm);
    }
    is_der(&with_key(&[&[0xff; 32]]));

    let trailing = [good.to_der(), vec![0]].concat();
    SigningKey::<MlDsa44>::from_pkcs8(&trailing).unwrap_err();
    SigningKey::<MlDsa44>::from_pkcs8_der(&trailing).unwrap_err();
}

#[test]
fn cut_off_anywhere() {
    for form in FORMS {
        let document = key::<MlDsa44>().to_pkcs8(form).unwrap();
        let document = document.as_bytes();
        for len in 0..document.len() {
            SigningKey::<MlDsa44>::from_pkcs8(&document[..len]).unwrap_err();
        }
    }
    let document = key::<MlDsa44>()
        .verifying_key()
        .to_public_key_der()
        .unwrap();
    for len in 0..document.as_bytes().len() {
        VerifyingKey::<MlDsa44>::from_spki(&document.as_bytes()[..len]).unwrap_err();
    }
}

/// Version 2 (RFC 5958), with the public key beside the private one.
#[test]
fn public_key_beside_the_private_key() {
    let public = key::<MlDsa44>().verifying_key().to_bytes();
    let with = |version, rest: &[&[u8]]| Document {
        version,
        rest: rest.concat(),
        ..Document::seed::<MlDsa44>()
    };
    let field = |unused: u8, bytes: &[u8]| der(0x81, &[&[unused], bytes]);
    let attributes = der(0xa0, &[]);
    with(1, &[&field(0, &public)]).read::<MlDsa44>().unwrap();
    let document = with(1, &[&attributes, &field(0, &public)]);
    document.read::<MlDsa44>().unwrap();
    with(0, &[&attributes]).read::<MlDsa44>().unwrap();

    let mismatch = KeyFormatError::PublicKeyMismatch;
    for i in [0, 31, 32, public.len() - 1] {
        let mut other = public;
        other[i] ^= 0x80;
        let document = with(1, &[&field(0, &other)]);
        assert_eq!(document.error::<MlDsa44>(), mismatch);
    }
    for other in [&public[..1311], &[], &[&public[..], &[0]].concat()] {
        let document = with(1, &[&field(0, other)]);
        assert_eq!(document.error::<MlDsa44>(), mismatch);
    }
    // One bit less is another public key, if that bit is zero.
    let mut even = public;
    even[1311] &= 0xfe;
    let document = with(1, &[&field(1, &even)]);
    assert_eq!(document.error::<MlDsa44>(), mismatch);

    // The version must match the content.
    for (version, rest) in [(0, field(0, &public)), (1, vec![]), (2, vec![])] {
        let error = with(version, &[&rest]).error::<MlDsa44>();
        assert!(matches!(error, KeyFormatError::Der(_)), "{error}");
    }
}

#[test]
fn public_keys() {
    let key = key::<MlDsa65>();
    let public = key.verifying_key().to_bytes();
    let document = |oid_arc, parameters: &[u8], unused: u8, bytes: &[u8]| {
        let bits = der(BIT_STRING, &[&[unused], bytes]);
        der(SEQUENCE, &[&algorithm(oid_arc, parameters), &bits])
    };
    let good = document(18, &[], 0, &public);
    let written = key.verifying_key().to_public_key_der().unwrap();
    assert_eq!(written.as_bytes(), good);
    let read = VerifyingKey::<MlDsa65>::from_spki(&good).unwrap();
    assert_eq!(&read, key.verifying_key());
    let read = VerifyingKey::<MlDsa65>::from_public_key_der(&good).unwrap();
    assert_eq!(&read, key.verifying_key());

    let error = |document: &[u8]| {
        let error = VerifyingKey::<MlDsa65>::from_spki(document).unwrap_err();
        let coarse = VerifyingKey::<MlDsa65>::from_public_key_der(document).unwrap_err();
        assert_eq!(coarse, spki::Error::from(error));
        error
    };
    let length = |actual| {
        KeyFormatError::Key(InvalidKey::Length {
            expected: 1952,
            actual,
        })
    };
    assert_eq!(error(&document(18, &[], 0, &public[1..])), length(1951));
    let longer = [&public[..], &[0]].concat();
    assert_eq!(error(&document(18, &[], 0, &longer)), length(1953));
    assert_eq!(error(&document(18, &[], 0, &[])), length(0));
    let parameters = error(&document(18, &NULL, 0, &public));
    assert_eq!(parameters, KeyFormatError::ParametersPresent);
    let wrong = KeyFormatError::WrongAlgorithm {
        expected: oid::<MlDsa65>(),
        actual: oid::<MlDsa44>(),
    };
    assert_eq!(error(&document(17, &[], 0, &public)), wrong);
    let mut even = public;
    even[1951] &= 0xfe;
    let bits = error(&document(18, &[], 1, &even));
    assert!(matches!(bits, KeyFormatError::Der(_)));
    let trailing = error(&[&good[..], &[0]].concat());
    assert!(matches!(trailing, KeyFormatError::Der(_)));
}

#[test]
fn errors_say_what_is_wrong() {
    let der = SigningKey::<MlDsa44>::from_pkcs8(&[]).unwrap_err();
    assert!(
        der.to_string()
            .starts_with("the document is not a key in DER: ")
    );
    assert!(der.source().is_some());
    let wrong = KeyFormatError::WrongAlgorithm {
        expected: oid::<MlDsa44>(),
        actual: oid::<MlDsa87>(),
    };
    for (error, text) in [
        (
            wrong,
            "the key is of algorithm 2.16.840.1.101.3.4.3.19 instead of 2.16.840.1.101.3.4.3.17",
        ),
        (
            KeyFormatError::ParametersPresent,
            "the algorithm of the key has parameters, where ML-DSA has none",
        ),
        (
            KeyFormatError::UnknownForm,
            "the private key is neither a seed, nor an expanded key, nor both",
        ),
        (
            KeyFormatError::Key(InvalidKey::SeedMismatch),
            "the seed does not give the expanded key beside it",
        ),
        (
            KeyFormatError::PublicKeyMismatch,
            "the public key in the document is not that of the private key",
        ),
        (
            KeyFormatError::SeedUnknown,
            "the key was read in expanded form, so its seed is not known",
        ),
    ] {
        assert_eq!(error.to_string(), text);
        assert!(error.source().is_none());
    }
    assert_eq!(
        FORMS.map(|form| form.to_string()),
        ["seed", "expanded", "both"]
    );
}

proptest! {
    /// One byte of a document changed gives an error or, within the seed (the
    /// last 32 bytes), another key; never a panic, never the same key.
    #[test]
    fn one_byte_changed(at in 0_usize..54, with in 1_u8..) {
        let document = key::<MlDsa44>().to_pkcs8(PrivateKeyForm::Seed).unwrap();
        prop_assert_eq!(document.as_bytes().len(), 54);
        let mut document = document.as_bytes().to_vec();
        document[at] ^= with;
        match SigningKey::<MlDsa44>::from_pkcs8(&document) {
            Ok((read, _)) => {
                prop_assert!(at >= 22, "byte {at}");
                let key = key::<MlDsa44>();
                prop_assert_ne!(read.verifying_key(), key.verifying_key());
            }
            Err(_) => prop_assert!(at < 22, "byte {at}"),
        }
    }

    /// Reading never panics.
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(SigningKey::<MlDsa44>::from_pkcs8(&bytes).is_err());
        prop_assert!(VerifyingKey::<MlDsa44>::from_spki(&bytes).is_err());
    }
}
