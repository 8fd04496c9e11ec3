//! Envelopes of DSSE.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE};
use moissanite::prelude::*;
use moissanite_tokens::dsse::{unverified_key_ids, verify};
use moissanite_tokens::{Algorithm, Deterministic, Error, SigningKey, SysRng, limits};
use serde_json::{Value, json};

use crate::common::{KEY, PUBLIC, key};

const TYPE: &str = "application/vnd.in-toto+json";
/// In base64, it has characters in which the two alphabets differ.
const PAYLOAD: &[u8] = b"{\"a\":\"\xc3\xbf\xc3\xbf?>\"}";

fn envelope() -> Value {
    let text = KEY.sign_dsse(Deterministic, TYPE, PAYLOAD).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn with(mut envelope: Value, name: &str, value: Value) -> Value {
    envelope[name] = value;
    envelope
}

#[track_caller]
fn refused(envelope: &Value, error: Error) {
    refused_text(&envelope.to_string(), error);
}

#[track_caller]
fn refused_text(envelope: &str, error: Error) {
    assert_eq!(PUBLIC.verify_dsse(envelope, TYPE).unwrap_err(), error);
}

/// The signature is one of the facade, of the encoding that the protocol's section "Signature Definition"
/// defines.
#[test]
fn the_signed_bytes_are_those_of_the_protocol() {
    let key = moissanite::SigningKey::<moissanite::MlDsa44>::from_seed(&[0; 32].into());
    for (kind, payload, signed) in [
        (
            "http://example.com/HelloWorld",
            "hello world",
            "DSSEv1 29 http://example.com/HelloWorld 11 hello world",
        ),
        ("", "", "DSSEv1 0  0 "),
        // Lengths are in bytes.
        ("ä", "ö", "DSSEv1 2 ä 2 ö"),
    ] {
        let envelope = KEY.sign_dsse(Deterministic, kind, payload.as_bytes());
        let envelope: Value = serde_json::from_str(&envelope.unwrap()).unwrap();
        let signature = key.try_sign(signed.as_bytes()).unwrap();
        let expected = json!({
            "payload": STANDARD.encode(payload),
            "payloadType": kind,
            "signatures": [{"sig": STANDARD.encode(signature.as_bytes())}],
        });
        assert_eq!(envelope, expected);
    }
}

#[test]
fn the_type_of_the_payload_is_expected() {
    let text = envelope().to_string();
    assert_eq!(PUBLIC.verify_dsse(&text, TYPE).unwrap(), PAYLOAD);
    let other = PUBLIC.verify_dsse(&text, "application/json");
    assert_eq!(other.unwrap_err(), Error::PayloadType);
    // The type is signed: it cannot be changed to the one that is expected.
    let changed = with(envelope(), "payloadType", json!("other")).to_string();
    let changed = PUBLIC.verify_dsse(&changed, "other");
    assert_eq!(changed.unwrap_err(), Error::InvalidSignature);
    // A byte cannot move from the payload to the type.
    let moved = KEY.sign_dsse(Deterministic, "ab", b"c").unwrap();
    let moved: Value = serde_json::from_str(&moved).unwrap();
    let moved = with(moved, "payloadType", json!("a"));
    let moved = with(moved, "payload", json!(STANDARD.encode("bc")));
    let moved = PUBLIC.verify_dsse(&moved.to_string(), "a");
    assert_eq!(moved.unwrap_err(), Error::InvalidSignature);
}

#[test]
fn what_is_signed_cannot_be_changed() {
    refused(
        &with(envelope(), "payload", json!("")),
        Error::InvalidSignature,
    );
    refused(
        &with(envelope(), "signatures", json!([])),
        Error::InvalidSignature,
    );
    for position in [0, 1_000, 2_419] {
        let mut changed = envelope();
        let sig = changed["signatures"][0]["sig"].as_str().unwrap();
        let mut sig = STANDARD.decode(sig).unwrap();
        sig[position] ^= 1;
        changed["signatures"][0]["sig"] = json!(STANDARD.encode(&sig));
        refused(&changed, Error::InvalidSignature);
        changed["signatures"][0]["sig"] = json!(STANDARD.encode(&sig[..position]));
        refused(&changed, Error::InvalidSignature);
    }
    let other = key(Algorithm::MlDsa65).sign_dsse(Deterministic, TYPE, PAYLOAD);
    refused_text(&other.unwrap(), Error::InvalidSignature);
}

#[test]
fn base64() {
    assert!(envelope()["payload"].as_str().unwrap().contains(['+', '/']));
    let url = with(envelope(), "payload", json!(URL_SAFE.encode(PAYLOAD)));
    assert_eq!(PUBLIC.verify_dsse(&url.to_string(), TYPE).unwrap(), PAYLOAD);
    for (payload, error) in [
        (STANDARD_NO_PAD.encode("a"), Error::Base64("payload")),
        (
            format!("{}=", STANDARD.encode("a")),
            Error::Base64("payload"),
        ),
        ("+_==".into(), Error::Base64("payload")),
        ("YQ==\n".into(), Error::Base64("payload")),
        ("YR==".into(), Error::TrailingBits("payload")),
    ] {
        refused(&with(envelope(), "payload", json!(payload)), error);
    }
    refused(
        &with(envelope(), "signatures", json!([{"sig": "YQ"}])),
        Error::Base64("sig"),
    );
}

#[test]
fn members() {
    for name in ["payload", "payloadType", "signatures"] {
        let mut envelope = envelope();
        envelope.as_object_mut().unwrap().remove(name).unwrap();
        refused(&envelope, Error::Missing(name));
    }
    for name in ["payload", "payloadType"] {
        refused(&with(envelope(), name, json!(1)), Error::WrongType(name));
        refused(&with(envelope(), name, json!(null)), Error::WrongType(name));
    }
    for value in [json!(1), json!({}), json!([1]), json!([[]])] {
        refused(&with(envelope(), "signatures", value), Error::Json);
    }
    for (signature, error) in [
        (json!({}), Error::Missing("sig")),
        (json!({"sig": 1}), Error::WrongType("sig")),
        (json!({"sig": "", "keyid": 1}), Error::WrongType("keyid")),
    ] {
        refused(&with(envelope(), "signatures", json!([signature])), error);
    }
    // Members that are not known have no effect.
    let mut more = with(envelope(), "x", json!({"a": [1]}));
    more["signatures"][0]["cert"] = json!("x");
    assert_eq!(
        PUBLIC.verify_dsse(&more.to_string(), TYPE).unwrap(),
        PAYLOAD
    );
    let text = envelope().to_string();
    for (text, error) in [
        (String::new(), Error::Json),
        (format!("[{text}]"), Error::Json),
        (format!("{text}{text}"), Error::TrailingData),
        (text.replacen('{', r#"{"payload":"","#, 1), Error::Duplicate),
        (
            text.replacen('{', r#"{"payloadType":"","#, 1),
            Error::Duplicate,
        ),
        (
            text.replacen('{', r#"{"signatures":[],"#, 1),
            Error::Duplicate,
        ),
        (
            text.replacen(r#"{"sig""#, r#"{"sig":"","sig""#, 1),
            Error::Duplicate,
        ),
        (
            text.replacen(r#"{"sig""#, r#"{"keyid":"","keyid":"","sig""#, 1),
            Error::Duplicate,
        ),
    ] {
        refused_text(&text, error);
    }
    let error = Error::TooLong {
        part: "envelope",
        limit: limits::ENVELOPE,
    };
    let long = format!("{text}{}", " ".repeat(limits::ENVELOPE));
    refused_text(&long, error);
    let payload = vec![0; limits::ENVELOPE];
    assert_eq!(
        KEY.sign_dsse(Deterministic, TYPE, &payload).unwrap_err(),
        error
    );
}

#[test]
fn several_signatures() {
    let other = key(Algorithm::MlDsa87).with_kid("\"other\"");
    let cosign = |envelope: &str| other.cosign_dsse(Deterministic, TYPE, envelope);
    let first = with(envelope(), "left out", json!(1)).to_string();
    let both = cosign(&first).unwrap();
    let written: Value = serde_json::from_str(&both).unwrap();
    assert_eq!(written["signatures"][0], envelope()["signatures"][0]);
    assert_eq!(written["signatures"][1]["keyid"], "\"other\"");
    assert_eq!(written.as_object().unwrap().len(), 3);
    let ids = [None, Some("\"other\"".to_owned())];
    assert_eq!(unverified_key_ids(&both).unwrap(), ids);

    let [ours, theirs] = [&*KEY, &other].map(SigningKey::to_verifying_key);
    let stranger = SigningKey::try_generate(Algorithm::MlDsa44, &mut SysRng).unwrap();
    let stranger = stranger.to_verifying_key();
    let verified = verify(&both, TYPE, [&stranger, &theirs, &ours], 2).unwrap();
    assert_eq!(
        (&verified.payload[..], &verified.signers[..]),
        (PAYLOAD, &[1, 2][..])
    );
    // A key counts once, whether it is given twice or has signed twice.
    let twice = cosign(&both).unwrap();
    for (envelope, keys) in [
        (&first, vec![&ours, &ours]),
        (&twice, vec![&theirs, &stranger]),
    ] {
        let error = Error::TooFewSignatures {
            required: 2,
            valid: 1,
        };
        assert_eq!(
            verify(envelope, TYPE, keys.iter().copied(), 2).unwrap_err(),
            error
        );
        assert_eq!(verify(envelope, TYPE, keys, 1).unwrap().signers, [0]);
    }
    for threshold in [0, 1] {
        let error = Error::TooFewSignatures {
            required: 1,
            valid: 0,
        };
        assert_eq!(
            verify(&both, TYPE, [&stranger], threshold).unwrap_err(),
            error
        );
        assert_eq!(verify(&both, TYPE, [], threshold).unwrap_err(), error);
    }

    assert_eq!(
        other.cosign_dsse(Deterministic, "x", &first).unwrap_err(),
        Error::PayloadType
    );
    let mut envelope = both;
    for _ in 2..limits::SIGNATURES {
        envelope = cosign(&envelope).unwrap();
    }
    assert_eq!(
        verify(&envelope, TYPE, [&ours, &theirs], 2)
            .unwrap()
            .signers,
        [0, 1]
    );
    assert_eq!(cosign(&envelope).unwrap_err(), Error::TooManySignatures);
    let mut more: Value = serde_json::from_str(&envelope).unwrap();
    let signature = more["signatures"][0].clone();
    more["signatures"].as_array_mut().unwrap().push(signature);
    refused(&more, Error::TooManySignatures);

    let binary = key(Algorithm::MlDsa44).with_kid([0xff]);
    let error = binary.sign_dsse(Deterministic, TYPE, b"").unwrap_err();
    assert_eq!(error, Error::KeyIdNotText);
}

/// Values that have no effect are not kept, and their nesting takes no stack.
#[test]
fn nesting_has_no_effect() {
    let depth = 1_000_000;
    let deep = format!(r#"{{"x":{}{},"#, "[".repeat(depth), "]".repeat(depth));
    let text = envelope().to_string().replacen('{', &deep, 1);
    assert_eq!(PUBLIC.verify_dsse(&text, TYPE).unwrap(), PAYLOAD);
}
