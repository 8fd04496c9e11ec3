//! Signing against the reference, the rejections that are rare, and the bound on attempts.

use std::vec::Vec;

use super::reference::{self, Rejected, short_z};
use super::{Random, backends};
use crate::backend::{Backend, Portable};
use crate::encode::keys;
use crate::params::{D, Dim, Fips204, MlDsa44, MlDsa65, MlDsa87, ParameterSet};
use crate::poly::{N, Poly};
use crate::prepared::PreparedSigningKey;
use crate::secret::Zeroed;
use crate::sign::{AttemptsExhausted, MAX_ATTEMPTS, Scratch, sign_mu};

on_every_backend_and_set! { attempts_are_counted signatures_are_the_references too_many_ones }
on_every_backend! { long_ct0 }

/// Signs on one backend with one key, always in the same scratch.
struct Signer<P: Fips204, B> {
    backend: B,
    key: PreparedSigningKey<P>,
    scratch: Scratch<P>,
}

impl<P: Fips204, B: Backend> Signer<P, B> {
    fn new(backend: B, sk: &[u8]) -> Self {
        let mut key = PreparedSigningKey::ZERO;
        key.set(backend, &sk.try_into().ok().unwrap()).unwrap();
        Self {
            backend,
            key,
            scratch: Scratch::ZERO,
        }
    }

    /// What is not written stays 0xa5.
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
        } = self;
        let mut sigma = P::Signature::ZERO;
        sigma.as_mut().fill(0xa5);
        (
            sign_mu(*backend, key, mu, rnd, attempts, scratch, &mut sigma),
            sigma,
        )
    }

    /// As the reference signs: the same bytes after as many attempts, and no sooner.
    fn agrees(&mut self, mu: &[u8; 64], rnd: &[u8; 32], signed: &reference::Signed) {
        let failed = signed.rejected.len() as u16;
        let (result, sigma) = self.sign(mu, rnd, failed);
        assert_eq!(result, Err(AttemptsExhausted), "{:?}", signed.rejected);
        assert!(
            sigma.as_ref().iter().all(|byte| *byte == 0xa5),
            "written to without success"
        );
        for attempts in [failed + 1, MAX_ATTEMPTS, u16::MAX] {
            let (result, sigma) = self.sign(mu, rnd, attempts);
            assert_eq!(result, Ok(()));
            assert!(sigma.as_ref() == signed.sigma, "{:?}", signed.rejected);
        }
    }
}

/// Deterministic and hedged, with several keys.
fn signatures_are_the_references<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(27);
    for _ in 0..2 {
        let (_, sk) = reference::keygen::<P>(&random.bytes());
        let mut signer = Signer::<P, B>::new(backend, &sk);
        for rnd in [[0; 32], random.bytes()] {
            let mu = random.bytes();
            let signed = reference::sign::<P>(&sk, &mu, &rnd, short_z::<P>);
            signer.agrees(&mu, &rnd, &signed);
        }
    }
}

/// A message that takes several attempts, found by trying: with one fewer there is no signature.
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
    let signed = reference::sign::<P>(&sk, &mu, &rnd, short_z::<P>);
    assert_eq!(signed.rejected.len() + 1, usize::from(attempts));
    signer.agrees(&mu, &rnd, &signed);
    assert_eq!(signer.sign(&mu, &rnd, 0).0, Err(AttemptsExhausted));
}

/// A private key whose first `polys` of t₀ are as long as they can be, which
/// makes c·t₀ long and hints many. Keys that KeyGen makes meet both so seldom
/// that a signer without the checks would pass for right.
fn key_with_long_t0<P: Fips204>(random: &mut Random, polys: usize) -> P::PrivateKey {
    let (_, sk) = reference::keygen::<P>(&random.bytes());
    let mut sk: P::PrivateKey = sk.as_slice().try_into().ok().unwrap();
    let t0 = keys::sk_split_mut::<P>(&mut sk).t0;
    let most = 1 << (D - 1);
    for (i, t0) in t0.chunks_mut(keys::T0_LEN).enumerate() {
        let long = core::array::from_fn(|_| random.choose(&[most, 1 - most]));
        let poly = if i < polys { long } else { [0; N] };
        t0.copy_from_slice(&reference::bit_pack(D as usize, most, &poly));
    }
    sk
}

/// About half of the attempts have more than ω ones.
fn too_many_ones<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(29);
    let polys = if P::NAME == "ML-DSA-44" {
        3
    } else {
        P::K::N * 3 / 4 + usize::from(P::K::N == 6)
    };
    let sk = key_with_long_t0::<P>(&mut random, polys);
    let mut signer = Signer::<P, B>::new(backend, sk.as_ref());
    let mut rejected = Vec::new();
    for _ in 0..4 {
        let mu = random.bytes();
        let signed = reference::sign::<P>(sk.as_ref(), &mu, &[0; 32], short_z::<P>);
        signer.agrees(&mu, &[0; 32], &signed);
        rejected.extend(signed.rejected);
    }
    assert!(
        rejected.contains(&Rejected::Ones),
        "no attempt had too many ones"
    );
}

/// ‖c·t₀‖ ≥ γ₂, which τ · 2¹² can reach for ML-DSA-44 alone.
fn long_ct0<B: Backend>(backend: B) {
    const { assert!((MlDsa44::TAU as u32) << (D - 1) >= MlDsa44::GAMMA2) };
    const { assert!((MlDsa65::TAU as u32) << (D - 1) < MlDsa65::GAMMA2) };
    const { assert!((MlDsa87::TAU as u32) << (D - 1) < MlDsa87::GAMMA2) };
    let mut tried = (0..).map(|seed| {
        let mut random = Random(seed);
        let sk = key_with_long_t0::<MlDsa44>(&mut random, 2);
        let mu = random.bytes();
        let signed = reference::sign::<MlDsa44>(sk.as_ref(), &mu, &[0; 32], short_z::<MlDsa44>);
        (sk, mu, signed)
    });
    let long = |signed: &reference::Signed| signed.rejected.contains(&Rejected::Ct0);
    let (sk, mu, signed) = tried.find(|(.., signed)| long(signed)).unwrap();
    let mut signer = Signer::<MlDsa44, B>::new(backend, sk.as_ref());
    signer.agrees(&mu, &[0; 32], &signed);
}

/// κ has 16 bits: however many attempts are allowed, it ends before it overflows.
/// (In the profile that tests run in, an overflow panics.)
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

    // A key with which no attempt succeeds: an s₂ so long that r₀ never is short.
    let (_, sk) = reference::keygen::<MlDsa87>(&[4; 32]);
    let mut signer = Signer::<MlDsa87, _>::new(Portable, &sk);
    let mut random = Random(34);
    for s2 in signer.key.s2.iter_mut() {
        s2.set(&Poly::<crate::field::MlDsaField>::new(
            core::array::from_fn(|_| random.choose(&[-500, 500])),
        ));
    }
    let (result, sigma) = signer.sign(&[5; 64], &[0; 32], u16::MAX);
    assert_eq!(result, Err(AttemptsExhausted));
    assert!(sigma.iter().all(|byte| *byte == 0xa5));
}
