//! Checks of the bounds of secrets, which only the tests of this project compile (feature
//! `check-bounds`).
//!
//! The checks are not debug assertions, because such an assertion is a branch on a secret in every
//! debug build of every user.

/// Panics in tests if a condition does not hold.
#[inline(always)]
pub(crate) fn check(holds: impl FnOnce() -> bool) {
    if cfg!(feature = "check-bounds") {
        assert!(holds(), "a bound that a kernel relies on does not hold");
    }
}

/// Panics in tests unless all |w_j| ≤ `bound`.
#[inline(always)]
pub(crate) fn check_all(w: &[i32], bound: i32) {
    check(|| w.iter().all(|w| w.abs() <= bound));
}
