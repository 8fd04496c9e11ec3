//! 25 lanes in memory, and the access to their bytes (FIPS 202, appendix B.1: little-endian).
use crate::lane::Lane;
use core::fmt;

/// As many Keccak states as `L` is wide, lane by lane. They are wiped when they are dropped.
///
/// The contents are private to this crate; [`Keccak`](crate::Keccak) permutes them.
///
/// With wide registers, the alignment prevents loads and stores across two cache lines.
#[derive(Clone)]
#[cfg_attr(target_arch = "x86_64", repr(align(64)))]
pub struct State<L: Lane>(pub(crate) [L; 25]);

impl<L: Lane> State<L> {
    /// All bits zero.
    pub(crate) const ZERO: Self = Self([L::ZERO; 25]);

    /// Replaces each word by the result of the function, which gets the number of the lane.
    #[inline(always)]
    pub(crate) fn each_word(&mut self, replace: impl Fn(usize, u64) -> u64) {
        for (at, lane) in self.0.iter_mut().enumerate() {
            for word in lane.as_mut() {
                *word = replace(at, *word);
            }
        }
    }

    /// XORs `bytes` into the bytes of one state from `offset` on. Bytes after the 200 of the state,
    /// and an instance that does not exist, are ignored.
    #[inline(always)]
    pub(crate) fn xor_bytes(&mut self, instance: usize, offset: usize, bytes: &[u8]) {
        let first = offset >> 3;
        let lanes = self.0.get_mut(first..).unwrap_or_default();
        let mut words = (first..)
            .zip(lanes)
            .filter_map(|(at, lane)| Some((at, lane.as_mut().get_mut(instance)?)));
        let (head, bytes) = bytes.split_at(to_word_boundary(offset).min(bytes.len()));
        if !head.is_empty()
            && let Some((at, word)) = words.next()
        {
            *word ^= L::inward(at, word_of(head) << (8 * (offset & 7)));
        }
        let (whole, tail) = bytes.as_chunks::<8>();
        // The order matters: if the first half of the zip ends, the next word remains for the tail.
        for (bytes, (at, word)) in whole.iter().zip(&mut words) {
            *word ^= L::inward(at, u64::from_le_bytes(*bytes));
        }
        if let Some((at, word)) = words.next() {
            *word ^= L::inward(at, word_of(tail));
        }
    }

    /// XORs one byte into the byte of one state at `offset`, with the same bounds.
    #[inline(always)]
    pub(crate) fn xor_byte(&mut self, instance: usize, offset: usize, byte: u8) {
        let at = offset >> 3;
        if let Some(lane) = self.0.get_mut(at)
            && let Some(word) = lane.as_mut().get_mut(instance)
        {
            *word ^= L::inward(at, u64::from(byte) << (8 * (offset & 7)));
        }
    }

    /// Returns eight bytes of one state. Bytes after its end, or of an instance that does not
    /// exist, are zero.
    #[inline(always)]
    pub(crate) fn word(&self, instance: usize, at: usize) -> u64 {
        let word = self.0.get(at).and_then(|lane| lane.as_ref().get(instance));
        word.map_or(0, |word| L::outward(at, *word))
    }

    /// Copies the bytes of one state from `offset` on. For bytes after the 200 of the state, and
    /// for an instance that does not exist, `bytes` are not changed.
    #[inline(always)]
    pub(crate) fn copy_bytes(&self, instance: usize, offset: usize, bytes: &mut [u8]) {
        let first = offset >> 3;
        let lanes = self.0.get(first..).unwrap_or_default();
        let mut words = (first..)
            .zip(lanes)
            .filter_map(|(at, lane)| Some(L::outward(at, *lane.as_ref().get(instance)?)));
        let head_length = to_word_boundary(offset).min(bytes.len());
        let (head, bytes) = bytes.split_at_mut(head_length);
        if !head.is_empty()
            && let Some(word) = words.next()
        {
            copy_word(word >> (8 * (offset & 7)), head);
        }
        let (whole, tail) = bytes.as_chunks_mut::<8>();
        for (bytes, word) in whole.iter_mut().zip(&mut words) {
            *bytes = word.to_le_bytes();
        }
        if let Some(word) = words.next() {
            copy_word(word, tail);
        }
    }
}

/// Returns the number of bytes from `offset` to the next multiple of 8.
#[inline(always)]
fn to_word_boundary(offset: usize) -> usize {
    offset.wrapping_neg() & 7
}

/// Returns at most 8 bytes as the low bytes of a word.
#[inline(always)]
fn word_of(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// Returns the low bytes of a word, at most 8.
#[inline(always)]
fn copy_word(word: u64, bytes: &mut [u8]) {
    for (to, from) in bytes.iter_mut().zip(word.to_le_bytes()) {
        *to = from;
    }
}

impl<L: Lane> Default for State<L> {
    /// All bits zero.
    #[inline]
    fn default() -> Self {
        Self::ZERO
    }
}

impl<L: Lane> Drop for State<L> {
    /// Plain stores and a barrier that prevents the compiler from removing them are faster than
    /// volatile writes.
    #[inline]
    fn drop(&mut self) {
        self.0 = [L::ZERO; 25];
        zeroize::optimization_barrier(&self.0);
    }
}

impl<L: Lane> fmt::Debug for State<L> {
    /// The contents are not shown, because they are secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}
