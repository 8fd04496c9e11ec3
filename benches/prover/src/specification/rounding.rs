//! FIPS 204, section 7.4: high-order and low-order bits and hints.

use super::{Q, modulo, modulo_centred};

/// FIPS 204, table 1.
const D: u32 = 13;

/// Algorithm 35 (Power2Round).
pub(crate) fn power2round(r: i64) -> (i64, i64) {
    let r_plus = modulo(r, Q);
    let r0 = modulo_centred(r_plus, 1 << D);
    ((r_plus - r0) >> D, r0)
}

/// Algorithm 36 (Decompose).
pub(crate) fn decompose(r: i64, gamma2: i64) -> (i64, i64) {
    let r_plus = modulo(r, Q);
    let r0 = modulo_centred(r_plus, 2 * gamma2);
    if r_plus - r0 == Q - 1 {
        (0, r0 - 1)
    } else {
        ((r_plus - r0) / (2 * gamma2), r0)
    }
}

/// Algorithm 37 (HighBits).
fn high_bits(r: i64, gamma2: i64) -> i64 {
    decompose(r, gamma2).0
}

/// Algorithm 39 (MakeHint).
pub(crate) fn make_hint(z: i64, r: i64, gamma2: i64) -> bool {
    let r1 = high_bits(r, gamma2);
    let v1 = high_bits(r + z, gamma2);
    r1 != v1
}

/// Algorithm 40 (UseHint).
pub(crate) fn use_hint(h: bool, r: i64, gamma2: i64) -> i64 {
    let m = (Q - 1) / (2 * gamma2);
    let (r1, r0) = decompose(r, gamma2);
    if h && r0 > 0 {
        return modulo(r1 + 1, m);
    }
    if h && r0 <= 0 {
        return modulo(r1 - 1, m);
    }
    r1
}
