//! FIPS 204, sections 7.1 and 7.3: candidates for coefficients and positions. The value is none where the
//! standard returns ⊥.

use super::{Q, modulo};

/// Algorithm 14 (CoeffFromThreeBytes).
pub(crate) fn coeff_from_three_bytes(b0: i64, b1: i64, b2: i64) -> Option<i64> {
    let mut b2_prime = b2;
    if b2_prime > 127 {
        b2_prime -= 128;
    }
    let z = (1 << 16) * b2_prime + (1 << 8) * b1 + b0;
    if z < Q { Some(z) } else { None }
}

/// Algorithm 15 (CoeffFromHalfByte).
pub(crate) fn coeff_from_half_byte(eta: i64, b: i64) -> Option<i64> {
    if eta == 2 && b < 15 {
        Some(2 - modulo(b, 5))
    } else if eta == 4 && b < 9 {
        Some(4 - b)
    } else {
        None
    }
}

/// Algorithm 29 (SampleInBall): whether a byte j is the position that is exchanged with i.
pub(crate) fn is_position(j: u64, i: u64) -> bool {
    j <= i
}

/// Algorithm 29: (−1)^h for a bit h.
pub(crate) fn sign(h: u64) -> i64 {
    if h == 0 { 1 } else { -1 }
}
