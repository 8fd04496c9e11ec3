//! Steps of the run, each with its count of errors.

use moissanite_core::ParameterSet;
use moissanite_core::backend::Backend;
use moissanite_cpu::memcheck::count_errors;

/// Runs one step and says how many errors memcheck saw in it.
pub(crate) fn step<P: ParameterSet, B: Backend, T>(name: &str, run: impl FnOnce() -> T) -> T {
    step_of(P::NAME, B::NAME, name, run)
}

/// [`step`], of any scheme.
pub(crate) fn step_of<T>(scheme: &str, backend: &str, name: &str, run: impl FnOnce() -> T) -> T {
    let before = count_errors();
    let result = run();
    let errors = count_errors() - before;
    println!("{scheme} on {backend}: {name}: {errors} errors");
    result
}
