//! Keys and tokens of JOSE and COSE, envelopes of DSSE and keys of TUF. The first byte of an input chooses what the rest is.
//!
//! A key that is read is written as one that is equal. A token that is verified has one text, and its header is
//! what other parsers read. A header is signed here, whatever it says, so that verification accepts it
//! unless its header is refused. An error shows nothing of the input.
#![no_main]

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use libfuzzer_sys::fuzz_target;
use moissanite::prelude::*;
use moissanite::{MlDsa44, PreparedSigningKey};
use moissanite_fuzz::{Input, assert_hidden};
use moissanite_tokens::{Algorithm, Deterministic, Error, SigningKey, VerifyingKey};
use serde_json::Value;

/// Longer than any word of an error.
const WORD: usize = 24;

static SIGNER: LazyLock<PreparedSigningKey<MlDsa44>> =
    LazyLock::new(|| moissanite::SigningKey::from_seed(&[0; 32].into()).prepare());
static PUBLIC: LazyLock<VerifyingKey> =
    LazyLock::new(|| SigningKey::from_seed(Algorithm::MlDsa44, &[0; 32].into()).to_verifying_key());

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let kind = input.byte() % 10;
    let bytes = input.take(usize::MAX);
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let result = match kind {
        0 => jwk(text),
        1 => VerifyingKey::from_jwk_set(text).map(|_| ()),
        2 => compact(text),
        3 => json(text),
        4 => jws_header(bytes),
        5 => cose_key(bytes),
        6 => PUBLIC.verify_sign1(bytes, b"").map(|_| ()),
        7 => cose_header(bytes),
        8 => envelope(text),
        _ => tuf_key(text),
    };
    if let Err(error) = result {
        assert_hidden(&error.to_string(), bytes, WORD);
    }
});

fn jwk(text: &str) -> Result<(), Error> {
    if let Ok(key) = SigningKey::from_jwk(text) {
        let written = key.to_private_jwk().expect("its identifier was text");
        let again = SigningKey::from_jwk(&written).expect("ours");
        assert_eq!(again.as_seed(), key.as_seed());
        assert_eq!(again.kid(), key.kid());
        return Ok(());
    }
    let key = VerifyingKey::from_jwk(text)?;
    let again = VerifyingKey::from_jwk(&key.to_jwk().expect("its identifier was text"));
    let again = again.expect("ours");
    assert_eq!((again.kid(), &again), (key.kid(), &key));
    let lenient: Value = serde_json::from_str(text).expect("it was read");
    assert_eq!(lenient["pub"], URL_SAFE_NO_PAD.encode(key.as_bytes()));
    Ok(())
}

fn compact(text: &str) -> Result<(), Error> {
    let token = PUBLIC.verify_jws(text)?;
    let payload = text.split('.').nth(1).expect("it has parts");
    assert_eq!(payload, URL_SAFE_NO_PAD.encode(token.payload));
    Ok(())
}

fn json(text: &str) -> Result<(), Error> {
    let token = PUBLIC.verify_jws_json(text)?;
    let lenient: Value = serde_json::from_str(text).expect("it was read");
    assert_eq!(lenient["payload"], URL_SAFE_NO_PAD.encode(token.payload));
    Ok(())
}

fn envelope(text: &str) -> Result<(), Error> {
    let payload = PUBLIC.verify_dsse(text, "application/vnd.fuzz")?;
    // Other parsers refuse some values that have no effect, such as 1e999.
    if let Ok(lenient) = serde_json::from_str::<Value>(text) {
        let standard = lenient["payload"].as_str().expect("it was read");
        let standard = standard.replace('-', "+").replace('_', "/");
        assert_eq!(standard, STANDARD.encode(&payload));
    }
    let key = SigningKey::from_seed(Algorithm::MlDsa44, &[1; 32].into());
    match key.cosign_dsse(Deterministic, "application/vnd.fuzz", text) {
        Ok(again) => {
            let again = PUBLIC.verify_dsse(&again, "application/vnd.fuzz");
            assert_eq!(again.expect("ours"), payload);
        }
        Err(error) => assert_eq!(error, Error::TooManySignatures),
    }
    Ok(())
}

fn tuf_key(text: &str) -> Result<(), Error> {
    let key = VerifyingKey::from_tuf_key(text)?;
    let again = key.to_tuf_key().expect("ours");
    assert_eq!(VerifyingKey::from_tuf_key(&again).expect("ours"), key);
    Ok(())
}

fn jws_header(header: &[u8]) -> Result<(), Error> {
    let content = format!("{}.eA", URL_SAFE_NO_PAD.encode(header));
    let signature = SIGNER.try_sign(content.as_bytes()).expect("it signs");
    let signature = URL_SAFE_NO_PAD.encode(signature.as_bytes());
    let token = PUBLIC.verify_jws(&format!("{content}.{signature}"));
    assert_ne!(token, Err(Error::InvalidSignature));
    let lenient: Value = serde_json::from_slice(header).unwrap_or_default();
    let token = token?;
    assert_eq!(lenient.as_object(), Some(token.header.members()));
    assert_eq!(lenient["alg"], "ML-DSA-44");
    assert!(lenient.get("crit").is_none() && lenient.get("b64").is_none());
    Ok(())
}

fn cose_key(bytes: &[u8]) -> Result<(), Error> {
    if let Ok(key) = SigningKey::from_cose_key(bytes) {
        let written = key.to_private_cose_key().expect("it has a seed");
        let again = SigningKey::from_cose_key(&written).expect("ours");
        assert_eq!(again.as_seed(), key.as_seed());
        assert_eq!(again.kid(), key.kid());
        return Ok(());
    }
    let key = VerifyingKey::from_cose_key(bytes)?;
    let again = VerifyingKey::from_cose_key(&key.to_cose_key()).expect("ours");
    assert_eq!((again.kid(), &again), (key.kid(), &key));
    Ok(())
}

fn cose_header(header: &[u8]) -> Result<(), Error> {
    let string = |bytes: &[u8]| {
        let length = u32::try_from(bytes.len()).expect("inputs are short");
        [&[0x5a], &length.to_be_bytes()[..], bytes].concat()
    };
    // The Sig_structure needs the shortest heads, and a message does not.
    let head = |bytes: &[u8]| match bytes.len() {
        length @ 0..24 => vec![0x40 | u8::try_from(length).expect("below 24")],
        length @ 24..256 => vec![0x58, u8::try_from(length).expect("below 256")],
        length @ 256..65536 => {
            let length = u16::try_from(length).expect("below 65536");
            [&[0x59], &length.to_be_bytes()[..]].concat()
        }
        _ => string(bytes)[..5].to_vec(),
    };
    let start = [&[0x84, 0x6a][..], b"Signature1", &head(header), header];
    let signed = [&start.concat()[..], &[0x40, 0x41, b'x']].concat();
    let signature = SIGNER.try_sign(&signed).expect("it signs");
    let message = [
        &[0x84],
        &string(header)[..],
        &[0xa0, 0x41, b'x'],
        &string(signature.as_bytes()),
    ];
    let message = message.concat();
    let verified = PUBLIC.verify_sign1(&message, b"");
    assert_ne!(verified, Err(Error::InvalidSignature));
    let verified = verified?;
    assert_eq!(verified.payload, b"x");
    assert!(verified.header.get(1).is_some() && verified.header.get(2).is_none());
    Ok(())
}
