//! Messages that Bouncy Castle made.

use moissanite::PreparedVerifyingKey;
use moissanite_cms::{
    Certificate, Content, Fips204, Message, MlDsa44, MlDsa65, MlDsa87, SignedData, Signer,
    SigningKey, TrustedSigner,
};
use serde_json::Value;

const MESSAGES: [&str; 5] = [
    "attached",
    "attached_direct",
    "attached_sha512",
    "detached",
    "detached_direct",
];

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().unwrap()).unwrap()
}

/// The message that this crate makes with the choices of another one.
fn again<P: Fips204>(
    other: &SignedData,
    key: &SigningKey<P>,
    certificate: Certificate,
    content: &[u8],
) -> SignedData {
    let mut signer = Signer::new(key, certificate).unwrap();
    let info = other.unverified_signers().next().unwrap();
    if let Some(digest) = info.digest_algorithm() {
        signer = signer.with_digest(digest).unwrap();
    }
    if other.untrusted_certificates().len() == 0 {
        signer = signer.without_certificates();
    }
    let mut message = if other.is_attached() {
        Message::attached(content)
    } else {
        Message::detached(content)
    };
    if let Some(time) = info.signing_time() {
        message = message.with_signing_time(time);
    }
    if !info.has_signed_attributes() {
        message = message.without_signed_attributes();
    }
    signer.try_sign(&message).unwrap()
}

fn check<P: Fips204>(set: &Value, content: &[u8])
where
    PreparedVerifyingKey<P>: Send + Sync,
{
    assert_eq!(set["name"], P::NAME);
    let seed: [u8; 32] = bytes(&set["seed"]).try_into().unwrap();
    let key = SigningKey::<P>::from_seed(&seed.into());
    let certificate = Certificate::from_der(&bytes(&set["certificate"])).unwrap();
    let trusted = TrustedSigner::from_certificate(&certificate).unwrap();
    for name in MESSAGES {
        let der = bytes(&set[name]);
        let signed = SignedData::from_der(&der).unwrap();
        assert_eq!(signed.is_attached(), name.starts_with("attached"), "{name}");
        let place = if signed.is_attached() {
            Content::Attached
        } else {
            Content::Detached(content)
        };
        let verified = signed.verify(place, &trusted).unwrap();
        assert_eq!(verified.content(), Some(content), "{name}");
        let again = again(&signed, &key, certificate.clone(), content);
        if name.ends_with("direct") {
            // Bouncy Castle names SHAKE256 without signed attributes too, where RFC 9882 requires SHA-512.
            let signature = |der: &[u8]| der[der.len() - P::SIGNATURE_LEN..].to_vec();
            assert!(signature(again.as_der()) == signature(&der), "{name}");
        } else {
            assert!(again.as_der() == der, "{name}");
        }
    }
}

#[test]
fn messages_of_bouncy_castle() {
    let all: Value = serde_json::from_str(moissanite_kats::CMS).unwrap();
    let content = bytes(&all["content"]);
    let sets = all["sets"].as_array().unwrap();
    assert_eq!(sets.len(), 3);
    check::<MlDsa44>(&sets[0], &content);
    check::<MlDsa65>(&sets[1], &content);
    check::<MlDsa87>(&sets[2], &content);
}
