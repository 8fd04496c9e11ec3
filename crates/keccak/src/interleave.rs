//! The representation in memory of a lane of a single state. It is the lane itself, or, for a
//! backend with 32-bit words, a word of its even bits and a word of its odd bits, each without the
//! rotation that the permutation has deferred.
#[cfg(armv7)]
pub(crate) use words::{inward, outward, split};

/// Returns the word in memory for a word of lane `at`, which is the word itself.
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

    /// The number of bits by which each word, of even or of odd bits, must still be rotated to the
    /// left.
    ///
    /// After theta, a lane lacks the same rotation as the sum that was added to its column, which
    /// is that of the first lane of the previous column; the first lane of the state is an
    /// exception. Rho adds its own rotation.
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

    /// Swaps the bits of `high` at the positions of `mask` with the bits of `low` that are `by`
    /// positions further left.
    const fn swap([low, high]: [u32; 2], by: u32, mask: u32) -> [u32; 2] {
        let both = ((low >> by) ^ high) & mask;
        [low ^ (both << by), high ^ both]
    }

    /// Returns the even and the odd bits of a lane.
    ///
    /// The index of a bit has one bit for the word and five for the position. Each swap exchanges
    /// two of these six index bits. Five swaps rotate the six index bits by one, so that the last
    /// one selects the word.
    pub(crate) const fn split(lane: u64) -> [u32; 2] {
        let mut words = [lane as u32, (lane >> 32) as u32];
        words = swap(words, 16, 0x0000_ffff);
        words = swap(words, 8, 0x00ff_00ff);
        words = swap(words, 4, 0x0f0f_0f0f);
        words = swap(words, 2, 0x3333_3333);
        swap(words, 1, 0x5555_5555)
    }

    /// Returns the representation of a lane in memory. The function is linear.
    #[inline]
    pub(crate) fn inward(at: usize, lane: u64) -> u64 {
        let [even, odd] = split(lane);
        let [behind_even, behind_odd] = OWED.get(at).copied().unwrap_or_default();
        let even = even.rotate_right(behind_even.into());
        let odd = odd.rotate_right(behind_odd.into());
        u64::from(odd) << 32 | u64::from(even)
    }

    /// Returns the lane of a representation in memory.
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
