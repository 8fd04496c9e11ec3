//! Encodings of hints: each condition of Algorithm 21 (HintBitUnpack), and its limits.

use anyhow::Result;
use moissanite::Fips204;
use moissanite_core::shape::Dim;

use super::collector::{Collector, Draft, Topic};
use crate::killers::defects::Defect as D;

pub(super) fn add<P: Fips204>(cases: &mut Collector<P>) -> Result<()> {
    cases.begin(Topic::Hint);
    valid(cases)?;
    order(cases)?;
    counts(cases)?;
    rest(cases)
}

fn valid<P: Fips204>(cases: &mut Collector<P>) -> Result<()> {
    let omega = P::OMEGA;
    cases.valid("no ones", cases.draft(), &[D::HintNoneRefused])?;
    let first: Vec<u8> = (0..=u8::MAX).take(omega).collect();
    let draft = cases.draft().with_hint::<P>(&first, &[omega]);
    let defects = [D::HintCountOmegaRefused, D::HintPositionZeroRefused];
    cases.valid("omega ones in row 0, from position 0 on", draft, &defects)?;
    let last: Vec<u8> = (0..=u8::MAX).skip(256 - omega).collect();
    let draft = cases
        .draft()
        .with_hint::<P>(&last, &last_row::<P>(0, omega));
    cases.valid(
        "omega ones in the last row, up to position 255",
        draft,
        &[D::HintCountOmegaRefused],
    )?;
    let draft = cases
        .draft()
        .with_hint::<P>(&[200, 255, 0, 5, 5], &[2, 4, 5]);
    let defects = [D::HintOrderAcrossRows, D::HintPositionZeroRefused];
    cases.valid(
        "rows that begin below, or with, the last position of the row before",
        draft,
        &defects,
    )
}

fn order<P: Fips204>(cases: &mut Collector<P>) -> Result<()> {
    let draft = cases.draft().with_hint::<P>(&[9, 3, 20], &[3]);
    let defects = [D::HintOrderOfTheFirstPair, D::HintOrderUnchecked];
    cases.invalid(
        "the first two of three positions are exchanged",
        draft,
        &defects,
    )?;
    let draft = cases.draft().with_hint::<P>(&[3, 20, 9], &[3]);
    let defects = [D::HintOrderOfTheLastPair, D::HintOrderUnchecked];
    cases.invalid(
        "the last two of three positions are exchanged",
        draft,
        &defects,
    )?;
    let draft = cases
        .draft()
        .with_hint::<P>(&[7, 9, 3], &last_row::<P>(1, 3));
    let defects = [D::HintOrderOfTheLastRow, D::HintOrderUnchecked];
    cases.invalid(
        "the positions of the last row are exchanged",
        draft,
        &defects,
    )?;
    for (positions, counts, what) in [
        ([0, 0], vec![2], "position 0 is repeated in row 0"),
        ([7, 7], vec![2], "position 7 is repeated in row 0"),
        (
            [255, 255],
            last_row::<P>(0, 2),
            "position 255 is repeated in the last row",
        ),
    ] {
        let draft = cases.draft().with_hint::<P>(&positions, &counts);
        cases.invalid(what, draft, &[D::HintEqual, D::HintOrderUnchecked])?;
    }
    Ok(())
}

fn counts<P: Fips204>(cases: &mut Collector<P>) -> Result<()> {
    let (omega, k) = (P::OMEGA, P::K::N);
    let draft = cases.draft().with_hint::<P>(&[1, 2], &[2, 1, 2]);
    cases.invalid(
        "the count of row 1 is below that of row 0",
        draft,
        &[D::HintCountDecreasing],
    )?;
    let draft = cases
        .draft()
        .with_hint::<P>(&[1, 2, 3], &last_row::<P>(3, 2));
    let defects = [D::HintCountDecreasingInTheLastRow, D::HintCountDecreasing];
    cases.invalid(
        "the count of the last row is below the one before",
        draft,
        &defects,
    )?;
    let draft = cases.draft().with_hint::<P>(&[1, 2, 3], &[3, 1, 3]);
    let what = "the count of row 1 is below that of row 0, and row 2 has the same positions again";
    cases.invalid(what, draft, &[D::HintCountReset])?;

    // The last row continues in the counts, of which the first is a larger position.
    let row: u8 = 3;
    let first = omega - usize::from(row);
    let positions: Vec<u8> = (0..=u8::MAX).take(first).chain(0..row).collect();
    let mut counts = vec![first; k - 1];
    counts.push(omega + 1);
    let draft = cases.draft().with_hint::<P>(&positions, &counts);
    let what = "the last count is omega + 1: the first count is the last position";
    cases.invalid(what, draft, &[D::HintCountAboveOmega])?;
    let all: Vec<u8> = (0..=u8::MAX).take(omega).collect();
    let draft = cases
        .draft()
        .with_hint::<P>(&all, &last_row::<P>(0, omega + 1));
    cases.invalid(
        "the last count is omega + 1, with omega positions",
        draft,
        &[D::HintCountClamped],
    )
}

fn rest<P: Fips204>(cases: &mut Collector<P>) -> Result<()> {
    let set = |draft: Draft, at: usize, byte: u8| {
        let mut draft = draft;
        draft.hint[at] = byte;
        draft
    };
    let ones = |cases: &Collector<P>| cases.draft().with_hint::<P>(&[10, 20], &[2]);
    let draft = set(ones(cases), 2, 30);
    let defects = [D::HintRestFirst, D::HintRestUnchecked];
    cases.invalid(
        "the byte after the last position is not zero",
        draft,
        &defects,
    )?;
    let draft = set(ones(cases), P::OMEGA - 1, 255);
    let defects = [D::HintRestLast, D::HintRestUnchecked];
    cases.invalid("the last of the omega bytes is not zero", draft, &defects)?;
    let draft = set(cases.draft(), 0, 1);
    let defects = [
        D::HintRestWithoutOnes,
        D::HintRestFirst,
        D::HintRestUnchecked,
    ];
    cases.invalid("a position in a hint without ones", draft, &defects)
}

/// Counts of which only the last one differs.
fn last_row<P: Fips204>(others: usize, last: usize) -> Vec<usize> {
    let mut counts = vec![others; P::K::N - 1];
    counts.push(last);
    counts
}
