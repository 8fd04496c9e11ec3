//! The public API: the traits, randomness, contexts, prepared keys, μ.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::error::Error as _;
use std::fmt::Debug;

use moissanite::backend::Portable;
use moissanite::prehash::{PreHashed, Sha512};
use moissanite::rand_core::CryptoRng;
use moissanite::{
    ContextTooLong, ExpandedSigningKey, Fips204, InvalidDigestLength, InvalidKey,
    InvalidSignatureLength, MlDsa44, MlDsa65, MlDsa87, Mu, MuBuilder, PreparedSigningKey,
    PreparedSigningKeySpace, PreparedVerifyingKey, PreparedVerifyingKeySpace, Signature,
    SigningError, SigningKey, SigningKeyIn, SigningKeySpace, SysRng, VerifyingKey, WithContext,
    prelude::*, signature, stream,
};
use moissanite_kats::{Failing, Recorded};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use signature::{Keypair, MultipartSigner, MultipartVerifier, RandomizedMultipartSigner};

const SEED: [u8; 32] = [42; 32];
const MESSAGE: &[u8] = b"message";

fn key<P: Fips204>() -> SigningKey<P> {
    SigningKey::from_seed(&SEED.into())
}

/// Code that uses only the traits.
fn generic<S, K>(key: &K)
where
    S: SignatureEncoding + Debug + PartialEq,
    for<'a> <S as TryFrom<&'a [u8]>>::Error: Debug,
    K: Signer<S>
        + RandomizedSigner<S>
        + MultipartSigner<S>
        + RandomizedMultipartSigner<S>
        + Keypair<VerifyingKey: Verifier<S> + MultipartVerifier<S>>,
{
    let rng = &mut ChaCha20Rng::from_seed(SEED);
    let public = key.verifying_key();
    let parts = [&MESSAGE[..3], &[], &MESSAGE[3..]];
    let deterministic = key.sign(MESSAGE);
    assert_eq!(key.try_sign(MESSAGE).unwrap(), deterministic);
    assert_eq!(key.multipart_sign(&parts), deterministic);
    assert_eq!(key.try_multipart_sign(&parts).unwrap(), deterministic);
    let hedged = key.sign_with_rng(rng, MESSAGE);
    assert_ne!(hedged, deterministic);
    let again = key.try_sign_with_rng(rng, MESSAGE).unwrap();
    assert_ne!(again, hedged, "randomness is new each time");
    let in_parts = key.multipart_sign_with_rng(&mut Recorded(&[7; 32]), &parts);
    let in_one = key.sign_with_rng(&mut Recorded(&[7; 32]), MESSAGE);
    assert_eq!(in_parts, in_one);
    assert_eq!(
        key.sign_with_rng(&mut Recorded(&[0; 32]), MESSAGE),
        deterministic
    );

    for signature in [deterministic, hedged, again, in_parts] {
        public.verify(MESSAGE, &signature).unwrap();
        public.multipart_verify(&parts, &signature).unwrap();
        public.verify(b"massage", &signature).unwrap_err();
        public
            .multipart_verify(&parts[1..], &signature)
            .unwrap_err();
        let bytes = signature.to_bytes();
        let bytes = AsRef::<[u8]>::as_ref(&bytes);
        assert_eq!(bytes.len(), signature.encoded_len());
        assert_eq!(S::try_from(bytes).unwrap(), signature);
        assert!(S::try_from(&bytes[1..]).is_err());
        assert_eq!(&*signature.to_vec(), bytes);
    }
}

#[test]
fn traits() {
    generic::<Signature<MlDsa44>, _>(&key::<MlDsa44>());
    generic::<Signature<MlDsa65>, _>(&key::<MlDsa65>());
    generic::<Signature<MlDsa87>, _>(&key::<MlDsa87>());
    generic::<Signature<MlDsa44>, _>(&key::<MlDsa44>().prepare());
    generic::<Signature<MlDsa65>, _>(&key::<MlDsa65>().prepare());
    generic::<Signature<MlDsa87>, _>(&key::<MlDsa87>().prepare());
}

#[test]
fn sizes() {
    fn check<P: Fips204>(public: usize, expanded: usize, signature: usize) {
        let key = key::<P>();
        assert_eq!(key.verifying_key().as_ref().len(), public);
        assert_eq!(VerifyingKey::<P>::LEN, public);
        assert_eq!(key.to_expanded_bytes().as_ref().len(), expanded);
        assert_eq!(key.try_sign(MESSAGE).unwrap().as_ref().len(), signature);
        assert_eq!(Signature::<P>::LEN, signature);
    }
    check::<MlDsa44>(1312, 2560, 2420);
    check::<MlDsa65>(1952, 4032, 3309);
    check::<MlDsa87>(2592, 4896, 4627);
    // Arrays need no check of the length.
    let _: [u8; 1952] = key::<MlDsa65>().verifying_key().to_bytes();
    let signature = key::<MlDsa65>().try_sign(MESSAGE).unwrap();
    let _: [u8; 3309] = signature.to_bytes();
    let _: [u8; 3309] = signature.into();
}

#[test]
fn a_failing_generator_is_an_error() {
    SigningKey::<MlDsa44>::try_generate(&mut Failing).unwrap_err();

    fn fails<S: Debug>(key: &(impl RandomizedSigner<S> + RandomizedMultipartSigner<S>)) {
        for error in [
            key.try_sign_with_rng(&mut Failing, MESSAGE).unwrap_err(),
            key.try_multipart_sign_with_rng(&mut Failing, &[MESSAGE])
                .unwrap_err(),
        ] {
            let source = error.source().unwrap().downcast_ref();
            assert_eq!(source, Some(&SigningError::Rng));
        }
    }
    let key = key::<MlDsa44>();
    let prepared = key.prepare();
    let bytes = key.as_expanded_bytes();
    let trusted = ExpandedSigningKey::<MlDsa44>::from_bytes_trusted(bytes).unwrap();
    fails(&key);
    fails(&prepared);
    fails(&trusted);
    fails(&key.on(Portable));
    fails(&prepared.on(Portable));
    fails(&key.with_context(b"context").unwrap());
    fails(&prepared.with_context(b"context").unwrap());

    let mu = key.verifying_key().mu(b"").unwrap().finish();
    let error = key.try_sign_mu_with_rng(&mut Failing, &mu).unwrap_err();
    assert_eq!(error, SigningError::Rng);
    let digest = PreHashed::<Sha512>::of(&[MESSAGE]);
    let error = key
        .try_sign_prehashed_with_rng(&mut Failing, &digest)
        .unwrap_err();
    assert_eq!(error, SigningError::Rng);
}

#[test]
fn into_room_that_is_there() {
    fn check<P: Fips204>() {
        let key = key::<P>();
        let mu = key.mu(b"context").unwrap().finish();
        assert!(mu == key.verifying_key().mu(b"context").unwrap().finish());
        let mut room = Signature::zero();
        key.try_sign_mu_into(&mu, &mut room).unwrap();
        assert!(room == key.try_sign_mu(&mu).unwrap());
        let rng = || ChaCha20Rng::from_seed(SEED);
        key.prepare()
            .try_sign_mu_with_rng_into(&mut rng(), &mu, &mut room)
            .unwrap();
        assert!(room == key.try_sign_mu_with_rng(&mut rng(), &mu).unwrap());
        let error = key.try_sign_mu_with_rng_into(&mut Failing, &mu, &mut room);
        assert_eq!(error, Err(SigningError::Rng));
        assert!(room == Signature::zero());
    }
    check::<MlDsa44>();
    check::<MlDsa65>();
    check::<MlDsa87>();
}

/// `dyn` generators too, as the bounds are `?Sized`.
#[test]
fn generation() {
    let rng: &mut dyn CryptoRng = &mut ChaCha20Rng::from_seed(SEED);
    let one = SigningKey::<MlDsa44>::generate(rng);
    let other = SigningKey::<MlDsa44>::generate(rng);
    assert_ne!(one.as_seed(), other.as_seed());
    assert_ne!(one.verifying_key(), other.verifying_key());
    let again = SigningKey::<MlDsa44>::from_seed(one.as_seed().unwrap());
    assert_eq!(again.verifying_key(), one.verifying_key());
    let given = SigningKey::<MlDsa44>::try_generate(&mut Recorded(&SEED)).unwrap();
    assert_eq!(given.as_seed(), Some(&SEED.into()));
    let system = SigningKey::<MlDsa44>::try_generate(&mut SysRng).unwrap();
    let signature = system.try_sign_with_rng(&mut SysRng, MESSAGE).unwrap();
    system.verifying_key().verify(MESSAGE, &signature).unwrap();
}

#[test]
fn contexts() {
    let key = key::<MlDsa44>();
    let (public, prepared) = (key.verifying_key(), key.prepare());
    let prepared_public = public.prepare();
    let long = [7; 256];
    for len in [0, 1, 254, 255] {
        let context = &long[..len];
        let signature = key
            .with_context(context)
            .unwrap()
            .try_sign(MESSAGE)
            .unwrap();
        let view = prepared.with_context(context).unwrap();
        assert_eq!(view.context(), context);
        assert_eq!(view.try_sign(MESSAGE).unwrap(), signature);
        public
            .with_context(context)
            .unwrap()
            .verify(MESSAGE, &signature)
            .unwrap();
        let view = prepared_public.with_context(context).unwrap();
        view.verify(MESSAGE, &signature).unwrap();
        // The empty context is the same as no context; every other context differs.
        assert_eq!(public.verify(MESSAGE, &signature).is_ok(), len == 0);
        let other = public.with_context(b"other").unwrap();
        other.verify(MESSAGE, &signature).unwrap_err();
    }
    assert_eq!(key.with_context(&long).unwrap_err(), ContextTooLong);
    assert_eq!(prepared.with_context(&long).unwrap_err(), ContextTooLong);
    assert_eq!(public.with_context(&long).unwrap_err(), ContextTooLong);
    assert_eq!(
        prepared_public.with_context(&long).unwrap_err(),
        ContextTooLong
    );
    assert_eq!(
        key.on(Portable).with_context(&long).unwrap_err(),
        ContextTooLong
    );
    assert_eq!(
        public.on(Portable).with_context(&long).unwrap_err(),
        ContextTooLong
    );
    assert_eq!(public.mu(&long).unwrap_err(), ContextTooLong);
    assert_eq!(prepared_public.mu(&long).unwrap_err(), ContextTooLong);
    public.mu(&long[..255]).unwrap();
    // The boundary between context and message is part of the signed data.
    let signature = key.with_context(b"ab").unwrap().try_sign(b"c").unwrap();
    public
        .with_context(b"a")
        .unwrap()
        .verify(b"bc", &signature)
        .unwrap_err();
}

/// A space can be used again for another key, and nothing of the previous key remains.
#[test]
fn spaces_are_used_again() {
    fn check<P: Fips204>() {
        let mut space = Box::new(PreparedSigningKeySpace::<P>::new());
        let mut verifying = Box::new(PreparedVerifyingKeySpace::<P>::new());
        let mut signing = Box::new(SigningKeySpace::<P>::new());
        for seed in [[1; 32], [2; 32], [1; 32]] {
            let key = SigningKey::<P>::from_seed(&seed.into());
            let expected = key.try_sign(MESSAGE).unwrap();
            assert!(signing.key().is_none());
            let same = SigningKeyIn::from_seed_in(&mut *signing, &seed.into());
            assert_eq!(same.try_sign(MESSAGE).unwrap(), expected);
            assert_eq!(same.as_seed(), key.as_seed());
            drop(same);
            let sk = key.as_expanded_bytes().as_ref();
            let same = SigningKeyIn::from_expanded_bytes_in(&mut *signing, sk).unwrap();
            assert_eq!(same.verifying_key(), key.verifying_key());
            assert_eq!(same.as_seed(), None);
            drop(same);
            SigningKeyIn::from_expanded_bytes_in(&mut *signing, &sk[1..]).unwrap_err();
            assert!(signing.key().is_none());
            assert_eq!(signing.set_seed(&seed), key.verifying_key());
            assert_eq!(signing.key().unwrap().try_sign(MESSAGE).unwrap(), expected);
            drop(SigningKeyIn::from_seed_in(&mut *signing, &seed.into()));
            assert_eq!(key.clone().as_seed(), key.as_seed());
            assert!(key.clone().as_expanded_bytes() == key.as_expanded_bytes());
            let prepared = key.prepare_in(&mut space);
            assert_eq!(prepared.verifying_key(), key.verifying_key());
            assert_eq!(prepared.try_sign(MESSAGE).unwrap(), expected);
            let prepared = key.verifying_key().prepare_in(&mut verifying);
            prepared.verify(MESSAGE, &expected).unwrap();
            prepared.verify(b"massage", &expected).unwrap_err();
        }
    }
    check::<MlDsa44>();
    check::<MlDsa65>();
    check::<MlDsa87>();
}

/// `Debug` of a private key shows no secret, in hex or in numbers.
#[test]
fn debug_shows_no_secret() {
    let key = key::<MlDsa44>();
    let sk = key.as_expanded_bytes();
    let prepared = key.prepare();
    let trusted = ExpandedSigningKey::<MlDsa44>::from_bytes_trusted(sk).unwrap();
    let context = key.with_context(b"context").unwrap();
    let on = key.on(Portable);
    let things: [&dyn Debug; 7] = [
        &key,
        &prepared,
        &trusted,
        &context,
        &on,
        &prepared.with_context(b"").unwrap(),
        &MuBuilder::clone(&key.verifying_key().mu(b"").unwrap()),
    ];
    // The seed, K, and four bytes from anywhere in s₁, s₂, t₀.
    let secrets: Vec<&[u8]> = [&SEED[..4], &sk[32..36]]
        .into_iter()
        .chain(sk[128..].windows(4))
        .collect();
    for thing in things {
        let text = format!("{thing:?}");
        for secret in &secrets {
            assert!(!text.contains(&hex::encode(secret)), "{text}");
            let numbers = format!("{secret:?}");
            assert!(!text.contains(numbers.trim_matches(['[', ']'])), "{text}");
        }
    }
    assert!(format!("{key:?}").starts_with("SigningKey { verifying_key: VerifyingKey<ML-DSA-44>("));
}

#[test]
fn threads() {
    fn check<T: Send + Sync>() {}
    check::<SigningKey<MlDsa65>>();
    check::<ExpandedSigningKey<MlDsa65>>();
    check::<PreparedSigningKey<MlDsa65>>();
    check::<PreparedSigningKeySpace<MlDsa65>>();
    check::<VerifyingKey<MlDsa65>>();
    check::<PreparedVerifyingKey<MlDsa65>>();
    check::<PreparedVerifyingKeySpace<MlDsa65>>();
    check::<Signature<MlDsa65>>();
    check::<WithContext<'_, SigningKey<MlDsa65>>>();
    check::<Mu>();
    check::<MuBuilder>();
    check::<SigningError>();

    let prepared = key::<MlDsa44>().prepare();
    let expected = prepared.try_sign(MESSAGE).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(prepared.try_sign(MESSAGE).unwrap(), expected));
        }
    });
}

#[test]
fn errors_say_what_is_wrong() {
    let (expected, actual) = (1312, 7);
    let errors: [(&dyn std::error::Error, &str); 12] = [
        (&ContextTooLong, "the context is longer than 255 bytes"),
        (
            &InvalidKey::Length { expected, actual },
            "the key has 7 bytes instead of 1312",
        ),
        (
            &InvalidKey::SecretOutOfRange,
            "a secret coefficient of the key is out of range",
        ),
        (
            &InvalidKey::T0Mismatch,
            "t0 of the key does not belong to its s1 and s2",
        ),
        (
            &InvalidKey::TrMismatch,
            "tr of the key is not the hash of its public key",
        ),
        (
            &InvalidKey::SeedMismatch,
            "the seed does not give the expanded key beside it",
        ),
        (&SigningError::Rng, "the random number generator failed"),
        (
            &SigningError::AttemptsExhausted,
            "no signing attempt succeeded; the machine may be faulty",
        ),
        (
            &SigningError::Fault,
            "the new signature is not valid; the machine may be faulty",
        ),
        (
            &stream::SignError::<SigningError>::Fault,
            "a part of the signature was different when it was made again, and what was written \
             is void; the machine may be faulty",
        ),
        (
            &InvalidSignatureLength { expected, actual },
            "the signature has 7 bytes instead of 1312",
        ),
        (
            &InvalidDigestLength { expected, actual },
            "the digest has 7 bytes instead of 1312",
        ),
    ];
    for (error, text) in errors {
        assert_eq!(error.to_string(), text);
    }
}

/// Verification reports one error for all reasons.
#[test]
fn verification_tells_nothing() {
    let key = key::<MlDsa44>();
    let public = key.verifying_key();
    let good = key.try_sign(MESSAGE).unwrap().to_bytes();
    // c̃, z, the positions and the counters of the hint.
    for at in [0, 31, 32, 2335, 2336, 2415, 2416, 2419] {
        for with in [1, 0x80, 0xff] {
            let mut bytes = good;
            bytes[at] ^= with;
            let signature = Signature::from_bytes(&bytes).unwrap();
            let error = public.verify(MESSAGE, &signature).unwrap_err();
            assert!(error.source().is_none(), "byte {at}");
            public.prepare().verify(MESSAGE, &signature).unwrap_err();
        }
    }
    for byte in [0, 0xff] {
        let signature = Signature::from_bytes(&[byte; 2420]).unwrap();
        public.verify(MESSAGE, &signature).unwrap_err();
    }
}
