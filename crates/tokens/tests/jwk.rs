//! JSON Web Keys: what is read, and what is refused.

use moissanite_tokens::{Algorithm, Error, SigningKey, VerifyingKey, limits};
use serde_json::{Value, json};

use crate::common::{KEY, PUBLIC, base64, key};

fn public() -> Value {
    serde_json::from_str(&PUBLIC.to_jwk().unwrap()).unwrap()
}

fn private() -> Value {
    serde_json::from_str(&KEY.to_private_jwk().unwrap()).unwrap()
}

/// Returns a key with another member.
fn with(mut jwk: Value, name: &str, value: Value) -> String {
    jwk[name] = value;
    jwk.to_string()
}

fn without(mut jwk: Value, name: &str) -> String {
    jwk.as_object_mut().unwrap().remove(name).unwrap();
    jwk.to_string()
}

/// Returns the text of a key with a member in front of the others.
fn prefixed(jwk: &Value, member: &str) -> String {
    jwk.to_string().replacen('{', &format!("{{{member},"), 1)
}

#[track_caller]
fn refused(jwk: &str, error: Error) {
    assert_eq!(VerifyingKey::from_jwk(jwk).unwrap_err(), error);
}

#[track_caller]
fn refused_private(jwk: &str, error: Error) {
    assert_eq!(SigningKey::from_jwk(jwk).unwrap_err(), error);
}

#[test]
fn keys_of_all_sets_are_written_and_read() {
    for algorithm in Algorithm::ALL {
        let key = key(algorithm).with_kid("a \"key\"\n");
        let jwk = key.to_private_jwk().unwrap();
        // The buffer has not grown, which would have left a copy of the seed.
        assert_eq!(jwk.len(), jwk.capacity());
        let read = SigningKey::from_jwk(&jwk).unwrap();
        assert_eq!(read.as_seed().unwrap(), key.as_seed().unwrap());
        assert_eq!(read.kid(), Some(&b"a \"key\"\n"[..]));
        assert_eq!(read.algorithm(), algorithm);

        let public = key.to_verifying_key();
        let read = VerifyingKey::from_jwk(&public.to_jwk().unwrap()).unwrap();
        assert_eq!(read, public);
        assert_eq!(read.kid(), public.kid());
        assert_eq!(read.algorithm(), algorithm);
    }
}

#[test]
fn whitespace_order_escapes_and_other_members_do_not_matter() {
    let jwk = public();
    let text = format!(
        r#" {{ "x5c": [ "...", {{"a": [1, -2, 1.5e3, null, true]}} ], "pub" : "{}",
            "k\u0069d": "\u006b", "ext":true, "use":"sig", "key_ops":["verify", "sign"],
            "alg":"ML-DSA\u002d44", "kty":"AKP" }} "#,
        jwk["pub"].as_str().unwrap().replace('A', r"\u0041")
    );
    let read = VerifyingKey::from_jwk(&text).unwrap();
    assert_eq!(read, *PUBLIC);
    assert_eq!(read.kid(), Some(&b"k"[..]));
}

#[test]
fn required_members() {
    for name in ["kty", "alg", "pub"] {
        refused(&without(public(), name), Error::Missing(name));
        refused_private(&without(private(), name), Error::Missing(name));
    }
    refused_private(&without(private(), "priv"), Error::Missing("priv"));
}

#[test]
fn types_of_members() {
    for value in [
        json!(1),
        json!(-1),
        json!(1.5),
        json!(null),
        json!(true),
        json!([]),
        json!({}),
    ] {
        for name in ["kty", "alg", "pub", "kid", "use"] {
            refused(&with(public(), name, value.clone()), Error::WrongType(name));
        }
        refused_private(
            &with(private(), "priv", value.clone()),
            Error::WrongType("priv"),
        );
        if !value.is_array() {
            refused(
                &with(public(), "key_ops", value),
                Error::WrongType("key_ops"),
            );
        }
    }
    refused(
        &with(public(), "key_ops", json!(["verify", 1])),
        Error::WrongType("key_ops"),
    );
}

#[test]
fn key_types_and_algorithms() {
    for kty in ["OKP", "EC", "akp", "AKP ", ""] {
        refused(&with(public(), "kty", json!(kty)), Error::KeyType);
    }
    for algorithm in [
        "ML-DSA-66",
        "ml-dsa-44",
        "EdDSA",
        "none",
        "",
        "HashML-DSA-44",
    ] {
        refused(
            &with(public(), "alg", json!(algorithm)),
            Error::UnknownAlgorithm,
        );
    }
    let length = Error::PublicKeyLength {
        expected: 1952,
        actual: 1312,
    };
    refused(&with(public(), "alg", json!("ML-DSA-65")), length);
    refused_private(&with(private(), "alg", json!("ML-DSA-65")), length);
}

#[test]
fn seeds() {
    // The expanded private key, which RFC 9964 does not permit.
    for length in [0, 31, 33, 64, 2560] {
        let value = json!(base64(vec![1; length]));
        refused_private(&with(private(), "priv", value), Error::SeedLength);
    }
    let other = json!(base64([1; 32]));
    refused_private(&with(private(), "priv", other), Error::PublicKeyMismatch);
    let another = key(Algorithm::MlDsa44).to_verifying_key();
    let mut bytes = another.as_bytes().to_vec();
    bytes[1311] ^= 0x80;
    refused_private(
        &with(private(), "pub", json!(base64(bytes))),
        Error::PublicKeyMismatch,
    );

    refused_private(
        &with(private(), "priv", json!("A".repeat(43) + "=")),
        Error::Padding("priv"),
    );
    // The last of 43 characters has two bits that encode nothing.
    for (last, error) in [("B", Error::Base64("priv")), ("/", Error::Base64("priv"))] {
        let value = json!("A".repeat(42) + last);
        refused_private(&with(private(), "priv", value), error);
    }
    let escaped = private().to_string().replacen("AAAA", r"\u0041AAA", 1);
    refused_private(&escaped, Error::Base64("priv"));
    refused(&private().to_string(), Error::PrivateKeyPresent);
    // A private key is recognised before anything in it is decoded.
    refused(
        &with(public(), "priv", json!("?")),
        Error::PrivateKeyPresent,
    );
}

#[test]
fn encodings() {
    let text = public()["pub"].as_str().unwrap().to_owned();
    assert_eq!(
        text.len() % 4,
        2,
        "the last character has four bits that encode nothing"
    );
    refused(
        &with(public(), "pub", json!(text.clone() + "==")),
        Error::Padding("pub"),
    );
    refused(
        &with(public(), "pub", json!(text.clone() + "=")),
        Error::Padding("pub"),
    );
    let open = text[..text.len() - 1].to_owned();
    refused(
        &with(public(), "pub", json!(open.clone() + "R")),
        Error::TrailingBits("pub"),
    );
    for other in ["+", "/", " ", "\n", "é", "\0", "."] {
        refused(
            &with(public(), "pub", json!(open.clone() + other)),
            Error::Base64("pub"),
        );
    }
    refused(
        &with(public(), "pub", json!(text.clone() + "A")),
        Error::PublicKeyLength {
            expected: 1312,
            actual: 1313,
        },
    );
    refused(&with(public(), "pub", json!(open)), Error::Base64("pub"));
    refused(
        &with(public(), "pub", json!("")),
        Error::PublicKeyLength {
            expected: 1312,
            actual: 0,
        },
    );
}

#[test]
fn uses() {
    for (name, value, error) in [
        ("use", json!("enc"), Error::Use),
        ("use", json!(""), Error::Use),
        ("key_ops", json!([]), Error::KeyOps),
        ("key_ops", json!(["encrypt"]), Error::KeyOps),
        (
            "key_ops",
            json!(["verify", "sign", "verify"]),
            Error::Duplicate,
        ),
    ] {
        refused(&with(public(), name, value.clone()), error);
        refused_private(&with(private(), name, value), error);
    }
    refused(&with(public(), "key_ops", json!(["sign"])), Error::KeyOps);
    refused_private(
        &with(private(), "key_ops", json!(["verify"])),
        Error::KeyOps,
    );
    assert!(SigningKey::from_jwk(&with(private(), "key_ops", json!(["sign"]))).is_ok());
}

#[test]
fn names_that_occur_twice() {
    for member in [
        r#""kty":"AKP""#,
        r#""alg":"ML-DSA-44""#,
        r#""pub":"""#,
        r#""x":1,"x":1"#,
        r#""x":1,"\u0078":1"#,
        r#""x":{"y":1,"y":1}"#,
        r#""x":[{"y":[{"z":1,"z":1}]}]"#,
    ] {
        refused(&prefixed(&public(), member), Error::Duplicate);
    }
    refused_private(&prefixed(&private(), r#""priv":"""#), Error::Duplicate);
    refused(
        &prefixed(&public(), r#""kid":"1","kid":"1""#),
        Error::Duplicate,
    );
    assert!(VerifyingKey::from_jwk(&prefixed(&public(), r#""x":{"y":1},"z":{"y":1}"#)).is_ok());
}

#[test]
fn texts_that_are_not_one_object() {
    let jwk = public().to_string();
    for text in [
        "",
        " ",
        "null",
        "[]",
        "\"\"",
        "1",
        "{",
        "}",
        "{,}",
        "{\"a\"}",
        "\u{feff}{}",
    ] {
        refused(text, Error::Json);
    }
    refused(&format!("[{jwk}]"), Error::Json);
    refused(&jwk[..jwk.len() - 1], Error::Json);
    refused(&jwk[..jwk.len() - 2], Error::Json);
    refused(&jwk.replace("\"kty\"", "kty"), Error::Json);
    refused(&jwk.replace('}', ",}"), Error::Json);
    for behind in ["x", "{}", "\0", ",", "}"] {
        refused(&format!("{jwk}{behind}"), Error::TrailingData);
    }
    assert!(VerifyingKey::from_jwk(&format!("{jwk} \r\n\t")).is_ok());
    refused(&prefixed(&public(), r#""x":1e999"#), Error::Json);
    refused(&prefixed(&public(), r#""x":"\ud800""#), Error::Json);
}

#[test]
fn sizes_and_depths() {
    let jwk = public().to_string();
    let padded = |length: usize| format!("{jwk}{}", " ".repeat(length - jwk.len()));
    assert!(VerifyingKey::from_jwk(&padded(limits::KEY)).is_ok());
    let error = Error::TooLong {
        part: "JWK",
        limit: limits::KEY,
    };
    refused(&padded(limits::KEY + 1), error);
    refused_private(&padded(limits::KEY + 1), error);

    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let nested = |depth| {
            let value = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            prefixed(&public(), &format!(r#""x":{value}"#))
        };
        assert!(VerifyingKey::from_jwk(&nested(126)).is_ok());
        refused(&nested(127), Error::Json);
        refused(&nested(5000), Error::Json);
    }
    refused(&format!("{{\"x\":{}", "[".repeat(60_000)), Error::Json);
}

#[test]
fn key_identifiers_that_are_not_text() {
    let key = key(Algorithm::MlDsa44).with_kid([0xff]);
    assert_eq!(key.to_private_jwk().unwrap_err(), Error::KeyIdNotText);
    assert_eq!(
        key.to_verifying_key().to_jwk().unwrap_err(),
        Error::KeyIdNotText
    );
}

#[test]
fn thumbprints_depend_on_the_algorithm_and_the_key_only() {
    let thumbprint = PUBLIC.jwk_thumbprint();
    assert_eq!(
        KEY.to_verifying_key().with_kid("other").jwk_thumbprint(),
        thumbprint
    );
    let text = format!(
        r#"{{"alg":"ML-DSA-44","kty":"AKP","pub":"{}"}}"#,
        base64(PUBLIC.as_bytes())
    );
    use sha2::Digest;
    assert_eq!(thumbprint, base64(sha2::Sha256::digest(text)));
}

#[test]
fn sets() {
    let set = |keys: Value| VerifyingKey::from_jwk_set(&json!({"keys": keys, "x": 1}).to_string());
    let other = key(Algorithm::MlDsa87).to_verifying_key().with_kid("2");
    let other: Value = serde_json::from_str(&other.to_jwk().unwrap()).unwrap();
    let keys = set(json!([
        {"kty": "RSA", "n": "AQAB", "e": "AQAB"},
        {"kty": "AKP", "alg": "SLH-DSA-SHA2-128s", "pub": "AA"},
        {"kty": "AKP", "alg": "ML-DSA-44", "pub": "AA", "use": "enc"},
        {"kty": "AKP", "alg": "ML-DSA-44", "pub": "AA", "key_ops": ["sign"]},
        public(),
        other,
    ]))
    .unwrap();
    assert_eq!(
        keys,
        [
            KEY.to_verifying_key(),
            key(Algorithm::MlDsa87).to_verifying_key()
        ]
    );
    assert_eq!(keys[1].kid(), Some(&b"2"[..]));
    assert_eq!(set(json!([])).unwrap(), []);

    assert_eq!(set(json!({})).unwrap_err(), Error::WrongType("keys"));
    assert_eq!(set(json!([1])).unwrap_err(), Error::Json);
    assert_eq!(set(json!([{}])).unwrap_err(), Error::Missing("kty"));
    assert_eq!(
        set(json!([private()])).unwrap_err(),
        Error::PrivateKeyPresent
    );
    let text = |text: &str| VerifyingKey::from_jwk_set(text).unwrap_err();
    assert_eq!(text("{}"), Error::Missing("keys"));
    assert_eq!(text(r#"{"keys":[],"keys":[]}"#), Error::Duplicate);
    assert_eq!(
        text(r#"{"keys":[{"kty":"RSA","kty":"AKP"}]}"#),
        Error::Duplicate
    );
    assert_eq!(text(r#"{"keys":[]}]"#), Error::TrailingData);
    let long = " ".repeat(limits::KEY_SET + 1);
    assert_eq!(
        text(&long),
        Error::TooLong {
            part: "JWK Set",
            limit: limits::KEY_SET
        }
    );
}
