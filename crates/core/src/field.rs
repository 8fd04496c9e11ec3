//! Z_q: the modulus, and all tables that follow from it, computed at compile time.

#![allow(
    clippy::integer_division_remainder_used,
    reason = "these functions compute constants at compile time"
)]

use crate::shape::N;

/// A prime field with a 512th root of unity.
///
/// The tables contain the same numbers in three forms, one for each way to multiply by a constant:
/// the form of Montgomery with R = 2³², which 32-bit lanes can compute; the form of Barrett, for
/// lanes with an instruction for the rounded upper half of a product; and the form of Plantard,
/// which needs one 64-bit product less and is therefore suitable for scalar code.
pub trait Field: Copy + core::fmt::Debug + Eq + Send + Sync + 'static {
    /// The modulus q, an odd prime below 2²³.
    const Q: i32;
    /// A primitive 512th root of unity modulo q.
    const ZETA: i32;

    /// q⁻¹ mod 2³².
    const Q_INV: i32 = inverse_mod_2_64(Self::Q) as i32;
    /// q⁻¹ mod 2⁵².
    const Q_INV_52: u64 = inverse_mod_2_64(Self::Q) as u64 & ((1 << 52) - 1);
    /// `zetas[k]` = ζ^BitRev₈(k) mod± q (FIPS 204, Appendix B).
    const ZETAS: [i32; N] = zetas(Self::Q, Self::ZETA);
    /// ζ · 2³² mod± q: [`ZETAS`](Self::ZETAS) in Montgomery form.
    const MONTGOMERY_ZETAS: [i32; N] = map_montgomery(Self::Q, &Self::ZETAS);
    /// ζ · 2³² · q⁻¹ mod 2³²: the second factor, which saves a product in the Montgomery
    /// multiplication by a constant.
    const MONTGOMERY_ZETAS_Q_INV: [i32; N] = times_q_inv(Self::Q, &Self::MONTGOMERY_ZETAS);
    /// Pairs of both factors of the Montgomery multiplication.
    const MONTGOMERY_PAIRS: [[i32; 2]; N] =
        pairs(&Self::MONTGOMERY_ZETAS, &Self::MONTGOMERY_ZETAS_Q_INV);
    /// ⌊ζ · 2³¹ / q⌉: the second factor of the Barrett multiplication by a constant; the first one
    /// is in [`ZETAS`](Self::ZETAS).
    const BARRETT_ZETAS: [i32; N] = map_barrett(Self::Q, &Self::ZETAS);
    /// Pairs of both factors of the Barrett multiplication.
    const BARRETT_PAIRS: [[i32; 2]; N] = pairs(&Self::ZETAS, &Self::BARRETT_ZETAS);
    /// −ζ · 2⁶⁴ · q⁻¹ mod 2⁶⁴: [`ZETAS`](Self::ZETAS) in Plantard form.
    const PLANTARD_ZETAS: [i64; N] = map_plantard(Self::Q, &Self::ZETAS);
    /// 2³² · N⁻¹ mod± q: cancels the factors of the inverse NTT and of one Montgomery reduction
    /// before it.
    const INVERSE_SCALE: i32 = centered(
        (1 << 32) % Self::Q as i64 * inverse_mod_prime(N as i64, Self::Q as i64),
        Self::Q,
    );
    /// [`INVERSE_SCALE`](Self::INVERSE_SCALE) in Barrett form, with an error of less than ¼.
    const BARRETT_INVERSE_SCALE: i32 = {
        let form = barrett_form(Self::INVERSE_SCALE, Self::Q);
        let error = form as i64 * Self::Q as i64 - ((Self::INVERSE_SCALE as i64) << 31);
        assert!(4 * error.abs() < Self::Q as i64);
        form
    };
}

/// q = 2²³ − 2¹³ + 1, the field of FIPS 204.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MlDsaField;

impl Field for MlDsaField {
    const Q: i32 = 8_380_417;
    const ZETA: i32 = 1753;
}

/// Returns x in Montgomery form: x · 2³² mod± q.
pub const fn montgomery_form(x: i32, q: i32) -> i32 {
    centered((x as i64) * ((1 << 32) % q as i64), q)
}

/// Returns both factors of the Montgomery multiplication by x: x · 2³² mod± q, and that times q⁻¹ mod 2³².
pub const fn montgomery_pair(x: i32, q: i32) -> [i32; 2] {
    let form = montgomery_form(x, q);
    [form, form.wrapping_mul(inverse_mod_2_64(q) as i32)]
}

/// Returns x in Plantard form: (−x · 2⁶⁴ mod± q) · q⁻¹ mod 2⁶⁴.
pub const fn plantard_form(x: i32, q: i32) -> i64 {
    let twice = montgomery_form(montgomery_form(x, q), q) as i64;
    (-twice).wrapping_mul(inverse_mod_2_64(q))
}

/// Returns x in Barrett form: ⌊x · 2³¹ / q⌉.
pub const fn barrett_form(x: i32, q: i32) -> i32 {
    (((x as i64) << 31) + q as i64 / 2).div_euclid(q as i64) as i32
}

/// x mod± q: the representative in −q/2 < x < q/2.
const fn centered(x: i64, q: i32) -> i32 {
    let x = x.rem_euclid(q as i64) as i32;
    if x > q / 2 { x - q } else { x }
}

const fn inverse_mod_2_64(q: i32) -> i64 {
    let q = q as i64;
    // Newton iteration: each step doubles the number of correct low bits, from three on.
    let mut inverse = q;
    let mut step = 0;
    while step < 5 {
        inverse = inverse.wrapping_mul(2i64.wrapping_sub(q.wrapping_mul(inverse)));
        step += 1;
    }
    assert!(q.wrapping_mul(inverse) == 1);
    inverse
}

const fn inverse_mod_prime(x: i64, q: i64) -> i64 {
    // The inverse is x^(q − 2), by Fermat's little theorem.
    let (mut power, mut square, mut exponent) = (1, x % q, q - 2);
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = power * square % q;
        }
        square = square * square % q;
        exponent /= 2;
    }
    assert!(x % q * power % q == 1);
    power
}

const fn zetas(q: i32, zeta: i32) -> [i32; N] {
    let mut powers = [0; N];
    let mut power = 1;
    let mut i = 0;
    while i < N {
        powers[i] = power;
        power = (power as i64 * zeta as i64 % q as i64) as i32;
        i += 1;
    }
    assert!(
        power == q - 1,
        "zeta must be a primitive 512th root of unity"
    );
    let mut table = [0; N];
    let mut k = 0;
    while k < N {
        table[k] = centered(powers[(k as u8).reverse_bits() as usize] as i64, q);
        k += 1;
    }
    table
}

const fn map_montgomery(q: i32, table: &[i32; N]) -> [i32; N] {
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        out[i] = montgomery_form(table[i], q);
        i += 1;
    }
    out
}

/// table · q⁻¹ mod 2³².
const fn times_q_inv(q: i32, table: &[i32; N]) -> [i32; N] {
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        out[i] = table[i].wrapping_mul(inverse_mod_2_64(q) as i32);
        i += 1;
    }
    out
}

const fn map_barrett(q: i32, table: &[i32; N]) -> [i32; N] {
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        out[i] = barrett_form(table[i], q);
        i += 1;
    }
    out
}

const fn pairs(first: &[i32; N], second: &[i32; N]) -> [[i32; 2]; N] {
    let mut out = [[0; 2]; N];
    let mut i = 0;
    while i < N {
        out[i] = [first[i], second[i]];
        i += 1;
    }
    out
}

const fn map_plantard(q: i32, table: &[i32; N]) -> [i64; N] {
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        out[i] = plantard_form(table[i], q);
        i += 1;
    }
    out
}
