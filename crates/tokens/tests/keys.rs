//! Keys apart from their formats.

use moissanite::{MlDsa44, MlDsa65, MlDsa87};
use moissanite_kats::Failing;
use moissanite_tokens::{
    Algorithm, Deterministic, Error, Seed, SigningKey, SysRng, VerifyingKey, jws,
};

use crate::common::{KEY, PUBLIC, key};

#[test]
fn keys_of_the_facade() {
    macro_rules! of {
        ($set:ident) => {{
            let facade = moissanite::SigningKey::<$set>::try_generate(&mut SysRng).unwrap();
            let public = VerifyingKey::from(facade.verifying_key());
            assert_eq!(public.as_bytes(), facade.verifying_key().as_ref());
            assert_eq!(public.algorithm(), Algorithm::$set);
            let expanded = facade.to_expanded_bytes();
            let key = SigningKey::from(facade);
            assert_eq!(key.algorithm(), Algorithm::$set);
            assert_eq!(key.to_verifying_key(), public);
            assert!(key.to_private_jwk().is_ok());

            // A key without a seed signs, but has no JWK.
            let facade = moissanite::SigningKey::<$set>::from_expanded_bytes(&expanded).unwrap();
            let key = SigningKey::from(facade);
            let token = key
                .sign_jws(&mut SysRng, &jws::Header::new(), b"x")
                .unwrap();
            assert_eq!(public.verify_jws(&token).unwrap().payload, b"x");
            assert_eq!(key.as_seed().unwrap_err(), Error::SeedUnknown);
            assert_eq!(key.to_private_jwk().unwrap_err(), Error::SeedUnknown);
            assert_eq!(key.to_private_cose_key().unwrap_err(), Error::SeedUnknown);
        }};
    }
    of!(MlDsa44);
    of!(MlDsa65);
    of!(MlDsa87);
}

#[test]
fn lengths_and_names() {
    for (algorithm, name, id, public, signature) in [
        (Algorithm::MlDsa44, "ML-DSA-44", -48, 1312, 2420),
        (Algorithm::MlDsa65, "ML-DSA-65", -49, 1952, 3309),
        (Algorithm::MlDsa87, "ML-DSA-87", -50, 2592, 4627),
    ] {
        assert_eq!(algorithm.to_string(), name);
        assert_eq!(Algorithm::from_jose_name(name), Some(algorithm));
        assert_eq!(algorithm.cose_id(), id);
        assert_eq!(Algorithm::from_cose_id(id), Some(algorithm));
        assert_eq!(algorithm.public_key_len(), public);
        assert_eq!(algorithm.signature_len(), signature);
        for actual in [0, public - 1, public + 1] {
            let error = VerifyingKey::from_bytes(algorithm, &vec![0; actual]).unwrap_err();
            assert_eq!(
                error,
                Error::PublicKeyLength {
                    expected: public,
                    actual
                }
            );
        }
        assert!(VerifyingKey::from_bytes(algorithm, &vec![0; public]).is_ok());
    }
}

#[test]
fn generated_keys_differ() {
    let keys = [(); 2].map(|()| SigningKey::try_generate(Algorithm::MlDsa44, &mut SysRng).unwrap());
    assert_ne!(keys[0].public_key_bytes(), keys[1].public_key_bytes());
    assert_eq!(
        SigningKey::from_seed(Algorithm::MlDsa44, keys[0].as_seed().unwrap()).public_key_bytes(),
        keys[0].public_key_bytes()
    );
}

#[test]
fn keys_are_compared_without_their_identifiers() {
    assert_eq!(KEY.to_verifying_key().with_kid("1"), *PUBLIC);
    assert_ne!(key(Algorithm::MlDsa65).to_verifying_key(), *PUBLIC);
    let other = SigningKey::from_seed(Algorithm::MlDsa44, &[1; 32].into());
    assert_ne!(other.to_verifying_key(), *PUBLIC);
}

#[test]
fn debugging_shows_no_secret() {
    let seed: [u8; 32] = core::array::from_fn(|i| 0xa0 + u8::try_from(i).unwrap());
    let key = SigningKey::from_seed(Algorithm::MlDsa65, &Seed::from(seed)).with_kid("k\n");
    assert_eq!(
        format!("{key:?}"),
        r#"SigningKey { algorithm: MlDsa65, kid: Some("k\n"), .. }"#
    );
    let public = key.to_verifying_key();
    assert_eq!(
        format!("{public:?}"),
        r#"VerifyingKey { algorithm: MlDsa65, kid: Some("k\n"), .. }"#
    );
}

#[test]
fn threads_share_keys() {
    std::thread::scope(|scope| {
        for number in 0..4 {
            scope.spawn(move || {
                let payload = [number];
                let token = KEY
                    .sign_jws(Deterministic, &jws::Header::new(), &payload)
                    .unwrap();
                assert_eq!(PUBLIC.verify_jws(&token).unwrap().payload, payload);
            });
        }
    });
}

#[test]
fn a_generator_that_fails() {
    assert!(SigningKey::try_generate(Algorithm::MlDsa44, &mut Failing).is_err());
    let error = KEY
        .sign_jws(&mut Failing, &jws::Header::new(), b"")
        .unwrap_err();
    assert_eq!(error, Error::Signing(moissanite_tokens::SigningError::Rng));
}
