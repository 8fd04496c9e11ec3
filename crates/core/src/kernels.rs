//! The inner loops, written once for any number of lanes.
//!
//! All functions are `#[inline(always)]`, so that they are compiled inside the one
//! `#[target_feature]` function that calls them (see [`crate::backend`]). Loops that LLVM
//! vectorizes well are plain loops over arrays; the others are written over [`Simd`].

use crate::field::Field;
use crate::shape::N;
use crate::simd::Simd;

pub(crate) mod arith;
pub(crate) mod challenge;
pub(crate) mod ntt;
pub(crate) mod pack;
pub(crate) mod reject;
pub(crate) mod round;

/// v + q where v is negative. In: −q ≤ v < q. Out: 0 ≤ v < q.
#[inline(always)]
pub(crate) fn canonical<F: Field, S: Simd>(s: S, v: S::V) -> S::V {
    s.add(v, s.and(s.is_negative(v), s.splat(F::Q)))
}

/// [`canonical`] for public numbers.
#[inline(always)]
pub(crate) fn canonical_public<F: Field, S: Simd>(s: S, v: S::V) -> S::V {
    s.add(v, s.and(s.shr(v, 31), s.splat(F::Q)))
}

/// Writes the accepted lanes from coefficient `filled` on, as far as there is room, and returns the
/// number of coefficients that would be filled without this limit.
#[inline(always)]
pub(crate) fn append<S: Simd>(
    s: S,
    v: S::V,
    accepted: S::V,
    out: &mut [i32; N],
    filled: usize,
) -> usize {
    let (v, count) = s.compress(v, accepted);
    put(s, v, out, filled);
    filled + count
}

/// Writes the lanes from coefficient `at` on, as far as there is room.
#[inline(always)]
pub(crate) fn put<S: Simd>(s: S, v: S::V, out: &mut [i32; N], at: usize) {
    if let Some(chunk) = S::chunk_at(out, at) {
        s.store(v, chunk);
    } else if let Some(rest) = out.get_mut(at..) {
        s.store_part(v, rest);
    }
}
