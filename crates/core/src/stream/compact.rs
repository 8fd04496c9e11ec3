//! The inner loops of the streams with the least code. The module `fast` has the same functions with the
//! fewest cycles.

use moissanite_keccak::{InPlace, SHAKE256_RATE};

use super::Coefficients;
use super::pieces::{piece, unpack};
use crate::backend::{Portable, montgomery_product};
use crate::field::Field;
use crate::hash::Shake128;
use crate::kernels::reject::coeff_from_three_bytes;
use crate::params::ParameterSet;
use crate::shape::N;
use crate::simd::Simd;

/// FIPS 204, Algorithm 30 (RejNTTPoly), for ρ ‖ s ‖ r. Calls `take` with each coefficient, and its index
/// before it. All data is public.
#[inline(never)]
pub(super) fn each_of_entry<F: Field>(
    rho: &[u8; 32],
    index: [u8; 2],
    mut take: impl FnMut(usize, i32),
) {
    let mut xof = Shake128::new();
    xof.absorb(rho);
    xof.absorb(&index);
    let mut xof = xof.squeeze_in_place();
    let mut filled = 0;
    while filled < N {
        let mut bytes = [0; 3];
        xof.read(&mut bytes);
        if let Some(a) = coeff_from_three_bytes::<F>(bytes) {
            take(filled, a);
            filled += 1;
        }
    }
}

/// w_j ← w_j + a_j y_j 2⁻³² for an entry a of Â: adds at most 0.52q to |w_j|. In: |y_j| ≤ 9q.
pub(super) fn add_entry_product<F: Field>(
    rho: &[u8; 32],
    index: [u8; 2],
    y: &Coefficients,
    w: &mut Coefficients,
) {
    each_of_entry::<F>(rho, index, |j, a| {
        if let (Some(w), Some(y)) = (w.get_mut(j), y.get(j)) {
            *w = w.wrapping_add(montgomery_product::<F>(a, *y));
        }
    });
}

/// FIPS 204, Algorithm 34 (ExpandMask), line 4, for one polynomial.
pub(super) fn mask<P: ParameterSet>(mut xof: InPlace<'_, SHAKE256_RATE>, y: &mut Coefficients) {
    let mut read = |_: usize, bytes: &mut [u8]| {
        xof.read(bytes);
        true
    };
    unpack(P::Z_BITS, &mut read, &mut |at, codes| {
        if let Some(y) = piece(y, at) {
            *y = codes.map(|code| Portable.sub(P::GAMMA1 as i32, code));
        }
    });
}

/// Returns a function that returns the bytes of the output one by one.
pub(super) fn bytes(mut xof: InPlace<'_, SHAKE256_RATE>) -> impl FnMut() -> u8 {
    move || {
        let mut byte = [0];
        xof.read(&mut byte);
        byte[0]
    }
}
