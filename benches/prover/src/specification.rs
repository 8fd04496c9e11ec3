//! The algorithms of FIPS 204 and FIPS 202, and of zkDilithium where they differ, in their wording and on one value at a time, independent of the
//! crates of this project.

pub(crate) mod hints;
pub(crate) mod keccak;
pub(crate) mod packing;
pub(crate) mod rounding;
pub(crate) mod sampling;
pub(crate) mod transform;

/// FIPS 204, table 1.
pub(crate) const Q: i64 = 8_380_417;

/// A field with a 512th root of unity.
#[derive(Clone, Copy)]
pub(crate) struct Field {
    pub(crate) q: i64,
    pub(crate) zeta: i64,
}

/// FIPS 204, section 2.5.
pub(crate) const ML_DSA: Field = Field { q: Q, zeta: 1753 };
/// The field of zkDilithium: q = 2²³ − 2²⁰ + 1, and ζ = 3^((q − 1) / 512).
pub(crate) const ZK_DILITHIUM: Field = Field {
    q: 7_340_033,
    zeta: 3_483_618,
};

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
