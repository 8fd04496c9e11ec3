//! Keccak-f\[1600\] (FIPS 202, section 3), in one source for every width.
//!
//! Lane (x, y) of the standard is `a[x + 5 * y]`.
use crate::constants::{LEFT, ROUND_CONSTANTS};
use crate::lane::Simd64;
use crate::state::State;

/// FIPS 202, Algorithm 7 (Keccak-p\[1600, 24\]) on every state of `state`.
///
/// An iteration has two rounds, each of which writes to a new array. On Sapphire Rapids, this takes
/// 216 ns with BMI and 289 without. Four rounds take 214 and 289 ns with twice the code.
///
/// The following variants were compared in a separate, generated program. Its figures (minimum, in
/// ns) can only be compared with each other, and not with those above, as its row "two rounds"
/// shows:
///
/// | shape | BMI | plain |
/// | --- | --- | --- |
/// | two rounds | 220 | 303 |
/// | one | 236 | 322 |
/// | four | 216 | 285 |
/// | all 24 | 259 | 375 |
/// | one, all of pi before chi | 225 | 283 |
/// | two, all of pi before chi | 236 | 303 |
/// | two, the next parities summed up in chi | 216 | 289 |
/// | two, between two arrays kept in memory | 255 | 341 |
/// | two, lane complementing (instead of `not`) | 239 | 259 |
///
/// Summing up the parities in chi was not tried in this source. Lane complementing is the fastest
/// variant without BMI and slower with BMI; it is not used because it needs a second version of
/// chi.
#[inline(always)]
pub(crate) fn permute<S: Simd64>(simd: S, state: &mut State<S::Lane>) {
    let mut a = [simd.splat(0); 25];
    for (v, lane) in a.iter_mut().zip(&state.0) {
        *v = simd.load(lane);
    }
    if S::ONE_ROUND {
        for constant in ROUND_CONSTANTS {
            a = round(simd, &a, constant);
        }
    } else {
        let (groups, _) = ROUND_CONSTANTS.as_chunks::<2>();
        for constants in groups {
            a = round(simd, &a, constants[0]);
            a = round(simd, &a, constants[1]);
        }
    }
    for (v, lane) in a.iter().zip(&mut state.0) {
        simd.store(*v, lane);
    }
}

/// FIPS 202, section 3.3: Rnd = iota after chi after pi after rho after theta.
///
/// Computes one row of the result at a time. Pi takes its five lanes from five rows, so rho, pi and
/// chi of one row need only five registers besides the effects of the columns.
#[inline(always)]
fn round<S: Simd64>(s: S, a: &[S::V; 25], constant: u64) -> [S::V; 25] {
    let d = theta(s, a);
    let rows = if S::PI_FIRST {
        let b = [
            row0(s, a, &d),
            row1(s, a, &d),
            row2(s, a, &d),
            row3(s, a, &d),
            row4(s, a, &d),
        ];
        [
            chi(s, b[0]),
            chi(s, b[1]),
            chi(s, b[2]),
            chi(s, b[3]),
            chi(s, b[4]),
        ]
    } else {
        [
            chi(s, row0(s, a, &d)),
            chi(s, row1(s, a, &d)),
            chi(s, row2(s, a, &d)),
            chi(s, row3(s, a, &d)),
            chi(s, row4(s, a, &d)),
        ]
    };
    let mut e = [s.splat(0); 25];
    for (e, row) in e.iter_mut().zip(rows.as_flattened()) {
        *e = *row;
    }
    e[0] = s.xor(e[0], s.splat(constant));
    e
}

/// FIPS 202, Algorithms 2 and 3 (rho and pi) of a ⊕ d: the first row of the result.
#[inline(always)]
fn row0<S: Simd64>(s: S, a: &[S::V; 25], d: &[S::Effect; 5]) -> [S::V; 5] {
    [
        s.add_effect(a[0], d[0]),
        s.add_effect_rotate::<{ LEFT[6] }, { RIGHT[6] }>(a[6], d[1]),
        s.add_effect_rotate::<{ LEFT[12] }, { RIGHT[12] }>(a[12], d[2]),
        s.add_effect_rotate::<{ LEFT[18] }, { RIGHT[18] }>(a[18], d[3]),
        s.add_effect_rotate::<{ LEFT[24] }, { RIGHT[24] }>(a[24], d[4]),
    ]
}

/// The second row.
#[inline(always)]
fn row1<S: Simd64>(s: S, a: &[S::V; 25], d: &[S::Effect; 5]) -> [S::V; 5] {
    [
        s.add_effect_rotate::<{ LEFT[3] }, { RIGHT[3] }>(a[3], d[3]),
        s.add_effect_rotate::<{ LEFT[9] }, { RIGHT[9] }>(a[9], d[4]),
        s.add_effect_rotate::<{ LEFT[10] }, { RIGHT[10] }>(a[10], d[0]),
        s.add_effect_rotate::<{ LEFT[16] }, { RIGHT[16] }>(a[16], d[1]),
        s.add_effect_rotate::<{ LEFT[22] }, { RIGHT[22] }>(a[22], d[2]),
    ]
}

/// The third row.
#[inline(always)]
fn row2<S: Simd64>(s: S, a: &[S::V; 25], d: &[S::Effect; 5]) -> [S::V; 5] {
    [
        s.add_effect_rotate::<{ LEFT[1] }, { RIGHT[1] }>(a[1], d[1]),
        s.add_effect_rotate::<{ LEFT[7] }, { RIGHT[7] }>(a[7], d[2]),
        s.add_effect_rotate::<{ LEFT[13] }, { RIGHT[13] }>(a[13], d[3]),
        s.add_effect_rotate::<{ LEFT[19] }, { RIGHT[19] }>(a[19], d[4]),
        s.add_effect_rotate::<{ LEFT[20] }, { RIGHT[20] }>(a[20], d[0]),
    ]
}

/// The fourth row.
#[inline(always)]
fn row3<S: Simd64>(s: S, a: &[S::V; 25], d: &[S::Effect; 5]) -> [S::V; 5] {
    [
        s.add_effect_rotate::<{ LEFT[4] }, { RIGHT[4] }>(a[4], d[4]),
        s.add_effect_rotate::<{ LEFT[5] }, { RIGHT[5] }>(a[5], d[0]),
        s.add_effect_rotate::<{ LEFT[11] }, { RIGHT[11] }>(a[11], d[1]),
        s.add_effect_rotate::<{ LEFT[17] }, { RIGHT[17] }>(a[17], d[2]),
        s.add_effect_rotate::<{ LEFT[23] }, { RIGHT[23] }>(a[23], d[3]),
    ]
}

/// The fifth row.
#[inline(always)]
fn row4<S: Simd64>(s: S, a: &[S::V; 25], d: &[S::Effect; 5]) -> [S::V; 5] {
    [
        s.add_effect_rotate::<{ LEFT[2] }, { RIGHT[2] }>(a[2], d[2]),
        s.add_effect_rotate::<{ LEFT[8] }, { RIGHT[8] }>(a[8], d[3]),
        s.add_effect_rotate::<{ LEFT[14] }, { RIGHT[14] }>(a[14], d[4]),
        s.add_effect_rotate::<{ LEFT[15] }, { RIGHT[15] }>(a[15], d[0]),
        s.add_effect_rotate::<{ LEFT[21] }, { RIGHT[21] }>(a[21], d[1]),
    ]
}

/// FIPS 202, Algorithm 1 (theta), up to the values that are added to the columns.
#[inline(always)]
fn theta<S: Simd64>(s: S, a: &[S::V; 25]) -> [S::Effect; 5] {
    let c = [
        s.xor5([a[0], a[5], a[10], a[15], a[20]]),
        s.xor5([a[1], a[6], a[11], a[16], a[21]]),
        s.xor5([a[2], a[7], a[12], a[17], a[22]]),
        s.xor5([a[3], a[8], a[13], a[18], a[23]]),
        s.xor5([a[4], a[9], a[14], a[19], a[24]]),
    ];
    [
        s.effect(c[4], c[1]),
        s.effect(c[0], c[2]),
        s.effect(c[1], c[3]),
        s.effect(c[2], c[4]),
        s.effect(c[3], c[0]),
    ]
}

/// FIPS 202, Algorithm 4 (chi), on one row.
#[inline(always)]
fn chi<S: Simd64>(s: S, b: [S::V; 5]) -> [S::V; 5] {
    [
        s.chi(b[0], b[1], b[2]),
        s.chi(b[1], b[2], b[3]),
        s.chi(b[2], b[3], b[4]),
        s.chi(b[3], b[4], b[0]),
        s.chi(b[4], b[0], b[1]),
    ]
}

/// The same rotations to the right.
const RIGHT: [i32; 25] = {
    let mut right = [0; 25];
    let mut i = 0;
    while i < 25 {
        right[i] = 64 - LEFT[i];
        i += 1;
    }
    right
};
