//! Dimensions: the numbers of coefficients, rows, columns and bytes.

use crate::secret::Zeroed;

/// The number of coefficients of a polynomial.
pub const N: usize = 256;

/// A dimension as a type. This trait is implemented by [`Rank<N>`](Rank), and lets a parameter set
/// name a dimension.
pub trait Dim: Copy + Send + Sync + 'static {
    /// The number.
    const N: usize;
    /// `[T; N]`.
    type Array<T: Zeroed>: AsRef<[T]> + AsMut<[T]> + Zeroed;
}

/// The dimension `N`.
#[derive(Clone, Copy, Debug)]
pub struct Rank<const N: usize>;

impl<const N: usize> Dim for Rank<N> {
    const N: usize = N;
    type Array<T: Zeroed> = [T; N];
}

/// An encoded object: `[u8; LEN]`.
pub trait Bytes:
    AsRef<[u8]>
    + AsMut<[u8]>
    + Clone
    + Eq
    + Zeroed
    + for<'a> TryFrom<&'a [u8]>
    + Send
    + Sync
    + Sized
    + 'static
{
    /// Returns these bytes without a copy, or `None` if their number is not `LEN`.
    fn from_slice(bytes: &[u8]) -> Option<&Self>;
}
impl<const LEN: usize> Bytes for [u8; LEN] {
    fn from_slice(bytes: &[u8]) -> Option<&Self> {
        bytes.try_into().ok()
    }
}
