//! Runs tests on every backend.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

/// Runs a test on every backend of this CPU. The core's own tests also run lanes in software.
pub(crate) fn on_every_backend<O>(test: &O)
where
    O: moissanite::backend::WithBackend<Output = ()> + Clone,
{
    use moissanite::backend::{available, dispatch_to};

    let mut count = 0;
    for name in available() {
        dispatch_to(name, test.clone()).unwrap();
        count += 1;
    }
    assert!(count >= 1);
}
