//! The inner loops of the streams with the fewest cycles. The module `compact` has the same functions with
//! the least code.

use moissanite_keccak::{InPlace, SHAKE256_RATE};

use super::Coefficients;
use crate::backend::{Portable, add_accepted};
use crate::field::Field;
use crate::hash::Shake128;
use crate::kernels::reject::take_accepted;
use crate::params::ParameterSet;
use crate::shape::N;
use crate::simd::Simd;

/// Calls `take` with each coefficient of an entry of Â, and its index before it.
#[inline(always)]
pub(super) fn each_of_entry<F: Field>(
    rho: &[u8; 32],
    index: [u8; 2],
    mut take: impl FnMut(usize, i32),
) {
    reject_uniform(rho, index, |bytes, filled| {
        take_accepted::<F>(bytes, filled, &mut take)
    });
}

/// w_j ← w_j + a_j y_j 2⁻³² for an entry a of Â: adds at most 0.52q to |w_j|. In: |y_j| ≤ 9q.
#[inline(always)]
pub(super) fn add_entry_product<F: Field>(
    rho: &[u8; 32],
    index: [u8; 2],
    y: &Coefficients,
    w: &mut Coefficients,
) {
    reject_uniform(rho, index, |bytes, filled| {
        add_accepted::<F>(bytes, y, w, filled)
    });
}

/// FIPS 204, Algorithm 30 (RejNTTPoly), for ρ ‖ s ‖ r. `take` is called with eight times three
/// bytes and the number of coefficients so far, and returns the new number. All data is public.
#[inline(always)]
fn reject_uniform(rho: &[u8; 32], index: [u8; 2], mut take: impl FnMut(&[u64; 3], usize) -> usize) {
    let mut xof = Shake128::new();
    xof.absorb(rho);
    xof.absorb(&index);
    let mut xof = xof.squeeze_in_place();
    let mut filled = 0;
    while filled < N {
        filled = take(&xof.lanes(), filled);
    }
}

/// FIPS 204, Algorithm 34 (ExpandMask), line 4, for one polynomial.
#[inline(always)]
pub(super) fn mask<P: ParameterSet>(mut xof: InPlace<'_, SHAKE256_RATE>, y: &mut Coefficients) {
    // The unused bits of a lane, and their number.
    let (mut rest, mut left) = (0, 0);
    for y in y {
        let mut code = rest;
        if left < P::Z_BITS {
            let [lane] = xof.lanes();
            code |= lane << left;
            rest = lane >> (P::Z_BITS - left);
            left += 64 - P::Z_BITS;
        } else {
            rest >>= P::Z_BITS;
            left -= P::Z_BITS;
        }
        *y = Portable.sub(P::GAMMA1 as i32, code as i32 & ((1 << P::Z_BITS) - 1));
    }
}

/// Returns a function that returns the bytes of the output one by one.
#[inline(always)]
pub(super) fn bytes(mut xof: InPlace<'_, SHAKE256_RATE>) -> impl FnMut() -> u8 {
    let (mut lane, mut left) = (0, 0);
    move || {
        if left == 0 {
            ([lane], left) = (xof.lanes(), 8);
        }
        left -= 1;
        let rest = lane >> 8;
        core::mem::replace(&mut lane, rest) as u8
    }
}
