//! How a lane of a single state lies in memory: as it is, or, where a backend of 32-bit words wants
//! it so, as a word of its even bits and a word of its odd bits, each rotated by as much as its
//! permutation leaves undone.
#[cfg(armv7)]
pub(crate) use words::{inward, outward, split};

/// The word in memory for a word of lane `at`: the word itself.
#[cfg(not(armv7))]
#[inline(always)]
pub(crate) fn inward(_: usize, word: u64) -> u64 {
    word
}

/// The inverse of [`inward`].
#[cfg(not(armv7))]
#[inline(always)]
pub(crate) fn outward(_: usize, word: u64) -> u64 {
    word
}

#[cfg(armv7)]
mod words {
    use crate::constants::{LEFT, mod5};

    /// By how many bits each word, of even bits and of odd ones, is still to be rotated to the left.
    ///
    /// Theta leaves a lane as far behind as what it adds to its column, which is as far as the first
    /// lane of the column before; but the very first lane stays as it is. Rho adds to that.
    #[allow(
        clippy::integer_division_remainder_used,
        reason = "constants, at compile time"
    )]
    const OWED: [[u8; 2]; 25] = {
        let mut owed = [[0; 2]; 25];
        let mut at = 1;
        while at < 25 {
            // Algorithm 3 (pi): lane (x, y) goes to column y.
            let (y, row) = (mod5(at), (at - mod5(at)) / 5);
            let x = mod5(y + 3 * row);
            let [even, odd] = owed[mod5(x + 4)];
            let left = LEFT[x + 5 * y].cast_unsigned() as u8;
            owed[at] = if left & 1 == 0 {
                [(even + left / 2) & 31, (odd + left / 2) & 31]
            } else {
                [(odd + left / 2 + 1) & 31, (even + left / 2) & 31]
            };
            at += 1;
        }
        owed
    };

    /// Swaps the bits of `high` at the places of `mask` with those of `low` that are `by` further left.
    const fn swap([low, high]: [u32; 2], by: u32, mask: u32) -> [u32; 2] {
        let both = ((low >> by) ^ high) & mask;
        [low ^ (both << by), high ^ both]
    }

    /// Even and odd bits of a lane.
    ///
    /// The number of a bit is one bit for its word and five for its place. Each swap is one of two of
    /// those six; five of them move all six on by one, so that the last one becomes that of the word.
    pub(crate) const fn split(lane: u64) -> [u32; 2] {
        let mut words = [lane as u32, (lane >> 32) as u32];
        words = swap(words, 16, 0x0000_ffff);
        words = swap(words, 8, 0x00ff_00ff);
        words = swap(words, 4, 0x0f0f_0f0f);
        words = swap(words, 2, 0x3333_3333);
        swap(words, 1, 0x5555_5555)
    }

    /// A lane as memory has it. Linear, and zero for zero.
    #[inline]
    pub(crate) fn inward(at: usize, lane: u64) -> u64 {
        let [even, odd] = split(lane);
        let [behind_even, behind_odd] = OWED.get(at).copied().unwrap_or_default();
        let even = even.rotate_right(behind_even.into());
        let odd = odd.rotate_right(behind_odd.into());
        u64::from(odd) << 32 | u64::from(even)
    }

    /// The lane that memory has so.
    #[inline]
    pub(crate) fn outward(at: usize, words: u64) -> u64 {
        let [behind_even, behind_odd] = OWED.get(at).copied().unwrap_or_default();
        let even = (words as u32).rotate_left(behind_even.into());
        let odd = ((words >> 32) as u32).rotate_left(behind_odd.into());
        let mut words = swap([even, odd], 1, 0x5555_5555);
        words = swap(words, 2, 0x3333_3333);
        words = swap(words, 4, 0x0f0f_0f0f);
        words = swap(words, 8, 0x00ff_00ff);
        let [low, high] = swap(words, 16, 0x0000_ffff);
        u64::from(high) << 32 | u64::from(low)
    }
}
