//! The first half of line 13 of Algorithm 8, with defects.

use moissanite::Fips204;
use moissanite_core::reference::Coefficients;
use moissanite_core::shape::N;

use crate::killers::defects::{Defect as D, Flaw};

/// Whether ‖z‖∞ < γ₁ − β.
pub(crate) fn is_short<P: Fips204>(flaw: Flaw, z: &[Coefficients]) -> bool {
    let bound = match flaw {
        Some(D::ZBoundAbove) => P::GAMMA1 - P::BETA + 1,
        Some(D::ZBoundBelow) => P::GAMMA1 - P::BETA - 1,
        Some(D::ZBoundWithoutBeta) => P::GAMMA1,
        Some(D::ZBeta(beta)) => P::GAMMA1 - beta,
        Some(D::ZGamma1OfAnotherSet) => (1 << 17) + (1 << 19) - P::GAMMA1 - P::BETA,
        _ => P::GAMMA1 - P::BETA,
    };
    let bound = bound.cast_signed();
    let is_long = |z: i32| match flaw {
        Some(D::ZPositiveOnly) => z >= bound,
        Some(D::ZNegativeOnly) => -z >= bound,
        Some(D::ZEquality) => z.abs() == bound,
        _ => z.abs() >= bound,
    };
    let checked = |i: usize, j: usize| match flaw {
        Some(D::ZUnchecked) => false,
        Some(D::ZPolynomial(unchecked)) => i != unchecked,
        Some(D::ZFirstCoefficients) => j != 0,
        Some(D::ZLastCoefficients) => j != N - 1,
        Some(D::ZLastVerdict) => i == z.len() - 1,
        _ => true,
    };
    let all = z.iter().enumerate();
    let mut all = all.flat_map(|(i, z)| z.iter().enumerate().map(move |(j, z)| (i, j, *z)));
    !all.any(|(i, j, z)| checked(i, j) && is_long(z))
}
