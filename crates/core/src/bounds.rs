//! Bounds of secrets, checked by this project's tests alone (feature `check-bounds`).
//!
//! They are not debug assertions: such a check is a branch on a secret, in every debug build of
//! every user.

/// Panics in tests where a condition does not hold.
#[inline(always)]
pub(crate) fn check(holds: impl FnOnce() -> bool) {
    if cfg!(feature = "check-bounds") {
        assert!(holds(), "a bound that a kernel relies on does not hold");
    }
}

/// Panics in tests where not all |w_j| ≤ `bound`.
#[inline(always)]
pub(crate) fn check_all(w: &[i32], bound: i32) {
    check(|| w.iter().all(|w| w.abs() <= bound));
}
