//! Loading of keys, and their signatures.

use moissanite::keys::PrivateKeyForm;
use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87, Signature, SigningKey, prelude::*};
use moissanite_rustls::{ALGORITHMS, signing_key, with_ml_dsa};
use rustls::crypto::{GetRandomFailed, SecureRandom, ring};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{Error, SignatureScheme};

fn loaded(document: &[u8]) -> Result<std::sync::Arc<dyn rustls::sign::SigningKey>, Error> {
    let provider = with_ml_dsa(ring::default_provider());
    let document = PrivateKeyDer::Pkcs8(document.to_vec().into());
    provider.key_provider.load_private_key(document)
}

#[test]
fn every_form_of_every_set() {
    fn check<P: Fips204>(scheme: SignatureScheme) {
        let key = SigningKey::<P>::from_seed(&[7; 32].into());
        for form in [
            PrivateKeyForm::Seed,
            PrivateKeyForm::Expanded,
            PrivateKeyForm::Both,
        ] {
            let loaded = loaded(key.to_pkcs8(form).unwrap().as_bytes()).unwrap();
            assert!(loaded.choose_scheme(&[SignatureScheme::ED25519]).is_none());
            let signer = loaded.choose_scheme(&[SignatureScheme::ED25519, scheme]);
            let signer = signer.unwrap();
            assert_eq!(signer.scheme(), scheme);
            let signature = signer.sign(b"message").unwrap();
            assert_ne!(signer.sign(b"message").unwrap(), signature, "hedged");
            let signature = Signature::<P>::from_bytes(&signature).unwrap();
            key.verifying_key().verify(b"message", &signature).unwrap();
            let debug = format!("{loaded:?} {signer:?}");
            assert!(
                !debug.contains("07, 07") && !debug.contains("0707"),
                "{debug}"
            );
        }
    }
    check::<MlDsa44>(SignatureScheme::ML_DSA_44);
    check::<MlDsa65>(SignatureScheme::ML_DSA_65);
    check::<MlDsa87>(SignatureScheme::ML_DSA_87);
}

/// The provider reads keys of other algorithms, but not an invalid ML-DSA key.
#[test]
fn other_keys() {
    let ed25519 = [
        b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20".as_slice(),
        &[7; 32],
    ];
    let key = loaded(&ed25519.concat()).unwrap();
    assert!(key.choose_scheme(&[SignatureScheme::ED25519]).is_some());
    loaded(b"nothing").unwrap_err();

    let good = SigningKey::<MlDsa65>::from_seed(&[7; 32].into());
    let mut bytes = good
        .to_pkcs8(PrivateKeyForm::Both)
        .unwrap()
        .as_bytes()
        .to_vec();
    *bytes.last_mut().unwrap() ^= 1;
    let error = loaded(&bytes).unwrap_err();
    let says = "ML-DSA: the seed does not give the expanded key beside it";
    assert_eq!(error, Error::General(says.into()));
}

#[derive(Debug)]
struct Broken;
impl SecureRandom for Broken {
    fn fill(&self, _: &mut [u8]) -> Result<(), GetRandomFailed> {
        Err(GetRandomFailed)
    }
}

/// A key never signs without randomness.
#[test]
fn no_randomness_no_signature() {
    let key = SigningKey::<MlDsa44>::from_seed(&[7; 32].into());
    let document = key.to_pkcs8(PrivateKeyForm::Seed).unwrap();
    let document = PrivatePkcs8KeyDer::from(document.as_bytes());
    let key = signing_key(&document, &Broken).unwrap().unwrap();
    let signer = key.choose_scheme(&[SignatureScheme::ML_DSA_44]).unwrap();
    signer.sign(b"message").unwrap_err();
}

/// Adding ML-DSA twice adds it once, and keeps the other schemes.
#[test]
fn lists() {
    let once = with_ml_dsa(ring::default_provider()).signature_verification_algorithms;
    let twice = with_ml_dsa(with_ml_dsa(ring::default_provider()));
    let twice = twice.signature_verification_algorithms;
    let before = ring::default_provider().signature_verification_algorithms;
    assert_eq!(once.all.len(), before.all.len() + 3);
    assert_eq!(once.mapping.len(), before.mapping.len() + 3);
    assert_eq!(twice.all.len(), once.all.len());
    assert_eq!(twice.mapping.len(), once.mapping.len());
    let names: Vec<_> = ALGORITHMS.iter().map(|one| format!("{one:?}")).collect();
    assert_eq!(names, ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"]);
}

/// The verification of a chain checks lengths first, then the signature.
#[test]
fn algorithms() {
    let key = SigningKey::<MlDsa44>::from_seed(&[7; 32].into());
    let signature = key.try_sign(b"message").unwrap();
    let (key, signature) = (key.verifying_key().as_bytes(), signature.as_bytes());
    let [ml_dsa_44, ml_dsa_65, _] = ALGORITHMS else {
        panic!("three sets")
    };
    ml_dsa_44
        .verify_signature(key, b"message", signature)
        .unwrap();
    ml_dsa_44
        .verify_signature(key, b"messagE", signature)
        .unwrap_err();
    ml_dsa_44
        .verify_signature(key, b"message", &signature[1..])
        .unwrap_err();
    ml_dsa_44
        .verify_signature(&key[1..], b"message", signature)
        .unwrap_err();
    ml_dsa_65
        .verify_signature(key, b"message", signature)
        .unwrap_err();
}
