//! Seeds.

use core::array::TryFromSliceError;
use core::fmt;

use rand_core::TryCryptoRng;

use crate::scrub::scrubbed;
use crate::secret::{Secret, Wipe, Zeroed, declassify_mask, difference_mask, wipe};

/// The stack size, in bytes, in which a generator may leave copies of its output.
const GENERATOR: usize = if usize::BITS == 64 { 4 << 10 } else { 1 << 10 };

/// The secret bytes from which a private key is generated, 32 unless the type states another
/// length. A seed is the short form of the private key, and the form in which it should be stored.
///
/// Every value is a valid seed, but only the output of a generator that is suitable for keys is
/// secret. `Debug` shows no bytes of a seed, comparisons take the same time for all values, and a
/// seed is overwritten with zeros when it is dropped. A move may leave a copy behind: create the
/// seed in its final place, or in a box, and fill it there.
#[derive(Clone)]
pub struct Seed<const LEN: usize = 32>(Secret<[u8; LEN]>);

impl<const LEN: usize> Seed<LEN> {
    /// Returns a seed of zeros, which is not secret. The caller fills it with [`Self::try_fill`] or
    /// [`Self::set`].
    pub const fn zero() -> Self {
        Self(Secret::ZERO)
    }

    /// Fills this seed in place from a generator that can fail, such as that of the operating
    /// system.
    ///
    /// # Errors
    /// The error of the generator. The content of the seed is then unspecified.
    pub fn try_fill<R: TryCryptoRng + ?Sized>(&mut self, rng: &mut R) -> Result<(), R::Error> {
        fill(rng, &mut *self.0)
    }

    /// Copies the bytes of a seed. The caller must wipe its own copy.
    #[inline(always)]
    pub fn from_bytes(bytes: &[u8; LEN]) -> Self {
        Self(Secret::new(*bytes))
    }

    /// Copies the bytes of another seed into this one.
    pub fn set(&mut self, bytes: &[u8; LEN]) {
        self.0.copy_from_slice(bytes);
    }

    /// Returns the bytes without a copy.
    pub fn as_bytes(&self) -> &[u8; LEN] {
        &self.0
    }
}

/// Fills memory from a generator, without leaving a copy of the bytes on the stack.
///
/// # Errors
/// The error of the generator.
pub fn fill<R: TryCryptoRng + ?Sized>(rng: &mut R, bytes: &mut [u8]) -> Result<(), R::Error> {
    scrubbed::<GENERATOR, _>(|| rng.try_fill_bytes(bytes))
}

impl<const LEN: usize> Wipe for Seed<LEN> {
    fn wipe(&mut self) {
        wipe(core::slice::from_mut(&mut self.0));
    }
}

impl<const LEN: usize> Zeroed for Seed<LEN> {
    const ZERO: Self = Self::zero();
}

/// The caller must wipe its own copy.
impl<const LEN: usize> TryFrom<&[u8]> for Seed<LEN> {
    type Error = TryFromSliceError;
    #[inline(always)]
    fn try_from(bytes: &[u8]) -> Result<Self, TryFromSliceError> {
        bytes.try_into().map(Self::from_bytes)
    }
}

/// The caller must wipe its own copy.
impl<const LEN: usize> From<[u8; LEN]> for Seed<LEN> {
    #[inline(always)]
    fn from(bytes: [u8; LEN]) -> Self {
        Self::from_bytes(&bytes)
    }
}

/// The comparison takes constant time.
impl<const LEN: usize> PartialEq for Seed<LEN> {
    fn eq(&self, other: &Self) -> bool {
        let difference = difference_mask(self.as_bytes(), other.as_bytes());
        !declassify_mask(difference, "the result tells whether two seeds are equal")
    }
}
impl<const LEN: usize> Eq for Seed<LEN> {}

impl<const LEN: usize> fmt::Debug for Seed<LEN> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(...)")
    }
}

impl<const LEN: usize> zeroize::ZeroizeOnDrop for Seed<LEN> {}
