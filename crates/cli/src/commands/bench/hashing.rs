//! The Keccak budget: the number of permutations in the operations of ML-DSA, and the time that they take
//! alone. The benches include this file too.

#![allow(unreachable_pub, reason = "the benches include it in a library")]

use std::hint::black_box;
use std::time::Instant;

use moissanite_core::ParameterSet;
use moissanite_core::backend::Backend;
use moissanite_core::shape::Dim;
use moissanite_keccak::{SHAKE128_RATE, SHAKE256_RATE, Scalar, State};

/// Keccak permutations that an operation needs, on average.
#[derive(Clone, Copy, Debug)]
pub struct Permutations {
    /// Permutations that can run in parallel.
    pub parallel: f64,
    /// Permutations that depend on each other.
    pub serial: f64,
}

/// The permutation on a backend.
#[derive(Clone, Copy, Debug)]
pub struct Keccak {
    /// The number of states in one call.
    pub lanes: usize,
    /// Time of one call for all lanes, in ns.
    pub wide: f64,
    /// Time of one call for a single state, in ns.
    pub scalar: f64,
}

impl Keccak {
    /// Measures the permutation of a backend.
    pub fn measure<B: Backend>(backend: B) -> Self {
        Self {
            lanes: <B::Keccak as moissanite_keccak::Keccak>::WIDTH,
            wide: permutation(backend.keccak()),
            scalar: permutation(Scalar::new()),
        }
    }

    /// The time of the permutations alone, in ns.
    pub fn budget(self, permutations: Permutations) -> f64 {
        permutations.parallel * self.wide / self.lanes as f64 + permutations.serial * self.scalar
    }
}

/// The fastest of some averages, in ns.
fn permutation<K: moissanite_keccak::Keccak>(keccak: K) -> f64 {
    const CALLS: u32 = 5000;
    let mut state = State::<K::Lane>::default();
    let mut fastest = f64::MAX;
    for _ in 0..15 {
        let start = Instant::now();
        for _ in 0..CALLS {
            keccak.permute(black_box(&mut state));
        }
        fastest = fastest.min(start.elapsed().as_nanos() as f64 / f64::from(CALLS));
    }
    fastest
}

/// Permutations of the parts of the scheme, for messages of 32 bytes.
pub struct Hashing {
    /// Â.
    matrix: f64,
    /// s₁ and s₂.
    secrets: f64,
    /// y of one attempt.
    mask: f64,
    /// tr.
    public_key: f64,
    /// c̃ of one attempt.
    commitment: f64,
    /// The average number of attempts per signature, by the estimate of FIPS 204 (Table 1).
    attempts: f64,
}

impl Hashing {
    /// The numbers for a parameter set.
    pub fn of<P: ParameterSet>() -> Self {
        let (k, l) = (P::K::N, P::L::N);
        // A message in, with at least one byte of padding.
        let absorb = |bytes: usize| (bytes + 1).div_ceil(SHAKE256_RATE) as f64;
        // 3 bytes give a coefficient of Â with a probability of q / 2^23, close to 1.
        let uniform = (3_usize * 256).div_ceil(SHAKE128_RATE);
        // For both values of eta, 256 accepted half bytes most likely need two blocks.
        let bounded = 2;
        let (beta, gamma1, gamma2) = (
            f64::from(P::BETA),
            f64::from(P::GAMMA1),
            f64::from(P::GAMMA2),
        );
        Self {
            matrix: (k * l * uniform) as f64,
            secrets: ((k + l) * bounded) as f64,
            mask: (l * (32 * P::Z_BITS).div_ceil(SHAKE256_RATE)) as f64,
            public_key: absorb(P::PUBLIC_KEY_LEN),
            commitment: absorb(64 + 32 * P::W1_BITS * k),
            attempts: (256.0 * beta * (l as f64 / gamma1 + k as f64 / gamma2)).exp(),
        }
    }

    /// The seeds, Â, s₁, s₂ and tr.
    pub fn keygen(&self) -> Permutations {
        Permutations {
            parallel: self.matrix + self.secrets,
            serial: 1.0 + self.public_key,
        }
    }

    /// The same as [`Self::sign_prepared`], and Â.
    pub fn sign(&self) -> Permutations {
        let prepared = self.sign_prepared();
        Permutations {
            parallel: self.matrix + prepared.parallel,
            serial: prepared.serial,
        }
    }

    /// mu and rho''; of every attempt y, c̃ and c.
    pub fn sign_prepared(&self) -> Permutations {
        Permutations {
            parallel: self.attempts * self.mask,
            serial: 2.0 + self.attempts * (self.commitment + 1.0),
        }
    }

    /// The same as [`Self::verify_prepared`], and Â and tr.
    pub fn verify(&self) -> Permutations {
        let prepared = self.verify_prepared();
        Permutations {
            parallel: self.matrix,
            serial: prepared.serial + self.public_key,
        }
    }

    /// mu, c and c̃.
    pub fn verify_prepared(&self) -> Permutations {
        Permutations {
            parallel: 0.0,
            serial: 2.0 + self.commitment,
        }
    }
}
