//! The path for microcontrollers gives what the fast one gives, at every size of kept Â.

use std::vec::Vec;

use super::Random;
use crate::backend::Portable;
use crate::hash::Shake256;
use crate::params::{Fips204, MlDsa44, MlDsa65, MlDsa87};
use crate::prepared::PreparedSigningKey;
use crate::secret::Zeroed;
use crate::sign::MAX_ATTEMPTS;
use crate::stream::key::{Encoded, PrivateKey, Seeds};
use crate::stream::matrix::{Kept, Matrix};
use crate::stream::{keygen, sign, verify};

macro_rules! on_every_set {
    ($($test:ident)*) => { $(#[test] fn $test() {
        for_set::$test::<MlDsa44>();
        for_set::$test::<MlDsa65>();
        for_set::$test::<MlDsa87>();
    })* };
}
on_every_set! {
    keys_are_the_same
    signatures_are_the_same
}

/// The signature, of which nothing is written if there is none.
pub(super) fn signature<P: Fips204, K: PrivateKey<P>>(
    a_hat: &Matrix<'_, P>,
    key: &K,
    mu: &[u8; 64],
    rnd: &[u8; 32],
    attempts: u16,
) -> Result<Vec<u8>, sign::Failure<()>> {
    let mut sigma = Vec::new();
    let mut scratch = sign::Scratch::ZERO;
    let sink = |piece: &[u8]| {
        sigma.extend_from_slice(piece);
        Ok(())
    };
    let result = sign::sign_mu(a_hat, key, mu, Some(rnd), attempts, &mut scratch, sink);
    assert!(result.is_ok() || sigma.is_empty());
    result.map(|()| sigma)
}

pub(super) fn accepts<P: Fips204>(pk: &[u8], mu: &[u8; 64], sigma: &[u8]) -> bool {
    accepts_with(&Matrix::<P>::new(pk.first_chunk().unwrap()), pk, mu, sigma)
}

fn accepts_with<P: Fips204>(a_hat: &Matrix<'_, P>, pk: &[u8], mu: &[u8; 64], sigma: &[u8]) -> bool {
    let again = on_rung::<P, verify::Again>(a_hat, pk, mu, sigma);
    assert!(on_rung::<P, verify::Once>(a_hat, pk, mu, sigma) == again);
    again
}

fn on_rung<P: Fips204, R: verify::Rung<P>>(
    a_hat: &Matrix<'_, P>,
    mut pk: &[u8],
    mu: &[u8; 64],
    mut sigma: &[u8],
) -> bool {
    let mut xof = Shake256::new();
    xof.absorb(mu);
    let mut scratch = verify::Scratch::<P, R>::ZERO;
    verify::verify(a_hat, &mut pk, &mut xof, &mut sigma, &mut scratch).unwrap()
}

fn fast_key<P: Fips204>(xi: &[u8; 32]) -> (P::PublicKey, P::PrivateKey) {
    let (mut pk, mut sk) = (P::PublicKey::ZERO, P::PrivateKey::ZERO);
    let mut scratch = crate::keygen::Scratch::<P, Portable>::ZERO;
    crate::keygen::keygen_internal::<P, _>(Portable, xi, &mut pk, &mut sk, &mut scratch);
    (pk, sk)
}

mod for_set {
    use super::*;

    pub(super) fn keys_are_the_same<P: Fips204>() {
        let mut random = Random(51);
        for _ in 0..5 {
            let xi = random.bytes();
            let expected = fast_key::<P>(&xi);
            let (mut pk, mut sk) = (P::PublicKey::ZERO, P::PrivateKey::ZERO);
            let mut scratch = keygen::Scratch::ZERO;
            keygen::keygen_internal::<P>(&xi, &mut pk, &mut sk, &mut scratch);
            assert!(pk.as_ref() == expected.0.as_ref() && sk.as_ref() == expected.1.as_ref());
        }
    }

    pub(super) fn signatures_are_the_same<P: Fips204>() {
        let mut random = Random(52);
        for _ in 0..5 {
            let xi = random.bytes();
            let (pk, sk) = fast_key::<P>(&xi);
            let (mu, rnd) = (random.bytes(), random.bytes());
            let mut key = PreparedSigningKey::<P>::ZERO;
            key.set(Portable, &sk).unwrap();
            let mut expected = P::Signature::ZERO;
            let mut scratch = crate::sign::Scratch::<P, _>::ZERO;
            crate::sign::sign_mu(
                Portable,
                &key,
                &mu,
                Some(&rnd),
                MAX_ATTEMPTS,
                &mut scratch,
                &mut expected,
            )
            .unwrap();
            let rho = pk.as_ref().first_chunk().unwrap();
            let mut some = Kept::<7>::ZERO;
            some.set::<P>(rho);
            for a_hat in [
                Matrix::<P>::new(rho),
                Matrix::<P>::new(rho).with(some.entries()),
            ] {
                let encoded = Encoded::new::<P>(sk.as_ref()).unwrap();
                let seeds = Seeds::new::<P>(&xi);
                for signed in [
                    signature(&a_hat, &encoded, &mu, &rnd, MAX_ATTEMPTS),
                    signature(&a_hat, &seeds, &mu, &rnd, MAX_ATTEMPTS),
                ] {
                    assert!(signed.unwrap() == expected.as_ref());
                }
                let accepts = |mu| accepts_with(&a_hat, pk.as_ref(), mu, expected.as_ref());
                assert!(accepts(&mu) && !accepts(&[0; 64]));
            }
        }
    }
}
