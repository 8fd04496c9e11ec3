//! JSON Web Signatures in the compact serialization.

use moissanite::prelude::*;
use moissanite_tokens::jws::{Header, unverified_header};
use moissanite_tokens::{Algorithm, Deterministic, Error, SysRng, limits};
use serde_json::json;

use crate::common::{KEY, PUBLIC, base64, key};

/// Signs a header of any text, with whatever it says, as no function of the crate does.
fn signed(header: &str, payload: &[u8]) -> String {
    sign(&format!("{}.{}", base64(header), base64(payload)))
}

/// Signs the first two parts of a token.
fn sign(content: &str) -> String {
    let key = moissanite::SigningKey::<moissanite::MlDsa44>::from_seed(&[0; 32].into());
    let signature = key.try_sign(content.as_bytes()).unwrap();
    format!("{content}.{}", base64(signature.as_bytes()))
}

const GOOD: &str = r#"{"alg":"ML-DSA-44"}"#;

#[track_caller]
fn refused(token: &str, error: Error) {
    assert_eq!(PUBLIC.verify_jws(token).unwrap_err(), error);
}

#[test]
fn tokens_of_all_sets() {
    for algorithm in Algorithm::ALL {
        let key = key(algorithm);
        let public = key.to_verifying_key();
        let header = Header::new()
            .with_typ("at+jwt")
            .with_kid("1")
            .with("nonce", json!({"a": [1]}));
        for payload in [&b""[..], b"{}", &[0xff; 1000]] {
            let token = key.sign_jws(&mut SysRng, &header, payload).unwrap();
            let verified = public.verify_jws(&token).unwrap();
            assert_eq!(verified.payload, payload);
            assert_eq!(verified.header.typ(), Some("at+jwt"));
            assert_eq!(verified.header.kid(), Some("1"));
            assert_eq!(verified.header.get("nonce"), Some(&json!({"a": [1]})));
            assert_eq!(
                verified.header.get("alg"),
                Some(&json!(algorithm.jose_name()))
            );
            assert_eq!(unverified_header(&token).unwrap(), verified.header);
            let again = key.sign_jws(&mut SysRng, &header, payload).unwrap();
            assert_ne!(again, token, "signatures are hedged");
        }
        let one = key.sign_jws(Deterministic, &header, b"1").unwrap();
        assert_eq!(key.sign_jws(Deterministic, &header, b"1").unwrap(), one);
        // The header of a verified token can sign the next one.
        let verified = public.verify_jws(&one).unwrap();
        assert_eq!(
            key.sign_jws(Deterministic, &verified.header, b"1").unwrap(),
            one
        );
    }
    assert_eq!(
        PUBLIC.verify_jws(&signed(GOOD, b"x")).unwrap().payload,
        b"x"
    );
}

#[test]
fn every_changed_part_is_refused() {
    let token = KEY
        .sign_jws(Deterministic, &Header::new(), b"payload")
        .unwrap();
    let parts: Vec<_> = token.split('.').collect();
    let changed = |part: usize, text: String| {
        let mut parts = parts.clone();
        parts[part] = &text;
        parts.join(".")
    };
    refused(
        &changed(0, base64(r#"{"alg":"ML-DSA-44" }"#)),
        Error::InvalidSignature,
    );
    refused(&changed(1, base64(b"Payload")), Error::InvalidSignature);
    for place in [0, 1, 1000, 3225] {
        let other = if &parts[2][place..=place] == "A" {
            "B"
        } else {
            "A"
        };
        let mut text = parts[2].to_owned();
        text.replace_range(place..=place, other);
        refused(&changed(2, text), Error::InvalidSignature);
    }
    let other = key(Algorithm::MlDsa44);
    assert_eq!(
        other.to_verifying_key().verify_jws(&token).unwrap().payload,
        b"payload"
    );
    let other = moissanite_tokens::SigningKey::from_seed(Algorithm::MlDsa44, &[1; 32].into());
    assert_eq!(
        other.to_verifying_key().verify_jws(&token).unwrap_err(),
        Error::InvalidSignature
    );
}

#[test]
fn parts() {
    let token = signed(GOOD, b"x");
    for text in ["", ".", "a", "a.b", "...", "a.b.c.d"] {
        refused(text, Error::Parts);
    }
    refused(&format!("{token}."), Error::Parts);
    refused(&format!(".{token}"), Error::Parts);
    refused(&format!("{token}.{token}"), Error::Parts);
    refused("..", Error::Json);
    refused(&format!("{token}\n"), Error::Base64("signature"));
    refused(&format!(" {token}"), Error::Base64("protected"));
    let error = Error::TooLong {
        part: "token",
        limit: limits::TOKEN,
    };
    refused(&".".repeat(limits::TOKEN + 1), error);
    assert_eq!(unverified_header("a").unwrap_err(), Error::Parts);
}

#[test]
fn encodings() {
    let token = signed(GOOD, b"x");
    let (content, signature) = token.rsplit_once('.').unwrap();
    // 2,420 bytes leave two bits at the end, "x" and its header leave some too.
    refused(&format!("{token}="), Error::Padding("signature"));
    let open = &signature[..signature.len() - 1];
    refused(
        &format!("{content}.{open}B"),
        Error::TrailingBits("signature"),
    );
    refused(&format!("{content}.{open}+"), Error::Base64("signature"));
    refused(&format!("{content}.{open}é"), Error::Base64("signature"));
    let header = base64(GOOD);
    refused(&sign(&format!("{header}=.eA")), Error::Padding("protected"));
    refused(&sign(&format!("{header}.eA==")), Error::Padding("payload"));
    refused(
        &sign(&format!("{header}.eB")),
        Error::TrailingBits("payload"),
    );
    refused(&sign(&format!("{header}.e")), Error::Base64("payload"));
    refused(&sign(&format!("{header}.e/e_")), Error::Base64("payload"));
    let header = base64(r#"{"alg":"ML-DSA-44" }"#);
    assert_eq!(header.len() % 4, 3);
    assert!(PUBLIC.verify_jws(&sign(&format!("{header}.eA"))).is_ok());
    let bits = format!("{}1", &header[..header.len() - 1]);
    refused(
        &sign(&format!("{bits}.eA")),
        Error::TrailingBits("protected"),
    );
}

#[test]
fn algorithms() {
    for (header, error) in [
        (r#"{"alg":"none"}"#, Error::AlgorithmNone),
        (r#"{"alg":"None"}"#, Error::UnknownAlgorithm),
        (r#"{"alg":"ES256"}"#, Error::UnknownAlgorithm),
        (r#"{"alg":"HS256"}"#, Error::UnknownAlgorithm),
        (r#"{"alg":"ml-dsa-44"}"#, Error::UnknownAlgorithm),
        (r#"{"alg":-48}"#, Error::WrongType("alg")),
        (r#"{"alg":["ML-DSA-44"]}"#, Error::WrongType("alg")),
        (r#"{"alg":null}"#, Error::WrongType("alg")),
        (r#"{}"#, Error::Missing("alg")),
        (
            r#"{"alg":"ML-DSA-65"}"#,
            Error::AlgorithmMismatch {
                key: Algorithm::MlDsa44,
                token: Algorithm::MlDsa65,
            },
        ),
    ] {
        refused(&signed(header, b"x"), error);
        // The header is checked before the signature.
        refused(&format!("{}.eA.", base64(header)), error);
    }
}

#[test]
fn extensions() {
    for (header, error) in [
        (
            r#"{"alg":"ML-DSA-44","crit":["exp"],"exp":1}"#,
            Error::Critical,
        ),
        (r#"{"alg":"ML-DSA-44","crit":[]}"#, Error::Critical),
        (r#"{"alg":"ML-DSA-44","crit":["alg"]}"#, Error::Critical),
        (r#"{"alg":"ML-DSA-44","crit":null}"#, Error::Critical),
        (
            r#"{"alg":"ML-DSA-44","b64":false,"crit":["b64"]}"#,
            Error::UnencodedPayload,
        ),
        (r#"{"alg":"ML-DSA-44","b64":true}"#, Error::UnencodedPayload),
    ] {
        refused(&signed(header, b"x"), error);
    }
    // Parameters that need not be understood are ignored.
    let header = r#"{"alg":"ML-DSA-44","jku":"https://attacker.example","jwk":{},"zip":"DEF"}"#;
    assert!(PUBLIC.verify_jws(&signed(header, b"x")).is_ok());
}

#[test]
fn json_of_headers() {
    for (header, error) in [
        ("", Error::Json),
        ("[]", Error::Json),
        ("\"ML-DSA-44\"", Error::Json),
        ("\u{feff}{\"alg\":\"ML-DSA-44\"}", Error::Json),
        (r#"{"alg":"ML-DSA-44"}{}"#, Error::TrailingData),
        (r#"{"alg":"ML-DSA-44"} x"#, Error::TrailingData),
        (r#"{"alg":"none","alg":"ML-DSA-44"}"#, Error::Duplicate),
        (r#"{"alg":"ML-DSA-44","\u0061lg":"none"}"#, Error::Duplicate),
        (
            r#"{"alg":"ML-DSA-44","jwk":{"kty":1,"kty":1}}"#,
            Error::Duplicate,
        ),
    ] {
        refused(&signed(header, b"x"), error);
    }
    // Not UTF-8.
    refused(
        &sign(&format!(
            "{}.eA",
            base64(b"{\"alg\":\"ML-DSA-44\",\"\xff\":1}")
        )),
        Error::Json,
    );
    let nested = |depth| {
        let value = "[".repeat(depth) + &"]".repeat(depth);
        signed(&format!(r#"{{"alg":"ML-DSA-44","x":{value}}}"#), b"x")
    };
    assert!(PUBLIC.verify_jws(&nested(126)).is_ok());
    refused(&nested(127), Error::Json);
    refused(&nested(30_000), Error::Json);

    let long = |length: usize| format!("{GOOD}{}", " ".repeat(length - GOOD.len()));
    assert!(
        PUBLIC
            .verify_jws(&signed(&long(limits::HEADER), b"x"))
            .is_ok()
    );
    let error = Error::TooLong {
        part: "header",
        limit: limits::HEADER,
    };
    refused(&signed(&long(limits::HEADER + 1), b"x"), error);
}

#[test]
fn lengths_of_signatures() {
    let content = format!("{}.eA", base64(GOOD));
    refused(&format!("{content}."), Error::EmptySignature);
    for actual in [1, 2419, 2421, 3309, 64] {
        let token = format!("{content}.{}", base64(vec![0; actual]));
        refused(
            &token,
            Error::SignatureLength {
                expected: 2420,
                actual,
            },
        );
    }
    refused(
        &format!("{content}.{}", base64([0; 2420])),
        Error::InvalidSignature,
    );
}

#[test]
fn headers_that_are_not_signed() {
    let sign = |header: Header| KEY.sign_jws(Deterministic, &header, b"x").map(|_| ());
    assert_eq!(sign(Header::new().with("alg", "ML-DSA-44")), Ok(()));
    for (name, value, error) in [
        ("alg", json!("none"), Error::AlgorithmNone),
        ("alg", json!("ES256"), Error::UnknownAlgorithm),
        ("alg", json!(1), Error::WrongType("alg")),
        ("crit", json!(["x"]), Error::Critical),
        ("b64", json!(false), Error::UnencodedPayload),
        (
            "x",
            json!("x".repeat(limits::HEADER)),
            Error::TooLong {
                part: "header",
                limit: limits::HEADER,
            },
        ),
        (
            "alg",
            json!("ML-DSA-65"),
            Error::AlgorithmMismatch {
                key: Algorithm::MlDsa44,
                token: Algorithm::MlDsa65,
            },
        ),
    ] {
        assert_eq!(sign(Header::new().with(name, value.clone())), Err(error));
        let header = Header::new().with(name, value);
        assert_eq!(
            KEY.sign_jws_detached(Deterministic, &header, b"x")
                .unwrap_err(),
            error
        );
        assert_eq!(
            KEY.sign_jws_json(Deterministic, &header, b"x").unwrap_err(),
            error
        );
    }
    let long = vec![0; limits::TOKEN / 4 * 3];
    let error = Error::TooLong {
        part: "token",
        limit: limits::TOKEN,
    };
    assert_eq!(
        KEY.sign_jws(Deterministic, &Header::new(), &long)
            .unwrap_err(),
        error
    );
    // A detached payload can be longer.
    assert!(
        KEY.sign_jws_detached(Deterministic, &Header::new(), &long)
            .is_ok()
    );
}

#[test]
fn detached_payloads() {
    for length in [0, 1, 2, 3, 3071, 3072, 3073, 10_000] {
        let payload: Vec<u8> = (0..length)
            .map(|i| u8::try_from(i % 251).unwrap())
            .collect();
        let attached = KEY
            .sign_jws(Deterministic, &Header::new(), &payload)
            .unwrap();
        let token = KEY
            .sign_jws_detached(Deterministic, &Header::new(), &payload)
            .unwrap();
        // RFC 7515, appendix F: the payload is removed from the compact serialization.
        let parts: Vec<_> = attached.split('.').collect();
        assert_eq!(token, format!("{}..{}", parts[0], parts[2]));
        assert!(PUBLIC.verify_jws_detached(&token, &payload).is_ok());
        let other = [&payload[..], b"x"].concat();
        let error = PUBLIC.verify_jws_detached(&token, &other).unwrap_err();
        assert_eq!(error, Error::InvalidSignature);
        if length > 0 {
            refused(&token, Error::InvalidSignature);
            let error = PUBLIC.verify_jws_detached(&attached, &payload).unwrap_err();
            assert_eq!(error, Error::PayloadPresent);
        }
    }
    let error = PUBLIC
        .verify_jws_detached(&format!("{}..", base64(GOOD)), b"x")
        .unwrap_err();
    assert_eq!(error, Error::EmptySignature);
}
