//! Byte shuffles between codes of so many bits side by side and codes in lanes,
//! for registers, or sections of one, of `LEN` bytes.
//!
//! A code that begins at bit b of a unit is read from byte ⌊b / 8⌋ on, and
//! shifted by b mod 8; nothing here is longer than the 64 or 32 bits that leaves.

/// Where no byte goes to: what `pshufb` makes zero.
const NONE: u8 = 0x80;

/// How far each pair of codes is into the byte in which it begins.
pub(super) const fn pair_shifts<const PAIRS: usize>(bits: usize) -> [u64; PAIRS] {
    assert!(2 * bits + 7 <= 64);
    let mut shifts = [0; PAIRS];
    let mut pair = 0;
    while pair < PAIRS {
        shifts[pair] = ((2 * bits * pair) & 7) as u64;
        pair += 1;
    }
    shifts
}

/// How far each code is into the byte in which it begins.
pub(super) const fn code_shifts<const CODES: usize>(bits: usize) -> [u32; CODES] {
    assert!(bits + 7 <= 32);
    let mut shifts = [0; CODES];
    let mut code = 0;
    while code < CODES {
        shifts[code] = ((bits * code) & 7) as u32;
        code += 1;
    }
    shifts
}

/// Puts every other pair of a section, the first of which is `first`, where it
/// belongs, from the byte on in which the section's codes begin. A pair may share
/// a byte with its neighbour, not with the next but one.
pub(super) const fn gather_pairs<const LEN: usize>(
    bits: usize,
    first: usize,
    parity: usize,
) -> [u8; LEN] {
    assert!(4 * bits >= 2 * bits + 7 - 1);
    let mut table = [NONE; LEN];
    let mut pair = parity;
    while 8 * pair < LEN {
        let bit = 2 * bits * (first + pair);
        let mut byte = 0;
        while 8 * byte < 2 * bits + (bit & 7) {
            let to = (bit >> 3) + byte - ((2 * bits * first) >> 3);
            assert!(table[to] == NONE);
            table[to] = (8 * pair + byte) as u8;
            byte += 1;
        }
        pair += 2;
    }
    table
}

/// Gives each code of a section, the first of which is `first`, the four bytes it is in.
pub(super) const fn spread_codes<const LEN: usize>(bits: usize, first: usize) -> [u8; LEN] {
    let mut table = [0; LEN];
    let mut at = 0;
    while at < LEN {
        let byte = ((bits * (first + (at >> 2))) >> 3) - ((bits * first) >> 3) + (at & 3);
        assert!(byte < LEN);
        table[at] = byte as u8;
        at += 1;
    }
    table
}

/// The bytes of the result that a shuffle gives something.
#[cfg(target_arch = "x86_64")]
pub(super) const fn given(table: &[u8; 64]) -> u64 {
    let (mut given, mut at) = (0, 0);
    while at < 64 {
        given |= ((table[at] != NONE) as u64) << at;
        at += 1;
    }
    given
}
