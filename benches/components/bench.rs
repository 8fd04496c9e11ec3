//! Measures one component, and compares its results on all backends.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion};
use moissanite_core::field::{Field, MlDsaField};
use moissanite_core::poly::{NttPoly, Poly};
use moissanite_core::secret::Zeroed;
use moissanite_core::shape::N;

pub(crate) type F = MlDsaField;

/// Measures, and compares the results of backends.
pub(crate) struct Bench {
    pub(crate) criterion: Criterion,
    /// The hash of the result of each component on the first backend.
    pub(crate) results: HashMap<String, u64>,
    /// Whether a benchmark has run, which a filter can prevent.
    pub(crate) ran: bool,
}

impl Bench {
    /// Measures `run`, whose inputs and outputs are in `state`. The call must change `state`, and give the
    /// same result on all backends.
    pub(crate) fn time<S, R: Hash>(
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
        assert_ne!(
            before, after,
            "{name} on {backend} does not change its output"
        );
        let first = *self.results.entry(name.clone()).or_insert(after);
        assert_eq!(first, after, "{name} on {backend} gives another result");
        self.measure(backend, &name, &mut state, run);
    }

    pub(crate) fn measure<S>(
        &mut self,
        backend: &str,
        name: &str,
        state: &mut S,
        mut run: impl FnMut(&mut S),
    ) {
        let mut group = self.criterion.benchmark_group(name);
        group.bench_function(BenchmarkId::from_parameter(backend), |bencher| {
            self.ran = true;
            bencher.iter(|| run(black_box(state)));
        });
        group.finish();
    }
}

/// Returns coefficients in −q/2 ... q/2, different for each seed.
pub(crate) fn uniform(seed: i32) -> Poly<F> {
    let mut x = seed as u32;
    Poly::new([0; N].map(|_: i32| {
        x = x.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        ((u64::from(x) * F::Q as u64) >> 32) as i32 - (F::Q >> 1)
    }))
}

/// Returns the same coefficients in T_q.
pub(crate) fn uniform_hat(seed: i32) -> NttPoly<F> {
    let mut w_hat = NttPoly::ZERO;
    w_hat.0 = uniform(seed).0;
    w_hat
}
