//! Measures every operation of every set on every backend:
//! `cargo bench -p moissanite-benches --bench operations`.
//!
//! Criterion chooses the number of measurements and compares them with the last run. A regular expression
//! after `--` selects benchmarks by their names, which `-- --list` prints. The output ends with
//! min, median, mean and max over 1,000 messages under a fixed key, where each message counts with its
//! shortest time.

#![allow(
    missing_docs,
    clippy::panic,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a bench stops if something is broken"
)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode};
use moissanite::backend::{Portable, WithBackend, dispatch_to};
use moissanite::{
    Backend, Dilithium2, Dilithium3, Dilithium5, Fips204, MlDsa44, MlDsa65, MlDsa87, ParameterSet,
    Seed, Signature, prelude::*,
};
use moissanite_benches::hashing::{Hashing, Keccak, Permutations};
use moissanite_benches::{Samples, Subject, backends, check_filter, numbered, wall};
use moissanite_core::hash::public_key_hash;

/// The number of messages and of seeds of keys. `cargo test` only checks that everything runs.
fn inputs() -> usize {
    let measuring = std::env::args().any(|argument| argument == "--bench");
    if measuring { 1000 } else { 10 }
}

/// The number of items of a batch.
const BATCH: usize = 64;

/// A name, the amount of hashing, and the call with the number of an input, which returns whether the
/// result is right.
type Operation<'a> = (
    &'static str,
    Option<Permutations>,
    Box<dyn Fn(usize) -> bool + 'a>,
);

/// Measures a backend, and keeps the lines of the table.
struct Measure<'a> {
    criterion: &'a mut Criterion,
    table: &'a mut String,
    /// Whether a benchmark has run, which a filter can prevent.
    ran: &'a mut bool,
}

impl WithBackend for Measure<'_> {
    type Output = ();
    fn call<B: Backend>(mut self, backend: B) {
        let keccak = Keccak::measure(backend);
        self.set::<MlDsa44, B>(backend, keccak);
        self.set::<MlDsa65, B>(backend, keccak);
        self.set::<MlDsa87, B>(backend, keccak);
        self.batches::<MlDsa44, B>(backend, keccak);
        self.batches::<MlDsa65, B>(backend, keccak);
        self.batches::<MlDsa87, B>(backend, keccak);
        self.set::<Dilithium2, B>(backend, keccak);
        self.set::<Dilithium3, B>(backend, keccak);
        self.set::<Dilithium5, B>(backend, keccak);
        self.zk_dilithium(backend);
    }
}

impl Measure<'_> {
    fn set<P: ParameterSet, B: Backend>(&mut self, backend: B, keccak: Keccak) {
        let inputs = inputs();
        let subject = Subject::<P, B>::new(backend, &Seed::from(numbered(b'k', 0)));
        let messages: Vec<_> = (0..inputs).map(|i| numbered(b'm', i)).collect();
        let seeds: Vec<_> = (0..inputs).map(|i| Seed::from(numbered(b's', i))).collect();
        let signatures = signatures(&subject, &messages);
        let signature = |i: usize| signatures[i].as_ref();
        let hashing = Hashing::of::<P>();
        let tr = public_key_hash(subject.public_key().as_ref());
        let operations: [Operation<'_>; 8] = [
            (
                "keygen",
                Some(hashing.keygen()),
                Box::new(|i| black_box(subject.keygen(&seeds[i])).0.as_seed() == Some(&seeds[i])),
            ),
            (
                "sign",
                Some(hashing.sign()),
                Box::new(|i| black_box(subject.sign(&messages[i])).is_some()),
            ),
            (
                "sign, prepared",
                Some(hashing.sign_prepared()),
                Box::new(|i| black_box(subject.sign_prepared(&messages[i])).is_some()),
            ),
            (
                "verify",
                Some(hashing.verify()),
                Box::new(|i| subject.verify(&messages[i], signature(i))),
            ),
            (
                "verify, prepared",
                Some(hashing.verify_prepared()),
                Box::new(|i| subject.verify_prepared(&messages[i], signature(i))),
            ),
            (
                "import a private key",
                None,
                Box::new(|_| black_box(subject.import()).is_some()),
            ),
            (
                "prepare a private key",
                None,
                Box::new(|_| black_box(subject.prepare()).is_some()),
            ),
            (
                "prepare a public key",
                None,
                Box::new(|_| black_box(subject.prepare_public()).tr() == &tr),
            ),
        ];
        self.operations::<P, B>(keccak, &operations);
    }

    /// These times are for all items together.
    fn batches<P: Fips204, B: Backend>(&mut self, backend: B, keccak: Keccak) {
        let inputs = inputs();
        let subject = Subject::<P, B>::new(backend, &Seed::from(numbered(b'k', 0)));
        let messages: Vec<_> = (0..inputs).map(|i| numbered(b'm', i)).collect();
        let sign = |message: &[u8; 32]| {
            let signature = subject.sign_prepared(message).expect("it signs");
            Signature::<P>::from_bytes(signature.as_ref()).expect("a length")
        };
        let objects: Vec<_> = messages.iter().map(sign).collect();
        let seeds: Vec<_> = (0..inputs).map(|i| Seed::from(numbered(b's', i))).collect();
        let many_seeds: Vec<_> = seeds.iter().cycle().take(inputs + BATCH).cloned().collect();
        let operations: [Operation<'_>; 3] = [
            (
                "generate_batch of 64",
                None,
                Box::new(|i| {
                    black_box(subject.generate_batch(&many_seeds[i..i + BATCH])).len() == BATCH
                }),
            ),
            (
                "sign_batch of 64",
                None,
                Box::new(|i| subject.sign_batch(messages.iter().cycle().skip(i).take(BATCH))),
            ),
            (
                "verify_batch of 64",
                None,
                Box::new(|i| {
                    let signed = messages.iter().zip(&objects);
                    subject.verify_batch(signed.cycle().skip(i).take(BATCH))
                }),
            ),
        ];
        self.operations::<P, B>(keccak, &operations);
    }

    fn operations<P: ParameterSet, B: Backend>(
        &mut self,
        keccak: Keccak,
        operations: &[Operation<'_>],
    ) {
        for (name, permutations, run) in operations {
            let budget = permutations.map(|permutations| keccak.budget(permutations));
            let run = |i| assert!(run(i), "{name} went wrong");
            self.operation::<B>(P::NAME, name, budget, run);
        }
    }

    /// zkDilithium has no budget, because it hashes mostly with Poseidon.
    fn zk_dilithium<B: Backend>(&mut self, backend: B) {
        use moissanite_zk_dilithium::{Signature, SigningKey, VerifyingKey};
        let inputs = inputs();
        let key = SigningKey::from_seed_on(backend, &Seed::from(numbered(b'k', 0)));
        let public_key = key.verifying_key().to_bytes();
        let (signer, verifier) = (key.prepare(), key.verifying_key().prepare());
        let messages: Vec<_> = (0..inputs).map(|i| numbered(b'm', i)).collect();
        let seeds: Vec<_> = (0..inputs).map(|i| Seed::from(numbered(b's', i))).collect();
        let sign = |message: &[u8; 32]| signer.on(backend).sign(message);
        let signatures: Vec<_> = messages.iter().map(sign).collect();
        assert!(signatures[0] == key.on(Portable).sign(&messages[0]));
        let verify = |i: usize| {
            let signature = Signature::from_bytes(signatures[i].as_bytes());
            let key = VerifyingKey::from_bytes(black_box(&public_key));
            let (key, signature) = (key.expect("a key"), signature.expect("a length"));
            key.on(backend).verify(&messages[i], &signature).is_ok()
        };
        let verify_prepared = |i: usize| {
            let key = verifier.on(backend);
            key.verify(&messages[i], &signatures[i]).is_ok()
        };
        let operations: [Operation<'_>; 5] = [
            (
                "keygen",
                None,
                Box::new(|i| {
                    black_box(SigningKey::from_seed_on(backend, &seeds[i]))
                        .as_seed()
                        .is_some()
                }),
            ),
            (
                "sign",
                None,
                Box::new(|i| black_box(key.on(backend).try_sign(&messages[i])).is_ok()),
            ),
            (
                "sign, prepared",
                None,
                Box::new(|i| black_box(signer.on(backend).try_sign(&messages[i])).is_ok()),
            ),
            ("verify", None, Box::new(verify)),
            ("verify, prepared", None, Box::new(verify_prepared)),
        ];
        for (name, _, run) in &operations {
            let run = |i| assert!(run(i), "{name} went wrong");
            self.operation::<B>("zkDilithium", name, None, run);
        }
    }

    /// Measures with criterion, and records the time of every call.
    fn operation<B: Backend>(
        &mut self,
        scheme: &str,
        name: &str,
        budget: Option<f64>,
        run: impl Fn(usize),
    ) {
        let inputs = inputs();
        let mut samples = Samples::new(inputs);
        let mut next = 0;
        let mut group = self.criterion.benchmark_group(format!("{scheme} {name}"));
        // Linear sampling requires calls of equal duration.
        group.sampling_mode(SamplingMode::Flat);
        group.bench_function(BenchmarkId::from_parameter(B::NAME), |bencher| {
            bencher.iter_custom(|calls| {
                let mut left = calls as usize;
                let mut sum = 0.0;
                while left > 0 {
                    let end = inputs.min(next + left);
                    sum += samples.turn(next..end, wall, &run);
                    left -= end - next;
                    next = if end == inputs { 0 } else { end };
                }
                Duration::from_nanos(sum as u64)
            });
        });
        group.finish();
        *self.ran |= samples.count() > 0;
        // The filter excludes it, or `cargo test` only checks that it runs.
        if samples.count() <= 1 {
            return;
        }
        while samples.count() < inputs {
            samples.turn(next..inputs, wall, &run);
        }
        let times = samples.shortest();
        let numbers = [times.min, times.median, times.mean, times.max];
        let numbers = numbers.map(|ns| format!("{:10.2}", ns / 1e3)).concat();
        let ratio = budget.map_or(String::new(), |budget| {
            format!("{:8.2}", times.mean / budget)
        });
        let line = format!("{:10}{scheme:12}{name:24}{numbers}{ratio}\n", B::NAME);
        self.table.push_str(&line);
    }
}

/// Signs all messages, and checks that the portable code gives the same keys and signatures, and that
/// verification accepts a signature and rejects another.
fn signatures<P: ParameterSet, B: Backend>(
    subject: &Subject<P, B>,
    messages: &[[u8; 32]],
) -> Vec<P::Signature> {
    let seed = Seed::from(numbered(b'k', 0));
    let portable = Subject::<P, Portable>::new(Portable, &seed);
    assert!(subject.public_key() == portable.public_key());
    assert!(subject.import().as_ref() == Some(portable.public_key()));
    let (_, public_key) = subject.keygen(&seed);
    assert!(public_key == *portable.public_key());
    let sign = |(i, message): (usize, &[u8; 32])| {
        let signature = subject.sign_prepared(message).expect("it signs");
        if i < 5 {
            assert!(Some(&signature) == portable.sign(message).as_ref());
            assert!(Some(&signature) == subject.sign(message).as_ref());
            let mut other = signature.clone();
            other.as_mut()[0] ^= 1;
            for (signature, valid) in [(&signature, true), (&other, false)] {
                assert!(subject.verify(message, signature.as_ref()) == valid);
                assert!(subject.verify_prepared(message, signature.as_ref()) == valid);
            }
        }
        signature
    };
    messages.iter().enumerate().map(sign).collect()
}

fn main() {
    let criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    let mut criterion = criterion.configure_from_args();
    let (mut table, mut ran) = (String::new(), false);
    for name in backends() {
        let measure = Measure {
            criterion: &mut criterion,
            table: &mut table,
            ran: &mut ran,
        };
        dispatch_to(name, measure);
    }
    criterion.final_summary();
    if !table.is_empty() {
        println!(
            "Times in us, over the inputs, where each counts with its shortest time. ratio: the mean divided by the Keccak budget."
        );
        let heads = ["min", "median", "mean", "max"].map(|head| format!("{head:>10}"));
        println!("{:46}{}{:>8}\n{table}", "", heads.concat(), "ratio");
    }
    check_filter("operations", ran);
}
