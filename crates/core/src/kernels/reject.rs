//! Rejection sampling: FIPS 204, Algorithms 14, 15, 30 and 31, on one block of XOF output at a
//! time.
//!
//! A register of candidates is compressed to the accepted ones, and stored whole. The next register
//! overwrites the superfluous lanes. The only branch is at the end, where lanes without room are
//! not stored.

use super::{append, put};
use crate::field::Field;
use crate::poly::{NttPoly, Poly};
use crate::secret::declassify;
use crate::shape::N;
use crate::simd::{Kernel, MAX_SIMD_LANES, Simd};

/// FIPS 204, Algorithm 30 (RejNTTPoly), lines 3 to 10, on one block. Continues from coefficient
/// `filled`, and returns the new number of coefficients. All data is public.
pub(crate) struct RejectUniform<'a, F, const LEN: usize> {
    /// The block. Its length is a multiple of three bytes.
    pub(crate) block: &'a [u8; LEN],
    pub(crate) a_hat: &'a mut NttPoly<F>,
    pub(crate) filled: usize,
}

impl<F: Field, const LEN: usize> Kernel for RejectUniform<'_, F, LEN> {
    type Output = usize;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> usize {
        let mut filled = self.filled;
        let (chunks, rest) = S::triple_chunks(self.block);
        for triples in chunks {
            if filled >= N {
                return N;
            }
            filled = take_uniform::<F, S>(s, triples, &mut self.a_hat.0, filled);
        }
        if !rest.is_empty() {
            // The missing bytes are replaced by ones, which are rejected.
            let mut padded = [0xff; 3 * MAX_SIMD_LANES];
            for (padded, rest) in padded.iter_mut().zip(rest) {
                *padded = *rest;
            }
            if let Some(triples) = S::triple_chunks(&padded).0.first() {
                filled = take_uniform::<F, S>(s, triples, &mut self.a_hat.0, filled);
            }
        }
        filled.min(N)
    }
}

/// FIPS 204, Algorithm 14 (CoeffFromThreeBytes), for each lane.
#[inline(always)]
fn take_uniform<F: Field, S: Simd>(
    s: S,
    triples: &S::TripleChunk,
    out: &mut [i32; N],
    filled: usize,
) -> usize {
    let z = s.and(s.load_triples(triples), s.splat(0x7f_ffff));
    let accepted = s.gt_public(s.splat(F::Q), z);
    append(s, z, accepted, out, filled)
}

/// FIPS 204, Algorithm 14 (CoeffFromThreeBytes), for one coefficient.
#[inline(always)]
pub(crate) fn coeff_from_three_bytes<F: Field>([b0, b1, b2]: [u8; 3]) -> Option<i32> {
    let z = i32::from_le_bytes([b0, b1, b2 & 0x7f, 0]);
    (z < F::Q).then_some(z)
}

/// FIPS 204, Algorithm 30 (RejNTTPoly), on eight times three bytes. `take` is called with the
/// coefficients, from number `filled` on. Returns the new number of coefficients. All data is
/// public.
///
/// This is not inlined, so that its variables are not on the stack during a permutation of the XOF.
#[cfg(not(tiny))]
#[inline(never)]
pub(crate) fn take_accepted<F: Field>(
    bytes: &[u64; 3],
    mut filled: usize,
    take: &mut impl FnMut(usize, i32),
) -> usize {
    let bytes = bytes.map(u64::to_le_bytes);
    for bytes in bytes.as_flattened().as_chunks().0 {
        if let Some(a) = coeff_from_three_bytes::<F>(*bytes)
            && filled < N
        {
            take(filled, a);
            filled += 1;
        }
    }
    filled
}

/// FIPS 204, Algorithm 31 (RejBoundedPoly), lines 3 to 13, on one block, in the same way as
/// [`RejectUniform`]. The positions of the rejected half-bytes are public: rejected half-bytes are
/// used in no secret, and the accepted ones do not depend on them.
pub(crate) struct RejectBounded<'a, F, const LEN: usize> {
    pub(crate) block: &'a [u8; LEN],
    pub(crate) s: &'a mut Poly<F>,
    pub(crate) filled: usize,
    pub(crate) eta: u32,
}

impl<F: Field, const LEN: usize> Kernel for RejectBounded<'_, F, LEN> {
    type Output = usize;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> usize {
        match self.eta {
            2 => self.take::<S, 2>(s),
            _ => self.take::<S, 4>(s),
        }
    }
}

impl<F: Field, const LEN: usize> RejectBounded<'_, F, LEN> {
    #[inline(always)]
    fn take<S: Simd, const ETA: i32>(self, s: S) -> usize {
        let mut filled = self.filled;
        let (chunks, rest) = S::byte_chunks(self.block);
        for bytes in chunks {
            if filled >= N {
                return N;
            }
            filled = take_bounded::<S, ETA>(s, bytes, &mut self.s.0, filled);
        }
        if !rest.is_empty() {
            // The missing bytes are replaced by ones, which are rejected.
            let mut padded = [0xff; MAX_SIMD_LANES];
            for (padded, rest) in padded.iter_mut().zip(rest) {
                *padded = *rest;
            }
            if let Some(bytes) = S::byte_chunks(&padded).0.first() {
                filled = take_bounded::<S, ETA>(s, bytes, &mut self.s.0, filled);
            }
        }
        filled.min(N)
    }
}

/// FIPS 204, Algorithm 15 (CoeffFromHalfByte), for each lane. Returns the coefficients and the mask
/// of the accepted lanes, which the caller makes public.
#[inline(always)]
pub(crate) fn half_byte<S: Simd>(s: S, eta: u32, b: S::V) -> (S::V, S::V) {
    let (value, limit) = if eta == 2 {
        // This is b mod 5, with ⌊b / 5⌋ = ⌊13b / 64⌋ for b < 16.
        let quotient = s.shr(s.mul(b, s.splat(13)), 6);
        (s.sub(b, s.mul(quotient, s.splat(5))), 15)
    } else {
        (b, 9)
    };
    let accepted = s.gt(s.splat(limit), b);
    (s.sub(s.splat(eta as i32), value), accepted)
}

/// Applies Algorithm 15 to both halves of the byte in each lane.
#[inline(always)]
fn take_bounded<S: Simd, const ETA: i32>(
    s: S,
    bytes: &S::ByteChunk,
    out: &mut [i32; N],
    filled: usize,
) -> usize {
    let bytes = s.load_bytes(bytes);
    let (first, second) = s.interleave(s.and(bytes, s.splat(0x0f)), s.shr(bytes, 4));
    let filled = take_half_bytes::<S, ETA>(s, first, out, filled);
    take_half_bytes::<S, ETA>(s, second, out, filled)
}

/// Applies Algorithm 15 to the half-byte in each lane.
#[inline(always)]
fn take_half_bytes<S: Simd, const ETA: i32>(
    s: S,
    b: S::V,
    out: &mut [i32; N],
    filled: usize,
) -> usize {
    let (value, accepted) = half_byte(s, ETA as u32, b);
    let accepted = declassify(
        accepted,
        "rejected half-bytes are unused, and accepted ones do not depend on them",
    );
    let (value, count) = s.compress(value, accepted);
    put(s, value, out, filled);
    filled + count
}
