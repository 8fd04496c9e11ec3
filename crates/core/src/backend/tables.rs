//! Byte shuffles between packed codes and codes in lanes, for registers, or sections of a register,
//! of `LEN` bytes.
//!
//! A code that begins at bit b of a unit is read from byte ⌊b / 8⌋ on, and shifted by b mod 8. The
//! functions assert that a code or a pair of codes fits in the 32 or 64 bits that contain it after
//! the shift.

/// The index for a byte of the result that is zero, as in `pshufb`.
const NONE: u8 = 0x80;

/// Returns the bit offset of each pair of codes in the byte in which it begins.
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

/// Returns the bit offset of each code in the byte in which it begins.
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

/// Returns the shuffle that moves every other pair of a section to its place. `first` is the first
/// pair of the section, and places are relative to the byte in which the codes of the section
/// begin. A pair may share a byte with the next pair, but not with the one after that.
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

/// Returns the shuffle that copies to each code of a section the four bytes that contain it.
/// `first` is the first code of the section.
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

/// Returns the mask of the bytes of the result that a shuffle copies from its input.
#[cfg(target_arch = "x86_64")]
pub(super) const fn given(table: &[u8; 64]) -> u64 {
    let (mut given, mut at) = (0, 0);
    while at < 64 {
        given |= ((table[at] != NONE) as u64) << at;
        at += 1;
    }
    given
}

/// For each set of accepted lanes of four, the bytes of these lanes, moved to the front. The index is
/// public: it comes from public data or from a public mask.
#[cfg(not(target_arch = "x86_64"))]
pub(super) static COMPRESS: [[u8; 16]; 16] = {
    let mut table = [[0; 16]; 16];
    let mut accepted = 0;
    while accepted < 16 {
        let (mut lane, mut count) = (0, 0);
        while lane < 4 {
            if accepted >> lane & 1 == 1 {
                let mut byte = 0;
                while byte < 4 {
                    table[accepted][4 * count + byte] = (4 * lane + byte) as u8;
                    byte += 1;
                }
                count += 1;
            }
            lane += 1;
        }
        accepted += 1;
    }
    table
};
