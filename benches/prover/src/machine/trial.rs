//! Programs of a few bytes in tests: the model accepts them, or rejects them for a reason.

use super::{Argument, Call, Executor, Limits};
use crate::image::{Architecture, Image};
use crate::terms::{forget, variable};

/// Executes code with one pointer to four readable bytes.
pub(crate) fn run(architecture: Architecture, code: &[u8]) -> Result<(), String> {
    forget();
    let image = Image::of_code(architecture, code);
    let argument = Argument::read_only(vec![variable(32, "a", 0)]);
    let mut executor = Executor::new(&image, Limits::default());
    let outcome = executor.call(&Call::new("f", vec![argument]));
    outcome.map(|_| ()).map_err(|error| format!("{error:#}"))
}

/// Requires that the model rejects the code, and that the message contains the reason.
#[track_caller]
pub(crate) fn assert_rejected(architecture: Architecture, code: &[u8], reason: &str) {
    let error = run(architecture, code).expect_err("the code was accepted");
    assert!(error.contains(reason), "{error}");
}
