//! Algorithm 21 (HintBitUnpack), with defects.

use moissanite::Fips204;
use moissanite_core::shape::{Dim, N};

use crate::killers::defects::{Defect as D, Flaw};

/// Decodes the ω + K bytes of a hint.
pub(crate) fn unpack<P: Fips204>(flaw: Flaw, y: &[u8]) -> Option<Vec<[u8; N]>> {
    let is = |defect| flaw == Some(defect);
    let (omega, k) = (P::OMEGA, P::K::N);
    let mut h = vec![[0; N]; k];
    let mut index = 0;
    for (i, h) in h.iter_mut().enumerate() {
        let mut end = usize::from(y[omega + i]);
        let may_decrease = is(D::HintCountDecreasing)
            || is(D::HintCountReset)
            || is(D::HintCountDecreasingInTheLastRow) && i == k - 1;
        if end < index && !may_decrease {
            return None;
        }
        if end > omega {
            // No decoder can read past the end of the signature.
            match flaw {
                Some(D::HintCountAboveOmega) if end <= y.len() => (),
                Some(D::HintCountClamped) => end = omega,
                _ => return None,
            }
        }
        if end == omega && is(D::HintCountOmegaRefused) {
            return None;
        }
        let first = if is(D::HintOrderAcrossRows) { 0 } else { index };
        let row = index;
        while index < end {
            let unchecked = is(D::HintOrderUnchecked)
                || is(D::HintOrderOfTheFirstPair) && index == row + 1
                || is(D::HintOrderOfTheLastPair) && index + 1 == end
                || is(D::HintOrderOfTheLastRow) && i == k - 1;
            if index > first && !unchecked && !ascending(flaw, y[index - 1], y[index]) {
                return None;
            }
            if index == row && y[index] == 0 && is(D::HintPositionZeroRefused) {
                return None;
            }
            h[usize::from(y[index])] = 1;
            index += 1;
        }
        if is(D::HintCountReset) {
            index = end;
        }
    }
    if index == 0 && is(D::HintNoneRefused) {
        return None;
    }
    let unchecked = |at: usize| match flaw {
        Some(D::HintRestUnchecked) => true,
        Some(D::HintRestFirst) => at == index,
        Some(D::HintRestLast) => at == omega - 1,
        Some(D::HintRestWithoutOnes) => index == 0,
        _ => false,
    };
    (index..omega)
        .all(|at| y[at] == 0 || unchecked(at))
        .then_some(h)
}

fn ascending(flaw: Flaw, before: u8, position: u8) -> bool {
    match flaw {
        Some(D::HintEqual) => before <= position,
        _ => before < position,
    }
}
