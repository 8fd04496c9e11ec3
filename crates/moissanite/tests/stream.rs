//! Keys, messages and signatures in pieces: failures of sources and sinks, and hostile input.
//! `acvp` and `wycheproof` also test that the bytes are those of the other keys.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use moissanite::{
    Fips204, InvalidKey, MlDsa44, MlDsa65, MlDsa87, SigningError, SigningKey,
    prelude::*,
    stream::{self, CachedMatrix, SignError, Source, VerifyError, ZCache},
};
use moissanite_kats::{Failing, Recorded};

macro_rules! on_every_set {
    ($($test:ident)*) => { $(#[test] fn $test() {
        for_set::$test::<MlDsa44>();
        for_set::$test::<MlDsa65>();
        for_set::$test::<MlDsa87>();
    })* };
}
on_every_set! {
    every_cache_gives_the_same
    a_sink_may_fail_at_any_piece
    a_source_may_fail_at_any_piece
    a_signature_is_refused_as_elsewhere
    a_key_is_refused_as_elsewhere
}

const SEED: [u8; 32] = [9; 32];

/// Takes a given number of pieces, and then fails.
fn sink<'a>(
    to: &'a mut Vec<u8>,
    mut pieces: usize,
) -> impl FnMut(&[u8]) -> Result<(), &'static str> + 'a {
    move |piece| {
        assert!(piece.len() <= 84);
        pieces = pieces.checked_sub(1).ok_or("full")?;
        to.extend_from_slice(piece);
        Ok(())
    }
}

/// Returns a given number of pieces, and then fails; counts the pieces.
fn source<'a>(
    bytes: &'a [u8],
    left: &'a std::cell::Cell<usize>,
) -> impl Source<Error = &'static str> + Clone + 'a {
    move |offset: usize, piece: &mut [u8]| {
        assert!(piece.len() <= 84);
        left.set(left.get().checked_sub(1).ok_or("torn off")?);
        piece.copy_from_slice(&bytes[offset..offset + piece.len()]);
        Ok(())
    }
}

fn verify<P: Fips204>(pk: &[u8], message: &[u8], signature: &[u8]) -> Result<(), VerifyError> {
    let mut key = stream::VerifyingKey::<P, _>::from_bytes(pk).unwrap();
    let mut verifier = key.verifier(b"context")?;
    verifier.update(message);
    verifier.verify(signature)
}

/// The signature is valid only with the right context.
fn verifies<P: Fips204, R: ZCache<P>>(
    mut key: stream::VerifyingKey<'_, P, &[u8], R>,
    message: &[u8],
    signature: &[u8],
) {
    let mut verifier = key.verifier(b"context").unwrap();
    for piece in message.chunks(33) {
        verifier.update(piece);
    }
    assert_eq!(verifier.verify(signature), Ok(()));
    let mut verifier = key.verifier(b"another").unwrap();
    verifier.update(message);
    assert_eq!(verifier.verify(signature), Err(VerifyError::Invalid));
}

mod for_set {
    use super::*;
    use std::cell::Cell;

    pub(super) fn every_cache_gives_the_same<P: Fips204>() {
        let whole = SigningKey::<P>::from_seed(&SEED.into());
        let pk = whole.verifying_key().as_ref();
        let message = [7; 1000];
        let expected = whole.with_context(b"context").unwrap();
        let expected = expected
            .try_sign_with_rng(&mut Recorded(&[5; 32]), &message)
            .unwrap();

        let (mut one, mut some, mut all) = (
            CachedMatrix::<1>::new(),
            CachedMatrix::<17>::new(),
            CachedMatrix::<60>::new(),
        );
        let (mut three, mut too_many) = (
            [(); 3].map(|()| stream::MatrixEntry::new()),
            [(); 60].map(|()| stream::MatrixEntry::default()),
        );
        let new = || {
            stream::SigningKey::<P, _>::from_seed_in(Box::<stream::Seeds>::default(), &SEED.into())
        };
        for key in [
            new(),
            new().keep_in(&mut three),
            new().keep_in(&mut too_many),
            new().keep_in(&mut []),
            new().keep(&mut one),
            new().keep(&mut some),
            new().keep(&mut all),
        ] {
            let mut mu = key.mu(b"context").unwrap();
            for piece in message.chunks(33) {
                mu.update(piece);
            }
            let mut signature = Vec::new();
            key.try_sign_mu_with_rng_to(
                &mut Recorded(&[5; 32]),
                &mu.finish(),
                sink(&mut signature, usize::MAX),
            )
            .unwrap();
            assert!(signature == expected.as_ref());
            let mut same = Vec::new();
            key.write_public_key(sink(&mut same, usize::MAX)).unwrap();
            assert!(same == pk);
        }

        let new = || stream::VerifyingKey::<P, _>::from_bytes(pk).unwrap();
        for key in [
            new(),
            new().keep_in(&mut three),
            new().keep_in(&mut too_many),
            new().keep(&mut one),
            new().keep(&mut some),
            new().keep(&mut all),
        ] {
            verifies(key.clone().cache_z(), &message, expected.as_ref());
            verifies(key, &message, expected.as_ref());
        }
        assert_eq!(
            new().verifier(&[0; 256]).map(|_| ()).unwrap_err(),
            VerifyError::ContextTooLong
        );
    }

    pub(super) fn a_sink_may_fail_at_any_piece<P: Fips204>() {
        let key =
            stream::SigningKey::<P, _>::from_seed_in(Box::<stream::Seeds>::default(), &SEED.into());
        let mut kept = CachedMatrix::<56>::new();
        let key = key.keep(&mut kept);
        let mu = key.mu(b"").unwrap().finish();
        let mut whole = Vec::new();
        key.try_sign_mu_to(&mu, sink(&mut whole, usize::MAX))
            .unwrap();
        for pieces in [0, 1, 2, 50, 100] {
            let mut part = Vec::new();
            let failure = key.try_sign_mu_to(&mu, sink(&mut part, pieces));
            assert_eq!(failure, Err(SignError::Sink("full")));
            assert!(part.len() < whole.len() && whole.starts_with(&part));
            let mut part = Vec::new();
            let failure = key.write_public_key(sink(&mut part, pieces));
            assert_eq!(failure, Err("full"));
        }
        // Without randomness nothing is written.
        let mut nothing = Vec::new();
        let failure =
            key.try_sign_mu_with_rng_to(&mut Failing, &mu, sink(&mut nothing, usize::MAX));
        assert_eq!(failure, Err(SignError::Signing(SigningError::Rng)));
        assert!(nothing.is_empty());
    }

    pub(super) fn a_source_may_fail_at_any_piece<P: Fips204>() {
        let whole = SigningKey::<P>::from_seed(&SEED.into());
        let signature = whole.try_sign(b"message").unwrap();
        let left = Cell::new(usize::MAX);
        let verify = |pieces: usize| -> Result<(), VerifyError> {
            left.set(pieces);
            let key = source(whole.verifying_key().as_ref(), &left);
            let key = stream::VerifyingKey::<P, _>::from_source(key);
            let mut key = key.map_err(|_| VerifyError::Read)?;
            let mut verifier = key.verifier(b"")?;
            verifier.update(b"message");
            verifier.verify_source(source(signature.as_ref(), &left))
        };
        assert_eq!(verify(usize::MAX), Ok(()));
        let all = usize::MAX - left.get();
        assert_eq!(verify(all), Ok(()));
        let early = (0..200).chain((200..all).step_by(997)).chain([all - 1]);
        for pieces in early {
            assert_eq!(verify(pieces), Err(VerifyError::Read), "{pieces} of {all}");
        }
    }

    pub(super) fn a_signature_is_refused_as_elsewhere<P: Fips204>() {
        let whole = SigningKey::<P>::from_seed(&SEED.into());
        let pk = whole.verifying_key().as_ref();
        let view = whole.with_context(b"context").unwrap();
        let signature = view.try_sign(b"message").unwrap();
        let signature: &[u8] = signature.as_ref();
        assert_eq!(verify::<P>(pk, b"message", signature), Ok(()));
        let refused = |signature: &[u8], why: &str| {
            let verdict = verify::<P>(pk, b"message", signature);
            assert_eq!(verdict, Err(VerifyError::Invalid), "{why}");
        };
        let len = signature.len();
        refused(&[], "empty");
        refused(&signature[..len - 1], "short");
        refused(&[signature, &[0]].concat(), "long");
        for byte in [0, 0xff, 0x55] {
            refused(&vec![byte; len], "all the same");
        }
        // All bytes of h, and some of c̃ and z.
        for at in (0..len - 90).step_by(307).chain(len - 90..len) {
            for bit in [0, 7] {
                let mut changed = signature.to_vec();
                changed[at] ^= 1 << bit;
                refused(&changed, &format!("bit {bit} of byte {at}"));
            }
        }
    }

    pub(super) fn a_key_is_refused_as_elsewhere<P: Fips204>() {
        let whole = SigningKey::<P>::from_seed(&SEED.into());
        let pk = whole.verifying_key().as_ref();
        let sk: &[u8] = whole.as_expanded_bytes().as_ref();
        let refusal = |sk: &[u8]| stream::SigningKey::<P, _>::from_expanded_bytes(sk).err();
        assert_eq!(refusal(sk), None);
        for at in [
            0,
            31,
            64,
            127,
            128,
            200,
            128 + 900,
            sk.len() - 500,
            sk.len() - 1,
        ] {
            for mask in [1, 0x80, 0xff] {
                let mut changed = sk.to_vec();
                changed[at] ^= mask;
                let expected = SigningKey::<P>::from_expanded_bytes(&changed).err();
                assert!(expected.is_some(), "byte {at}");
                assert_eq!(refusal(&changed), expected, "byte {at}");
            }
        }
        for (bytes, of) in [(sk, sk.len()), (pk, pk.len())] {
            for length in [0, 1, 128, of - 1] {
                let wrong = InvalidKey::Length {
                    expected: of,
                    actual: length,
                };
                let error = if of == sk.len() {
                    refusal(&bytes[..length])
                } else {
                    stream::VerifyingKey::<P, _>::from_bytes(&bytes[..length]).err()
                };
                assert_eq!(error, Some(wrong));
            }
        }
        let longer = [sk, &[0]].concat();
        let (expected, actual) = (sk.len(), longer.len());
        assert_eq!(
            refusal(&longer),
            Some(InvalidKey::Length { expected, actual })
        );
        let longer = [pk, &[0]].concat();
        let (expected, actual) = (pk.len(), longer.len());
        let error = stream::VerifyingKey::<P, _>::from_bytes(&longer).err();
        assert_eq!(error, Some(InvalidKey::Length { expected, actual }));
    }
}
