//! Bits of coefficients in and out of bytes: FIPS 204, Algorithms 16 to 19.

use super::{Kernel, Simd};
use crate::poly::N;

/// A coefficient of so many bits as its encoding has it: `upper − w` (BitPack,
/// whose range ends with `upper`), or w itself (SimpleBitPack).
#[derive(Clone, Copy)]
pub(crate) enum Form {
    Simple,
    From { upper: i32 },
}

impl Form {
    /// The code of w, and the w of a code: both ways alike.
    #[inline(always)]
    fn convert(self, x: i32) -> i32 {
        match self {
            Self::Simple => x,
            Self::From { upper } => upper - x,
        }
    }
}

/// The fewest coefficients that fill whole bytes, or eight: at most 104 bits.
const fn group(bits: usize) -> usize {
    if bits.is_multiple_of(2) { 4 } else { 8 }
}

/// FIPS 204, Algorithms 16 (SimpleBitPack) and 17 (BitPack). In: codes of `BITS` bits.
pub(crate) struct Pack<'a, const BITS: usize, T> {
    pub(crate) w: &'a [T; N],
    pub(crate) form: Form,
    /// 32 · BITS bytes.
    pub(crate) bytes: &'a mut [u8],
}

impl<const BITS: usize, T: Copy + Into<i32>> Kernel for Pack<'_, BITS, T> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        debug_assert!(self.bytes.len() == 32 * BITS);
        let group = const { group(BITS) };
        let groups = self.bytes.chunks_exact_mut((group * BITS) >> 3);
        for (bytes, w) in groups.zip(self.w.chunks_exact(group)) {
            let mut bits = 0;
            for (i, w) in w.iter().enumerate() {
                let code = self.form.convert((*w).into()) as u32;
                debug_assert!(code >> BITS == 0);
                bits |= u128::from(code) << (i * BITS);
            }
            for (byte, bits) in bytes.iter_mut().zip(bits.to_le_bytes()) {
                *byte = bits;
            }
        }
    }
}

/// FIPS 204, Algorithms 18 (SimpleBitUnpack) and 19 (BitUnpack). Out: any code of `BITS` bits.
pub(crate) struct Unpack<'a, const BITS: usize> {
    /// 32 · BITS bytes.
    pub(crate) bytes: &'a [u8],
    pub(crate) form: Form,
    pub(crate) w: &'a mut [i32; N],
}

impl<const BITS: usize> Kernel for Unpack<'_, BITS> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        debug_assert!(self.bytes.len() == 32 * BITS);
        let group = const { group(BITS) };
        let groups = self.bytes.chunks_exact((group * BITS) >> 3);
        for (bytes, w) in groups.zip(self.w.chunks_exact_mut(group)) {
            let mut bits = [0; 16];
            for (bits, byte) in bits.iter_mut().zip(bytes) {
                *bits = *byte;
            }
            let bits = u128::from_le_bytes(bits);
            for (i, w) in w.iter_mut().enumerate() {
                let code = (bits >> (i * BITS)) as u32 & ((1 << BITS) - 1);
                *w = self.form.convert(code as i32);
            }
        }
    }
}
