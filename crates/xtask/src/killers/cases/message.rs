//! The message representative: tr, the frame, contexts, and the padding of SHAKE256.

use anyhow::Result;
use moissanite::Fips204;

use super::collector::{Collector, Draft, Topic};
use crate::killers::defects::Defect as D;

pub(super) fn add<P: Fips204>(cases: &mut Collector<P>) -> Result<()> {
    cases.begin(Topic::Message);
    let with = |draft: Draft, context: &[u8]| Draft {
        context: context.to_vec(),
        ..draft
    };
    for (defect, what) in [
        (
            D::ContextIgnored,
            "the signature of the message with an empty context",
        ),
        (
            D::ContextLengthMissing,
            "mu is hashed without the length of the context",
        ),
        (
            D::DomainMissing,
            "mu is hashed without the domain separator",
        ),
        (
            D::DomainPreHashed,
            "mu is hashed with the domain separator of HashML-DSA",
        ),
        (
            D::FrameMissing,
            "mu is the hash of tr and the message alone",
        ),
        (D::TrMissing, "mu is hashed without tr"),
        (D::TrOf32Bytes, "mu is hashed with the first 32 bytes of tr"),
        (D::TrOfRho, "tr is the hash of rho alone"),
        (D::TrZero, "tr is zero"),
        (
            D::MuOf32Bytes,
            "c-tilde is hashed with the first 32 bytes of mu",
        ),
    ] {
        cases.invalid(what, with(cases.draft(), b"context"), &[defect])?;
    }
    for (defect, what) in [
        (
            D::ContextLengthModulo,
            "a context of 256 bytes, hashed with the length byte 0",
        ),
        (
            D::ContextCut,
            "a context of 256 bytes, of which the first 255 are hashed",
        ),
    ] {
        cases.invalid(what, with(cases.draft(), &[0xc0; 256]), &[defect])?;
    }
    let longest = with(cases.draft(), &[0xc0; 255]);
    cases.valid(
        "a context of 255 bytes",
        longest,
        &[D::ContextLongestRefused],
    )?;
    let empty = Draft {
        message: Vec::new(),
        ..cases.draft()
    };
    cases.valid("an empty message", empty, &[D::EmptyMessageRefused])?;
    for (len, left, defect) in [
        (69, "one byte", D::PaddingInOneByte),
        (70, "no byte", D::PaddingInItsOwnBlock),
    ] {
        let draft = Draft {
            message: vec![0x5a; len],
            ..cases.draft()
        };
        let what = format!("tr, the frame and the message leave {left} of a block of SHAKE256");
        cases.valid(&what, draft, &[defect])?;
    }
    Ok(())
}
