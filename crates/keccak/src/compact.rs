//! The permutation and the sponge of a single state with the least code (`cfg(tiny)`). The module
//! `permutation` has the fast one.
use crate::constants::{LEFT, ROUND_CONSTANTS, mod5};
use crate::state::State;

/// Rho and pi in one cycle through all lanes but the first (FIPS 202, Algorithms 2 and 3): each lane of
/// the cycle takes the value of the one before it, rotated to the left by this number of bits. The cycle
/// begins after lane 1.
const CYCLE: [(u8, u8); 24] = {
    let mut cycle = [(0, 0); 24];
    let (mut x, mut y) = (1, 0);
    let mut step = 0;
    while step < 24 {
        let bits = LEFT[x + 5 * y] as u8;
        (x, y) = (y, mod5(2 * x + 3 * y));
        cycle[step] = ((x + 5 * y) as u8, bits);
        step += 1;
    }
    cycle
};

/// The round constants, whose only bits are those at 2ʲ − 1: bit j is that bit.
const IOTA: [u8; 24] = {
    let mut bits = [0; 24];
    let mut round = 0;
    while round < 24 {
        let mut j = 0;
        while j < 7 {
            bits[round] |= ((ROUND_CONSTANTS[round] >> ((1 << j) - 1) & 1) as u8) << j;
            j += 1;
        }
        round += 1;
    }
    bits
};

/// FIPS 202, Algorithm 7 (Keccak-p\[1600, 24\]).
#[inline(never)]
pub(crate) fn permute(state: &mut State<[u64; 1]>) {
    for bits in &IOTA {
        round(&mut state.0, *bits);
    }
}

/// FIPS 202, section 3.3: Rnd.
#[inline(always)]
fn round(a: &mut [[u64; 1]; 25], iota: u8) {
    // Theta. The parities of the columns are between those of their neighbours.
    let mut parities = [0; 7];
    for row in a.chunks_exact(5) {
        for (parity, [lane]) in parities.iter_mut().skip(1).zip(row) {
            *parity ^= lane;
        }
    }
    (parities[0], parities[6]) = (parities[5], parities[1]);
    for row in a.chunks_exact_mut(5) {
        for ([lane], parities) in row.iter_mut().zip(parities.windows(3)) {
            *lane ^= parities[0] ^ parities[2].rotate_left(1);
        }
    }
    // Rho and pi.
    let [mut value] = a[1];
    for (to, by) in &CYCLE {
        if let Some([lane]) = a.get_mut(usize::from(*to)) {
            value = core::mem::replace(lane, rotate(value, (*by).into()));
        }
    }
    // Chi.
    for row in a.as_chunks_mut::<5>().0 {
        let [[first], [second], ..] = *row;
        for x in 0..3 {
            row[x][0] ^= !row[x + 1][0] & row[x + 2][0];
        }
        row[3][0] ^= !row[4][0] & first;
        row[4][0] ^= !first & second;
    }
    // Iota. Of the seven bits, only the last one is in the upper half of the lane.
    let mut low = 0;
    for j in 0..6 {
        low |= u32::from(iota >> j & 1) << ((1_u32 << j) - 1);
    }
    a[0][0] ^= u64::from(low) | u64::from(u32::from(iota) >> 6 << 31) << 32;
}

/// Rotates a lane to the left by a number of bits that is not a multiple of 32. The words are exchanged
/// and shifted, because CPUs with words of 32 bits have no instruction for a lane.
#[inline(always)]
fn rotate(lane: u64, by: u32) -> u64 {
    let words = [lane as u32, (lane >> 32) as u32];
    let [low, high] = match by & 32 {
        0 => words,
        _ => [words[1], words[0]],
    };
    let shift = |upper: u32, lower: u32| upper << (by & 31) | lower >> (by.wrapping_neg() & 31);
    u64::from(shift(high, low)) << 32 | u64::from(shift(low, high))
}

/// XORs a byte into the state at an offset, which is public. Shifts of whole lanes by a variable number of bits
/// are calls on CPUs with words of 32 bits.
#[inline(never)]
pub(crate) fn xor_byte(state: &mut State<[u64; 1]>, at: usize, byte: u8) {
    let half = u64::from(u32::from(byte) << (8 * (at & 3)));
    if let Some([lane]) = state.0.get_mut(at >> 3) {
        *lane ^= if at & 4 == 0 { half } else { half << 32 };
    }
}

/// XORs bytes into the state, the next of which is at `at`, and permutes each full block. Returns the place
/// of the byte after them.
#[inline(never)]
pub(crate) fn absorb(
    state: &mut State<[u64; 1]>,
    rate: usize,
    mut at: usize,
    bytes: &[u8],
) -> usize {
    for byte in bytes {
        xor_byte(state, at, *byte);
        at += 1;
        if at == rate {
            permute(state);
            at = 0;
        }
    }
    at
}

/// Fills `bytes` from the state, the next byte of which is at `at`, and permutes it after each block. Returns
/// the place of the byte after them.
#[inline(never)]
pub(crate) fn read(
    state: &mut State<[u64; 1]>,
    rate: usize,
    mut at: usize,
    bytes: &mut [u8],
) -> usize {
    for byte in bytes {
        if at == rate {
            permute(state);
            at = 0;
        }
        let word = state.word(0, at >> 3);
        let half = if at & 4 == 0 { word } else { word >> 32 } as u32;
        *byte = (half >> (8 * (at & 3))) as u8;
        at += 1;
    }
    at
}
