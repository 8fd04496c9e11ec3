//! Coefficients of w' at the ends of intervals, with and without a hint.

use anyhow::{Context, Result};
use moissanite::Fips204;
use moissanite_core::field::Field;
use moissanite_core::reference::{self as fips204, modulo};
use moissanite_core::rounding;
use moissanite_core::shape::{Dim, N};

use super::collector::{Collector, Draft, Topic};
use crate::killers::defects::Defect as D;
use crate::killers::verifier;

pub(super) fn add<P: Fips204>(cases: &mut Collector<P>) -> Result<()> {
    cases.begin(Topic::Rounding);
    many(cases)?;
    let (gamma2, q) = (P::GAMMA2.cast_signed(), P::Field::Q);
    let targets = [
        (gamma2, false, "gamma2", D::RoundHalfUp),
        (gamma2 + 1, false, "gamma2 + 1", D::RoundHalfDown),
        (q - 1 - gamma2, false, "q - 1 - gamma2", D::TopIntervalEarly),
        (q - gamma2, false, "q - gamma2", D::TopIntervalLate),
        (q - 1, false, "q - 1", D::TopIntervalClamped),
        (q - 1, true, "q - 1", D::UseHintDownClamped),
        (1, true, "1", D::UseHintDownAtOne),
        (10 * gamma2, true, "10 gamma2", D::UseHintUpAtZero),
        (10 * gamma2 + 1, true, "10 gamma2 + 1", D::UseHintDownAtOne),
    ];
    for (i, (w, h, name, defect)) in targets.into_iter().enumerate() {
        let (row, j) = (i % P::K::N, 17 * i);
        let draft = draft_with::<P>(cases.draft(), row, j, w)?;
        let mut hints = vec![[0; N]; P::K::N];
        hints[row][j] = u8::from(h);
        let hint = fips204::hint_bit_pack(P::OMEGA, &hints);
        let with = if h { "with" } else { "without" };
        let what = format!("coefficient {j} of row {row} of w' is {name}, {with} a hint");
        cases.valid(&what, Draft { hint, ..draft }, &[defect])?;
    }
    Ok(())
}

/// Vectors in which many coefficients decide.
fn many<P: Fips204>(cases: &mut Collector<P>) -> Result<()> {
    let mut draft = cases.draft();
    draft.z.fill([0; N]);
    let zero = with_hints_where::<P>(draft, |_, _| true);
    let defects = [D::UseHintUpAtZero, D::UseHintIgnored, D::UseHintDownClamped];
    cases.valid("z and w' are zero, with omega hints", zero, &defects)?;
    let last = P::HIGH_VALUES.cast_signed() - 1;
    let up = with_hints_where::<P>(cases.draft(), |r1, r0| r1 == last && r0 > 0);
    let what = "hints where the high bits are the largest and the low bits positive";
    cases.valid(what, up, &[D::UseHintUpClamped, D::UseHintIgnored])?;
    let down = with_hints_where::<P>(cases.draft(), |r1, r0| r1 == 0 && r0 <= 0);
    let what = "hints where the high bits are zero and the low bits negative";
    cases.valid(what, down, &[D::UseHintDownClamped, D::UseHintUpAlone])?;
    let what = "coefficients in the topmost interval, without hints";
    cases.valid(
        what,
        cases.draft(),
        &[D::TopIntervalClamped, D::TopIntervalMissing],
    )
}

/// Adds hints where the high and low bits of w' are as wanted, at most ω.
fn with_hints_where<P: Fips204>(draft: Draft, wanted: impl Fn(i32, i32) -> bool) -> Draft {
    let w = verifier::products::<P>(&fips204::expand_a::<P>(&rho(&draft)), &draft.z);
    let mut left = P::OMEGA;
    let hint = |w: &i32| {
        let (r1, r0) = rounding::decompose(*w, P::GAMMA2.cast_signed());
        let one = left > 0 && wanted(r1, r0);
        left -= usize::from(one);
        u8::from(one)
    };
    let hints: Vec<u8> = w.as_flattened().iter().map(hint).collect();
    let hint = fips204::hint_bit_pack(P::OMEGA, hints.as_chunks().0);
    Draft { hint, ..draft }
}

/// Changes one coefficient of z, so that a coefficient of w' = Az has this value.
fn draft_with<P: Fips204>(mut draft: Draft, row: usize, j: usize, value: i32) -> Result<Draft> {
    let most = i64::from(P::GAMMA1 - P::BETA - 1);
    let a_hat = fips204::expand_a::<P>(&rho(&draft));
    let w = verifier::products::<P>(&a_hat[row..=row], &draft.z);
    let difference = i64::from(value - w[0][j]);
    for (s, a_hat) in a_hat[row].iter().enumerate() {
        let a = fips204::inverse_ntt::<P::Field>(a_hat);
        for p in 0..N {
            // The coefficient j of A_rs X^p, modulo X^256 + 1.
            let factor = if p <= j { a[j - p] } else { -a[N + j - p] };
            let change = modulo::<P::Field>(difference * inverse::<P::Field>(factor));
            let z = i64::from(draft.z[s][p])
                + i64::from(rounding::mod_pm(i32::try_from(change)?, P::Field::Q));
            if z.abs() <= most {
                draft.z[s][p] = i32::try_from(z)?;
                return Ok(draft);
            }
        }
    }
    None.context("no coefficient of z gives this value")
}

/// 1/x modulo q, and 0 for 0.
fn inverse<F: Field>(x: i32) -> i64 {
    let square = |x: i64| modulo::<F>(x * x);
    let bits = (0..23).rev().map(|bit| (F::Q - 2) >> bit & 1);
    bits.fold(1, |power, bit| {
        let factor = if bit == 1 { modulo::<F>(x.into()) } else { 1 };
        modulo::<F>(square(power) * factor)
    })
}

fn rho(draft: &Draft) -> [u8; 32] {
    fips204::first(draft.public_key.iter().copied())
}
