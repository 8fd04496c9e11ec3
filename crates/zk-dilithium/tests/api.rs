//! The public API: the traits, the errors, and the input that is refused.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

use std::error::Error as _;

use moissanite_kats::{Failing, Failure};
use moissanite_zk_dilithium::backend::{self, Backend, WithBackend};
use moissanite_zk_dilithium::signature::{self, Keypair};
use moissanite_zk_dilithium::{
    InvalidKey, InvalidSignatureLength, PRIVATE_KEY_LEN, PUBLIC_KEY_LEN, PreparedSigningKeySpace,
    PreparedVerifyingKeySpace, SIGNATURE_LEN, Signature, SigningError, SigningKey, SysRng,
    VerifyingKey, prelude::*,
};

fn key() -> SigningKey {
    SigningKey::from_seed(&[3; 32].into())
}

#[test]
fn from_the_operating_system() {
    let key = SigningKey::try_generate(&mut SysRng).unwrap();
    let signature = key.try_sign(b"message").unwrap();
    key.verifying_key().verify(b"message", &signature).unwrap();
    let other = SigningKey::try_generate(&mut SysRng).unwrap();
    assert_ne!(key.verifying_key(), other.verifying_key());
    let seed = key.as_seed().unwrap();
    assert_eq!(SigningKey::from_seed(seed).as_bytes(), key.as_bytes());
}

/// A generator that fails gives an error.
#[test]
fn a_failing_generator() {
    assert_eq!(SigningKey::try_generate(&mut Failing).err(), Some(Failure));
}

/// What takes a message in pieces, after it has taken these.
macro_rules! of_pieces {
    ($taking:expr, $pieces:expr) => {{
        let mut taking = $taking;
        for piece in $pieces {
            taking.update(piece);
        }
        taking
    }};
}

/// Every kind of key, by every trait, and in pieces.
#[test]
fn kinds_of_keys() {
    let key = key();
    let public: &VerifyingKey = key.verifying_key();
    assert_eq!(Keypair::verifying_key(&key), *public);
    let (mut space, mut public_space) = (
        PreparedSigningKeySpace::new(),
        PreparedVerifyingKeySpace::new(),
    );
    let (prepared, borrowed) = (key.prepare(), key.prepare_in(&mut space));
    assert_eq!(Keypair::verifying_key(&prepared), *public);
    let signature: Signature = key.sign(b"a message");
    assert_eq!(prepared.sign(b"a message"), signature);
    assert_eq!(borrowed.sign(b"a message"), signature);
    let pieces: [&[u8]; 4] = [b"a", b" mess", b"", b"age"];
    assert_eq!(key.multipart_sign(&pieces), signature);
    assert_eq!(prepared.multipart_sign(&pieces), signature);
    for made in [
        of_pieces!(key.signer(), pieces).try_sign(),
        of_pieces!(prepared.signer(), pieces).try_sign(),
        of_pieces!(borrowed.signer(), pieces).try_sign(),
    ] {
        assert_eq!(made.unwrap(), signature);
    }

    let public_prepared = public.prepare();
    let public_borrowed = public.prepare_in(&mut public_space);
    public.verify(b"a message", &signature).unwrap();
    public.multipart_verify(&pieces, &signature).unwrap();
    public_prepared.verify(b"a message", &signature).unwrap();
    public_prepared
        .multipart_verify(&pieces, &signature)
        .unwrap();
    public_borrowed.verify(b"a message", &signature).unwrap();
    for (signature, valid) in [(&signature, true), (&key.sign(b"another"), false)] {
        for verdict in [
            of_pieces!(public.verifier(), pieces).verify(signature),
            of_pieces!(public_prepared.verifier(), pieces).verify(signature),
            of_pieces!(public_borrowed.verifier(), pieces).verify(signature),
        ] {
            assert_eq!(verdict.is_ok(), valid);
        }
    }
    assert!(public.verify(b"a messagf", &signature).is_err());
    assert!(public_prepared.verify(b"a messagf", &signature).is_err());

    let bytes: [u8; SIGNATURE_LEN] = signature.clone().into();
    assert_eq!(Signature::try_from(&bytes[..]).unwrap(), signature);
    assert_eq!(SignatureEncoding::to_bytes(&signature), bytes);
}

/// The same on each backend of this CPU, which the test names explicitly.
#[test]
fn backends() {
    struct Signs;
    impl WithBackend for Signs {
        type Output = (SigningKey, Signature);
        fn call<B: Backend>(self, backend: B) -> Self::Output {
            let key = SigningKey::from_seed_on(backend, &[3; 32].into());
            let signature = key.on(backend).try_sign(b"message").unwrap();
            let (prepared, public) = (key.prepare(), key.verifying_key());
            assert_eq!(
                prepared.on(backend).try_sign(b"message").unwrap(),
                signature
            );
            public.on(backend).verify(b"message", &signature).unwrap();
            public
                .prepare()
                .on(backend)
                .verify(b"message", &signature)
                .unwrap();
            let (signer, verifier) = (prepared.on(backend), public.on(backend));
            for at in 0..=7 {
                let (first, rest) = b"message".split_at(at);
                let pieces = [first, b"", rest];
                let made = of_pieces!(signer.signer(), pieces).try_sign();
                assert_eq!(made.unwrap(), signature);
                let verifier = of_pieces!(verifier.verifier(), pieces);
                verifier.verify(&signature).unwrap();
            }
            assert_eq!(
                format!("{:?}", key.on(backend)),
                format!("SigningKeyOn({})", B::NAME)
            );
            (key, signature)
        }
    }
    for name in backend::available() {
        let (same, signature) = backend::dispatch_to(name, Signs).unwrap();
        assert_eq!(same.as_bytes(), key().as_bytes());
        assert_eq!(signature, key().sign(b"message"));
    }
}

#[test]
fn lengths() {
    let (key, long) = (key(), [0; PRIVATE_KEY_LEN + 1]);
    for len in [0, 1, PUBLIC_KEY_LEN - 1, PUBLIC_KEY_LEN + 1] {
        let expected = PUBLIC_KEY_LEN;
        let error = InvalidKey::Length {
            expected,
            actual: len,
        };
        assert_eq!(VerifyingKey::from_bytes(&long[..len]), Err(error));
    }
    for len in [0, 32, PRIVATE_KEY_LEN - 1, PRIVATE_KEY_LEN + 1] {
        let expected = PRIVATE_KEY_LEN;
        let error = InvalidKey::Length {
            expected,
            actual: len,
        };
        assert_eq!(SigningKey::from_bytes(&long[..len]).err(), Some(error));
        assert!(error.to_string().contains("3936"));
    }
    for actual in [0, SIGNATURE_LEN - 1, SIGNATURE_LEN + 1] {
        let error = InvalidSignatureLength { actual };
        assert_eq!(Signature::from_bytes(&long[..actual]), Err(error));
        assert!(error.to_string().contains("2340"));
    }
    assert_eq!(
        VerifyingKey::from_bytes(key.verifying_key().as_ref()).unwrap(),
        *key.verifying_key()
    );
}

/// A private key is what its seed gave, in all that signing and verification use.
#[test]
fn private_keys() {
    let key = key();
    let bytes = key.to_bytes();
    let same = SigningKey::from_bytes(&bytes).unwrap();
    assert_eq!(same.verifying_key(), key.verifying_key());
    assert_eq!(same.as_seed(), None);
    assert_eq!(key.as_seed(), Some(&[3; 32].into()));
    assert_eq!(same.sign(b"message"), key.sign(b"message"));

    let changed = |at: usize, byte: u8| {
        let mut bytes = bytes;
        bytes[at] ^= byte;
        SigningKey::from_bytes(&bytes).err()
    };
    // ρ, K, tr, s₁ and s₂, t.
    assert_eq!(changed(0, 1), Some(InvalidKey::TMismatch));
    assert_eq!(changed(32, 1), None);
    assert_eq!(changed(64, 1), Some(InvalidKey::TrMismatch));
    assert_eq!(changed(95, 128), Some(InvalidKey::TrMismatch));
    assert_eq!(changed(864, 1), Some(InvalidKey::TMismatch));
    assert_eq!(changed(PRIVATE_KEY_LEN - 1, 1), Some(InvalidKey::TMismatch));
    // Codes 5, 6 and 7 are no coefficients.
    for at in [96, 96 + 383, 96 + 384, 863] {
        let mut bytes = bytes;
        bytes[at] |= 0xe0;
        bytes[at - 1] |= 0x80;
        assert_eq!(
            SigningKey::from_bytes(&bytes).err(),
            Some(InvalidKey::SecretOutOfRange)
        );
    }
}

/// t + q stands for t to the references. Here it is no key.
#[test]
fn public_keys() {
    let key = key();
    let mut bytes = key.verifying_key().to_bytes();
    let mut refused = 0;
    for at in (32..PUBLIC_KEY_LEN).step_by(3) {
        let t = u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], 0]);
        if let [b0, b1, b2, 0] = (t + 7_340_033).to_le_bytes() {
            let original = bytes;
            bytes[at..at + 3].copy_from_slice(&[b0, b1, b2]);
            assert_eq!(
                VerifyingKey::from_bytes(&bytes),
                Err(InvalidKey::TOutOfRange)
            );
            bytes = original;
            refused += 1;
        }
    }
    assert_eq!(refused, 1024);
    assert!(VerifyingKey::from_bytes(&bytes).is_ok());
}

#[test]
fn errors_and_debug() {
    let error = signature::Error::from(SigningError::AttemptsExhausted);
    assert!(error.source().unwrap().to_string().contains("attempt"));
    for (error, words) in [
        (InvalidKey::TOutOfRange, "less than q"),
        (InvalidKey::SecretOutOfRange, "out of range"),
        (InvalidKey::TMismatch, "belong"),
        (InvalidKey::TrMismatch, "hash"),
    ] {
        assert!(error.to_string().contains(words));
    }
    // Only public values are shown.
    let key = key();
    let public = format!("{:?}", key.verifying_key());
    let seed = format!("{:?}", [3_u8; 32]);
    for shown in [format!("{key:?}"), format!("{:?}", key.prepare())] {
        assert!(shown.contains(&public) && !shown.contains(&seed), "{shown}");
    }
    assert!(format!("{:?}", key.sign(b"message")).starts_with("Signature("));
}

#[test]
fn types_cross_threads() {
    fn sent<T: Send + Sync + 'static>() {}
    sent::<SigningKey>();
    sent::<VerifyingKey>();
    sent::<Signature>();
    sent::<moissanite_zk_dilithium::PreparedSigningKey>();
    sent::<moissanite_zk_dilithium::PreparedVerifyingKey>();
    sent::<moissanite_zk_dilithium::poseidon::Sponge>();
}
