//! FIPS 204, Algorithms 20 and 21. A hint is public once its signature is accepted.

use crate::params::ParameterSet;
use crate::poly::{BytePoly, Vector};
use crate::shape::Dim;

/// The largest length of an encoded hint, ω + K, in bytes: that of ML-DSA-44.
pub(crate) const MOST_H: usize = 84;

/// FIPS 204, Algorithm 20 (HintBitPack): encodes h as ω + K bytes. In: at most ω ones.
pub fn hint_bit_pack<P: ParameterSet>(h: &Vector<BytePoly, P::K>, bytes: &mut [u8]) {
    bytes.fill(0);
    let Some((positions, counters)) = bytes.split_at_mut_checked(P::OMEGA) else {
        return;
    };
    let mut index = 0;
    for (h_i, counter) in h.iter().zip(counters) {
        for (first, eight) in (0..=u8::MAX).step_by(8).zip(h_i.0.as_chunks().0) {
            index = pack_eight(eight, first, positions, index);
        }
        *counter = index as u8;
    }
    if let Some(position) = positions.get_mut(index) {
        *position = 0;
    }
}

/// The step of [`hint_bit_pack`]: appends the positions of the ones among eight coefficients to
/// those before `index`, and returns how many there are then. What is at this index is unspecified.
///
/// Eight coefficients are handled at a time, because few of them are ones. There is no branch for
/// the first one of the eight, because it would be hard to predict: a position is always written,
/// and is overwritten later if none of the eight is a one.
#[inline(always)]
pub fn pack_eight(eight: &[u8; 8], first: u8, positions: &mut [u8], mut index: usize) -> usize {
    let mut ones = u64::from_le_bytes(*eight);
    loop {
        if let Some(position) = positions.get_mut(index) {
            *position = first + ((ones.trailing_zeros() >> 3) & 7) as u8;
        }
        index += usize::from(ones != 0);
        ones &= ones.wrapping_sub(1);
        if ones == 0 {
            return index;
        }
    }
}

/// FIPS 204, Algorithm 21 (HintBitUnpack), for ω + K bytes. Returns `None` if they are malformed;
/// `h` is then unspecified.
///
/// Within a polynomial, the positions must strictly increase; the counters must not decrease, nor
/// exceed ω; and the remaining positions must be zero. The bytes satisfy this if and only if
/// [`hint_bit_pack`] can write them.
pub fn hint_bit_unpack<P: ParameterSet>(
    bytes: &[u8],
    h: &mut Vector<BytePoly, P::K>,
) -> Option<()> {
    debug_assert!(bytes.len() == P::OMEGA + P::K::N);
    let (positions, counters) = bytes.split_at_checked(P::OMEGA)?;
    let mut index = 0;
    for (h_i, counter) in h.iter_mut().zip(counters) {
        index = unpack_polynomial(positions, index, *counter, h_i)?;
    }
    unpack_rest(positions, index)
}

/// Applies [`unpack_row`] to a polynomial. Inlined and unrolled for all of them, this would be 5 KiB
/// of code on a Cortex-M.
#[inline(never)]
fn unpack_polynomial(
    positions: &[u8],
    index: usize,
    counter: u8,
    h_i: &mut BytePoly,
) -> Option<usize> {
    h_i.0.fill(0);
    unpack_row(positions, index, counter, |j| h_i.0[usize::from(j)] = 1)
}

/// [`unpack_row`] without its positions.
#[inline(never)]
pub(crate) fn check_row(positions: &[u8], index: usize, counter: u8) -> Option<usize> {
    unpack_row(positions, index, counter, |_| {})
}

/// The step of [`hint_bit_unpack`] for one polynomial, whose positions are those from `index` to the
/// counter: calls `one` with each of them, and returns the counter. Returns `None` if the counter is
/// less than `index` or exceeds the number of positions, or if the positions do not increase.
#[inline(always)]
pub fn unpack_row(
    positions: &[u8],
    index: usize,
    counter: u8,
    mut one: impl FnMut(u8),
) -> Option<usize> {
    let end = usize::from(counter);
    let (mut increase, mut lowest) = (true, 0);
    for j in positions.get(index..end)? {
        increase &= usize::from(*j) >= lowest;
        lowest = usize::from(*j) + 1;
        one(*j);
    }
    increase.then_some(end)
}

/// The end of [`hint_bit_unpack`]: returns `None` unless all positions from `index` on are zero.
#[inline(always)]
pub fn unpack_rest(positions: &[u8], index: usize) -> Option<()> {
    let rest = positions.get(index..)?;
    rest.iter().all(|byte| *byte == 0).then_some(())
}
