//! The code for microcontrollers gives the same results as the fast code, for every number of
//! stored entries of Â.

use core::cell::Cell;
use std::vec;
use std::vec::Vec;

use super::Random;
use crate::backend::{Portable, inverse_ntt_in_place, ntt_in_place};
use crate::field::{Field, MlDsaField};
use crate::hash::{Shake256, public_key_hash};
use crate::kernels::round::use_hint;
use crate::params::{Fips204, MlDsa44, MlDsa65, MlDsa87};
use crate::prepared::SigningState;
use crate::secret::{Held, Zeroed};
use crate::shape::Dim;
use crate::sign::{MAX_ATTEMPTS, Rnd};
use crate::stream::hardened::{self, ACCEPTED, REFUSED};
use crate::stream::key::{Encoded, PrivateKey, Seeds};
use crate::stream::matrix::{CachedMatrix, Matrix};
use crate::stream::row::Small;
use crate::stream::{Challenge, EndOfSlice, Packed, Source, keygen, reduce, sign, verify};

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
    another_reading_is_refused
    rows_of_another_z_are_refused
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
    let verdict = verify::verify(a_hat, &mut pk, &mut xof, &mut sigma, &mut scratch).unwrap();
    let tr = public_key_hash(pk);
    for accepted in ACCEPTED {
        let word = hardened_word::<P, R, _, _>(a_hat, &tr, &mut pk, mu, &mut sigma, accepted);
        let expected = if verdict { accepted } else { REFUSED };
        assert_eq!(word, expected, "the hardened verification");
    }
    verdict
}

/// Returns the word of one run.
fn hardened_word<P: Fips204, R: verify::ZCache<P>, K: Source, S: Source>(
    a_hat: &Matrix<'_, P>,
    tr: &[u8; 64],
    pk: &mut K,
    mu: &[u8; 64],
    sigma: &mut S,
    accepted: u32,
) -> u32 {
    let mut xof = Shake256::new();
    xof.absorb(mu);
    let mut scratch = verify::Scratch::<P, R>::ZERO;
    let word = hardened::verify(a_hat, tr, pk, &mut xof, sigma, &mut scratch, accepted);
    word.unwrap_or_else(|_| panic!("the sources have all bytes"))
}

/// Bytes of which a bit is another in one reading.
struct Unsteady<'a> {
    bytes: &'a [u8],
    reading: usize,
    wrong: usize,
}

impl Source for Unsteady<'_> {
    type Error = EndOfSlice;
    fn read(&mut self, offset: usize, piece: &mut [u8]) -> Result<(), EndOfSlice> {
        self.bytes.read(offset, piece)?;
        if self.reading == self.wrong {
            piece[piece.len() / 2] ^= 1;
        }
        self.reading += 1;
        Ok(())
    }
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

    /// With t₁ = 0, w' = Az does not depend on c, so that a signature follows from any z. Here, each row has
    /// another short z, which only the comparison of the readings detects.
    pub(super) fn rows_of_another_z_are_refused<P: Fips204>() {
        let mut pk = P::PublicKey::ZERO;
        pk.as_mut()[..32].fill(3);
        let pk = pk.as_ref();
        let a_hat = Matrix::<P>::new(pk.first_chunk().unwrap());
        let tr = public_key_hash(pk);
        let forged = |changes: bool| {
            let row = |row: usize| if changes { row } else { 0 };
            let mut xof = Shake256::new();
            xof.absorb(&[1; 64]);
            for i in 0..P::K::N {
                xof.absorb(&w1_of_one_coefficient::<P>(&a_hat, i, row(i)));
            }
            let mut head = vec![0; P::C_TILDE_LEN];
            xof.squeeze_in_place().read(&mut head);
            let sigma = |i| {
                let z = encoded::<P>(row(i));
                let mut sigma = head.clone();
                sigma.extend(z);
                sigma.resize(P::SIGNATURE_LEN, 0);
                sigma
            };
            Rows::<P> {
                sigma: (0..P::K::N).map(sigma).collect(),
                row: None,
                set: core::marker::PhantomData,
            }
        };
        let word = |changes: bool, tr: &[u8; 64]| {
            let (mut pk, mut sigma, accepted) = (pk, forged(changes), ACCEPTED[1]);
            let word = hardened_word::<P, verify::Recomputed, _, _>(
                &a_hat, tr, &mut pk, &[1; 64], &mut sigma, accepted,
            );
            (word == accepted, word == REFUSED)
        };
        assert_eq!(word(false, &tr), (true, false));
        assert_eq!(word(true, &tr), (false, true), "another z in each row");
        assert_eq!(word(false, &[0; 64]), (false, true), "another key");
        let mut xof = Shake256::new();
        xof.absorb(&[1; 64]);
        let mut scratch = verify::Scratch::<P, verify::Recomputed>::ZERO;
        let (mut pk, mut sigma) = (pk, forged(true));
        let ordinary = verify::verify(&a_hat, &mut pk, &mut xof, &mut sigma, &mut scratch);
        assert_eq!(ordinary, Ok(true), "these signatures test the comparison");
    }

    /// z with a one at this place of its first polynomial, and zeros.
    fn encoded<P: Fips204>(place: usize) -> Vec<u8> {
        let code = |j: usize| P::GAMMA1 - u32::from(j == place);
        packed(P::Z_BITS, (0..256 * P::L::N).map(code))
    }

    /// The encoding of w₁ for this z, in row `i`.
    fn w1_of_one_coefficient<P: Fips204>(a_hat: &Matrix<'_, P>, i: usize, place: usize) -> Vec<u8> {
        let (mut w, mut w_hat) = ([0; 256], Packed::ZERO);
        w[place] = 1;
        ntt_in_place::<P::Field>(&mut w);
        a_hat.add_product(i, 0, &w, &mut w_hat);
        w_hat.unpack(&mut w);
        inverse_ntt_in_place::<P::Field>(&mut w);
        let w1 = w.map(|w| use_hint::<P, _>(Portable, w.rem_euclid(P::Field::Q), 0));
        packed(P::W1_BITS, w1.into_iter().map(i32::cast_unsigned))
    }

    /// FIPS 204, Algorithm 16 (SimpleBitPack).
    fn packed(bits: usize, codes: impl Iterator<Item = u32>) -> Vec<u8> {
        let (mut bytes, mut word, mut len) = (Vec::new(), 0_u64, 0);
        for code in codes {
            word |= u64::from(code) << len;
            len += bits;
            while len >= 8 {
                bytes.push(word as u8);
                word >>= 8;
                len -= 8;
            }
        }
        bytes
    }

    /// A signature with another z in each row.
    struct Rows<P> {
        sigma: Vec<Vec<u8>>,
        row: Option<usize>,
        set: core::marker::PhantomData<P>,
    }

    impl<P: Fips204> Source for Rows<P> {
        type Error = EndOfSlice;
        fn read(&mut self, offset: usize, piece: &mut [u8]) -> Result<(), EndOfSlice> {
            if offset == P::C_TILDE_LEN {
                self.row = Some(self.row.map_or(0, |row| row + 1));
            }
            let sigma = &self.sigma[self.row.unwrap_or(0)];
            (&mut &sigma[..]).read(offset, piece)
        }
    }

    /// A bit is another in one reading: in each of the readings of the same bytes.
    pub(super) fn another_reading_is_refused<P: Fips204>() {
        fn of<P: Fips204, R: verify::ZCache<P>>(pk: &[u8], sigma: &[u8]) {
            let a_hat = Matrix::<P>::new(pk.first_chunk().unwrap());
            let tr = public_key_hash(pk);
            let word = |wrong: [usize; 2]| {
                let [mut pk, mut sigma] =
                    [(pk, wrong[0]), (sigma, wrong[1])].map(|(bytes, wrong)| Unsteady {
                        bytes,
                        reading: 0,
                        wrong,
                    });
                let accepted = ACCEPTED[0];
                let word = hardened_word::<P, R, _, _>(
                    &a_hat, &tr, &mut pk, &[1; 64], &mut sigma, accepted,
                );
                (word == accepted, [pk.reading, sigma.reading])
            };
            let (accepted, readings) = word([usize::MAX; 2]);
            assert!(accepted);
            for wrong in (0..readings[0]).step_by(7) {
                assert!(!word([wrong, usize::MAX]).0, "reading {wrong} of the key");
            }
            for wrong in (0..readings[1]).step_by(29).chain([1]) {
                assert!(
                    !word([usize::MAX, wrong]).0,
                    "reading {wrong} of the signature"
                );
            }
        }
        let (pk, sk) = fast_key::<P>(&[57; 32]);
        let a_hat = Matrix::<P>::new(pk.as_ref().first_chunk().unwrap());
        let key = Encoded::new::<P>(sk.as_ref()).unwrap();
        let sigma = signature(&a_hat, &key, &[1; 64], &[2; 32], MAX_ATTEMPTS).unwrap();
        of::<P, verify::Recomputed>(pk.as_ref(), &sigma);
        of::<P, verify::Cached>(pk.as_ref(), &sigma);
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
