//! Messages of CMS and certificates. The first byte of an input chooses what the rest is.
//!
//! What is read is written in the same way, and a message that verifies has the content of the seeds. Signed
//! attributes are signed here, whatever they say, so that verification accepts them unless it refuses what they
//! say. An error shows nothing of the input.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use moissanite::prelude::*;
use moissanite::{MlDsa44, PreparedSigningKey, SigningKey};
use moissanite_cms::{Certificate, Content, Error, SignedData, TrustedSigner};
use moissanite_fuzz::{Input, assert_hidden};

/// Longer than any word of an error.
const WORD: usize = 24;
/// What the key of the seeds signed, attached or not.
const CONTENT: &[u8] = b"content";
/// The identifiers of signed data, data, SHA-512, ML-DSA-44, and the attributes with the content type and with
/// the digest, with their tags and lengths.
const SIGNED_DATA: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02";
const DATA: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01";
const SHA_512: &[u8] = b"\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x03";
const ML_DSA_44: &[u8] = b"\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x11";
const CONTENT_TYPE: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x09\x03";
const MESSAGE_DIGEST: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x09\x04";
/// The first bytes of the SHA-512 hash of the content, after the tag and the length.
const DIGEST: &[u8] = b"\x04\x40\xb2\xd1";

static KEY: LazyLock<SigningKey<MlDsa44>> =
    LazyLock::new(|| SigningKey::from_seed(&[0; 32].into()));
static SIGNER: LazyLock<PreparedSigningKey<MlDsa44>> = LazyLock::new(|| KEY.prepare());
static TRUSTED: LazyLock<TrustedSigner> =
    LazyLock::new(|| TrustedSigner::from_key(KEY.verifying_key()));

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let kind = input.byte() % 5;
    let bytes = input.take(usize::MAX);
    let result = match kind {
        0 => SignedData::from_der(bytes).and_then(|signed| {
            assert_eq!(signed.as_der(), bytes);
            message(&signed)
        }),
        1 => SignedData::from_pem(bytes).and_then(|signed| message(&signed)),
        2 => Certificate::from_der(bytes).and_then(|read| {
            assert_eq!(read.as_der(), bytes);
            certificate(&read)
        }),
        3 => Certificate::from_pem(bytes).and_then(|read| certificate(&read)),
        _ => attributes(bytes),
    };
    if let Err(error) = result {
        assert_hidden(&error.to_string(), bytes, WORD);
    }
});

fn message(signed: &SignedData) -> Result<(), Error> {
    let pem = signed.to_pem().expect("the memory is enough");
    assert_eq!(&SignedData::from_pem(pem).expect("ours"), signed);
    for signer in signed.unverified_signers() {
        let _ = (
            signer.identifier(),
            signer.signing_time(),
            signer.digest_algorithm(),
        );
        if let Some(named) = signer.untrusted_certificate() {
            assert!(signed.untrusted_certificates().any(|one| one == named));
        }
    }
    if signed.is_attached() {
        let verified = signed.verify(Content::Attached, &TRUSTED)?;
        assert_eq!(verified.content(), Some(CONTENT));
        let all = signed.verify_all(Content::Attached, &[&TRUSTED]);
        assert!(all.is_ok() || signed.unverified_signers().len() > 1);
        return Ok(());
    }
    let mut digest = signed.content_digest();
    digest.update(CONTENT);
    let by_digest = signed.verify(Content::DetachedDigest(&digest), &TRUSTED);
    let verified = signed.verify(Content::Detached(CONTENT), &TRUSTED);
    // Without signed attributes, the content itself is signed.
    assert!(by_digest.is_err() || verified.is_ok());
    assert!(
        signed
            .verify(Content::Detached(b"other"), &TRUSTED)
            .is_err()
    );
    verified.map(|_| ())
}

fn certificate(read: &Certificate) -> Result<(), Error> {
    assert_eq!(
        &Certificate::from_der(read.as_der()).expect("it was read"),
        read
    );
    TrustedSigner::from_certificate(read).map(|_| ())
}

/// Puts attributes, without the tag of their set, into a message, and signs them.
fn attributes(attributes: &[u8]) -> Result<(), Error> {
    let signature = SIGNER
        .try_sign(&value(0x31, &[attributes]))
        .expect("it signs");
    let algorithm = value(0x30, &[SHA_512]);
    let signer = [
        b"\x02\x01\x03\x80\x01x",
        &algorithm[..],
        &value(0xa0, &[attributes]),
        &value(0x30, &[ML_DSA_44]),
        &value(0x04, &[signature.as_bytes()]),
    ];
    let content = value(0xa0, &[&value(0x04, &[CONTENT])]);
    let message = value(
        0x30,
        &[
            b"\x02\x01\x03",
            &value(0x31, &[&algorithm]),
            &value(0x30, &[DATA, &content]),
            &value(0x31, &[&value(0x30, &signer)]),
        ],
    );
    let message = value(0x30, &[SIGNED_DATA, &value(0xa0, &[&message])]);
    let signed = SignedData::from_der(&message)?;
    let verified = signed.verify(Content::Attached, &TRUSTED).map(|_| ());
    assert_ne!(verified, Err(Error::InvalidSignature));
    verified?;
    let occurrences = |bytes: &[u8]| {
        let windows = attributes.windows(bytes.len());
        windows.filter(|window| *window == bytes).count()
    };
    for required in [CONTENT_TYPE, MESSAGE_DIGEST, DATA, DIGEST] {
        assert!(occurrences(required) > 0);
    }
    Ok(())
}

/// Encodes a value in DER.
fn value(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let bytes = content.len().to_be_bytes();
    let length = bytes.iter().copied().skip_while(|byte| *byte == 0);
    let length: Vec<_> = length.collect();
    let mut der = vec![tag];
    if content.len() >= 0x80 {
        der.push(0x80 | u8::try_from(length.len()).expect("at most 8"));
        der.extend(length);
    } else {
        der.push(bytes[bytes.len() - 1]);
    }
    der.extend(content);
    der
}
