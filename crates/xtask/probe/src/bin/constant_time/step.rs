//! The steps of a run and their numbers of errors.

use moissanite_core::ParameterSet;
use moissanite_core::backend::Backend;
use moissanite_cpu::memcheck::count_errors;

/// Runs one step and prints the number of errors that memcheck reported.
pub(crate) fn step<P: ParameterSet, B: Backend, T>(name: &str, run: impl FnOnce() -> T) -> T {
    step_of(P::NAME, B::NAME, name, run)
}

/// The same as [`step`], for any scheme.
pub(crate) fn step_of<T>(scheme: &str, backend: &str, name: &str, run: impl FnOnce() -> T) -> T {
    let before = count_errors();
    let result = run();
    let errors = count_errors() - before;
    println!("{scheme} on {backend}: {name}: {errors} errors");
    result
}
