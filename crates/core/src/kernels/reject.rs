//! Rejection sampling: FIPS 204, Algorithms 14, 15, 30 and 31, a block of XOF output at a time.

use super::{Kernel, Simd};
use crate::field::Field;
use crate::poly::{N, NttPoly, Poly};
use crate::secret::declassify;

/// FIPS 204, Algorithm 30 (RejNTTPoly), lines 3 to 10, on one block: goes on
/// from coefficient `filled` and returns how many there are then. Public data.
pub(crate) struct RejectUniform<'a, F> {
    /// A multiple of three bytes.
    pub(crate) block: &'a [u8],
    pub(crate) a_hat: &'a mut NttPoly<F>,
    pub(crate) filled: usize,
}

impl<F: Field> Kernel for RejectUniform<'_, F> {
    type Output = usize;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> usize {
        let mut filled = self.filled;
        let (triples, _) = self.block.as_chunks::<3>();
        for [b0, b1, b2] in triples {
            let Some(slot) = self.a_hat.0.get_mut(filled) else {
                break;
            };
            // FIPS 204, Algorithm 14 (CoeffFromThreeBytes).
            *slot = i32::from_le_bytes([*b0, *b1, *b2 & 0x7f, 0]);
            filled += usize::from(*slot < F::Q);
        }
        filled
    }
}

/// FIPS 204, Algorithm 31 (RejBoundedPoly), lines 3 to 13, on one block, in the
/// manner of [`RejectUniform`]. Which half-bytes are refused is public: refused
/// ones go into no secret, and the others do not depend on them.
pub(crate) struct RejectBounded<'a, F> {
    pub(crate) block: &'a [u8],
    pub(crate) s: &'a mut Poly<F>,
    pub(crate) filled: usize,
    pub(crate) eta: u32,
}

impl<F: Field> Kernel for RejectBounded<'_, F> {
    type Output = usize;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> usize {
        let mut filled = self.filled;
        for byte in self.block {
            for half_byte in [byte & 0x0f, byte >> 4] {
                if filled == N {
                    return filled;
                }
                let (value, accepted) = coefficient_from_half_byte(half_byte, self.eta);
                self.s.0[filled] = value;
                filled += usize::from(declassify(accepted, "which half-bytes are refused"));
            }
        }
        filled
    }
}

/// FIPS 204, Algorithm 15 (CoeffFromHalfByte): the coefficient, and whether there is one.
#[inline(always)]
fn coefficient_from_half_byte(b: u8, eta: u32) -> (i32, bool) {
    let b = i32::from(b);
    if eta == 2 {
        // ⌊b / 5⌋ = ⌊13b / 64⌋ for b < 16.
        let remainder = b - 5 * ((13 * b) >> 6);
        (2 - remainder, b < 15)
    } else {
        (4 - b, b < 9)
    }
}
