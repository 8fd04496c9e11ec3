//! Keys and signatures from bytes: the checks, and the stored values.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use moissanite::{
    Fips204, InvalidKey, InvalidSignatureLength, MlDsa44, MlDsa65, MlDsa87, Signature, SigningKey,
    VerifyingKey, prelude::*,
};

const MESSAGE: &[u8] = b"message";

fn key<P: Fips204>() -> SigningKey<P> {
    SigningKey::from_seed(&[42; 32].into())
}

/// No key keeps the seed of another.
#[test]
fn no_stale_seed() {
    let mut key = key::<MlDsa44>();
    let other = SigningKey::<MlDsa44>::from_seed(&[1; 32].into());
    let other = SigningKey::<MlDsa44>::from_expanded_bytes(other.as_expanded_bytes()).unwrap();
    assert!(other.as_seed().is_none());
    assert_eq!(other.as_seed(), None);
    key.clone_from(&other);
    assert!(key.as_seed().is_none());
    assert_eq!(key.verifying_key(), other.verifying_key());
    assert_eq!(
        key.try_sign(MESSAGE).unwrap(),
        other.try_sign(MESSAGE).unwrap()
    );
}

/// Every part of an expanded key is checked, in every set.
#[test]
fn expanded_keys() {
    fn check<P: Fips204>(s1_at: usize, s2_at: usize, t0_at: usize) {
        let key = key::<P>();
        let good = key.as_expanded_bytes().as_ref();
        let read = SigningKey::<P>::from_expanded_bytes(good).unwrap();
        assert_eq!(read.verifying_key(), key.verifying_key());
        assert_eq!(
            read.try_sign(MESSAGE).unwrap(),
            key.try_sign(MESSAGE).unwrap()
        );
        let error = |at: usize, change: fn(u8) -> u8| {
            let mut bytes = good.to_vec();
            bytes[at] = change(bytes[at]);
            SigningKey::<P>::from_expanded_bytes(&bytes).unwrap_err()
        };
        let last = good.len() - 1;
        assert_eq!(error(0, |byte| byte ^ 1), InvalidKey::T0Mismatch, "ρ");
        assert_eq!(error(64, |byte| byte ^ 1), InvalidKey::TrMismatch, "tr");
        assert_eq!(error(127, |byte| byte ^ 128), InvalidKey::TrMismatch, "tr");
        for at in [s1_at, s2_at - 1, s2_at, t0_at - 1] {
            assert_eq!(
                error(at, |_| 0xff),
                InvalidKey::SecretOutOfRange,
                "byte {at}"
            );
        }
        for at in [t0_at, last] {
            assert_eq!(error(at, |byte| byte ^ 128), InvalidKey::T0Mismatch, "t₀");
        }
        for len in [0, 32, last, last + 2] {
            let mut bytes = good.to_vec();
            bytes.resize(len, 0);
            let error = SigningKey::<P>::from_expanded_bytes(&bytes).unwrap_err();
            let (expected, actual) = (good.len(), len);
            assert_eq!(error, InvalidKey::Length { expected, actual });
        }
    }
    // 32 bytes for each bit of η, 3 or 4 of them, and each polynomial.
    check::<MlDsa44>(128, 128 + 4 * 96, 128 + 8 * 96);
    check::<MlDsa65>(128, 128 + 5 * 128, 128 + 11 * 128);
    check::<MlDsa87>(128, 128 + 7 * 96, 128 + 15 * 96);

    // Secrets of another key that are in range give another t₀.
    let mut bytes = key::<MlDsa65>().to_expanded_bytes();
    bytes[128] = if bytes[128] & 15 == 0 {
        bytes[128] + 1
    } else {
        bytes[128] - 1
    };
    let error = SigningKey::<MlDsa65>::from_expanded_bytes(&bytes).unwrap_err();
    assert_eq!(error, InvalidKey::T0Mismatch);
}

#[test]
fn wrong_lengths() {
    for len in [0, 1311, 1313, 1952] {
        let error = VerifyingKey::<MlDsa44>::from_bytes(&vec![0; len]).unwrap_err();
        let expected = 1312;
        assert_eq!(
            error,
            InvalidKey::Length {
                expected,
                actual: len
            }
        );
        VerifyingKey::<MlDsa44>::try_from(&vec![0; len][..]).unwrap_err();
    }
    for len in [0, 2419, 2421, 3309] {
        let error = Signature::<MlDsa44>::from_bytes(&vec![0; len]).unwrap_err();
        let expected = 2420;
        assert_eq!(
            error,
            InvalidSignatureLength {
                expected,
                actual: len
            }
        );
        Signature::<MlDsa44>::try_from(&vec![0; len][..]).unwrap_err();
    }
}
