//! How much of something there is: coefficients, rows and columns, bytes.

use crate::secret::Zeroed;

/// Coefficients of a polynomial.
pub const N: usize = 256;

/// A dimension known to the type system: [`Rank<N>`](Rank), seen through a
/// trait so that a parameter set can name it.
pub trait Dim: Copy + Send + Sync + 'static {
    /// The number itself.
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
    /// These bytes, where they are, if there are as many.
    fn from_slice(bytes: &[u8]) -> Option<&Self>;
}
impl<const LEN: usize> Bytes for [u8; LEN] {
    fn from_slice(bytes: &[u8]) -> Option<&Self> {
        bytes.try_into().ok()
    }
}
