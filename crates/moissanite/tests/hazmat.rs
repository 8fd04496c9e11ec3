//! The functions of the feature `hazmat`: the internal algorithms, μ from bytes, and trusted
//! import; and `fault-checks` with an inconsistent key.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::backends::on_every_backend;
use moissanite::backend::{Backend, Portable, WithBackend};
use moissanite::{
    ExpandedSigningKey, Fips204, InvalidKey, MlDsa44, MlDsa65, MlDsa87, Mu, SigningError,
    SigningKey, prelude::*,
};
use moissanite_kats::Recorded;

const MESSAGE: &[u8] = b"message";

fn key<P: Fips204>() -> SigningKey<P> {
    SigningKey::from_seed(&[42; 32].into())
}

/// The public methods sign the M' of Algorithm 2, which this test frames itself.
fn internal<P: Fips204>() {
    let key = key::<P>();
    let (public, rnd) = (key.verifying_key(), [7; 32]);
    let context = b"context";
    let frame: [&[u8]; 3] = [&[0, 7], context, MESSAGE];
    let view = key.with_context(context).unwrap();
    let signature = view
        .try_sign_with_rng(&mut Recorded(&rnd), MESSAGE)
        .unwrap();
    assert_eq!(key.sign_internal(&frame, &rnd).unwrap(), signature);
    let one: [&[u8]; 1] = [&frame.concat()];
    assert_eq!(key.sign_internal(&one, &rnd).unwrap(), signature);
    assert_eq!(
        key.prepare().sign_internal(&frame, &rnd).unwrap(),
        signature
    );
    public.verify_internal(&frame, &signature).unwrap();
    public
        .prepare()
        .verify_internal(&frame, &signature)
        .unwrap();
    public.verify_internal(&frame[1..], &signature).unwrap_err();

    let mut mu = public.mu(context).unwrap();
    mu.update(MESSAGE);
    let mu = Mu::from_bytes(*mu.finish().as_bytes());
    assert_eq!(key.sign_mu_internal(&mu, &rnd).unwrap(), signature);
    assert_eq!(
        key.try_sign_mu_with_rng(&mut Recorded(&rnd), &mu).unwrap(),
        signature
    );
    let deterministic = key.sign_mu_internal(&mu, &[0; 32]).unwrap();
    assert_eq!(deterministic, key.try_sign_mu(&mu).unwrap());
    assert_eq!(deterministic, view.try_sign(MESSAGE).unwrap());
    let mut other = *mu.as_bytes();
    other[63] ^= 1;
    public
        .verify_mu(&Mu::from_bytes(other), &signature)
        .unwrap_err();
}

#[test]
fn internal_algorithms() {
    internal::<MlDsa44>();
    internal::<MlDsa65>();
    internal::<MlDsa87>();
}

#[derive(Clone)]
struct SameBytes;
impl WithBackend for SameBytes {
    type Output = ();
    fn call<B: Backend>(self, backend: B) {
        fn check<P: Fips204, B: Backend>(backend: B) {
            let key = key::<P>();
            let public = key.verifying_key();
            let same = SigningKey::<P>::from_seed_on(backend, &[42; 32].into());
            assert_eq!(
                same.as_expanded_bytes().as_ref(),
                key.as_expanded_bytes().as_ref()
            );
            let expected = key.try_sign(MESSAGE).unwrap();
            assert_eq!(key.on(backend).try_sign(MESSAGE).unwrap(), expected);
            assert_eq!(
                key.prepare().on(backend).try_sign(MESSAGE).unwrap(),
                expected
            );
            public.on(backend).verify(MESSAGE, &expected).unwrap();
            public
                .prepare()
                .on(backend)
                .verify(MESSAGE, &expected)
                .unwrap();
            public
                .on(backend)
                .verify(b"massage", &expected)
                .unwrap_err();
            assert_eq!(
                format!("{:?}", key.on(backend)),
                format!("SigningKeyOn({})", B::NAME)
            );
            assert_eq!(
                format!("{:?}", public.on(backend)),
                format!("VerifyingKeyOn({})", B::NAME)
            );
        }
        check::<MlDsa44, B>(backend);
        check::<MlDsa65, B>(backend);
        check::<MlDsa87, B>(backend);
    }
}

#[test]
fn every_backend_gives_the_same_bytes() {
    on_every_backend(&SameBytes);
}

fn trusted<P: Fips204>() {
    let key = key::<P>();
    let bytes = key.as_expanded_bytes().as_ref();
    let trusted = ExpandedSigningKey::<P>::from_bytes_trusted(bytes).unwrap();
    let expected = key.try_sign(MESSAGE).unwrap();
    assert_eq!(trusted.try_sign(MESSAGE).unwrap(), expected);
    assert_eq!(trusted.on(Portable).try_sign(MESSAGE).unwrap(), expected);
    assert_eq!(&trusted.to_verifying_key().unwrap(), key.verifying_key());

    // Lengths and ranges are checked even so.
    let refused = |bytes: &[u8]| ExpandedSigningKey::<P>::from_bytes_trusted(bytes).unwrap_err();
    let (expected, actual) = (bytes.len(), bytes.len() - 1);
    assert_eq!(
        refused(&bytes[1..]),
        InvalidKey::Length { expected, actual }
    );
    let mut other = bytes.to_vec();
    other[130] = 0xff;
    assert_eq!(refused(&other), InvalidKey::SecretOutOfRange);
}

#[test]
fn trusted_import() {
    trusted::<MlDsa44>();
    trusted::<MlDsa65>();
    trusted::<MlDsa87>();
}

/// The trusted import accepts a key with a wrong tr or t₀. With `fault-checks`, signing with it
/// fails.
#[test]
fn a_key_that_is_not_sound() {
    let key = key::<MlDsa65>();
    for (at, why) in [(64, InvalidKey::TrMismatch), (4031, InvalidKey::T0Mismatch)] {
        let mut bytes = key.to_expanded_bytes();
        bytes[at] ^= 0x80;
        assert_eq!(
            SigningKey::<MlDsa65>::from_expanded_bytes(&bytes).unwrap_err(),
            why
        );
        let trusted = ExpandedSigningKey::<MlDsa65>::from_bytes_trusted(&bytes).unwrap();
        assert_eq!(trusted.to_verifying_key().unwrap_err(), why);
        let mu = key.verifying_key().mu(b"").unwrap().finish();
        let signed = trusted.try_sign_mu(&mu);
        if cfg!(feature = "fault-checks") {
            assert_eq!(signed.unwrap_err(), SigningError::Fault);
        } else {
            signed.unwrap();
        }
    }
}
