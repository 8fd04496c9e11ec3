//! Algorithms 14, 29, 30 and 32 (CoeffFromThreeBytes, SampleInBall, RejNTTPoly and ExpandA), with defects.

use moissanite::Fips204;
use moissanite_core::field::Field;
use moissanite_core::reference::{self as fips204, Coefficients};
use moissanite_core::shape::{Dim, N};

use crate::killers::defects::{Defect as D, Flaw};

/// Algorithm 29.
pub(crate) fn in_ball<P: Fips204>(flaw: Flaw, c_tilde: &[u8]) -> Coefficients {
    let is = |defect| flaw == Some(defect);
    let seed = if is(D::BallOf32Bytes) {
        &c_tilde[..32]
    } else {
        c_tilde
    };
    let mut xof = fips204::h(&[seed]);
    let mut signs = u64::from_le_bytes(fips204::first(&mut xof));
    if is(D::BallSignsFromTheTop) {
        signs = signs.reverse_bits();
    } else if is(D::BallSignsInverted) {
        signs = !signs;
    } else if is(D::BallSignsMissing) {
        signs = 0;
    }
    let mut c = [0; N];
    for i in N - P::TAU + usize::from(is(D::BallTauMinusOne))..N {
        let here = |j: usize| j < i || j == i && !is(D::BallPositionBelow);
        let Some(j) = xof.by_ref().map(usize::from).find(|j| here(*j)) else {
            break;
        };
        if !is(D::BallWithoutExchange) {
            c[i] = c[j];
        }
        c[j] = if signs & 1 == 1 { -1 } else { 1 };
        signs >>= 1;
    }
    c
}

/// Algorithm 32.
pub(crate) fn matrix<P: Fips204>(flaw: Flaw, rho: &[u8]) -> Vec<Vec<Coefficients>> {
    let entry = |r: u8, s: u8| {
        let index = if flaw == Some(D::MatrixIndexSwapped) {
            [r, s]
        } else {
            [s, r]
        };
        polynomial::<P>(flaw, fips204::g(&[rho, &index]))
    };
    let (rows, columns) = ((0..=u8::MAX).take(P::K::N), (0..=u8::MAX).take(P::L::N));
    let row = |r| columns.clone().map(|s| entry(r, s)).collect();
    let mut matrix: Vec<_> = rows.map(row).collect();
    if flaw == Some(D::MatrixRowsReversed) {
        matrix.reverse();
    }
    matrix
}

/// Algorithm 30.
fn polynomial<P: Fips204>(flaw: Flaw, mut xof: impl Iterator<Item = u8>) -> Coefficients {
    let most = if flaw == Some(D::UniformFewCandidates) {
        260
    } else {
        usize::MAX
    };
    let candidates = std::iter::repeat_with(|| fips204::first(&mut xof)).take(most);
    let mut accepted = candidates.filter_map(|bytes| coefficient::<P>(flaw, bytes));
    std::array::from_fn(|_| accepted.next().unwrap_or_default())
}

/// Algorithm 14.
fn coefficient<P: Fips204>(flaw: Flaw, bytes: [u8; 3]) -> Option<i32> {
    let q = P::Field::Q;
    let [b0, b1, b2] = bytes.map(i32::from);
    let top = b2 > 127;
    let z = (b2 & 127) << 16 | b1 << 8 | b0;
    let accepted = match flaw {
        Some(D::UniformQ) => z <= q,
        Some(D::UniformQWithTopBit) => z < q || z == q && top,
        Some(D::UniformQMinus1) => z < q - 1,
        Some(D::UniformZero) => z < q && z != 0,
        Some(D::UniformTopBit) => z < q && !top,
        Some(D::UniformTopBitAlone) => z < q && !(z == 0 && top),
        _ => z < q,
    };
    accepted.then_some(z)
}
