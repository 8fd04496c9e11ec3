//! Known answers: those computed for this project, and those of the draft.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use moissanite_composite::{
    Composite, MlDsa44Ed25519, MlDsa65Ed25519, Signature, SigningKey, VerifyingKey, prelude::*,
};
use serde_json::Value;

use moissanite_kats::Recorded;

/// Signatures that can be reproduced, and verdicts.
const OURS: &str = moissanite_kats::COMPOSITE;

fn bytes(case: &Value, field: &str) -> Vec<u8> {
    hex::decode(case[field].as_str().unwrap()).unwrap()
}

/// The cases of a list, with how many each algorithm has.
fn each(vectors: &str, list: &str, count: usize, check: [fn(&Value); 2]) {
    let vectors: Value = serde_json::from_str(vectors).unwrap();
    let names = ["id-MLDSA44-Ed25519-SHA512", "id-MLDSA65-Ed25519-SHA512"];
    for (name, check) in names.into_iter().zip(check) {
        let cases = vectors[list].as_array().unwrap().iter();
        let cases = cases.filter(|case| case["algorithm"] == name);
        assert_eq!(cases.map(check).count(), count, "{name}");
    }
}

fn key<C: Composite>(case: &Value) -> SigningKey<C> {
    let key = SigningKey::<C>::from_seed(&bytes(case, "sk").as_slice().try_into().unwrap());
    assert_eq!(key.verifying_key().to_bytes().as_ref(), bytes(case, "pk"));
    key
}

fn signs<C: Composite>(case: &Value) {
    let (message, context) = (bytes(case, "msg"), bytes(case, "ctx"));
    let key = key::<C>(case);
    let rnd = bytes(case, "rnd");
    let view = key.with_context(&context).unwrap();
    let signature = view
        .try_sign_with_rng(&mut Recorded(&rnd), &message)
        .unwrap();
    assert_eq!(signature.as_ref(), bytes(case, "sig"), "{}", case["id"]);
    if rnd == [0; 32] {
        assert_eq!(view.try_sign(&message).unwrap(), signature);
    }
    let public = key.verifying_key().with_context(&context).unwrap();
    public.verify(&message, &signature).unwrap();
}

#[test]
fn deterministic() {
    each(
        OURS,
        "deterministic",
        6,
        [signs::<MlDsa44Ed25519>, signs::<MlDsa65Ed25519>],
    );
}

/// Returns whether the signature is valid, whatever the fault is.
fn verdict<C: Composite>(case: &Value) -> bool {
    let Ok(key) = VerifyingKey::<C>::from_bytes(&bytes(case, "pk")) else {
        return false;
    };
    let Ok(signature) = Signature::from_bytes(&bytes(case, "sig")) else {
        return false;
    };
    let context = bytes(case, "ctx");
    let Ok(key) = key.with_context(&context) else {
        return false;
    };
    key.verify(&bytes(case, "msg"), &signature).is_ok()
}

#[test]
fn verify() {
    fn check<C: Composite>(case: &Value) {
        assert_eq!(verdict::<C>(case), case["valid"], "{}", case["comment"]);
    }
    each(
        OURS,
        "verify",
        31,
        [check::<MlDsa44Ed25519>, check::<MlDsa65Ed25519>],
    );
}

/// Each half alone, with the other half of a signature of something else.
#[test]
fn one_half_is_not_enough() {
    fn check<C: Composite>(case: &Value) {
        let (key, message) = (key::<C>(case), bytes(case, "msg"));
        let good = key.try_sign(&message).unwrap();
        let other = key.try_sign(b"something else").unwrap();
        let at = C::SIGNATURE_LEN - 64;
        let halves = |ml_dsa: &Signature<C>, ed25519: &Signature<C>| {
            let bytes = [&ml_dsa.as_ref()[..at], &ed25519.as_ref()[at..]].concat();
            let signature = Signature::<C>::from_bytes(&bytes).unwrap();
            key.verifying_key().verify(&message, &signature).is_ok()
        };
        assert!(halves(&good, &good));
        assert!(!halves(&good, &other));
        assert!(!halves(&other, &good));
        assert!(!halves(&other, &other));
    }
    each(
        OURS,
        "deterministic",
        6,
        [check::<MlDsa44Ed25519>, check::<MlDsa65Ed25519>],
    );
}

/// The draft's keys, signatures and certificates.
#[test]
#[cfg(all(feature = "alloc", feature = "pkcs8"))]
fn of_the_draft() {
    use pkcs8::{DecodePrivateKey, EncodePrivateKey};
    use x509_cert::Certificate;
    use x509_cert::der::{Decode, Encode};

    fn check<C: Composite>(case: &Value) {
        let key = key::<C>(case);
        let document = bytes(case, "sk_pkcs8_der");
        let read = SigningKey::<C>::from_pkcs8_der(&document).unwrap();
        assert_eq!(read.as_seed(), key.as_seed());
        assert_eq!(key.to_pkcs8_der().unwrap().as_bytes(), document);

        let (public, message) = (key.verifying_key(), bytes(case, "msg"));
        let signature = |field: &str| Signature::<C>::from_bytes(&bytes(case, field)).unwrap();
        let empty = signature("sig_empty_ctx");
        public.verify(&message, &empty).unwrap();
        let context = bytes(case, "ctx");
        let view = public.with_context(&context).unwrap();
        view.verify(&message, &signature("sig_with_ctx")).unwrap();
        view.verify(&message, &empty).unwrap_err();

        let certificate = bytes(case, "self_signed_certificate_der");
        let certificate = Certificate::from_der(&certificate).unwrap();
        let body = certificate.tbs_certificate();
        let certified = body.subject_public_key_info().to_der().unwrap();
        let certified: VerifyingKey<C> =
            pkcs8::DecodePublicKey::from_public_key_der(&certified).unwrap();
        assert_eq!(&certified, public);
        assert_eq!(
            certificate.signature_algorithm().oid,
            moissanite_composite::oid::<C>()
        );
        let signature = certificate.signature().as_bytes().unwrap();
        let signature = Signature::<C>::from_bytes(signature).unwrap();
        public.verify(&body.to_der().unwrap(), &signature).unwrap();
    }
    if let Some(vectors) = moissanite_kats::text("composite-mldsa-ed25519.json") {
        each(
            &vectors,
            "lamps",
            1,
            [check::<MlDsa44Ed25519>, check::<MlDsa65Ed25519>],
        );
    }
}
