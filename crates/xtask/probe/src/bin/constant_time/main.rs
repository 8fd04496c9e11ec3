//! Runs key generation and signing with every secret marked as undefined. Valgrind's memcheck reports each
//! branch and each address that depends on one.
//!
//! `cargo xtask ct` builds and runs it, on several backends:
//! `valgrind --error-exitcode=99 constant_time [--backend NAME] [--only PART] [--leak branch|index]`.
//! With `--leak`, the program contains a deliberate leak, which memcheck must report. With `--only`, it runs
//! one parameter set, `streams`, `facade` or `composite`, if the backend runs it.

mod composite;
mod facade;
mod lattice;
mod plant;
mod step;
mod streams;
mod zk_dilithium;

use std::process::ExitCode;

use moissanite_core::backend::{Backend, Lanes, Portable, WithBackend, available, dispatch_to};
use moissanite_core::{Dilithium2, MlDsa44, MlDsa65, MlDsa87};
use moissanite_cpu::memcheck::running_on_valgrind;

use crate::lattice::run_set;
use crate::plant::Leak;

/// The exit status if valgrind's CPU does not support the backend.
const NO_SUCH_BACKEND: u8 = 3;

fn main() -> ExitCode {
    if !running_on_valgrind() {
        eprintln!("constant_time: this program must run under valgrind");
        return ExitCode::FAILURE;
    }
    let (mut backend, mut only, mut leak) = (Portable::NAME.to_owned(), None, Leak::None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next().as_deref()) {
            ("--backend", Some(name)) => name.clone_into(&mut backend),
            ("--only", Some(part)) => only = Some(part.to_owned()),
            ("--leak", Some("branch")) => leak = Leak::Branch,
            ("--leak", Some("index")) => leak = Leak::Index,
            _ => {
                eprintln!("constant_time: the argument {argument} is unknown");
                return ExitCode::FAILURE;
            }
        }
    }
    let run = Run {
        leak,
        only: only.as_deref(),
    };
    let ran = match backend.as_str() {
        "lanes2" => Some(run.call(Lanes::<2>)),
        "lanes4" => Some(run.call(Lanes::<4>)),
        "lanes8" => Some(run.call(Lanes::<8>)),
        "lanes16" => Some(run.call(Lanes::<16>)),
        name => dispatch_to(name, run),
    };
    match ran {
        Some(true) => ExitCode::SUCCESS,
        Some(false) => ExitCode::FAILURE,
        None => {
            eprintln!("constant_time: the CPU that valgrind emulates does not support {backend}");
            ExitCode::from(NO_SUCH_BACKEND)
        }
    }
}

/// Runs all operations on one backend, or one part of them. Returns whether keys and signatures are right.
struct Run<'a> {
    leak: Leak,
    only: Option<&'a str>,
}

impl Run<'_> {
    /// Runs a part, unless another one is wanted.
    fn part(&self, name: &str, run: impl FnOnce() -> bool) -> bool {
        self.only.is_some_and(|only| only != name) || run()
    }
}

impl WithBackend for Run<'_> {
    type Output = bool;
    fn call<B: Backend>(self, backend: B) -> bool {
        let leak = self.leak;
        let portable = B::NAME == Portable::NAME;
        // The facade and the composites choose the best backend themselves.
        let best = available().next() == Some(B::NAME);
        self.part("ml-dsa-44", || run_set::<MlDsa44, B>(backend, leak))
            && self.part("ml-dsa-65", || run_set::<MlDsa65, B>(backend, leak))
            && self.part("ml-dsa-87", || run_set::<MlDsa87, B>(backend, leak))
            && self.part("dilithium2", || {
                !portable || run_set::<Dilithium2, B>(backend, leak)
            })
            && self.part("streams", || !portable || streams::run())
            && self.part("zk-dilithium", || zk_dilithium::run(backend))
            && self.part("facade", || !best || facade::run())
            && self.part("composite", || !best || composite::run())
    }
}
