//! The rotations of rho and the constants of iota (FIPS 202, sections 3.2.2 and 3.2.5), computed at
//! compile time.

/// FIPS 202, Algorithm 2 (rho): the number of bits by which lane (x, y) rotates to the left.
pub(crate) const LEFT: [i32; 25] = {
    let mut left = [0; 25];
    let (mut x, mut y) = (1, 0);
    let mut triangular = 0;
    let mut t = 0;
    while t < 24 {
        t += 1;
        triangular += t; // t (t + 1) / 2
        left[x + 5 * y] = triangular & 63;
        (x, y) = (y, mod5(2 * x + 3 * y));
    }
    left
};

// FIPS 202, Table 2, modulo 64: the first row and the last lane of the walk.
const _: () = assert!(LEFT[0] == 0 && LEFT[1] == 1 && LEFT[2] == 62 && LEFT[3] == 28);
const _: () = assert!(LEFT[4] == 27 && LEFT[24] == 14 && LEFT[6] == 300 & 63);

#[allow(
    clippy::integer_division_remainder_used,
    reason = "an index, at compile time"
)]
pub(crate) const fn mod5(x: usize) -> usize {
    x % 5
}

/// FIPS 202, Algorithms 5 and 6 (rc and iota): bit 2^j - 1 of round i is rc(j + 7 i).
pub(crate) const ROUND_CONSTANTS: [u64; 24] = {
    let mut constants = [0; 24];
    let mut register = 1_u32; // R of Algorithm 5, R[0] the lowest bit
    let mut round = 0;
    while round < 24 {
        let mut j = 0;
        while j < 7 {
            constants[round] |= ((register & 1) as u64) << ((1 << j) - 1);
            // x <- x * X modulo X^8 + X^6 + X^5 + X^4 + 1. The 168 steps are less than its period
            // of 255, so that Algorithm 5's "mod 255" changes nothing.
            register <<= 1;
            register ^= (register >> 8) * 0b1_0111_0001;
            j += 1;
        }
        round += 1;
    }
    constants
};

const _: () = assert!(ROUND_CONSTANTS[0] == 1 && ROUND_CONSTANTS[23] == 0x8000_0000_8000_8008);
