//! Runs tests on every backend.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

/// Runs a test on every backend: those of this CPU, and sixteen lanes in software.
pub(crate) fn on_every_backend<O>(test: O)
where
    O: moissanite::backend::WithBackend<Output = ()> + Clone,
{
    use moissanite::backend::{Lanes, available, dispatch_to};

    let mut count = 0;
    for name in available() {
        dispatch_to(name, test.clone()).unwrap();
        count += 1;
    }
    assert!(count >= 1);
    // The core is tested on lanes of every width; on AArch64 they are what they are elsewhere.
    if cfg!(not(target_arch = "aarch64")) {
        test.call(Lanes::<16>);
    }
}
