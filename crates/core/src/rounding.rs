//! FIPS 204, Algorithms 35 to 40, as the standard defines them: for one coefficient, with divisions
//! and branches.
//!
//! Only tests run these functions. They compare `kernels/round.rs` with them, over all of Z_q.

#![allow(
    clippy::integer_division_remainder_used,
    reason = "these are the definitions, and their arguments are never secret"
)]

use crate::field::{Field, MlDsaField};
use crate::params::D;

const Q: i32 = MlDsaField::Q;

/// m mod± α: the m' ≡ m modulo α with −⌈α/2⌉ < m' ≤ ⌊α/2⌋ (FIPS 204, section 2.3).
pub const fn mod_pm(m: i32, alpha: i32) -> i32 {
    let m = m.rem_euclid(alpha);
    if m > alpha / 2 { m - alpha } else { m }
}

/// FIPS 204, Algorithm 35 (Power2Round).
pub const fn power2round(r: i32) -> (i32, i32) {
    let r_plus = r.rem_euclid(Q);
    let r0 = mod_pm(r_plus, 1 << D);
    ((r_plus - r0) / (1 << D), r0)
}

/// FIPS 204, Algorithm 36 (Decompose).
pub const fn decompose(r: i32, gamma2: i32) -> (i32, i32) {
    let r_plus = r.rem_euclid(Q);
    let r0 = mod_pm(r_plus, 2 * gamma2);
    if r_plus - r0 == Q - 1 {
        (0, r0 - 1)
    } else {
        ((r_plus - r0) / (2 * gamma2), r0)
    }
}

/// FIPS 204, Algorithm 37 (HighBits).
pub const fn high_bits(r: i32, gamma2: i32) -> i32 {
    decompose(r, gamma2).0
}

/// FIPS 204, Algorithm 38 (LowBits).
pub const fn low_bits(r: i32, gamma2: i32) -> i32 {
    decompose(r, gamma2).1
}

/// FIPS 204, Algorithm 39 (MakeHint).
pub const fn make_hint(z: i32, r: i32, gamma2: i32) -> bool {
    let r1 = high_bits(r, gamma2);
    let v1 = high_bits(r + z, gamma2);
    r1 != v1
}

/// FIPS 204, Algorithm 40 (UseHint).
pub const fn use_hint(h: bool, r: i32, gamma2: i32) -> i32 {
    let m = (Q - 1) / (2 * gamma2);
    let (r1, r0) = decompose(r, gamma2);
    if h && r0 > 0 {
        (r1 + 1) % m
    } else if h && r0 <= 0 {
        (r1 - 1).rem_euclid(m)
    } else {
        r1
    }
}
