//! The interface of a timed operation, and the arguments of the program.

use std::sync::OnceLock;

use dudect_bencher::{BenchRng, CtRunner};
use moissanite_core::backend::Backend;

/// An operation on secrets.
pub(crate) trait Case {
    /// Times the operation with secrets of two classes.
    fn time<B: Backend>(backend: B, runner: &mut CtRunner, rng: &mut BenchRng);
}

/// The arguments are global, because a bench is a plain function without parameters for them.
static RUN: OnceLock<Run> = OnceLock::new();

/// The arguments of the program.
pub(crate) struct Run {
    pub(crate) backend: String,
    pub(crate) measurements: usize,
}

impl Run {
    /// Returns the arguments that `main` has set.
    pub(crate) fn get() -> &'static Self {
        RUN.get().expect("main sets it")
    }

    /// Sets the arguments.
    pub(crate) fn set(self) {
        RUN.get_or_init(|| self);
    }
}
