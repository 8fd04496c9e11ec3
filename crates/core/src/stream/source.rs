//! Where the streams read keys and signatures from.

/// Bytes that are read in pieces, in any order and repeatedly: a slice, or a function that reads
/// from flash that is not in the address space.
///
/// The bytes must not change during an operation: a signature is checked piece by piece.
pub trait Source {
    /// The reason why bytes cannot be read.
    type Error;
    /// Fills `piece`, which has at most 84 bytes, with the bytes from `offset` on.
    ///
    /// # Errors
    /// The bytes cannot be read.
    fn read(&mut self, offset: usize, piece: &mut [u8]) -> Result<(), Self::Error>;
}

/// The bytes to be read are not all within the slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndOfSlice;

impl Source for &[u8] {
    type Error = EndOfSlice;
    #[inline]
    fn read(&mut self, offset: usize, piece: &mut [u8]) -> Result<(), EndOfSlice> {
        let bytes = self.get(offset..).and_then(|rest| rest.get(..piece.len()));
        // Not `copy_from_slice`, for the reason in `unpack`.
        for (to, from) in piece.iter_mut().zip(bytes.ok_or(EndOfSlice)?) {
            *to = *from;
        }
        Ok(())
    }
}

impl<E, F: FnMut(usize, &mut [u8]) -> Result<(), E>> Source for F {
    type Error = E;
    #[inline]
    fn read(&mut self, offset: usize, piece: &mut [u8]) -> Result<(), E> {
        self(offset, piece)
    }
}
