//! The three algorithms for microcontrollers: the same bytes as [`crate::keygen`], [`crate::sign`]
//! and [`crate::verify`] give, in a few KiB.
//!
//! One polynomial is there in full; others are packed, three bytes a coefficient, and added to
//! while an entry of Â comes out of its XOF. Entries of Â, s₁, s₂, t₀, y and z are made when they
//! are needed, used, and made again in the next attempt. Keys, messages and signatures stay where
//! they are: they are read and written in pieces.
//!
//! | module | knows |
//! | --- | --- |
//! | [`keygen`], [`sign`], [`verify`] | the three algorithms |
//! | [`key`] | where s₁, s₂ and t₀ come from: a seed, or bytes |
//! | [`matrix`] | Â: made again each time, or some of it kept |
//! | `challenge`, `packed`, `pieces` | products with c; coefficients in three bytes; in as many bits as they have |
//!
//! Bytes of their variables, the greater part of their stack, and of what can be kept besides:
//!
//! | | ML-DSA-44 | ML-DSA-65 | ML-DSA-87 |
//! | --- | --- | --- | --- |
//! | [`verify::Scratch`] of [`verify::Recomputed`], [`keygen::Scratch`] | 1,792 | 1,792 | 1,792 |
//! | [`verify::Scratch`] of [`verify::Cached`] | 7,168 | 8,192 | 10,240 |
//! | [`sign::Scratch`], of [`key::Encoded`] | 4,096 | 5,632 | 7,168 |
//! | [`sign::Scratch`], of [`key::Seeds`] | 4,864 | 6,400 | 7,936 |
//! | [`matrix::CachedMatrix`] | up to 12,288 | up to 23,040 | up to 43,008 |
//!
//! Functions that hold a Keccak state or a piece of a secret are not inlined, so that only those
//! that run at a time are on the stack. All run on [`crate::backend::Portable`], but for what a
//! 32-bit ARM core has in assembly.

mod challenge;
pub mod key;
pub mod keygen;
pub mod matrix;
mod packed;
mod pieces;
pub mod row;
pub mod sign;
pub mod verify;

pub use challenge::Challenge;
pub use packed::Packed;

use crate::backend::Portable;
use crate::field::Field;
use crate::hash::Shake256;
use crate::kernels::canonical;
use crate::params::ParameterSet;
use crate::shape::N;
use crate::simd::Simd;

/// Bytes that are read in pieces, from anywhere and again and again: a slice, or what reads from
/// flash that no address leads to.
///
/// The bytes must not change meanwhile: a signature is believed piece by piece.
pub trait Source {
    /// Why bytes cannot be read.
    type Error;
    /// Fills `piece` with the bytes from `offset` on.
    ///
    /// # Errors
    /// They cannot be read.
    fn read(&mut self, offset: usize, piece: &mut [u8]) -> Result<(), Self::Error>;
}

/// A slice ended before what was to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndOfSlice;

impl Source for &[u8] {
    type Error = EndOfSlice;
    #[inline]
    fn read(&mut self, offset: usize, piece: &mut [u8]) -> Result<(), EndOfSlice> {
        let bytes = self.get(offset..).and_then(|rest| rest.get(..piece.len()));
        piece.copy_from_slice(bytes.ok_or(EndOfSlice)?);
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

/// A polynomial, of R_q or of T_q.
pub(crate) type Coefficients = [i32; N];

/// x modulo q. In: |x| < 2³⁰. Out: 0 ≤ · < q.
#[inline(always)]
pub(crate) fn reduce<F: Field>(x: i32) -> i32 {
    // q = 2²³ − 2¹³ + 1, so that with t = ⌊x / 2²³⌋, at most 2⁷, x − tq is from −2²⁰ to 2²³ + 2²⁰.
    let x = Portable.sub(x, Portable.mul(x >> 23, F::Q));
    let x = canonical::<F, _>(Portable, x);
    canonical::<F, _>(Portable, Portable.sub(x, F::Q))
}

/// FIPS 204, Algorithm 28 (w1Encode), of one polynomial, which goes into a hash.
#[inline(always)]
fn absorb_w1<P: ParameterSet>(w1: &Coefficients, xof: &mut Shake256) {
    for piece in w1.as_chunks().0 {
        xof.absorb(&pieces::pack(P::W1_BITS, piece)[..P::W1_BITS]);
    }
}
