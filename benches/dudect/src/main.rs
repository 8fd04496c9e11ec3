//! Times operations with two classes of secrets, and compares the times by Welch's t-test as dudect
//! does: `moissanite-dudect BACKEND MEASUREMENTS [FILTER]`.
//!
//! `cargo xtask dudect` runs this program on every backend and reads its output.

mod case;
mod classes;
mod kernels;
mod signing;

use std::process::ExitCode;

use dudect_bencher::ctbench::{BenchMetadata, BenchName, BenchOpts, run_benches_console};
use dudect_bencher::{BenchRng, CtRunner};
use moissanite_core::backend::{Backend, WithBackend, available, dispatch_to};
use moissanite_core::{MlDsa44, MlDsa65, MlDsa87};

use case::{Case, Run};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (backend, measurements) = (arguments.next(), arguments.next());
    let known = |name: &String| available().any(|available| available == name);
    let run = backend
        .filter(known)
        .zip(measurements.and_then(|n| n.parse().ok()));
    let Some((backend, measurements)) = run else {
        eprintln!("moissanite-dudect BACKEND MEASUREMENTS [FILTER]; this CPU has");
        available().for_each(|name| eprintln!("  {name}"));
        return ExitCode::FAILURE;
    };
    let run = Run {
        backend,
        measurements,
    };
    run.set();
    let options = BenchOpts {
        filter: arguments.next(),
        ..BenchOpts::default()
    };
    match run_benches_console(options, benches()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("moissanite-dudect: {error}");
            ExitCode::FAILURE
        }
    }
}

fn benches() -> Vec<BenchMetadata> {
    vec![
        bench::<kernels::Ntt>("ntt"),
        bench::<kernels::InverseNtt>("inverse_ntt"),
        bench::<kernels::InnerProduct>("inner_product"),
        bench::<kernels::AddProduct<i8, 2>>("add_product_s"),
        bench::<kernels::AddProduct<i16, 4096>>("add_product_t0"),
        bench::<kernels::Power2Round>("power2round"),
        bench::<kernels::Decompose<MlDsa44>>("decompose_44"),
        bench::<kernels::Decompose<MlDsa65>>("decompose_65"),
        bench::<kernels::MakeHint<MlDsa44>>("make_hint_44"),
        bench::<kernels::MakeHint<MlDsa65>>("make_hint_65"),
        bench::<kernels::NormAtLeast>("norm_at_least"),
        bench::<kernels::Pack>("pack"),
        bench::<kernels::RejectBounded<2>>("reject_bounded_2"),
        bench::<kernels::RejectBounded<4>>("reject_bounded_4"),
        bench::<signing::Sign<MlDsa44>>("sign_44"),
        bench::<signing::Sign<MlDsa65>>("sign_65"),
        bench::<signing::Sign<MlDsa87>>("sign_87"),
        bench::<kernels::PlantedLeak>("planted_leak"),
    ]
}

fn bench<C: Case>(name: &'static str) -> BenchMetadata {
    fn on_backend<C: Case>(runner: &mut CtRunner, rng: &mut BenchRng) {
        struct Time<'a, C>(
            &'a mut CtRunner,
            &'a mut BenchRng,
            std::marker::PhantomData<C>,
        );
        impl<C: Case> WithBackend for Time<'_, C> {
            type Output = ();
            fn call<B: Backend>(self, backend: B) {
                C::time(backend, self.0, self.1);
            }
        }
        let ran = dispatch_to(
            &Run::get().backend,
            Time::<C>(runner, rng, std::marker::PhantomData),
        );
        ran.expect("main asked for this backend");
    }
    BenchMetadata {
        name: BenchName(name),
        // The secrets are the same in every run, so only the machine varies.
        seed: Some(0),
        benchfn: on_backend::<C>,
    }
}
