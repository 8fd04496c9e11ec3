//! The public types.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use moissanite::SigningError;
use moissanite_composite::signature::Keypair;
use moissanite_composite::{
    Composite, ContextTooLong, InvalidKey, InvalidSignatureLength, MlDsa44Ed25519, MlDsa65Ed25519,
    PreHash, Signature, SigningKey, VerifyingKey, ed25519, prelude::*, signature,
};

use moissanite_kats::{Failing, Recorded};

macro_rules! each {
    ($($name:ident: $check:ident;)*) => { $(
        #[test]
        fn $name() {
            $check::<MlDsa44Ed25519>();
            $check::<MlDsa65Ed25519>();
        }
    )* };
}
each! {
    one_message_many_ways: messages;
    contexts_and_lengths: lengths;
    what_debug_shows: debug;
    the_halves_of_a_key: halves;
    a_failing_generator_is_an_error: failing;
}

fn key<C: Composite>() -> SigningKey<C> {
    let seed: [u8; 64] = std::array::from_fn(|i| i.try_into().unwrap());
    SigningKey::from_seed(&seed.into())
}

fn messages<C: Composite>() {
    let key = key::<C>();
    let expected = key.try_sign(b"one message").unwrap();
    let parts: &[&[u8]] = &[b"one ", b"", b"message"];
    assert_eq!(key.try_multipart_sign(parts).unwrap(), expected);
    let mut hash = PreHash::new();
    parts.iter().for_each(|part| hash.update(part));
    let hash = hash.finish();
    assert_eq!(key.try_sign_prehashed(&hash).unwrap(), expected);
    let public = key.verifying_key();
    public.multipart_verify(parts, &expected).unwrap();
    public.verify_prehashed(&hash, &expected).unwrap();

    let rnd = [3; 32];
    let hedged = key
        .try_sign_with_rng(&mut Recorded(&rnd), b"one message")
        .unwrap();
    assert_ne!(hedged, expected);
    public.verify(b"one message", &hedged).unwrap();
    let signed = key.try_sign_prehashed_with_rng(&mut Recorded(&rnd), &hash);
    assert_eq!(signed.unwrap(), hedged);
    let signed = key.try_multipart_sign_with_rng(&mut Recorded(&rnd), parts);
    assert_eq!(signed.unwrap(), hedged);
}

fn lengths<C: Composite>() {
    let key = key::<C>();
    assert_eq!(key.with_context(&[0; 256]).unwrap_err(), ContextTooLong);
    let public = key.verifying_key();
    assert_eq!(public.with_context(&[0; 256]).unwrap_err(), ContextTooLong);
    let signature = key.with_context(&[9; 255]).unwrap().try_sign(b"").unwrap();
    let view = public.with_context(&[9; 255]).unwrap();
    assert_eq!(view.context(), [9; 255]);
    view.verify(b"", &signature).unwrap();

    let bytes = public.to_bytes();
    assert_eq!(
        &VerifyingKey::<C>::from_bytes(bytes.as_ref()).unwrap(),
        public
    );
    for actual in [0, 31, 32, C::PUBLIC_KEY_LEN - 1, C::PUBLIC_KEY_LEN + 1] {
        let mut bytes = bytes.as_ref().to_vec();
        bytes.resize(actual, 0);
        let wrong = InvalidKey::Length {
            expected: C::PUBLIC_KEY_LEN,
            actual,
        };
        assert_eq!(VerifyingKey::<C>::from_bytes(&bytes).unwrap_err(), wrong);
    }
    for actual in [0, 64, C::SIGNATURE_LEN - 1, C::SIGNATURE_LEN + 1] {
        let wrong = InvalidSignatureLength {
            expected: C::SIGNATURE_LEN,
            actual,
        };
        assert_eq!(
            Signature::<C>::from_bytes(&vec![0; actual]).unwrap_err(),
            wrong
        );
    }
    // The error of a key names the fault of its Ed25519 half.
    let mut bytes = bytes.as_ref().to_vec();
    let at = bytes.len() - 32;
    bytes[at..].fill(0);
    let error = VerifyingKey::<C>::from_bytes(&bytes).unwrap_err();
    assert_eq!(error, InvalidKey::SmallOrder);
}

fn debug<C: Composite>() {
    let key = key::<C>();
    let text = format!("{key:?}");
    assert!(text.contains(C::NAME), "{text}");
    for secret in key.as_seed().as_bytes().windows(4).map(hex::encode) {
        assert!(!text.contains(&secret), "{text}");
    }
    let mut hash = PreHash::new();
    hash.update(b"a message that is easy to guess");
    assert_eq!(format!("{hash:?}"), "PreHash { .. }");
    assert_eq!(format!("{:?}", hash.finish()), "PreHashed { .. }");
    let text = format!("{:?}", ed25519::SigningKey::from_seed(&[0xab; 32].into()));
    assert!(
        !text.contains("abab") && !text.contains("171, 171"),
        "{text}"
    );
}

fn halves<C: Composite>() {
    let key = key::<C>();
    assert_eq!(&Keypair::verifying_key(&key), key.verifying_key());
    let (ml_dsa, ed25519) = key.as_seed().as_bytes().split_at(32);
    let ml_dsa = moissanite::SigningKey::<C::MlDsa>::from_seed(&ml_dsa.try_into().unwrap());
    let ed25519 = ed25519::SigningKey::from_seed(&ed25519.try_into().unwrap());
    let public = [
        ml_dsa.verifying_key().as_ref(),
        ed25519.verifying_key().as_ref(),
    ]
    .concat();
    assert_eq!(key.verifying_key().to_bytes().as_ref(), public);
    let generated = SigningKey::<C>::try_generate(&mut Recorded(key.as_seed().as_bytes())).unwrap();
    assert_eq!(generated.as_seed(), key.as_seed());
}

/// A failing generator gives neither a key from the bytes written so far nor a signature without
/// randomness.
fn failing<C: Composite>() {
    SigningKey::<C>::try_generate(&mut Failing).unwrap_err();
    ed25519::SigningKey::try_generate(&mut Failing).unwrap_err();
    let key = key::<C>();
    let mut hash = PreHash::new();
    hash.update(b"message");
    let hash = hash.finish();
    let view = key.with_context(b"context").unwrap();
    for signed in [
        key.try_sign_with_rng(&mut Failing, b"message"),
        key.try_multipart_sign_with_rng(&mut Failing, &[b"message"]),
        key.try_sign_prehashed_with_rng(&mut Failing, &hash),
        view.try_sign_with_rng(&mut Failing, b"message"),
        view.try_multipart_sign_with_rng(&mut Failing, &[b"message"]),
        view.try_sign_prehashed_with_rng(&mut Failing, &hash),
    ] {
        let error: signature::Error = signed.unwrap_err();
        let source = std::error::Error::source(&error).unwrap().downcast_ref();
        assert_eq!(source, Some(&SigningError::Rng));
    }
}
