//! The rules in exact arithmetic, and their use on terms.

use super::*;
use crate::terms::{constant, forget, sum, variable};

const Q: i64 = crate::specification::Q;

#[test]
fn the_rules_hold_for_all_constants() {
    check_rules().unwrap();
}

/// A sum that may wrap must not be taken for an integer.
#[test]
fn a_sum_that_may_wrap_is_any_integer() {
    forget();
    let x = variable(32, "x", 0);
    let mut numbers = Numbers::new(Q, |_| 1 << 30);
    let fits = numbers.of(sum(32, [(x, 1)], (1 << 30) - 1));
    assert_eq!((fits.low, fits.high), (-1, (1 << 31) - 1));
    assert!(fits.form.is_some());
    let wraps = numbers.of(sum(32, [(x, 1)], 1 << 30));
    assert_eq!((wraps.low, wraps.high), (-1 << 31, (1 << 31) - 1));
    assert!(wraps.form.is_none());
}

/// The upper half of a product is not a quotient if the lower half is not zero.
#[test]
fn an_upper_half_needs_a_lower_half_of_zero() {
    forget();
    let x = variable(32, "x", 0).sign_extend(64);
    let mut numbers = Numbers::new(Q, |_| Q);
    let upper = x.multiply(constant(64, 1753)).slice(32, 32);
    assert!(numbers.of(upper).form.is_none());
}

/// The bound on the factor of a Barrett product decides whether it wraps.
#[test]
fn a_barrett_product_with_a_wrong_factor_is_any_integer() {
    forget();
    let x = variable(32, "x", 0);
    let mut numbers = Numbers::new(Q, |_| i64::from(i32::MAX));
    let right = ((1753_i64 << 31) + Q / 2) / Q;
    for (factor, known) in [(right, true), (right + 1000, false)] {
        let by = crate::terms::Barrett {
            zeta: 1753,
            factor: factor as i32,
            q: Q as i32,
        };
        assert_eq!(numbers.of(x.barrett(by)).form.is_some(), known);
    }
}
