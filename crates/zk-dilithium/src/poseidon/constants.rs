//! The constants of the permutation, computed at compile time.

#![allow(
    clippy::integer_division_remainder_used,
    reason = "constants, at compile time"
)]

use crate::params::Q;

/// The number of elements of a state.
pub const WIDTH: usize = 35;
/// The number of elements, at the beginning of a state, that the sponge takes or returns between
/// permutations.
pub const RATE: usize = 24;
/// The number of rounds of the permutation, all of which are full.
pub const ROUNDS: usize = 21;

/// The elements of a state and a 36th element are halved twice.
pub(super) const PADDED: usize = 2 * HALF;
pub(super) const HALF: usize = 2 * QUARTER;
pub(super) const QUARTER: usize = 9;
const _: () = assert!(PADDED == WIDTH + 1);

/// h of a quarter of the matrix, whose entry in row i and column j is h(i + j).
pub(super) type Quarter<T> = [T; 2 * QUARTER - 1];

/// The round constants: round r adds `ROUND_CONSTANTS[r][i]` to element i.
pub static ROUND_CONSTANTS: [[u32; WIDTH]; ROUNDS] = round_constants();

/// 1, 1/2, 1/3, ... modulo q: the entry of the matrix in row i and column j is
/// `MDS_INVERSES[i + j]`.
pub static MDS_INVERSES: [u32; 2 * WIDTH - 1] = inverses();

/// The linear-feedback shift register for the round constants, which Poseidon takes from Grain. It
/// has 80 bits, and is seeded with the parameters of the permutation.
struct Grain(u128);

impl Grain {
    const fn new() -> Self {
        // From the top: a prime field, this S-box, the bits of q, width, full and partial rounds.
        let fields = [
            (1, 78),
            (2, 74),
            (RATE, 62),
            (WIDTH, 50),
            (ROUNDS, 40),
            (0, 30),
        ];
        let mut state = (1 << 30) - 1;
        let mut i = 0;
        while i < fields.len() {
            state |= (fields[i].0 as u128) << fields[i].1;
            i += 1;
        }
        let mut grain = Self(state);
        let mut discarded = 0;
        while discarded < 160 {
            grain.next();
            discarded += 1;
        }
        grain
    }

    const fn next(&mut self) -> bool {
        let s = self.0;
        let bit = (s >> 17 ^ s >> 28 ^ s >> 41 ^ s >> 56 ^ s >> 66 ^ s >> 79) & 1;
        self.0 = (s << 1 | bit) & ((1 << 80) - 1);
        bit == 1
    }

    /// Returns a number of 23 bits: the second bit of each pair whose first bit is one.
    const fn number(&mut self) -> u32 {
        let (mut number, mut bits) = (0, 0);
        while bits < Q.ilog2() + 1 {
            let (taken, bit) = (self.next(), self.next());
            if taken {
                number = number << 1 | bit as u32;
                bits += 1;
            }
        }
        number
    }

    const fn element(&mut self) -> u32 {
        loop {
            let number = self.number();
            if number < Q {
                return number;
            }
        }
    }
}

#[allow(long_running_const_eval, reason = "some 80,000 steps of the register")]
const fn round_constants() -> [[u32; WIDTH]; ROUNDS] {
    let mut grain = Grain::new();
    let mut constants = [[0; WIDTH]; ROUNDS];
    let mut i = 0;
    while i < WIDTH * ROUNDS {
        let element = grain.element();
        constants[i / WIDTH][i % WIDTH] = element;
        i += 1;
    }
    constants
}

const fn inverses() -> [u32; 2 * WIDTH - 1] {
    let mut inverses = [0; 2 * WIDTH - 1];
    let mut i = 0;
    while i < inverses.len() {
        inverses[i] = inverse(i as u64 + 1) as u32;
        i += 1;
    }
    inverses
}

/// Fermat: x^(q − 2).
pub(super) const fn inverse(x: u64) -> u64 {
    let q = Q as u64;
    let (mut power, mut square, mut exponent) = (1, x % q, q - 2);
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = power * square % q;
        }
        square = square * square % q;
        exponent /= 2;
    }
    power
}

/// The entries of the matrix by i + j, divided by the radix of a backend's reduction (see
/// `permutation`), and zeros for columns and rows that do not exist.
pub(super) const fn scaled_inverses(radix: i64) -> [u64; 80] {
    let q = Q as u64;
    let factor = inverse(radix.rem_euclid(q as i64) as u64);
    let inverses = inverses();
    let mut scaled = [0; 80];
    let mut i = 0;
    while i < inverses.len() {
        scaled[i] = inverses[i] as u64 * factor % q;
        i += 1;
    }
    scaled
}

/// A matrix whose entry in row i and column j is h(i + j), n × n, is `[[A, B], [B, C]]`, with
/// blocks of the same kind. Its product with (u, v) is ((A − B)u + B(u + v), B(u + v) + (C − B)v),
/// which needs three products of half the size instead of four. This function returns h of B, of A
/// − B and of C − B, where h of the matrix begins at `from`.
const fn halve<const TO: usize>(h: &[u64], from: usize) -> [[u64; TO]; 3] {
    let half = TO.div_ceil(2);
    let mut halves = [[0; TO]; 3];
    let mut i = 0;
    while i < TO {
        let at = from + i;
        let (a, b, c) = (h[at], h[at + half], h[at + 2 * half]);
        halves[0][i] = b;
        halves[1][i] = (a + Q as u64 - b) % Q as u64;
        halves[2][i] = (c + Q as u64 - b) % Q as u64;
        i += 1;
    }
    halves
}

/// The matrix, [`halve`]d twice.
pub(super) const fn quarters(radix: i64) -> [[Quarter<u64>; 3]; 3] {
    let [middle, low, high] = halve::<35>(&scaled_inverses(radix), 0);
    [halve(&middle, 0), halve(&low, 0), halve(&high, 0)]
}

/// A and C of the matrix side by side, and B in both places, each [`halve`]d.
pub(super) const fn pairs_of_quarters(radix: i64) -> [[Quarter<[u64; 2]>; 3]; 2] {
    let h = scaled_inverses(radix);
    let [a, b, c]: [[Quarter<u64>; 3]; 3] = [halve(&h, 0), halve(&h, 18), halve(&h, 36)];
    let mut pairs = [[[[0; 2]; 17]; 3]; 2];
    let mut k = 0;
    while k < 3 {
        let mut i = 0;
        while i < 17 {
            pairs[0][k][i] = [a[k][i], c[k][i]];
            pairs[1][k][i] = [b[k][i], b[k][i]];
            i += 1;
        }
        k += 1;
    }
    pairs
}

/// The columns of the matrix in pairs, padded with zeros.
pub(super) const fn columns<const ROWS: usize>(radix: i64) -> [[[u64; ROWS]; 2]; 18] {
    let inverses = scaled_inverses(radix);
    let mut columns = [[[0; ROWS]; 2]; 18];
    let mut j = 0;
    while j < WIDTH {
        let mut i = 0;
        while i < WIDTH {
            columns[j / 2][j % 2][i] = inverses[i + j];
            i += 1;
        }
        j += 1;
    }
    columns
}

/// The constants that [`add_constants`] adds. The 36th element is 0, and its constant is q, so that
/// it counts as zero.
pub(super) const fn padded_constants<const LEN: usize>() -> [[u64; LEN]; ROUNDS] {
    let mut padded = [[Q as u64; LEN]; ROUNDS];
    let mut r = 0;
    while r < ROUNDS {
        let mut i = 0;
        while i < WIDTH {
            padded[r][i] = ROUND_CONSTANTS[r][i] as u64;
            assert!(padded[r][i] > 0);
            i += 1;
        }
        r += 1;
    }
    padded
}
