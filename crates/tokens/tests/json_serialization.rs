//! JSON Web Signatures in the JSON serializations.

use moissanite_tokens::jws::Header;
use moissanite_tokens::{Algorithm, Deterministic, Error, limits};
use serde_json::{Value, json};

use crate::common::{KEY, PUBLIC, base64, key};

fn flattened() -> Value {
    let header = Header::new().with_kid("1");
    let token = KEY
        .sign_jws_json(Deterministic, &header, b"payload")
        .unwrap();
    serde_json::from_str(&token).unwrap()
}

/// Returns a token with these signatures.
fn general(signatures: &[Value]) -> Value {
    json!({"payload": base64("payload"), "signatures": signatures})
}

/// Returns a signature over the same payload by a key of another algorithm.
fn by_another() -> Value {
    let other = key(Algorithm::MlDsa65);
    let token = other
        .sign_jws_json(Deterministic, &Header::new(), b"payload")
        .unwrap();
    signature(serde_json::from_str(&token).unwrap())
}

/// Returns a flattened token without the payload.
fn signature(mut token: Value) -> Value {
    token.as_object_mut().unwrap().remove("payload").unwrap();
    token
}

fn with(mut token: Value, name: &str, value: Value) -> Value {
    token[name] = value;
    token
}

#[track_caller]
fn refused(token: &Value, error: Error) {
    assert_eq!(
        PUBLIC.verify_jws_json(&token.to_string()).unwrap_err(),
        error
    );
}

#[test]
fn the_flattened_form_has_the_parts_of_the_compact_one() {
    let header = Header::new().with_kid("1");
    let compact = KEY.sign_jws(Deterministic, &header, b"payload").unwrap();
    let parts: Vec<_> = compact.split('.').collect();
    let token = flattened();
    let expected = json!({"protected": parts[0], "payload": parts[1], "signature": parts[2]});
    assert_eq!(token, expected);
    let verified = PUBLIC.verify_jws_json(&token.to_string()).unwrap();
    assert_eq!(verified, PUBLIC.verify_jws(&compact).unwrap());
}

#[test]
fn the_general_form() {
    let ours = signature(flattened());
    for signatures in [
        vec![ours.clone()],
        vec![by_another(), ours.clone()],
        vec![ours.clone(), by_another()],
        // The other signatures may have extensions and algorithms that this crate does not know.
        vec![
            json!({"protected": base64(r#"{"alg":"ES256","crit":["x"],"x":1}"#), "signature": ""}),
            json!({"protected": base64("{}"), "header": {"alg": "RS256"}, "signature": "AA"}),
            ours.clone(),
        ],
    ] {
        let token = general(&signatures).to_string();
        assert_eq!(PUBLIC.verify_jws_json(&token).unwrap().payload, b"payload");
        let other = key(Algorithm::MlDsa65).to_verifying_key();
        assert_eq!(
            other.verify_jws_json(&token).is_ok(),
            token.contains(&by_another().to_string())
        );
    }
    refused(&general(&[]), Error::Missing("signatures"));
    let mismatch = Error::AlgorithmMismatch {
        key: Algorithm::MlDsa44,
        token: Algorithm::MlDsa65,
    };
    refused(&general(&[by_another()]), mismatch);
    let broken = with(ours.clone(), "signature", json!(base64([0; 2420])));
    refused(
        &general(&[by_another(), broken.clone(), by_another()]),
        Error::InvalidSignature,
    );
    refused(&general(&[broken, by_another()]), Error::InvalidSignature);
    let many = |count| general(&vec![ours.clone(); count]);
    assert!(
        PUBLIC
            .verify_jws_json(&many(limits::SIGNATURES).to_string())
            .is_ok()
    );
    refused(&many(limits::SIGNATURES + 1), Error::TooManySignatures);
    for name in ["protected", "header", "signature"] {
        refused(
            &with(general(std::slice::from_ref(&ours)), name, json!("")),
            Error::MixedForms,
        );
    }
    refused(&general(&[json!("")]), Error::WrongType("signatures"));
    refused(
        &with(flattened(), "signatures", json!({})),
        Error::WrongType("signatures"),
    );
}

#[test]
fn members() {
    for name in ["protected", "signature"] {
        let mut token = flattened();
        token.as_object_mut().unwrap().remove(name).unwrap();
        refused(&token, Error::Missing(name));
    }
    for name in ["protected", "signature", "payload", "header"] {
        refused(&with(flattened(), name, json!(1)), Error::WrongType(name));
    }
    // Members that are not known are ignored (RFC 7515, section 7.2.1).
    assert!(
        PUBLIC
            .verify_jws_json(&with(flattened(), "x", json!(1)).to_string())
            .is_ok()
    );
    let text = flattened().to_string();
    for (text, error) in [
        (String::new(), Error::Json),
        (format!("[{text}]"), Error::Json),
        (format!("{text}{text}"), Error::TrailingData),
        (text.replacen('{', r#"{"payload":"","#, 1), Error::Duplicate),
        (
            text.replacen('{', r#"{"header":{"a":1,"a":1},"#, 1),
            Error::Duplicate,
        ),
    ] {
        assert_eq!(PUBLIC.verify_jws_json(&text).unwrap_err(), error);
    }
    let long = text + &" ".repeat(limits::TOKEN_JSON);
    let error = Error::TooLong {
        part: "token",
        limit: limits::TOKEN_JSON,
    };
    assert_eq!(PUBLIC.verify_jws_json(&long).unwrap_err(), error);
}

#[test]
fn unprotected_headers() {
    let header = |value| with(flattened(), "header", value);
    assert!(
        PUBLIC
            .verify_jws_json(&header(json!({"x": 1})).to_string())
            .is_ok()
    );
    refused(&header(json!({"kid": "1"})), Error::Duplicate);
    refused(&header(json!({"crit": ["x"]})), Error::Critical);
    refused(&header(json!({"b64": false})), Error::UnencodedPayload);
    // `alg` in both headers is a name that occurs twice; in the unprotected one alone, it is refused.
    refused(&header(json!({"alg": "ML-DSA-44"})), Error::Duplicate);
    let alone = json!({
        "payload": "", "protected": base64("{}"), "signature": "",
        "header": {"alg": "ML-DSA-44"},
    });
    refused(&alone, Error::UnprotectedAlgorithm);
    refused(&with(flattened(), "protected", json!("")), Error::Json);
}

#[test]
fn detached_payloads() {
    let token = signature(flattened()).to_string();
    assert_eq!(
        PUBLIC.verify_jws_json(&token).unwrap_err(),
        Error::PayloadDetached
    );
    let header = PUBLIC.verify_jws_json_detached(&token, b"payload").unwrap();
    assert_eq!(header.kid(), Some("1"));
    let error = PUBLIC
        .verify_jws_json_detached(&token, b"Payload")
        .unwrap_err();
    assert_eq!(error, Error::InvalidSignature);
    let attached = flattened().to_string();
    let error = PUBLIC
        .verify_jws_json_detached(&attached, b"payload")
        .unwrap_err();
    assert_eq!(error, Error::PayloadPresent);
}

#[test]
fn signatures_are_added() {
    let other = key(Algorithm::MlDsa65);
    let header = Header::new().with_kid("2");
    let cosign = |token: &Value| other.cosign_jws_json(Deterministic, &header, &token.to_string());
    let unprotected = with(flattened(), "header", json!({"x": [1]}));
    let first = with(unprotected, "left out", json!(1));
    let token = cosign(&first).unwrap();
    let written: Value = serde_json::from_str(&token).unwrap();
    assert_eq!(written["payload"], first["payload"]);
    let signatures = written["signatures"].as_array().unwrap();
    assert_eq!(signatures.len(), 2);
    for name in ["protected", "signature", "header"] {
        assert_eq!(signatures[0][name], first[name]);
    }
    assert_eq!(signatures[0].as_object().unwrap().len(), 3);
    assert_eq!(
        PUBLIC.verify_jws_json(&token).unwrap().header.kid(),
        Some("1")
    );
    let verified = other.to_verifying_key().verify_jws_json(&token).unwrap();
    assert_eq!(
        (verified.header.kid(), &verified.payload[..]),
        (Some("2"), &b"payload"[..])
    );

    // A general token gets another signature, up to the limit.
    let mut token = written;
    for count in 3..=limits::SIGNATURES {
        token = serde_json::from_str(&cosign(&token).unwrap()).unwrap();
        assert_eq!(token["signatures"].as_array().unwrap().len(), count);
    }
    assert_eq!(cosign(&token).unwrap_err(), Error::TooManySignatures);
    assert_eq!(
        cosign(&signature(flattened())).unwrap_err(),
        Error::PayloadDetached
    );
    assert_eq!(cosign(&json!({})).unwrap_err(), Error::Missing("signature"));
    let header = Header::new().with("crit", json!(["x"]));
    let refused = other.cosign_jws_json(Deterministic, &header, &flattened().to_string());
    assert_eq!(refused.unwrap_err(), Error::Critical);
    let long = json!({"payload": "A".repeat(limits::TOKEN_JSON - 3_000), "protected": "e30", "signature": ""});
    let error = Error::TooLong {
        part: "token",
        limit: limits::TOKEN_JSON,
    };
    assert_eq!(cosign(&long).map(drop).unwrap_err(), error);
}
