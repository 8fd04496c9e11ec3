//! z at its bound.

use anyhow::Result;
use moissanite::Fips204;
use moissanite_core::shape::{Dim, N};

use super::collector::{Collector, Topic};
use crate::killers::defects::Defect as D;

const BETAS: [u32; 3] = [78, 196, 120];

pub(super) fn add<P: Fips204>(cases: &mut Collector<P>) -> Result<()> {
    cases.begin(Topic::Norm);
    let (gamma1, bound) = (P::GAMMA1.cast_signed(), (P::GAMMA1 - P::BETA).cast_signed());
    let large_gamma1 = P::GAMMA1 > 1 << 17;
    let betas = |above: bool| {
        BETAS
            .into_iter()
            .filter(move |beta| (*beta > P::BETA) == above)
            .map(D::ZBeta)
    };
    for i in 0..P::L::N {
        for j in [0, N - 1] {
            let sign = if (i % 2 == 0) == (j == 0) { 1 } else { -1 };
            let mut draft = cases.draft();
            draft.z[i][j] = sign * bound;
            let mut defects = vec![
                D::ZUnchecked,
                D::ZBoundAbove,
                D::ZBoundWithoutBeta,
                D::ZPolynomial(i),
            ];
            defects.extend(betas(false));
            defects.push(if sign > 0 {
                D::ZNegativeOnly
            } else {
                D::ZPositiveOnly
            });
            defects.push(if j == 0 {
                D::ZFirstCoefficients
            } else {
                D::ZLastCoefficients
            });
            defects.extend((i < P::L::N - 1).then_some(D::ZLastVerdict));
            defects.extend((!large_gamma1).then_some(D::ZGamma1OfAnotherSet));
            let bound = if sign > 0 {
                "gamma1 - beta"
            } else {
                "-(gamma1 - beta)"
            };
            let what = format!("coefficient {j} of polynomial {i} of z is {bound}");
            cases.invalid(&what, draft, &defects)?;
        }
    }
    for (z, what) in [
        (bound + 1, "one above gamma1 - beta"),
        (gamma1, "gamma1, whose code is 0"),
        (1 - gamma1, "1 - gamma1, whose code is the largest"),
    ] {
        let mut draft = cases.draft();
        draft.z[P::L::N - 1][100] = z;
        let what = format!("coefficient 100 of the last polynomial of z is {what}");
        cases.invalid(&what, draft, &[D::ZUnchecked, D::ZEquality])?;
    }
    let mut draft = cases.draft();
    for z in &mut draft.z {
        *z = std::array::from_fn(|j| if j % 2 == 0 { bound - 1 } else { 1 - bound });
    }
    let mut defects = vec![D::ZBoundBelow];
    defects.extend(betas(true));
    defects.extend(large_gamma1.then_some(D::ZGamma1OfAnotherSet));
    cases.valid(
        "all coefficients of z are gamma1 - beta - 1 or its negative",
        draft,
        &defects,
    )
}
