//! Properties of any input.

use moissanite_tokens::{Deterministic, Error, SigningKey, VerifyingKey, cose, jws};
use proptest::prelude::*;
use serde_json::Value;

use crate::common::{KEY, PUBLIC, base64};

/// Changes of a text or of bytes: each removes or replaces one unit, or inserts one.
fn change<T: Clone>(units: &mut Vec<T>, place: usize, new: T, kind: u8) {
    let place = place.min(units.len().saturating_sub(1));
    match kind {
        0 if !units.is_empty() => drop(units.remove(place)),
        1 if !units.is_empty() => units[place] = new,
        _ => units.insert(place, new),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn payloads_and_headers_come_back(
        payload in prop::collection::vec(any::<u8>(), 0..300),
        kid in ".*",
        name in "[a-z]{5,9}",
        value in any::<i64>(),
        aad in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let header = jws::Header::new().with_kid(&kid).with(&name, value);
        let token = KEY.sign_jws(Deterministic, &header, &payload).unwrap();
        let verified = PUBLIC.verify_jws(&token).unwrap();
        prop_assert_eq!(verified.header.kid(), Some(&kid[..]));
        prop_assert_eq!(verified.header.get(&name), Some(&Value::from(value)));
        prop_assert_eq!(&verified.payload, &payload);
        let token = KEY.sign_jws_json(Deterministic, &header, &payload).unwrap();
        prop_assert_eq!(PUBLIC.verify_jws_json(&token).unwrap(), verified);

        let header = cose::Header::new().with_kid(&kid);
        let message = KEY.sign_sign1(Deterministic, &header, &payload, &aad).unwrap();
        let verified = PUBLIC.verify_sign1(&message, &aad).unwrap();
        prop_assert_eq!(verified.header.kid(), Some(kid.as_bytes()));
        prop_assert_eq!(verified.payload, &payload);
    }

    /// A token has one text: with any change, it is refused.
    #[test]
    fn changed_tokens_are_refused(place in any::<prop::sample::Index>(), new in any::<char>(), kind in 0_u8..3) {
        let header = jws::Header::new().with_kid("1");
        let token = KEY.sign_jws(Deterministic, &header, b"payload").unwrap();
        let mut changed: Vec<char> = token.chars().collect();
        let place = place.index(changed.len());
        change(&mut changed, place, new, kind);
        let changed: String = changed.into_iter().collect();
        prop_assume!(changed != token);
        prop_assert!(PUBLIC.verify_jws(&changed).is_err());
    }

    /// A message is refused with any change. Only the unprotected header, which is empty here, and the
    /// lengths of heads have other encodings.
    #[test]
    fn changed_messages_are_refused(place in 11..4000_usize, new in any::<u8>(), kind in 0_u8..3) {
        let message = KEY.sign_sign1(Deterministic, &cose::Header::new(), b"payload", b"").unwrap();
        let mut changed = message.clone();
        let place = place % message.len();
        change(&mut changed, place, new, kind);
        prop_assume!(changed != message);
        let same_payload = PUBLIC.verify_sign1(&changed, b"").map(|message| message.payload);
        prop_assert!(same_payload.is_err() || same_payload == Ok(b"payload"));
    }

    /// Nothing panics, and what is read is written again.
    #[test]
    fn any_text_and_any_bytes(text in ".*", bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for text in [&text, &String::from_utf8_lossy(&bytes).into_owned()] {
            prop_assert!(VerifyingKey::from_jwk(text).is_err());
            prop_assert!(SigningKey::from_jwk(text).is_err());
            prop_assert!(PUBLIC.verify_jws(text).is_err());
            prop_assert!(PUBLIC.verify_jws_json(text).is_err());
            let token = format!("{}.{text}.", base64(text));
            prop_assert!(PUBLIC.verify_jws(&token).is_err());
        }
        prop_assert!(VerifyingKey::from_cose_key(&bytes).is_err());
        prop_assert!(SigningKey::from_cose_key(&bytes).is_err());
        prop_assert!(PUBLIC.verify_sign1(&bytes, b"").is_err());
    }

    /// The fast decoder of base64url accepts exactly the texts that the encoder writes.
    #[test]
    fn base64_is_canonical(start in "([A-Za-z0-9_-]{70,200})?", text in "[A-Za-z0-9_=+/é-]{0,9}", end in "([A-Za-z0-9_-]{70,200})?") {
        // Long texts are decoded with vector instructions.
        let text = [start, text, end].concat();
        let jwk = format!(r#"{{"kty":"AKP","alg":"ML-DSA-44","pub":"{text}"}}"#);
        let error = VerifyingKey::from_jwk(&jwk).unwrap_err();
        use base64::Engine;
        let engine = base64::engine::general_purpose::URL_SAFE_NO_PAD;
        let canonical = engine.decode(&text).is_ok_and(|bytes| engine.encode(bytes) == text);
        prop_assert_eq!(canonical, matches!(error, Error::PublicKeyLength { .. }));
    }
}
