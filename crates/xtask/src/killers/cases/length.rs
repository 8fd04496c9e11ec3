//! Signatures of a wrong length.

use anyhow::Result;
use moissanite::Fips204;

use super::collector::{Collector, Topic};
use crate::killers::defects::Defect;

pub(super) fn add<P: Fips204>(cases: &mut Collector<P>) -> Result<()> {
    cases.begin(Topic::Length);
    let draft = cases.draft();
    let mut longer = draft.signature::<P>(None)?;
    longer.push(0);
    cases.add(
        "a zero after a valid signature",
        draft,
        longer,
        false,
        &[Defect::SignatureTrailing],
    )?;
    // Without hints, the last byte is zero.
    let draft = cases.draft();
    let mut shorter = draft.signature::<P>(None)?;
    shorter.pop();
    let what = "a valid signature without its last byte, which is zero";
    cases.add(what, draft, shorter, false, &[Defect::SignaturePadded])
}
