//! The inputs that verification rejects. Each check is tested alone.

use std::vec::Vec;

use super::stream::accepts;
use super::{Random, backends};
use crate::backend::{Backend, Portable};
use crate::batch::verify::{self as batch, Item, PublicKey};
use crate::encode::{bits, signature};
use crate::hash::{MuBuilder, public_key_hash};
use crate::params::{Fips204, MlDsa44, MlDsa65, MlDsa87, ParameterSet};
use crate::poly::{NttPoly, Poly, Vector};
use crate::prepared::{EncodedRows, PublicRows, Row, RowScratch, VerifyingState};
use crate::reference::{self, Attempt, short_z, within_limits};
use crate::secret::Zeroed;
use crate::shape::Dim;
use crate::shape::N;
use crate::verify::{MessageRepresentative, Scratch, verify};

on_every_backend_and_set! {
    every_flip_is_refused
    z_at_its_bound
    a_long_z_that_fits_is_refused
    other_encodings_of_the_hint_are_refused
    every_byte_of_c_tilde_is_compared
    the_bound_of_z_alone_decides
}

/// One key, prepared and in bytes: both must give the same result.
struct Verifier<P: Fips204, B: Backend> {
    backend: B,
    pk: P::PublicKey,
    key: VerifyingState<P>,
    scratch: Scratch<P>,
    rows: RowScratch<P, B>,
}

impl<P: Fips204, B: Backend> Verifier<P, B> {
    fn new(backend: B, pk: &[u8]) -> Self {
        let pk = pk.try_into().ok().unwrap();
        let mut key = VerifyingState::ZERO;
        key.set(backend, &pk);
        Self {
            backend,
            pk,
            key,
            scratch: Scratch::ZERO,
            rows: RowScratch::ZERO,
        }
    }

    fn accepts(&mut self, mu: &[u8; 64], sigma: &[u8]) -> bool {
        let sigma = sigma.try_into().ok().unwrap();
        verify(
            self.backend,
            self.key.rows(),
            MessageRepresentative::Mu(mu),
            &sigma,
            &mut self.scratch,
        )
    }

    fn accepts_from_bytes(&mut self, mu: &[u8; 64], sigma: &[u8]) -> bool {
        let sigma = sigma.try_into().ok().unwrap();
        let rows = EncodedRows::new(self.backend, &self.pk, &mut self.rows);
        let verdict = verify(
            self.backend,
            rows,
            MessageRepresentative::Mu(mu),
            &sigma,
            &mut self.scratch,
        );
        // Here, tr is hashed alongside the rows.
        let rows = EncodedRows::new(self.backend, &self.pk, &mut self.rows).with_tr();
        let message = |tr: &_| {
            assert_eq!(*tr, public_key_hash(self.pk.as_ref()));
            *mu
        };
        let message = MessageRepresentative::OfTr(&message);
        let with_tr = verify(self.backend, rows, message, &sigma, &mut self.scratch);
        assert_eq!(verdict, with_tr);
        if B::NAME == Portable::NAME {
            assert_eq!(verdict, accepts::<P>(self.pk.as_ref(), mu, sigma.as_ref()));
        }
        verdict
    }
}

/// Changes every bit of c̃ and of h, one bit in every few coefficients of z, and a bit of the
/// message and of the key.
fn every_flip_is_refused<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(30);
    let (pk, sk) = reference::keygen::<P>(&random.bytes());
    let (mu, rnd) = (random.bytes(), random.bytes());
    let mut sigma = reference::sign::<P>(&sk, &mu, &rnd, within_limits::<P>).sigma;
    assert!(reference::verify::<P>(&pk, &mu, &sigma, short_z::<P>));
    let mut verifier = Verifier::<P, B>::new(backend, &pk);
    assert!(verifier.accepts(&mu, &sigma) && verifier.accepts_from_bytes(&mu, &sigma));

    let c_tilde = 0..8 * P::C_TILDE_LEN;
    let h = 8 * (sigma.len() - P::OMEGA - P::K::N)..8 * sigma.len();
    let z = (c_tilde.end..h.start).step_by(89);
    for bit in c_tilde.chain(h).chain(z) {
        sigma[bit / 8] ^= 1 << (bit % 8);
        assert!(!verifier.accepts(&mu, &sigma), "bit {bit}");
        if bit % 64 == 0 {
            assert!(!verifier.accepts_from_bytes(&mu, &sigma), "bit {bit}");
        }
        sigma[bit / 8] ^= 1 << (bit % 8);
    }
    for i in [0, 31, 63] {
        let mut mu = mu;
        mu[i] ^= 0x40;
        assert!(!verifier.accepts(&mu, &sigma) && !verifier.accepts_from_bytes(&mu, &sigma));
    }
    for i in [0, 31, 32, pk.len() - 1] {
        let mut pk = pk.clone();
        pk[i] ^= 2;
        let mut verifier = Verifier::<P, B>::new(backend, &pk);
        assert!(!verifier.accepts(&mu, &sigma) && !verifier.accepts_from_bytes(&mu, &sigma));
    }
    assert!(verifier.accepts(&mu, &sigma) && verifier.accepts_from_bytes(&mu, &sigma));
}

/// A key that records whether it was read: a signature that is malformed, or has a z that is too
/// long, is rejected before.
struct Asked<P: ParameterSet> {
    asked: bool,
    a_hat: Vector<NttPoly<P::Field>, P::L>,
    t1_hat: NttPoly<P::Field>,
}

impl<P: ParameterSet> PublicRows<P> for &mut Asked<P> {
    fn next_row(&mut self) -> Option<Row<'_, P>> {
        self.asked = true;
        Some((self.a_hat.as_ref(), &self.t1_hat))
    }
    fn tr(&mut self) -> [u8; 64] {
        self.asked = true;
        [0; 64]
    }
}

/// Returns whether the verification of a signature reads the key.
fn reaches_the_key<P: Fips204, B: Backend>(
    backend: B,
    sigma: &P::Signature,
    scratch: &mut Scratch<P>,
) -> bool {
    let mut key = Asked {
        asked: false,
        a_hat: Vector::ZERO,
        t1_hat: NttPoly::ZERO,
    };
    assert!(!verify::<P, B>(
        backend,
        &mut key,
        MessageRepresentative::Mu(&[0; 64]),
        sigma,
        scratch
    ));
    key.asked
}

/// ‖z‖ ≥ γ₁ − β is rejected for any other content: in every polynomial, with both signs.
fn z_at_its_bound<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(31);
    let mut scratch = Scratch::ZERO;
    let bound = (P::GAMMA1 - P::TAU as u32 * P::ETA) as i32;
    for i in 0..P::L::N {
        for j in [0, 1, 100, 254, 255, random.below(N)] {
            let mut reaches = |coefficient: i32| {
                let mut sigma = P::Signature::ZERO;
                let start = P::C_TILDE_LEN;
                let z = &mut sigma.as_mut()[start..start + 32 * P::Z_BITS * P::L::N];
                for (k, bytes) in z.chunks_mut(32 * P::Z_BITS).enumerate() {
                    let mut z = random.coefficients(1 - bound, bound - 1);
                    if k == i {
                        z[j] = coefficient;
                    }
                    bytes.copy_from_slice(&reference::bit_pack(P::Z_BITS, P::GAMMA1 as i32, &z));
                }
                reaches_the_key::<P, B>(backend, &sigma, &mut scratch)
            };
            let gamma1 = P::GAMMA1 as i32;
            for short in [bound - 1, 1 - bound, 0] {
                assert!(reaches(short), "{short} in polynomial {i}, at {j}");
            }
            for long in [bound, -bound, bound + 1, -bound - 1, gamma1, 1 - gamma1] {
                assert!(!reaches(long), "{long} in polynomial {i}, at {j}");
            }
        }
    }
}

/// Signatures that are valid except for the norm of z, made with the private key. Only the check of
/// the norm rejects them.
fn a_long_z_that_fits_is_refused<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(32);
    let (pk, sk) = reference::keygen::<P>(&random.bytes());
    let mut verifier = Verifier::<P, B>::new(backend, &pk);
    for _ in 0..3 {
        let mu = random.bytes();
        // The norm is at most the largest that can be encoded.
        let long = |norm: i32| !short_z::<P>(norm) && norm < P::GAMMA1 as i32;
        let keep = |attempt: &Attempt| {
            let [z, others @ ..] = *attempt;
            long(z) && within_limits::<P>(&[0, others[0], others[1], others[2]])
        };
        let sigma = reference::sign::<P>(&sk, &mu, &[0; 32], keep).sigma;
        assert!(reference::verify::<P>(&pk, &mu, &sigma, long));
        assert!(!verifier.accepts(&mu, &sigma) && !verifier.accepts_from_bytes(&mu, &sigma));
        let sigma = reference::sign::<P>(&sk, &mu, &[0; 32], within_limits::<P>).sigma;
        assert!(verifier.accepts(&mu, &sigma) && verifier.accepts_from_bytes(&mu, &sigma));
    }
}

type Change<'a> = &'a dyn Fn(&mut Vec<u8>);

/// Other encodings of the same hint. A decoder that accepted one would let anyone make a second
/// signature from the first. All of them are rejected before the key is read.
fn other_encodings_of_the_hint_are_refused<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(33);
    let (pk, sk) = reference::keygen::<P>(&random.bytes());
    let mut verifier = Verifier::<P, B>::new(backend, &pk);
    let mut scratch = Scratch::ZERO;
    // A row has two ones, and there is room for another.
    let (mu, sigma) = loop {
        let mu = random.bytes();
        let sigma = reference::sign::<P>(&sk, &mu, &[0; 32], within_limits::<P>).sigma;
        let h = &sigma[sigma.len() - P::OMEGA - P::K::N..];
        if h[P::OMEGA] >= 2 && usize::from(h[P::OMEGA + P::K::N - 1]) < P::OMEGA {
            break (mu, sigma);
        }
    };
    assert!(verifier.accepts(&mu, &sigma));
    let h = sigma.len() - P::OMEGA - P::K::N;
    let counters = h + P::OMEGA;
    let ones = usize::from(sigma[sigma.len() - 1]);
    let changes: [Change<'_>; 4] = [
        // Two positions are exchanged.
        &|sigma| sigma.swap(h, h + 1),
        // The first position is repeated, and all counters include it.
        &|sigma| {
            sigma.copy_within(h..h + ones, h + 1);
            sigma[counters..]
                .iter_mut()
                .for_each(|counter| *counter += 1);
        },
        // A position is left over, next to the last one or at the end.
        &|sigma| sigma[h + ones] = 1,
        &|sigma| sigma[counters - 1] = 255,
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut changed = sigma.clone();
        change(&mut changed);
        assert!(!verifier.accepts(&mu, &changed), "change {i}");
        let changed = changed.as_slice().try_into().ok().unwrap();
        assert!(
            !reaches_the_key::<P, B>(backend, &changed, &mut scratch),
            "change {i}"
        );
    }
    let same = sigma.as_slice().try_into().ok().unwrap();
    assert!(reaches_the_key::<P, B>(backend, &same, &mut scratch));

    // There are more ones than ω: a decoder would have to read past the end.
    for last in [P::OMEGA + 1, P::OMEGA + P::K::N, 255] {
        let mut changed = sigma.clone();
        *changed.last_mut().unwrap() = last as u8;
        assert!(!verifier.accepts(&mu, &changed), "{last} ones");
    }
}

/// The bytes of a key whose t₁ is zero, and its ρ.
fn weak_key<P: Fips204>(random: &mut Random) -> (Vec<u8>, [u8; 32]) {
    let rho = random.bytes();
    let mut pk = std::vec![0; P::PUBLIC_KEY_LEN];
    pk[..32].copy_from_slice(&rho);
    (pk, rho)
}

/// Where w' does not depend on c, nothing stands against another c̃ but that it is compared: one after the
/// other, in pieces, and in a batch.
fn every_byte_of_c_tilde_is_compared<P: Fips204, B: Backend>(backend: B) {
    let (pk, rho) = weak_key::<P>(&mut Random(38));
    let mut mu: MuBuilder = MuBuilder::new(&public_key_hash(&pk));
    mu.pure(b"context");
    mu.update(b"message");
    let mu = mu.finish();
    let mut sigma = reference::forge::<P>(&rho, &mu, &std::vec![[0; N]; P::L::N]);
    let mut verifier = Verifier::<P, B>::new(backend, &pk);
    assert!(verifier.accepts(&mu, &sigma) && verifier.accepts_from_bytes(&mu, &sigma));
    let mut sigmas: Vec<P::Signature> = std::vec![sigma.as_slice().try_into().ok().unwrap()];
    for at in 0..P::C_TILDE_LEN {
        sigma[at] ^= 1 << (at % 8);
        assert!(!verifier.accepts(&mu, &sigma), "byte {at}");
        assert!(!verifier.accepts_from_bytes(&mu, &sigma), "byte {at}");
        sigmas.push(sigma.as_slice().try_into().ok().unwrap());
        sigma[at] ^= 1 << (at % 8);
    }
    let item = |sigma| Item::new(PublicKey::Prepared(&verifier.key), b"message", sigma);
    let mut items: Vec<_> = sigmas.iter().map(item).collect();
    let mut scratch = Zeroed::ZERO;
    batch::verify(backend, b"context", &mut items, &mut scratch);
    for (i, item) in items.iter().enumerate() {
        assert_eq!(item.is_valid(), i == 0, "item {i}");
    }
}

/// Whole and in pieces: in each polynomial, both signs.
fn the_bound_of_z_alone_decides<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(39);
    let (pk, rho) = weak_key::<P>(&mut random);
    let mut verifier = Verifier::<P, B>::new(backend, &pk);
    let bound = (P::GAMMA1 - P::TAU as u32 * P::ETA) as i32;
    for i in 0..P::L::N {
        for long in [bound - 1, 1 - bound, bound, -bound] {
            let short = |_| random.coefficients(1 - bound, bound - 1);
            let mut z: Vec<_> = (0..P::L::N).map(short).collect();
            z[i][random.below(N - 8)] = long;
            let mu = random.bytes();
            let sigma = reference::forge::<P>(&rho, &mu, &z);
            let expected = long.abs() < bound;
            assert_eq!(
                verifier.accepts(&mu, &sigma),
                expected,
                "{long} in polynomial {i}"
            );
            assert_eq!(verifier.accepts_from_bytes(&mu, &sigma), expected);
        }
    }
}

/// `z_at_its_bound` writes the same z that the signature contains.
#[test]
fn z_is_where_it_is_written() {
    let mut sigma = <MlDsa65 as ParameterSet>::Signature::ZERO;
    sigma[48..48 + 640].fill(0xff);
    let mut z = Poly::<crate::field::MlDsaField>::ZERO;
    let parts = signature::sig_split::<MlDsa65>(&sigma);
    bits::bit_unpack(Portable, 20, 1 << 19, &parts.z[..640], &mut z);
    assert_eq!(z.0, [1 - (1 << 19); N]);
}
