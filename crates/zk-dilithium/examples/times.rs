//! Measures key generation, signing and verification on every backend of this CPU, in microseconds:
//! `cargo run --release --example times --features hazmat [SIGNATURES]`. The signatures are of
//! different messages, because the number of attempts differs.

#![allow(
    clippy::unwrap_used,
    clippy::integer_division_remainder_used,
    reason = "a tool, without secrets"
)]

use std::hint::black_box;
use std::time::Instant;

use moissanite_zk_dilithium::backend::{self, Backend, WithBackend};
use moissanite_zk_dilithium::{SigningKey, prelude::*};

/// The number of measurements of each message. The shortest counts, which excludes other load on
/// the machine.
const REPEATS: usize = 5;

/// The number of messages or seeds.
#[derive(Clone, Copy)]
struct Times(u32);

impl WithBackend for Times {
    type Output = ();
    fn call<B: Backend>(self, backend: B) {
        let key = SigningKey::from_seed(&[7; 32].into());
        let (signer, verifier) = (key.prepare(), key.verifying_key().prepare());
        let signature = key.try_sign(b"message").unwrap();
        self.row(B::NAME, "keygen", |i| {
            let mut seed = [0; 32];
            seed[..4].copy_from_slice(&i.to_le_bytes());
            black_box(SigningKey::from_seed_on(backend, &seed.into()));
        });
        self.row(B::NAME, "sign", |i| {
            black_box(key.on(backend).try_sign(&i.to_le_bytes()).unwrap());
        });
        self.row(B::NAME, "sign, prepared", |i| {
            black_box(signer.on(backend).try_sign(&i.to_le_bytes()).unwrap());
        });
        self.row(B::NAME, "verify", |_| {
            key.verifying_key()
                .on(backend)
                .verify(b"message", &signature)
                .unwrap();
        });
        self.row(B::NAME, "verify, prepared", |_| {
            verifier.on(backend).verify(b"message", &signature).unwrap();
        });
    }
}

impl Times {
    fn row(self, backend: &str, name: &str, mut operation: impl FnMut(u32)) {
        let mut times: Vec<f64> = (0..self.0)
            .map(|i| {
                let mut time = || {
                    let start = Instant::now();
                    operation(i);
                    start.elapsed().as_nanos() as f64 / 1e3
                };
                (0..REPEATS).map(|_| time()).fold(f64::MAX, f64::min)
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let (min, max) = (times[0], times[times.len() - 1]);
        let median = times[times.len() / 2];
        println!(
            "{backend:9} {name:17} min {min:8.1}  median {median:8.1}  mean {mean:8.1}  max {max:8.1}"
        );
    }
}

fn main() {
    let count = std::env::args()
        .nth(1)
        .map_or(1000, |count| count.parse().unwrap());
    for name in backend::available() {
        backend::dispatch_to(name, Times(count)).unwrap();
    }
}
