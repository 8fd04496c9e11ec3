//! Signatures with another c̃, for a key with which only the comparison of c̃ refuses them.

use anyhow::Result;
use moissanite::Fips204;

use super::collector::{Collector, Draft, Topic};
use crate::killers::defects::Defect as D;

pub(super) fn add<P: Fips204>(cases: &mut Collector<P>) -> Result<()> {
    cases.begin(Topic::CTilde);
    let last = P::C_TILDE_LEN - 1;
    let changes = [
        (0, 1, D::CTildeFirstByte),
        (last, 1, D::CTildeLastByte),
        (5, 0x80, D::CTildeTopBits),
        (32, 1, D::CTildePrefix),
    ];
    for (at, bits, defect) in changes
        .into_iter()
        .filter(|(.., defect)| defect.is_one_of::<P>())
    {
        let draft = cases.draft();
        let mut signature = draft.signature::<P>(None)?;
        signature[at] ^= bits;
        let what = format!("byte {at} of c-tilde is changed by {bits:#04x}");
        cases.add(
            &what,
            draft,
            signature,
            false,
            &[defect, D::CTildeUncompared],
        )?;
    }
    let mut draft = cases.draft();
    let mut signature;
    let mut number: u32 = 0;
    let zero = loop {
        draft = Draft {
            message: format!("c-tilde with a zero {number}").into_bytes(),
            ..draft
        };
        signature = draft.signature::<P>(None)?;
        if let Some(zero) = signature[..last].iter().position(|byte| *byte == 0) {
            break zero;
        }
        number += 1;
    };
    signature[last] ^= 1;
    let what = format!("byte {zero} of c-tilde is zero, and its last byte is changed by 0x01");
    cases.add(
        &what,
        draft,
        signature,
        false,
        &[D::CTildeString, D::CTildeUncompared],
    )
}
