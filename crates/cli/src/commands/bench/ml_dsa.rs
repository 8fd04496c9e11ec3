//! The operations of ML-DSA, and how much hashing each of them takes.

use std::hint::black_box;
use std::marker::PhantomData;
use std::time::Instant;

use moissanite::backend::WithBackend;
use moissanite::{Fips204, Signature, SigningKey, prelude::*};
use moissanite_core::backend::Backend;
use moissanite_core::params::Dim;
use moissanite_keccak::{SHAKE128_RATE, SHAKE256_RATE, Scalar, State};

use super::{Keccak, Measured, Operation, Permutations, measure};
use crate::error::Error;

/// Measures all operations of a set.
pub(crate) struct Bench<P> {
    n: usize,
    set: PhantomData<P>,
}

impl<P> Bench<P> {
    pub(crate) fn new(n: usize) -> Self {
        let set = PhantomData;
        Self { n, set }
    }
}

/// At most so many signatures are verified, in turns.
const SIGNATURES: usize = 1 << 10;

/// The messages and seeds: a number in 32 bytes.
fn numbered(number: u32) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (byte, value) in bytes.iter_mut().zip(number.to_le_bytes()) {
        *byte = value;
    }
    bytes
}

impl<P: Fips204> WithBackend for Bench<P> {
    type Output = Result<Measured, Error>;

    fn call<B: Backend>(self, backend: B) -> Self::Output {
        let n = self.n;
        let fault = |_| Error::Fault("a signature of the bench does not verify".into());
        let key = SigningKey::<P>::from_seed_on(backend, &numbered(0));
        let public = key.verifying_key();
        let (prepared, prepared_public) = (key.prepare(), public.prepare());
        let sign = |number| {
            let signature = key.on(backend).try_sign(&numbered(number));
            signature.map_err(fault)
        };
        let turns = n.min(SIGNATURES).next_power_of_two();
        let signatures: Result<Vec<Signature<P>>, Error> =
            (0..u32::MAX).take(turns).map(sign).collect();
        let signatures = signatures?;
        let signed = |number: u32| {
            let number = number & (turns as u32 - 1);
            let signature = signatures.get(number as usize);
            let missing = || Error::Fault("a signature of the bench is missing".into());
            let signature = signature.ok_or_else(missing)?;
            Ok::<_, Error>((numbered(number), signature))
        };

        let keygen = measure(n, |i| {
            Ok(SigningKey::<P>::from_seed_on(backend, &numbered(i)))
        })?;
        let signing = measure(n, sign)?;
        let signing_prepared = measure(n, |i| {
            prepared.on(backend).try_sign(&numbered(i)).map_err(fault)
        })?;
        let verifying = measure(n, |i| {
            let (message, signature) = signed(i)?;
            public
                .on(backend)
                .verify(&message, signature)
                .map_err(fault)
        })?;
        let verifying_prepared = measure(n, |i| {
            let (message, signature) = signed(i)?;
            let key = prepared_public.on(backend);
            key.verify(&message, signature).map_err(fault)
        })?;
        let hashing = Hashing::of::<P>();
        let operation = |name: &'static str, times, permutations| Operation {
            name,
            times,
            permutations,
            varies: name.starts_with("sign"),
        };
        Ok(Measured {
            keccak: keccak(backend),
            operations: vec![
                operation("keygen", keygen, hashing.keygen()),
                operation("sign", signing, hashing.sign(hashing.matrix)),
                operation("sign, prepared", signing_prepared, hashing.sign(0.0)),
                operation("verify", verifying, hashing.verify()),
                operation(
                    "verify, prepared",
                    verifying_prepared,
                    hashing.verify_prepared(),
                ),
            ],
        })
    }
}

/// Permutations of the parts of the scheme, for messages of 32 bytes.
struct Hashing {
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
    /// Attempts that a signature takes on average, by FIPS 204's estimate (Table 1).
    attempts: f64,
}

impl Hashing {
    fn of<P: Fips204>() -> Self {
        let (k, l) = (P::K::N, P::L::N);
        // A message in, with at least one byte of padding.
        let absorb = |bytes: usize| (bytes + 1).div_ceil(SHAKE256_RATE) as f64;
        // 3 bytes give a coefficient of Â with a probability of q / 2^23, close to 1.
        let uniform = (3_usize * 256).div_ceil(SHAKE128_RATE);
        // For both values of eta, two blocks are what 256 half bytes that pass most likely take.
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
    fn keygen(&self) -> Permutations {
        Permutations {
            parallel: self.matrix + self.secrets,
            serial: 1.0 + self.public_key,
        }
    }

    /// mu and rho''; of every attempt y, c̃ and c.
    fn sign(&self, matrix: f64) -> Permutations {
        Permutations {
            parallel: matrix + self.attempts * self.mask,
            serial: 2.0 + self.attempts * (self.commitment + 1.0),
        }
    }

    /// Â and tr besides.
    fn verify(&self) -> Permutations {
        let prepared = self.verify_prepared();
        Permutations {
            parallel: self.matrix,
            serial: prepared.serial + self.public_key,
        }
    }

    /// mu, c and c̃.
    fn verify_prepared(&self) -> Permutations {
        Permutations {
            parallel: 0.0,
            serial: 2.0 + self.commitment,
        }
    }
}

fn keccak<B: Backend>(backend: B) -> Keccak {
    Keccak {
        lanes: <B::Keccak as moissanite_keccak::Keccak>::WIDTH,
        wide: permutation(backend.keccak()),
        scalar: permutation(Scalar::new()),
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
