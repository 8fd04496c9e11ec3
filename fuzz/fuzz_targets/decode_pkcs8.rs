//! PKCS#8 and SPKI, in DER and PEM. The input is the set, and the document.
//!
//! An accepted key is written as a document that gives the same key.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moissanite::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use moissanite::{Fips204, SigningKey, VerifyingKey};
use moissanite_fuzz::{Input, Target, run};

struct DecodePkcs8;

impl Target for DecodePkcs8 {
    fn run<P: Fips204>(input: Input<'_>) {
        let der = input.rest();
        if let Ok((key, form)) = SigningKey::<P>::from_pkcs8(der) {
            let document = key.to_pkcs8(form).expect("the form that was read");
            // Attributes and the public key, which can follow the private key, are not written.
            same(
                &key,
                &SigningKey::from_pkcs8(document.as_bytes()).expect("ours").0,
            );
        }
        if let Ok(key) = VerifyingKey::<P>::from_spki(der) {
            let document = key.to_public_key_der().expect("a public key is written");
            assert_eq!(document.as_bytes(), der);
        }
        let Ok(pem) = str::from_utf8(der) else { return };
        if let Ok(key) = SigningKey::<P>::from_pkcs8_pem(pem) {
            let pem = key
                .to_pkcs8_pem(Default::default())
                .expect("a key is written");
            same(&key, &SigningKey::from_pkcs8_pem(&pem).expect("ours"));
        }
        if let Ok(key) = VerifyingKey::<P>::from_public_key_pem(pem) {
            let pem = key
                .to_public_key_pem(Default::default())
                .expect("a public key is written");
            assert_eq!(key, VerifyingKey::from_public_key_pem(&pem).expect("ours"));
        }
    }
}

fn same<P: Fips204>(a: &SigningKey<P>, b: &SigningKey<P>) {
    assert_eq!(a.as_seed(), b.as_seed());
    assert_eq!(
        a.to_expanded_bytes().as_ref(),
        b.to_expanded_bytes().as_ref()
    );
    assert_eq!(a.verifying_key(), b.verifying_key());
}

fuzz_target!(|bytes: &[u8]| run::<DecodePkcs8>(bytes));
