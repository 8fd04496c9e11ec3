//! The algorithms of FIPS 204 and FIPS 202, in their wording and on one value at a time, independent of the
//! crates of this project.

pub(crate) mod keccak;
pub(crate) mod packing;
pub(crate) mod rounding;
pub(crate) mod transform;

/// FIPS 204, table 1.
pub(crate) const Q: i64 = 8_380_417;
/// FIPS 204, section 2.5: a 512th root of unity.
pub(crate) const ZETA: i64 = 1753;
/// FIPS 204, section 2.3.
pub(crate) const N: usize = 256;

/// FIPS 204, section 2.3: m mod α, from 0 to α − 1.
pub(crate) fn modulo(m: i64, alpha: i64) -> i64 {
    m.rem_euclid(alpha)
}

/// FIPS 204, section 2.3: m mod± α, from −⌈α/2⌉ + 1 to ⌊α/2⌋.
pub(crate) fn modulo_centred(m: i64, alpha: i64) -> i64 {
    let m = modulo(m, alpha);
    if m > alpha / 2 { m - alpha } else { m }
}
