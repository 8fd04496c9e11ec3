//! The code for microcontrollers gives the same results as the fast code, for every number of
//! stored entries of Â.

use core::cell::Cell;
use std::vec::Vec;

use super::Random;
use crate::backend::Portable;
use crate::field::{Field, MlDsaField};
use crate::hash::Shake256;
use crate::params::{Fips204, MlDsa44, MlDsa65, MlDsa87};
use crate::prepared::SigningState;
use crate::secret::{Held, Zeroed};
use crate::shape::Dim;
use crate::sign::{MAX_ATTEMPTS, Rnd};
use crate::stream::key::{Encoded, PrivateKey, Seeds};
use crate::stream::matrix::{CachedMatrix, Matrix};
use crate::stream::row::Small;
use crate::stream::{Challenge, keygen, reduce, sign, verify};

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
    another_z_is_not_written
}

/// A key in which one coefficient of s₁ changes after this number of readings of its polynomial.
struct Changing<'a> {
    key: Encoded<'a>,
    polynomial: usize,
    left: Cell<usize>,
}

impl<P: Fips204> Small<P> for Changing<'_> {
    fn rho(&self) -> &[u8; 32] {
        Small::<P>::rho(&self.key)
    }
    fn each(&self, r: usize, take: &mut dyn FnMut(usize, &[i32; 8])) {
        let changed = r == self.polynomial && self.left.get() == 0;
        if r == self.polynomial {
            self.left.set(self.left.get().saturating_sub(1));
        }
        Small::<P>::each(&self.key, r, &mut |at, s| {
            let mut s = *s;
            if changed && at == 64 {
                s[3] = if s[3] == 0 { 1 } else { 0 };
            }
            take(at, &s);
        });
    }
}

impl<P: Fips204> PrivateKey<P> for Changing<'_> {
    type Room = <Encoded<'static> as PrivateKey<P>>::Room;
    fn k(&self) -> &[u8; 32] {
        PrivateKey::<P>::k(&self.key)
    }
    fn t0_product(
        &self,
        a_hat: &Matrix<'_, P>,
        i: usize,
        c: &Challenge,
        room: &mut Self::Room,
        ct0: &mut [i32; 256],
    ) {
        self.key.t0_product(a_hat, i, c, room, ct0);
    }
}

/// Returns the signature, and tests that nothing is written if there is none.
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
    let result = sign::sign_mu(
        a_hat,
        key,
        mu,
        Rnd::Hedged(rnd),
        attempts,
        &mut scratch,
        sink,
    );
    assert!(result.is_ok() || sigma.is_empty());
    result.map(|()| sigma)
}

pub(super) fn accepts<P: Fips204>(pk: &[u8], mu: &[u8; 64], sigma: &[u8]) -> bool {
    accepts_with(&Matrix::<P>::new(pk.first_chunk().unwrap()), pk, mu, sigma)
}

fn accepts_with<P: Fips204>(a_hat: &Matrix<'_, P>, pk: &[u8], mu: &[u8; 64], sigma: &[u8]) -> bool {
    let again = with_cache::<P, verify::Recomputed>(a_hat, pk, mu, sigma);
    assert!(with_cache::<P, verify::Cached>(a_hat, pk, mu, sigma) == again);
    again
}

fn with_cache<P: Fips204, R: verify::ZCache<P>>(
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

/// From end to end of what it takes, where it is estimated by the bits from 23 on.
#[test]
fn reduction() {
    let q = MlDsaField::Q;
    let most = (1 << 30) - 1;
    let multiples = (-128..128).flat_map(|i| [i * q, i << 23]);
    let ends = multiples.chain([-most, most]);
    for x in ends
        .flat_map(|x| [x - 1, x, x + 1])
        .filter(|x| x.abs() <= most)
    {
        assert_eq!(reduce::<MlDsaField>(x), x.rem_euclid(q), "{x}");
    }
}

/// Each of them is from 0 to 2η, and a sum must not reach the next byte.
#[test]
fn a_byte_holds_the_terms_of_a_product() {
    fn of<P: Fips204>() {
        let largest = Challenge::terms::<P>() * 2 * P::ETA as usize;
        assert!(largest <= usize::from(u8::MAX), "{}", P::NAME);
    }
    of::<MlDsa44>();
    of::<MlDsa65>();
    of::<MlDsa87>();
}

mod for_set {
    use super::*;

    /// The key changes after the checks; the sink receives only the bytes before that polynomial.
    pub(super) fn another_z_is_not_written<P: Fips204>() {
        let (pk, sk) = fast_key::<P>(&[54; 32]);
        let rho = pk.as_ref().first_chunk().unwrap();
        let a_hat = Matrix::<P>::new(rho);
        let sign = |polynomial, readings| {
            let key = Changing {
                key: Encoded::new::<P>(sk.as_ref()).unwrap(),
                polynomial,
                left: Cell::new(readings),
            };
            let (mut sigma, mut scratch) = (Vec::new(), sign::Scratch::ZERO);
            let sink = |piece: &[u8]| {
                sigma.extend_from_slice(piece);
                Ok::<_, ()>(())
            };
            let (mu, rnd) = ([1; 64], Rnd::Deterministic);
            let result = sign::sign_mu(&a_hat, &key, &mu, rnd, MAX_ATTEMPTS, &mut scratch, sink);
            (result, sigma, usize::MAX - key.left.get())
        };
        for polynomial in 0..P::L::N {
            let (result, expected, readings) = sign(polynomial, usize::MAX);
            assert!(result == Ok(()) && accepts::<P>(pk.as_ref(), &[1; 64], &expected));
            // The number of readings in the last computation of z.
            let last = P::TAU.div_ceil(Challenge::terms::<P>());
            for missing in 1..=last {
                let (result, sigma, _) = sign(polynomial, readings - missing);
                assert_eq!(result, Err(sign::Failure::Fault));
                let before = P::C_TILDE_LEN + 32 * P::Z_BITS * polynomial;
                assert!(sigma == expected[..before]);
            }
            let (result, sigma, _) = sign(polynomial, readings);
            assert!(result == Ok(()) && sigma == expected);
        }
    }

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
            let mut key = SigningState::<P>::ZERO;
            key.set(Portable, &sk).unwrap();
            let mut expected = P::Signature::ZERO;
            let mut scratch = crate::sign::Scratch::<P, _>::ZERO;
            crate::sign::sign_mu(
                Portable,
                &key,
                &mu,
                Rnd::Hedged(&rnd),
                MAX_ATTEMPTS,
                &mut scratch,
                &mut expected,
            )
            .unwrap();
            let rho = pk.as_ref().first_chunk().unwrap();
            let mut some = CachedMatrix::<7>::ZERO;
            some.set::<P>(rho);
            for a_hat in [
                Matrix::<P>::new(rho),
                Matrix::<P>::new(rho).with(some.entries()),
            ] {
                let encoded = Encoded::new::<P>(sk.as_ref()).unwrap();
                let mut seeds = Seeds::new();
                let mut seeds = Held::new(&mut seeds);
                seeds.set::<P>(&xi);
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
