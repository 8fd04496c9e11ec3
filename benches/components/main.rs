//! Measures every component on every backend: `cargo bench -p moissanite-benches --bench components`. A
//! regular expression after `--` selects benchmarks by their names, which `-- --list` prints.

#![allow(
    missing_docs,
    clippy::panic,
    reason = "a bench stops if something is broken"
)]

mod bench;
mod encoding;
mod hashing;
mod polynomials;
mod sampling;

use std::collections::HashMap;
use std::time::Duration;

use criterion::Criterion;
use moissanite_benches::{backends, check_filter};
use moissanite_core::backend::{Backend, WithBackend, dispatch_to};
use moissanite_core::{MlDsa44, MlDsa65, MlDsa87};
use moissanite_keccak::{Lanes, Scalar};

use bench::Bench;

impl Bench {
    /// The components whose code does not depend on the backend.
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

fn main() {
    let criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600));
    let mut bench = Bench {
        criterion: criterion.configure_from_args(),
        results: HashMap::new(),
        ran: false,
    };
    bench.without_backend();
    for name in backends() {
        dispatch_to(name, &mut bench);
    }
    bench.criterion.final_summary();
    check_filter("components", bench.ran);
}
