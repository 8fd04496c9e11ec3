//! COSE_Key and COSE_Sign1. `ciborium`, another implementation of CBOR, makes and reads the structures.

use ciborium::Value;
use ciborium::cbor;
use moissanite::prelude::*;
use moissanite_tokens::cose::{Header, Label, unverified_headers};
use moissanite_tokens::{
    Algorithm, Deterministic, Error, SigningKey, SysRng, VerifyingKey, limits,
};

use crate::common::{KEY, PUBLIC, key};

fn encode(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).unwrap();
    bytes
}

fn decode(bytes: &[u8]) -> Value {
    ciborium::from_reader(bytes).unwrap()
}

fn bytes(bytes: impl Into<Vec<u8>>) -> Value {
    Value::Bytes(bytes.into())
}

fn int(value: i64) -> Value {
    Value::Integer(value.into())
}

/// The parameters of the private key.
fn private() -> Vec<(Value, Value)> {
    vec![
        (int(1), int(7)),
        (int(3), int(-48)),
        (int(-1), bytes(PUBLIC.as_bytes())),
        (int(-2), bytes([0; 32])),
    ]
}

fn public() -> Vec<(Value, Value)> {
    private()[..3].to_vec()
}

/// Replaces or adds a parameter.
fn with(mut map: Vec<(Value, Value)>, label: i64, value: Value) -> Vec<(Value, Value)> {
    map.retain(|(each, _)| *each != int(label));
    map.push((int(label), value));
    map
}

#[track_caller]
fn refused(key: Vec<(Value, Value)>, error: Error) {
    let key = encode(&Value::Map(key));
    assert_eq!(VerifyingKey::from_cose_key(&key).unwrap_err(), error);
}

#[track_caller]
fn refused_private(key: Vec<(Value, Value)>, error: Error) {
    let key = encode(&Value::Map(key));
    assert_eq!(SigningKey::from_cose_key(&key).unwrap_err(), error);
}

#[test]
fn keys_of_all_sets_are_written_and_read() {
    for algorithm in Algorithm::ALL {
        let key = key(algorithm).with_kid([0xff; 300]);
        let encoded = key.to_private_cose_key().unwrap();
        // The buffer has not grown, which would have left a copy of the seed.
        assert_eq!(encoded.len(), encoded.capacity());
        let read = SigningKey::from_cose_key(&encoded).unwrap();
        assert_eq!(read.as_seed().unwrap(), key.as_seed().unwrap());
        assert_eq!(read.kid(), key.kid());
        let public = key.to_verifying_key();
        let read = VerifyingKey::from_cose_key(&public.to_cose_key()).unwrap();
        assert_eq!(read, public);
        assert_eq!(read.kid(), public.kid());
        // The thumbprint depends on the algorithm and the key only.
        let unnamed = VerifyingKey::from_bytes(algorithm, public.as_bytes()).unwrap();
        assert_eq!(public.cose_thumbprint(), unnamed.cose_thumbprint());

        let id = algorithm.cose_id();
        let expected = Value::Map(vec![
            (int(1), int(7)),
            (int(2), bytes([0xff; 300])),
            (int(3), int(id)),
            (int(-1), bytes(public.as_bytes())),
            (int(-2), bytes([0; 32])),
        ]);
        assert_eq!(decode(&encoded), expected);
        assert_eq!(encode(&expected), *encoded);
    }
    let others = vec![
        (int(4), Value::Array(vec![2.into(), "x".into()])),
        (int(-9), Value::Null),
    ];
    let key = [
        public(),
        others,
        vec![("text".into(), cbor!({1 => [2.5, true]}).unwrap())],
    ]
    .concat();
    assert_eq!(
        VerifyingKey::from_cose_key(&encode(&Value::Map(key))).unwrap(),
        *PUBLIC
    );
}

#[test]
fn parameters_of_keys() {
    for (place, name) in [(0, "kty"), (1, "alg"), (2, "pub"), (3, "priv")] {
        let mut key = private();
        key.remove(place);
        refused_private(key.clone(), Error::Missing(name));
        if place < 3 {
            key.retain(|(label, _)| *label != int(-2));
            refused(key, Error::Missing(name));
        }
    }
    for value in [
        Value::Null,
        Value::Bool(true),
        Value::Float(1.5),
        Value::Array(vec![]),
    ] {
        for (label, name) in [(1, "kty"), (3, "alg"), (-1, "pub"), (2, "kid")] {
            refused(with(public(), label, value.clone()), Error::WrongType(name));
        }
        refused_private(with(private(), -2, value.clone()), Error::WrongType("priv"));
        if !value.is_array() {
            refused(with(public(), 4, value), Error::WrongType("key_ops"));
        }
    }
    refused(with(public(), -1, "text".into()), Error::WrongType("pub"));
    refused(
        with(public(), 4, Value::Array(vec![Value::Null])),
        Error::WrongType("key_ops"),
    );

    for kty in [int(1), int(2), int(-7), int(8), "AKP".into()] {
        refused(with(public(), 1, kty), Error::KeyType);
    }
    for algorithm in [int(48), int(-47), int(-51), int(-8), "ML-DSA-44".into()] {
        refused(with(public(), 3, algorithm), Error::UnknownAlgorithm);
    }
    let length = Error::PublicKeyLength {
        expected: 1952,
        actual: 1312,
    };
    refused(with(public(), 3, int(-49)), length);
    refused_private(with(private(), 3, int(-49)), length);
    for length in [0, 31, 33, 2560] {
        refused_private(
            with(private(), -2, bytes(vec![0; length])),
            Error::SeedLength,
        );
    }
    refused_private(
        with(private(), -2, bytes([1; 32])),
        Error::PublicKeyMismatch,
    );
    refused(private(), Error::PrivateKeyPresent);
    let operations =
        |operations: &[i64]| Value::Array(operations.iter().map(|o| int(*o)).collect());
    refused(with(public(), 4, operations(&[])), Error::KeyOps);
    refused(with(public(), 4, operations(&[1])), Error::KeyOps);
    refused_private(with(private(), 4, operations(&[2])), Error::KeyOps);
    refused(with(public(), 4, operations(&[2, 1, 2])), Error::Duplicate);
    refused([public(), public()].concat(), Error::Duplicate);
    refused(
        [public(), vec![("x".into(), int(1)); 2]].concat(),
        Error::Duplicate,
    );
}

#[test]
fn bytes_that_are_not_one_key() {
    let good = encode(&Value::Map(public()));
    let error = |bytes: &[u8]| VerifyingKey::from_cose_key(bytes).unwrap_err();
    for length in 1..good.len() {
        assert_eq!(error(&good[..length]), Error::Cbor, "{length}");
    }
    assert_eq!(error(&[]), Error::Cbor);
    assert_eq!(
        error(&encode(&Value::Array(vec![]))),
        Error::WrongType("COSE_Key")
    );
    assert_eq!(error(&[&good[..], &[0]].concat()), Error::TrailingData);
    assert_eq!(error(&[&good[..], &good].concat()), Error::TrailingData);
    let long = vec![0; limits::KEY + 1];
    let limit = limits::KEY;
    assert_eq!(
        error(&long),
        Error::TooLong {
            part: "COSE_Key",
            limit
        }
    );
    assert_eq!(
        SigningKey::from_cose_key(&long).unwrap_err(),
        Error::TooLong {
            part: "COSE_Key",
            limit
        }
    );
    // A label that is encoded in more bytes than necessary is the same label.
    let again = [&[0xa4, 0x18, 0x01, 0x07], &good[1..]].concat();
    assert_eq!(error(&again), Error::Duplicate);
    // A map of indefinite length, and one with more entries than memory.
    assert_eq!(error(&[&[0xbf], &good[1..], &[0xff]].concat()), Error::Cbor);
    assert_eq!(
        error(&[&[0xbb][..], &[0xff; 8], &good[1..]].concat()),
        Error::Cbor
    );
    // A byte string that claims to be longer than the input.
    assert_eq!(
        error(&[
            0xa1, 0x20, 0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff
        ]),
        Error::Cbor
    );
    // Labels that are neither integers of 64 bits nor texts.
    for label in [
        &[0x3b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff][..],
        &[0x1c],
        &[0x62, 0xff, 0xff],
    ] {
        assert_eq!(error(&[&[0xa1], label, &[0]].concat()), Error::Cbor);
    }
    assert_eq!(error(&[0xa1, 0x40, 0]), Error::WrongType("label"));
}

#[test]
fn nesting() {
    for open in [&[0x81][..], &[0xa1, 0x00], &[0xc1], &[0x9f]] {
        let nested = |depth: usize| [&[0xa1, 0x09][..], &open.repeat(depth), &[0x00]].concat();
        let error = |bytes: &[u8]| VerifyingKey::from_cose_key(bytes).unwrap_err();
        if open != [0x9f] {
            assert_eq!(error(&nested(200)), Error::Missing("kty"));
        }
        assert_eq!(error(&nested(300)), Error::Cbor);
        assert_eq!(error(&nested(30_000)), Error::Cbor);
    }
}

/// A message with these parts, which nobody has signed.
fn unsigned(protected: Vec<u8>, unprotected: Value, payload: Value, signature: Vec<u8>) -> Vec<u8> {
    let parts = vec![bytes(protected), unprotected, payload, bytes(signature)];
    encode(&Value::Tag(18, Box::new(Value::Array(parts))))
}

/// A message with this protected header, signed with whatever it says.
fn signed(protected: Vec<u8>, unprotected: Value) -> Vec<u8> {
    let key = moissanite::SigningKey::<moissanite::MlDsa44>::from_seed(&[0; 32].into());
    let structure = Value::Array(vec![
        "Signature1".into(),
        bytes(protected.clone()),
        bytes("aad"),
        bytes("payload"),
    ]);
    let signature = key.try_sign(&encode(&structure)).unwrap();
    unsigned(
        protected,
        unprotected,
        bytes("payload"),
        signature.to_bytes().to_vec(),
    )
}

fn header(map: Vec<(Value, Value)>) -> Vec<u8> {
    encode(&Value::Map(map))
}

fn good() -> Vec<u8> {
    header(vec![(int(1), int(-48))])
}

fn none() -> Value {
    Value::Map(vec![])
}

#[track_caller]
fn refused_message(message: &[u8], error: Error) {
    assert_eq!(PUBLIC.verify_sign1(message, b"aad").unwrap_err(), error);
}

#[test]
fn messages_of_all_sets() {
    for algorithm in Algorithm::ALL {
        let key = key(algorithm);
        let public = key.to_verifying_key();
        let header = Header::new()
            .with_kid(b"kid")
            .with_content_type("text/plain")
            .with("x", &[0xf6])
            .unwrap()
            .with(-65_537, &[0x81, 0x01])
            .unwrap();
        for length in [0, 1, 23, 24, 255, 256, 65_535, 65_536] {
            let payload = vec![0xa5; length];
            let message = key
                .sign_sign1(&mut SysRng, &header, &payload, &payload)
                .unwrap();
            let verified = public.verify_sign1(&message, &payload).unwrap();
            assert_eq!(verified.payload, payload);
            assert_eq!(verified.header.kid(), Some(&b"kid"[..]));
            assert_eq!(verified.header.get("x"), Some(&[0xf6][..]));
            assert_eq!(verified.header.get(3), Some(&b"\x6atext/plain"[..]));
            assert_eq!(verified.unprotected, Header::new());
            assert_eq!(
                unverified_headers(&message).unwrap(),
                (verified.header, Header::new())
            );
            let error = public.verify_sign1(&message, b"other").unwrap_err();
            assert_eq!(error, Error::InvalidSignature);
            // The tag is optional.
            assert_eq!(
                public
                    .verify_sign1(&message[1..], &payload)
                    .unwrap()
                    .payload,
                payload
            );
        }
        let one = key.sign_sign1(Deterministic, &header, b"1", b"").unwrap();
        let verified = public.verify_sign1(&one, b"").unwrap();
        let labels: Vec<_> = verified
            .header
            .parameters()
            .map(|(label, _)| label.clone())
            .collect();
        let expected = [
            (-65_537).into(),
            1.into(),
            3.into(),
            4.into(),
            Label::from("x"),
        ];
        assert_eq!(labels, expected);
        assert_eq!(
            key.sign_sign1(Deterministic, &verified.header, b"1", b"")
                .unwrap(),
            one
        );
    }
    // The same structures as another implementation of CBOR makes.
    assert_eq!(
        signed(good(), none()),
        KEY.sign_sign1(Deterministic, &Header::new(), b"payload", b"aad")
            .unwrap()
    );
    // The protected header is in the deterministic encoding: sorted by the bytes of the labels.
    let many = Header::new()
        .with_content_format(60)
        .with(-1, &[0])
        .unwrap()
        .with(100, &[0])
        .unwrap();
    let message = KEY.sign_sign1(Deterministic, &many, b"", b"").unwrap();
    assert_eq!(
        message[3..13],
        [0xa4, 0x01, 0x38, 0x2f, 0x03, 0x18, 0x3c, 0x18, 0x64, 0x00]
    );
}

#[test]
fn algorithms_of_messages() {
    for (value, error) in [
        (int(48), Error::UnknownAlgorithm),
        (int(-7), Error::UnknownAlgorithm),
        ("ML-DSA-44".into(), Error::UnknownAlgorithm),
        ("none".into(), Error::UnknownAlgorithm),
        (Value::Null, Error::WrongType("alg")),
        (bytes([48]), Error::WrongType("alg")),
        (
            int(-50),
            Error::AlgorithmMismatch {
                key: Algorithm::MlDsa44,
                token: Algorithm::MlDsa87,
            },
        ),
    ] {
        refused_message(&signed(header(vec![(int(1), value)]), none()), error);
    }
    refused_message(&signed(vec![], none()), Error::Missing("alg"));
    refused_message(&signed(header(vec![]), none()), Error::Missing("alg"));
    let alone = Value::Map(vec![(int(1), int(-48))]);
    refused_message(&signed(vec![], alone.clone()), Error::UnprotectedAlgorithm);
    refused_message(&signed(good(), alone), Error::UnprotectedAlgorithm);
}

#[test]
fn headers_of_messages() {
    let map = |label: i64, value: Value| vec![(int(label), value)];
    let kid = || map(4, bytes("1"));
    let both = |more: Vec<(Value, Value)>| header([map(1, int(-48)), more].concat());
    assert!(
        PUBLIC
            .verify_sign1(&signed(both(kid()), none()), b"aad")
            .is_ok()
    );
    let unprotected = signed(good(), Value::Map(kid()));
    let verified = PUBLIC.verify_sign1(&unprotected, b"aad").unwrap();
    assert_eq!(
        (verified.header.kid(), verified.unprotected.kid()),
        (None, Some(&b"1"[..]))
    );

    let critical = || map(2, Value::Array(vec![int(4)]));
    refused_message(&signed(both(critical()), none()), Error::Critical);
    refused_message(&signed(both(map(2, Value::Null)), none()), Error::Critical);
    refused_message(&signed(good(), Value::Map(critical())), Error::Critical);
    refused_message(&signed(both(map(1, int(-48))), none()), Error::Duplicate);
    refused_message(
        &signed(both([kid(), kid()].concat()), none()),
        Error::Duplicate,
    );
    refused_message(
        &signed(good(), Value::Map([kid(), kid()].concat())),
        Error::Duplicate,
    );
    refused_message(&signed(both(kid()), Value::Map(kid())), Error::Duplicate);
    refused_message(
        &signed(both(map(4, "1".into())), none()),
        Error::WrongType("kid"),
    );
    refused_message(
        &signed(good(), Value::Map(map(4, int(1)))),
        Error::WrongType("kid"),
    );
    refused_message(&signed(vec![0x80], none()), Error::WrongType("protected"));
    refused_message(
        &signed([good(), vec![0]].concat(), none()),
        Error::TrailingData,
    );
    refused_message(
        &signed(good(), Value::Array(vec![])),
        Error::WrongType("unprotected"),
    );

    let limit = limits::HEADER;
    let error = Error::TooLong {
        part: "header",
        limit,
    };
    let long = || map(9, bytes(vec![0; limit]));
    refused_message(&signed(both(long()), none()), error);
    refused_message(&signed(good(), Value::Map(long())), error);
    let fits = |more: usize| both(map(9, bytes(vec![0; limit - 8 + more])));
    assert_eq!(fits(0).len(), limit);
    assert!(
        PUBLIC
            .verify_sign1(&signed(fits(0), none()), b"aad")
            .is_ok()
    );
    refused_message(&signed(fits(1), none()), error);
}

#[test]
fn structures_of_messages() {
    let message = signed(good(), none());
    for length in 1..message.len() {
        let error = PUBLIC.verify_sign1(&message[..length], b"aad").unwrap_err();
        assert_eq!(error, Error::Cbor, "{length}");
    }
    refused_message(&[], Error::Cbor);
    refused_message(&[&message[..], &[0]].concat(), Error::TrailingData);
    for tag in [0_u64, 17, 19, 61, 98, u64::MAX] {
        let tagged = Value::Tag(tag, Box::new(decode(&message[1..])));
        refused_message(&encode(&tagged), Error::Tag);
    }
    // The tag twice.
    refused_message(
        &[&[0xd2], &message[..]].concat(),
        Error::WrongType("COSE_Sign1"),
    );
    for count in [0, 1, 3, 5] {
        let parts = vec![bytes(""); count];
        refused_message(
            &encode(&Value::Array(parts)),
            Error::WrongType("COSE_Sign1"),
        );
    }
    let text = |place: usize, value: Value| {
        let mut parts = vec![bytes(good()), none(), bytes("payload"), bytes([0; 2420])];
        parts[place] = value;
        encode(&Value::Array(parts))
    };
    refused_message(&text(0, "".into()), Error::WrongType("protected"));
    refused_message(&text(0, none()), Error::WrongType("protected"));
    refused_message(&text(2, "payload".into()), Error::WrongType("payload"));
    refused_message(&text(3, Value::Null), Error::WrongType("signature"));
    refused_message(&text(3, bytes("")), Error::EmptySignature);
    for actual in [1, 2419, 2421] {
        let error = Error::SignatureLength {
            expected: 2420,
            actual,
        };
        refused_message(&text(3, bytes(vec![0; actual])), error);
    }
    refused_message(&text(3, bytes([0; 2420])), Error::InvalidSignature);
    // An array and byte strings of indefinite length.
    refused_message(&[&[0x9f], &message[2..], &[0xff]].concat(), Error::Cbor);
    refused_message(&[0x84, 0x5f, 0x40, 0xff], Error::Cbor);
    let long = vec![0; limits::TOKEN + 1];
    let limit = limits::TOKEN;
    refused_message(
        &long,
        Error::TooLong {
            part: "COSE_Sign1",
            limit,
        },
    );
}

#[test]
fn headers_that_are_not_signed() {
    let sign = |header: Header| KEY.sign_sign1(Deterministic, &header, b"", b"").map(|_| ());
    let with = |label: i64, value: &Value| Header::new().with(label, &encode(value)).unwrap();
    assert_eq!(sign(with(1, &int(-48))), Ok(()));
    let mismatch = Error::AlgorithmMismatch {
        key: Algorithm::MlDsa44,
        token: Algorithm::MlDsa65,
    };
    for (label, value, error) in [
        (1, int(-49), mismatch),
        (1, int(-7), Error::UnknownAlgorithm),
        (1, Value::Null, Error::WrongType("alg")),
        (2, Value::Array(vec![int(1)]), Error::Critical),
        (4, int(1), Error::WrongType("kid")),
        (
            9,
            bytes(vec![0; limits::HEADER]),
            Error::TooLong {
                part: "header",
                limit: limits::HEADER,
            },
        ),
    ] {
        assert_eq!(sign(with(label, &value)), Err(error));
        let header = with(label, &value);
        assert_eq!(
            KEY.sign_sign1_detached(Deterministic, &header, b"", b""),
            Err(error)
        );
    }
    for value in [&[][..], &[0x40, 0x40], &[0xff], &[0x58], &[0x81]] {
        let error = Header::new().with(9, value).unwrap_err();
        assert!(
            matches!(error, Error::Cbor | Error::TrailingData),
            "{value:?}: {error}"
        );
    }
    let long = vec![0; limits::TOKEN];
    let error = Error::TooLong {
        part: "COSE_Sign1",
        limit: limits::TOKEN,
    };
    assert_eq!(
        KEY.sign_sign1(Deterministic, &Header::new(), &long, b"")
            .unwrap_err(),
        error
    );
    assert!(
        KEY.sign_sign1_detached(Deterministic, &Header::new(), &long, b"")
            .is_ok()
    );
}

#[test]
fn detached_payloads() {
    let attached = KEY
        .sign_sign1(Deterministic, &Header::new(), b"payload", b"aad")
        .unwrap();
    let message = KEY
        .sign_sign1_detached(Deterministic, &Header::new(), b"payload", b"aad")
        .unwrap();
    let Value::Tag(18, parts) = decode(&attached) else {
        panic!()
    };
    let mut parts = parts.into_array().unwrap();
    parts[2] = Value::Null;
    assert_eq!(
        message,
        encode(&Value::Tag(18, Box::new(Value::Array(parts))))
    );

    assert_eq!(
        PUBLIC
            .verify_sign1_detached(&message, b"payload", b"aad")
            .unwrap()
            .payload,
        b"payload"
    );
    for (payload, aad) in [
        ("Payload", "aad"),
        ("payload", ""),
        ("", "aad"),
        ("payloada", "ad"),
    ] {
        let verified = PUBLIC.verify_sign1_detached(&message, payload.as_bytes(), aad.as_bytes());
        assert_eq!(verified.unwrap_err(), Error::InvalidSignature);
    }
    refused_message(&message, Error::PayloadDetached);
    let error = PUBLIC
        .verify_sign1_detached(&attached, b"payload", b"aad")
        .unwrap_err();
    assert_eq!(error, Error::PayloadPresent);
}
