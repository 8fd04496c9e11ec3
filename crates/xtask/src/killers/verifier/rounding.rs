//! Algorithms 36 (Decompose) and 40 (UseHint), with defects.

use moissanite::Fips204;
use moissanite_core::field::Field;
use moissanite_core::rounding;

use crate::killers::defects::{Defect as D, Flaw};

/// Algorithm 40, for 0 ≤ r < q.
pub(crate) fn use_hint<P: Fips204>(flaw: Flaw, h: bool, r: i32) -> i32 {
    let m = P::HIGH_VALUES.cast_signed();
    let (r1, r0) = decompose::<P>(flaw, r);
    if !h {
        return r1;
    }
    let up = match flaw {
        Some(D::UseHintIgnored) => return r1,
        Some(D::UseHintUpAlone) => true,
        Some(D::UseHintUpAtZero) => r0 >= 0,
        Some(D::UseHintDownAtOne) => r0 > 1,
        _ => r0 > 0,
    };
    match flaw {
        Some(D::UseHintUpClamped) if up => (r1 + 1).min(m - 1),
        Some(D::UseHintDownClamped) if !up => (r1 - 1).max(0),
        _ => (r1 + if up { 1 } else { -1 }).rem_euclid(m),
    }
}

/// Algorithm 36, for 0 ≤ r < q.
fn decompose<P: Fips204>(flaw: Flaw, r: i32) -> (i32, i32) {
    let (gamma2, q, m) = (
        P::GAMMA2.cast_signed(),
        P::Field::Q,
        P::HIGH_VALUES.cast_signed(),
    );
    let r0 = match (flaw, rounding::mod_pm(r, 2 * gamma2)) {
        (Some(D::RoundHalfUp), r0) if r0 == gamma2 => -gamma2,
        (Some(D::RoundHalfDown), r0) if r0 == 1 - gamma2 => 1 + gamma2,
        (_, r0) => r0,
    };
    let topmost = match flaw {
        Some(D::TopIntervalEarly) => r >= q - 1 - gamma2,
        Some(D::TopIntervalLate) => r > q - gamma2,
        _ => r - r0 == q - 1,
    };
    match flaw {
        Some(D::TopIntervalMissing) if topmost => (m, r0),
        Some(D::TopIntervalClamped) if topmost => (m - 1, r0),
        _ if topmost => (0, r0 - 1),
        _ => (((r - r0) / (2 * gamma2)).min(m - 1), r0),
    }
}
