//! Compares signing with the reference, and tests the rare rejections and the limit on attempts.

use super::stream::signature;
use super::{Random, backends};
use crate::backend::{Backend, Portable};
use crate::encode::keys;
use crate::params::{D, Fips204, MlDsa44, MlDsa65, MlDsa87, ParameterSet};
use crate::poly::Poly;
use crate::prepared::SigningState;
use crate::reference::{self, Attempt, Signed, limits, within_limits};
use crate::secret::Zeroed;
use crate::shape::Dim;
use crate::shape::N;
use crate::sign::{AttemptsExhausted, MAX_ATTEMPTS, Rnd, Scratch, sign_mu};
use crate::stream::key::Encoded;
use crate::stream::matrix::Matrix;
use crate::stream::row::Small;
use crate::stream::sign::Failure;

on_every_backend_and_set! {
    attempts_are_counted
    signatures_are_the_references
    limits_at_their_edges
}

/// A program with a stack of 128 KiB signs.
#[cfg(target_arch = "x86_64")]
#[test]
fn scratch_fits_a_stack_of_128_kib() {
    assert!(size_of::<Scratch<MlDsa87, crate::backend::Avx512>>() <= 112 << 10);
}

/// Signs on one backend with one key, always with the same scratch memory.
pub(super) struct Signer<P: Fips204, B: Backend> {
    backend: B,
    sk: P::PrivateKey,
    key: SigningState<P>,
    scratch: Scratch<P, B>,
}

impl<P: Fips204, B: Backend> Signer<P, B> {
    pub(super) fn new(backend: B, sk: &[u8]) -> Self {
        let sk = sk.try_into().ok().unwrap();
        let mut key = SigningState::ZERO;
        key.set(backend, &sk).unwrap();
        Self {
            backend,
            sk,
            key,
            scratch: Scratch::ZERO,
        }
    }

    /// The bytes of the result that are not written are 0xa5.
    fn sign(
        &mut self,
        mu: &[u8; 64],
        rnd: &[u8; 32],
        attempts: u16,
    ) -> (Result<(), AttemptsExhausted>, P::Signature) {
        let Self {
            backend,
            key,
            scratch,
            ..
        } = self;
        let mut sigma = P::Signature::ZERO;
        sigma.as_mut().fill(0xa5);
        (
            sign_mu(
                *backend,
                key,
                mu,
                Rnd::Hedged(rnd),
                attempts,
                scratch,
                &mut sigma,
            ),
            sigma,
        )
    }

    /// Tests that the results are those of the reference: the same bytes after the same number of
    /// attempts, and no signature before.
    pub(super) fn agrees(&mut self, mu: &[u8; 64], rnd: &[u8; 32], signed: &Signed) {
        let failed = signed.attempts.len() as u16 - 1;
        let (result, sigma) = self.sign(mu, rnd, failed);
        assert_eq!(result, Err(AttemptsExhausted), "{:?}", signed.attempts);
        assert!(
            sigma.as_ref().iter().all(|byte| *byte == 0xa5),
            "bytes were written without a signature"
        );
        for attempts in [failed + 1, MAX_ATTEMPTS, u16::MAX] {
            let (result, sigma) = self.sign(mu, rnd, attempts);
            assert_eq!(result, Ok(()));
            assert!(sigma.as_ref() == signed.sigma, "{:?}", signed.attempts);
        }
        if B::NAME == Portable::NAME {
            let key = Encoded::new::<P>(self.sk.as_ref()).unwrap();
            let a_hat = Matrix::<P>::new(Small::<P>::rho(&key));
            let result = signature(&a_hat, &key, mu, rnd, failed);
            assert_eq!(result, Err(Failure::AttemptsExhausted));
            let result = signature(&a_hat, &key, mu, rnd, failed + 1);
            assert!(result.unwrap() == signed.sigma, "{:?}", signed.attempts);
        }
    }
}

/// Deterministic and hedged signatures, with several keys.
fn signatures_are_the_references<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(27);
    for _ in 0..2 {
        let (_, sk) = reference::keygen::<P>(&random.bytes());
        let mut signer = Signer::<P, B>::new(backend, &sk);
        for rnd in [[0; 32], random.bytes()] {
            let mu = random.bytes();
            let signed = reference::sign::<P>(&sk, &mu, &rnd, within_limits::<P>);
            signer.agrees(&mu, &rnd, &signed);
        }
    }
}

/// A message that takes several attempts, found by search: with one attempt fewer, there is no
/// signature.
fn attempts_are_counted<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(28);
    let (_, sk) = reference::keygen::<P>(&random.bytes());
    let mut signer = Signer::<P, B>::new(backend, &sk);
    let rnd = random.bytes();
    let mut takes = |mu: &[u8; 64]| {
        (0..50)
            .find(|attempts| signer.sign(mu, &rnd, *attempts).0.is_ok())
            .unwrap()
    };
    let mut tried = core::iter::repeat_with(|| random.bytes()).map(|mu| (mu, takes(&mu)));
    let (mu, attempts) = tried.find(|(_, attempts)| *attempts >= 4).unwrap();
    let signed = reference::sign::<P>(&sk, &mu, &rnd, within_limits::<P>);
    assert_eq!(signed.attempts.len(), usize::from(attempts));
    signer.agrees(&mu, &rnd, &signed);
    assert_eq!(signer.sign(&mu, &rnd, 0).0, Err(AttemptsExhausted));
}

/// Returns a private key in which the first `polys` polynomials of t₀ have only these coefficients.
/// If they are as long as possible, c·t₀ is long and hints have many ones. With keys from KeyGen,
/// this is so rare that a signer without the checks would pass the tests.
fn key_with_t0<P: Fips204>(polys: usize, coefficients: &[i32]) -> P::PrivateKey {
    let mut random = Random(29);
    let (_, sk) = reference::keygen::<P>(&random.bytes());
    let mut sk: P::PrivateKey = sk.as_slice().try_into().ok().unwrap();
    let t0 = keys::sk_split_mut::<P>(&mut sk).t0;
    for (i, t0) in t0.chunks_mut(keys::T0_LEN).enumerate() {
        let chosen = core::array::from_fn(|_| random.choose(coefficients));
        let poly = if i < polys { chosen } else { [0; N] };
        t0.copy_from_slice(&reference::bit_pack(D as usize, 1 << (D - 1), &poly));
    }
    sk
}

/// An attempt in which one of the four numbers is either at its limit, so that the attempt fails,
/// or one below it, so that it succeeds. The other three are below their limits.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The index of the number.
    of: usize,
    /// 0 if the number is at the limit, 1 if it is one below.
    below: i32,
    /// The seed of a message that has such an attempt.
    seed: u64,
}

impl Edge {
    fn key<P: Fips204>(self) -> P::PrivateKey {
        let most = (1 << (D - 1)) - 1;
        match self.of {
            0 | 1 => {
                let (_, sk) = reference::keygen::<P>(&[6; 32]);
                sk.as_slice().try_into().ok().unwrap()
            }
            // The sum 24 · 3968 is γ₂, and one 3967 makes it γ₂ − 1.
            2 => {
                let mut coefficients = std::vec![3968, -3968].repeat(18);
                coefficients.extend([3967, -3967, 0, 0]);
                key_with_t0::<P>(2, &coefficients)
            }
            // About half of the attempts have more than ω ones.
            _ => {
                let polys = match P::K::N {
                    4 => 3,
                    6 => 5,
                    _ => 6,
                };
                key_with_t0::<P>(polys, &[most, -most])
            }
        }
    }

    fn message(self) -> [u8; 64] {
        Random(self.seed).bytes()
    }

    fn is_met<P: Fips204>(self, attempt: &Attempt) -> bool {
        let mut bounds = limits::<P>();
        let bound = bounds[self.of] - self.below;
        bounds[self.of] = bound + 1;
        attempt[self.of] == bound && attempt.iter().zip(bounds).all(|(x, bound)| *x < bound)
    }

    fn sign<P: Fips204>(self, sk: &P::PrivateKey) -> Option<Signed> {
        let signed =
            reference::sign::<P>(sk.as_ref(), &self.message(), &[0; 32], within_limits::<P>);
        let is_met = signed
            .attempts
            .iter()
            .any(|attempt| self.is_met::<P>(attempt));
        is_met.then_some(signed)
    }
}

/// Returns the edges that a set has. ‖ct₀‖∞ can reach γ₂ only if τ · 2¹² can, which is the case
/// only for ML-DSA-44.
fn edges<P: Fips204>() -> impl Iterator<Item = Edge> {
    const { assert!((MlDsa44::TAU as u32) << (D - 1) >= MlDsa44::GAMMA2) };
    const { assert!((MlDsa65::TAU as u32) << (D - 1) < MlDsa65::GAMMA2) };
    const { assert!((MlDsa87::TAU as u32) << (D - 1) < MlDsa87::GAMMA2) };
    // The seeds are for a number at the limit, and one below it.
    let seeds = match P::NAME {
        MlDsa44::NAME => [[388, 182], [229, 66], [319, 210], [17, 2]],
        MlDsa65::NAME => [[351, 336], [33, 58], [0, 0], [0, 7]],
        _ => [[376, 46], [97, 203], [0, 0], [101, 6]],
    };
    let all = (0..4).flat_map(|of| [(of, 0), (of, 1)]);
    let all = all.filter(|(of, _)| *of != 2 || P::NAME == MlDsa44::NAME);
    all.map(move |(of, below)| Edge {
        of,
        below,
        seed: seeds[of][below as usize],
    })
}

/// Tests every check of signing at the limit where it begins to reject.
fn limits_at_their_edges<P: Fips204, B: Backend>(backend: B) {
    for edge in edges::<P>() {
        let sk = edge.key::<P>();
        let signed = edge.sign::<P>(&sk);
        let signed = signed.unwrap_or_else(|| panic!("{edge:?} does not occur: see find_edges"));
        let mut signer = Signer::<P, B>::new(backend, sk.as_ref());
        signer.agrees(&edge.message(), &[0; 32], &signed);
    }
}

#[test]
#[ignore = "finds the seeds of `edges`, in a minute"]
fn find_edges() {
    fn of<P: Fips204>() {
        for edge in edges::<P>() {
            let sk = edge.key::<P>();
            let mut tried = (0..).map(|seed| Edge { seed, ..edge });
            let found = tried.find(|edge| edge.sign::<P>(&sk).is_some());
            std::println!("{}: {found:?}", P::NAME);
        }
    }
    of::<MlDsa44>();
    of::<MlDsa65>();
    of::<MlDsa87>();
}

/// κ has 16 bits: for any allowed number of attempts, signing ends before κ overflows. (In the
/// profile of the tests, an overflow panics.)
#[test]
fn attempts_end_before_kappa_does() {
    fn ceiling<P: Fips204>() {
        let l = P::L::N as u32;
        assert!(u32::from(P::ATTEMPTS_CEILING) * l <= 1 << 16);
        assert!((u32::from(P::ATTEMPTS_CEILING) + 1) * l > u32::from(u16::MAX));
    }
    ceiling::<MlDsa44>();
    ceiling::<MlDsa65>();
    ceiling::<MlDsa87>();

    // With this key, few attempts succeed, and with this message none: t₀ is so long that there are
    // too many hints. Sums of seven of its coefficients just fit.
    let (_, sk) = reference::keygen::<MlDsa87>(&[4; 32]);
    let mut signer = Signer::<MlDsa87, _>::new(Portable, &sk);
    let mut random = Random(34);
    for t0 in signer.key.t0.iter_mut() {
        t0.set(&Poly::<crate::field::MlDsaField>::new(
            core::array::from_fn(|_| random.choose(&[-4681, 4681])),
        ));
    }
    let (result, sigma) = signer.sign(&[5; 64], &[0; 32], u16::MAX);
    assert_eq!(result, Err(AttemptsExhausted));
    assert!(sigma.iter().all(|byte| *byte == 0xa5));
}
