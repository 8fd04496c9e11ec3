//! Signatures of a generated key, whose w' depends on the challenge.

use anyhow::Result;
use moissanite::Fips204;
use moissanite_core::reference::{self as fips204, Attempt};

use super::collector::{Collector, Draft, Topic};
use crate::killers::defects::Defect as D;
use crate::killers::verifier::{self, Input};

pub(super) fn add<P: Fips204>(cases: &mut Collector<P>) -> Result<()> {
    cases.begin(Topic::Challenge);
    let (public_key, private_key) = fips204::keygen::<P>(&fips204::first(cases.bytes("key")));
    let signed = |message: Vec<u8>, draft: Draft, keep: &dyn Fn(&Attempt) -> bool| {
        let draft = Draft {
            public_key: public_key.clone(),
            message,
            ..draft
        };
        let Draft {
            public_key,
            context,
            message,
            ..
        } = &draft;
        let input = Input {
            public_key,
            context,
            message,
            signature: &[],
        };
        let mu = verifier::mu(None, input).unwrap_or([0; 64]);
        let signature = fips204::sign::<P>(&private_key, &mu, &[0; 32], keep).sigma;
        (draft, signature)
    };
    let honest = &fips204::within_limits::<P>;

    let (draft, signature) = signed(b"message".to_vec(), cases.draft(), honest);
    let defects = [
        D::T1NotShifted,
        D::T1ShiftedBy12,
        D::T1Added,
        D::BallOf32Bytes,
        D::BallSignsFromTheTop,
        D::BallSignsInverted,
        D::BallSignsMissing,
        D::BallTauMinusOne,
        D::MatrixIndexSwapped,
        D::MatrixRowsReversed,
        D::UseHintIgnored,
    ];
    cases.add(
        "a signature of Algorithm 2",
        draft,
        signature,
        true,
        &defects,
    )?;

    let defects = [D::BallPositionBelow, D::BallWithoutExchange];
    for number in 0_u32.. {
        let (draft, signature) = signed(
            format!("message {number}").into_bytes(),
            cases.draft(),
            honest,
        );
        let c = |flaw| verifier::in_ball::<P>(flaw, &signature[..P::C_TILDE_LEN]);
        if defects.iter().all(|defect| c(Some(*defect)) != c(None)) {
            let what =
                "a challenge in which one coefficient stays in its place and one is drawn again";
            cases.add(what, draft, signature, true, &defects)?;
            break;
        }
    }

    let long = |attempt: &Attempt| {
        let [z, others @ ..] = *attempt;
        let encodes = z < P::GAMMA1.cast_signed();
        let [r0, ct0, ones] = others;
        !fips204::short_z::<P>(z) && encodes && fips204::within_limits::<P>(&[0, r0, ct0, ones])
    };
    let (draft, signature) = signed(b"long z".to_vec(), cases.draft(), &long);
    let what = "a signature that is made as by Algorithm 2, but without the check of the norm of z";
    cases.add(
        what,
        draft,
        signature,
        false,
        &[D::ZUnchecked, D::ZBoundWithoutBeta],
    )
}
