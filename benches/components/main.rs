//! Every component on every backend: `cargo bench -p moissanite-benches --bench components`. A word after
//! `--` filters.

#![allow(
    missing_docs,
    clippy::panic,
    reason = "a bench, which stops where something is broken"
)]

mod encoding;
mod hashing;
mod polynomials;
mod sampling;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion};
use moissanite_benches::{backends, numbered};
use moissanite_core::backend::{Backend, WithBackend, dispatch_to};
use moissanite_core::field::{Field, MlDsaField};
use moissanite_core::poly::{NttPoly, Poly};
use moissanite_core::secret::Zeroed;
use moissanite_core::shape::N;
use moissanite_core::{MlDsa44, MlDsa65, MlDsa87};
use moissanite_keccak::{Lanes, Scalar};

type F = MlDsaField;

/// Measures, and compares the results of backends.
struct Bench {
    criterion: Criterion,
    /// The hash of what a component gave, wherever it ran first.
    results: HashMap<String, u64>,
}

impl Bench {
    /// Measures `run`, whose inputs and outputs are in `state`, after a look at what it gives from there:
    /// something else than what was there, and the same on all backends.
    fn time<S, R: Hash>(
        &mut self,
        backend: &str,
        name: impl Into<String>,
        mut state: S,
        mut run: impl FnMut(&mut S),
        result: impl Fn(&S) -> R,
    ) {
        let name = name.into();
        let hash = |state: &S| {
            let mut hasher = DefaultHasher::new();
            result(state).hash(&mut hasher);
            hasher.finish()
        };
        let before = hash(&state);
        run(&mut state);
        let after = hash(&state);
        assert_ne!(before, after, "{name} on {backend} does nothing");
        let first = *self.results.entry(name.clone()).or_insert(after);
        assert_eq!(first, after, "{name} on {backend} gives something else");
        self.measure(backend, &name, &mut state, run);
    }

    fn measure<S>(
        &mut self,
        backend: &str,
        name: &str,
        state: &mut S,
        mut run: impl FnMut(&mut S),
    ) {
        let mut group = self.criterion.benchmark_group(name);
        group.bench_function(BenchmarkId::from_parameter(backend), |bencher| {
            bencher.iter(|| run(black_box(state)));
        });
        group.finish();
    }

    /// What is the same code on every backend, or on none of them.
    fn without_backend(&mut self) {
        self.ball::<MlDsa44>();
        self.ball::<MlDsa65>();
        self.ball::<MlDsa87>();
        self.hints::<MlDsa44>();
        self.hints::<MlDsa65>();
        self.hints::<MlDsa87>();
        self.shake();
        self.permutation(Scalar::new());
        self.permutation(Lanes::<2>);
        self.permutation(Lanes::<4>);
        self.permutation(Lanes::<8>);
    }
}

impl WithBackend for &mut Bench {
    type Output = ();
    fn call<B: Backend>(self, backend: B) {
        self.multiplication(backend);
        self.rounding::<MlDsa44, B>(backend, "gamma2 = (q - 1) / 88");
        self.rounding::<MlDsa65, B>(backend, "gamma2 = (q - 1) / 32");
        self.challenge::<MlDsa44, B>(backend);
        self.challenge::<MlDsa65, B>(backend);
        self.challenge::<MlDsa87, B>(backend);
        self.sampling::<MlDsa44, B>(backend);
        self.sampling::<MlDsa65, B>(backend);
        self.sampling::<MlDsa87, B>(backend);
        self.masks::<MlDsa44, B>(backend, 17);
        self.masks::<MlDsa65, B>(backend, 19);
        self.encoding(backend);
        self.permutation(backend.keccak());
    }
}

/// Coefficients all over −q/2 ... q/2, different for each seed.
fn uniform(seed: i32) -> Poly<F> {
    let mut x = seed as u32;
    Poly::new([0; N].map(|_: i32| {
        x = x.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        ((u64::from(x) * F::Q as u64) >> 32) as i32 - (F::Q >> 1)
    }))
}

/// The same, in T_q.
fn uniform_hat(seed: i32) -> NttPoly<F> {
    let mut w_hat = NttPoly::ZERO;
    w_hat.0 = uniform(seed).0;
    w_hat
}

fn main() {
    let criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600));
    let mut bench = Bench {
        criterion: criterion.configure_from_args(),
        results: HashMap::new(),
    };
    bench.without_backend();
    for name in backends() {
        dispatch_to(name, &mut bench);
    }
    bench.criterion.final_summary();
}
