//! The bytes and the verdicts are those of the facade.

#![allow(deprecated, reason = "the deprecated functions are tested too")]

use std::fmt::Debug;

use ml_dsa::signature::digest::Update;
use ml_dsa::signature::{
    DigestSigner, MultipartSigner, RandomizedDigestSigner, RandomizedMultipartSigner,
    RandomizedSigner, SignatureEncoding, Signer,
};
use ml_dsa::{
    B32, EncodedSignature, EncodedVerifyingKey, ExpandedSigningKey, Generate, Keypair, MlDsa44,
    MlDsa65, MlDsa87, MlDsaParams, Signature, SigningKey, VerifyingKey,
};
use moissanite::{Fips204, Mu};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::for_every_set;

const SEED: [u8; 32] = [7; 32];

fn rng() -> ChaCha8Rng {
    ChaCha8Rng::from_seed([9; 32])
}

fn bytes_are_equal<P: MlDsaParams, Q: Fips204>() {
    let key = SigningKey::<P>::from_seed(&SEED.into());
    let own = moissanite::SigningKey::<Q>::from_seed(&SEED.into());
    let expanded = key.expanded_key();
    let same = |signature: Signature<P>, expected: moissanite::Signature<Q>| {
        assert_eq!(&signature.encode()[..], expected.as_ref());
        assert_eq!(signature.to_bytes(), signature.encode());
        let c_tilde = signature.c_tilde();
        assert_eq!(c_tilde[..], expected.as_ref()[..c_tilde.len()]);
        assert_eq!(c_tilde.len(), Q::C_TILDE_LEN);
    };

    let public_key = key.verifying_key();
    assert_eq!(&public_key.encode()[..], own.verifying_key().as_ref());
    let bytes: &[u8] = own.as_expanded_bytes().as_ref();
    assert_eq!(&expanded.to_expanded()[..], bytes);

    let plain = || own.try_sign(b"message").unwrap();
    same(key.sign(b"message"), plain());
    same(expanded.sign(b"message"), plain());
    same(key.multipart_sign(&[b"mess", b"age"]), plain());
    same(expanded.multipart_sign(&[b"mess", b"age"]), plain());
    same(key.sign_digest(|digest| digest.update(b"message")), plain());
    same(
        expanded.sign_digest(|digest| digest.update(b"message")),
        plain(),
    );

    let view = own.with_context(b"context").unwrap();
    let signature = expanded.sign_deterministic(b"message", b"context").unwrap();
    same(signature, view.try_sign(b"message").unwrap());
    let signature = expanded
        .sign_randomized(b"message", b"context", &mut rng())
        .unwrap();
    same(
        signature,
        view.try_sign_with_rng(&mut rng(), b"message").unwrap(),
    );

    let hedged = || own.try_sign_with_rng(&mut rng(), b"message").unwrap();
    assert_ne!(hedged(), plain());
    same(expanded.sign_with_rng(&mut rng(), b"message"), hedged());
    same(
        expanded.multipart_sign_with_rng(&mut rng(), &[b"mess", b"age"]),
        hedged(),
    );
    let digest = |digest: &mut shake::Shake256| digest.update(b"message");
    same(expanded.sign_digest_with_rng(&mut rng(), digest), hedged());

    let mu = public_key.compute_mu(
        |digest| {
            digest.update(b"message");
            Ok(())
        },
        b"context",
    );
    let mu = mu.unwrap();
    let mut expected = own.mu(b"context").unwrap();
    expected.update(b"message");
    let expected = expected.finish();
    assert_eq!(&mu[..], expected.as_bytes());
    same(
        expanded.sign_mu_deterministic(&mu),
        own.try_sign_mu(&expected).unwrap(),
    );
    same(
        expanded.sign_mu_randomized(&mu, &mut rng()).unwrap(),
        own.try_sign_mu_with_rng(&mut rng(), &Mu::from_bytes(mu.0))
            .unwrap(),
    );

    let parts: &[&[u8]] = &[b"framed ", b"message"];
    let rnd = B32::from([5; 32]);
    same(
        expanded.sign_internal(parts, &rnd),
        own.sign_internal(parts, &rnd.0).unwrap(),
    );

    let generated = SigningKey::<P>::generate_from_rng(&mut rng());
    let expected = moissanite::SigningKey::<Q>::try_generate(&mut rng()).unwrap();
    assert_eq!(
        &generated.as_seed().0,
        expected.as_seed().unwrap().as_bytes()
    );
    assert_ne!(SigningKey::<P>::generate(), SigningKey::<P>::generate());

    assert!(*expanded == ExpandedSigningKey::from_expanded(&expanded.to_expanded()));
    assert!(*expanded == ExpandedSigningKey::from_seed(&SEED.into()));
}

#[test]
fn bytes_are_those_of_the_facade() {
    for_every_set!(bytes_are_equal);
}

/// The vectors that detect defects of verifiers have the same results.
#[test]
fn verdicts_are_those_of_the_vectors() {
    let sets: serde_json::Value = serde_json::from_str(moissanite_kats::KILLERS).unwrap();
    for set in sets.as_array().unwrap() {
        match set["algorithm"].as_str().unwrap() {
            "ML-DSA-44" => verdicts::<MlDsa44>(set),
            "ML-DSA-65" => verdicts::<MlDsa65>(set),
            "ML-DSA-87" => verdicts::<MlDsa87>(set),
            other => panic!("{other}"),
        }
    }
}

fn bytes(value: &serde_json::Value) -> Vec<u8> {
    hex::decode(value.as_str().unwrap_or_default()).unwrap()
}

fn verdicts<P: MlDsaParams + Debug>(set: &serde_json::Value) {
    let mut results = [0; 2];
    for group in set["testGroups"].as_array().unwrap() {
        let key = EncodedVerifyingKey::<P>::try_from(&bytes(&group["publicKey"])[..]).unwrap();
        let key = VerifyingKey::<P>::decode(&key);
        for test in group["tests"].as_array().unwrap() {
            let expected = test["result"] == "valid";
            let (message, context) = (bytes(&test["msg"]), bytes(&test["ctx"]));
            let signature = bytes(&test["sig"]);
            let decoded = EncodedSignature::<P>::try_from(&signature[..]).ok();
            let decoded = decoded.and_then(|bytes| Signature::decode(&bytes));
            assert_eq!(decoded, Signature::try_from(&signature[..]).ok());
            let verdict =
                decoded.is_some_and(|it| key.verify_with_context(&message, &context, &it));
            assert_eq!(verdict, expected, "{}", test["comment"]);
            results[usize::from(verdict)] += 1;
        }
    }
    assert!(results.iter().all(|count| *count > 10), "{results:?}");
}
