//! Seeds.

use core::array::TryFromSliceError;
use core::fmt;

use rand_core::TryCryptoRng;

use crate::scrub::scrubbed;
use crate::secret::{Secret, Wipe, Zeroed, declassify_mask, difference_mask, wipe};

/// Stack that a generator may use and leave its bytes in.
const GENERATOR: usize = if usize::BITS == 64 { 4 << 10 } else { 1 << 10 };

/// Secret bytes from which a private key is made, 32 of them unless a type says otherwise: the
/// private key in short, and the form in which to store it.
///
/// Every value is a seed, but only one from a generator fit for keys is secret. `Debug` shows
/// nothing of it, comparing two takes the same time whatever they are, and it is overwritten with
/// zeros when it is dropped. Moving it may leave a copy behind: have it where it stays, or in a
/// box, and fill it there.
#[derive(Clone)]
pub struct Seed<const LEN: usize = 32>(Secret<[u8; LEN]>);

impl<const LEN: usize> Seed<LEN> {
    /// All zero, which is no secret: to be filled, by [`Self::try_fill`] or [`Self::set`].
    pub const fn zero() -> Self {
        Self(Secret::ZERO)
    }

    /// Makes this a new seed, where it is, from a generator that can fail, like the operating
    /// system's.
    ///
    /// # Errors
    /// The generator's. What is in the seed is then unspecified.
    pub fn try_fill<R: TryCryptoRng + ?Sized>(&mut self, rng: &mut R) -> Result<(), R::Error> {
        fill(rng, &mut *self.0)
    }

    /// Takes the bytes of a seed. The caller's copy is the caller's to wipe.
    #[inline(always)]
    pub fn from_bytes(bytes: &[u8; LEN]) -> Self {
        let mut seed = Self::zero();
        seed.set(bytes);
        seed
    }

    /// Takes the bytes of another seed, where this one is.
    pub fn set(&mut self, bytes: &[u8; LEN]) {
        self.0.copy_from_slice(bytes);
    }

    /// The bytes, in place.
    pub fn as_bytes(&self) -> &[u8; LEN] {
        &self.0
    }
}

/// Fills memory from a generator, without a copy of the bytes in the stack.
///
/// # Errors
/// The generator's.
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

/// The caller's copy is the caller's to wipe.
impl<const LEN: usize> TryFrom<&[u8]> for Seed<LEN> {
    type Error = TryFromSliceError;
    #[inline(always)]
    fn try_from(bytes: &[u8]) -> Result<Self, TryFromSliceError> {
        bytes.try_into().map(Self::from_bytes)
    }
}

/// The caller's copy is the caller's to wipe.
impl<const LEN: usize> From<[u8; LEN]> for Seed<LEN> {
    #[inline(always)]
    fn from(bytes: [u8; LEN]) -> Self {
        Self::from_bytes(&bytes)
    }
}

/// In constant time.
impl<const LEN: usize> PartialEq for Seed<LEN> {
    fn eq(&self, other: &Self) -> bool {
        let difference = difference_mask(self.as_bytes(), other.as_bytes());
        !declassify_mask(difference, "the caller asks whether they are equal")
    }
}
impl<const LEN: usize> Eq for Seed<LEN> {}

impl<const LEN: usize> fmt::Debug for Seed<LEN> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(...)")
    }
}

impl<const LEN: usize> zeroize::ZeroizeOnDrop for Seed<LEN> {}
