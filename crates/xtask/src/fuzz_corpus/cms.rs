//! The seeds of the target that reads messages of CMS and certificates.

use anyhow::{Result, anyhow};
use moissanite_cms::{DigestAlgorithm, Message, MlDsa44, SignedDataBuilder, Signer, SigningKey};
use pkcs8::LineEnding;
use sha2::{Digest, Sha512};
use x509_cert::der::pem::encode_string;

// The same certificates as in the tests of the crate.
mod issue {
    include!("../../../cms/tests/issue.rs");
}

const CONTENT: &[u8] = b"content";
/// The signed attributes with the content type id-data and with a digest of 64 bytes, which follows.
const ATTRIBUTES: &[u8] = b"\x30\x18\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x09\x03\
    \x31\x0b\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01\
    \x30\x4f\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x09\x04\x31\x42\x04\x40";

/// Each file with its path under fuzz/seeds. The first byte says what the rest is.
pub(super) fn seeds() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let key = SigningKey::<MlDsa44>::from_seed(&[0; 32].into());
    let wrong = |error: Box<dyn std::error::Error>| anyhow!("{error}");
    let certificate = issue::certificate(&key).map_err(wrong)?;
    let second = issue::certificate_with(&key, 2, None).map_err(wrong)?;
    let signer = || Signer::new(&key, certificate.clone());
    let attached = Message::attached(CONTENT);
    let detached = Message::detached(CONTENT);
    let whole = signer()?.try_sign(&attached.with_signing_time(1_795_392_000))?;
    let by_key = signer()?.with_subject_key_identifier()?;
    let by_key = by_key
        .without_certificates()
        .with_digest(DigestAlgorithm::Shake256)?;
    let other = Signer::new(&key, second)?;
    let two = SignedDataBuilder::new(&attached).try_sign(&by_key)?;
    let two = two.try_sign(&other.without_certificates())?.finish()?;
    let direct = by_key.try_sign(&detached.without_signed_attributes())?;
    let attributes = [ATTRIBUTES, &Sha512::digest(CONTENT)].concat();
    let pem = encode_string("CERTIFICATE", LineEnding::LF, certificate.as_der())?;
    let file = |kind: u8, bytes: &[u8]| [&[kind], bytes].concat();
    Ok(vec![
        ("cms/attached", file(0, whole.as_der())),
        (
            "cms/detached",
            file(0, by_key.try_sign(&detached)?.as_der()),
        ),
        ("cms/direct", file(0, direct.as_der())),
        ("cms/two-signers", file(0, two.as_der())),
        ("cms/message.pem", file(1, direct.to_pem()?.as_bytes())),
        ("cms/certificate", file(2, certificate.as_der())),
        ("cms/certificate.pem", file(3, pem.as_bytes())),
        ("cms/attributes", file(4, &attributes)),
    ])
}
