//! Reads of any place and length, made of reads whose offsets and lengths are multiples of `READ_SIZE`.

use embassy_boot::AlignedBuffer;

/// The number of bytes that are read at once.
pub(crate) const LEN: usize = 64;

/// The bytes of one read, aligned as flash controllers with direct memory access need it.
pub(crate) type Window = AlignedBuffer<LEN>;

/// One read that contains wanted bytes.
pub(crate) struct Read {
    /// Its offset.
    pub(crate) from: u32,
    /// The number of bytes before the wanted ones.
    skip: usize,
    /// The number of all bytes.
    len: usize,
}

impl Read {
    /// The read of the first of `wanted` bytes from `offset` on. `size` is a power of two of at most [`LEN`].
    /// There is no read beyond 4 GiB.
    pub(crate) fn first(offset: usize, wanted: usize, size: usize) -> Option<Self> {
        let mask = size.checked_sub(1)?;
        let skip = offset & mask;
        let all = skip.checked_add(wanted)?.checked_add(mask)? & !mask;
        Some(Self {
            from: u32::try_from(offset & !mask).ok()?,
            skip,
            len: all.min(LEN),
        })
    }

    /// The part of the window that is read.
    pub(crate) fn buffer<'w>(&self, window: &'w mut Window) -> Option<&'w mut [u8]> {
        window.0.get_mut(..self.len)
    }

    /// Copies the wanted bytes to the front of `piece`, and returns the rest of it.
    pub(crate) fn copy<'p>(&self, window: &Window, piece: &'p mut [u8]) -> Option<&'p mut [u8]> {
        let bytes = window.0.get(self.skip..self.len)?;
        let (front, rest) = piece.split_at_mut_checked(bytes.len().min(piece.len()))?;
        front.copy_from_slice(bytes.get(..front.len())?);
        Some(rest)
    }
}

/// Checks the `READ_SIZE` of a flash at compile time.
pub(crate) const fn check(size: usize) {
    assert!(size.is_power_of_two() && size <= LEN);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    extern crate std;

    use std::vec;
    use std::vec::Vec;

    use super::*;

    /// Each place and length is read as it would be without a `READ_SIZE`.
    #[test]
    fn every_place() {
        let flash: Vec<u8> = (0..=255).collect();
        for size in [1, 2, 4, 8, 16, 32, 64] {
            for offset in 0..70 {
                for wanted in 0..90 {
                    let mut piece = vec![0; wanted];
                    let (mut rest, mut at) = (&mut piece[..], offset);
                    while !rest.is_empty() {
                        let mut window = AlignedBuffer([0; LEN]);
                        let read = Read::first(at, rest.len(), size).unwrap();
                        let buffer = read.buffer(&mut window).unwrap();
                        let from = usize::try_from(read.from).unwrap();
                        assert!(from.is_multiple_of(size) && buffer.len().is_multiple_of(size));
                        buffer.copy_from_slice(&flash[from..][..buffer.len()]);
                        let left = read.copy(&window, rest).unwrap();
                        at = offset + wanted - left.len();
                        rest = left;
                    }
                    assert_eq!(piece, flash[offset..][..wanted]);
                }
            }
        }
    }

    #[test]
    fn beyond_the_end() {
        assert!(Read::first(usize::MAX, 1, 4).is_none());
        assert!(Read::first(1 << 32, 1, 1).is_none());
    }
}
