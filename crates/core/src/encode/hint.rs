//! FIPS 204, Algorithms 20 and 21. A hint is public once its signature is accepted.

use crate::params::ParameterSet;
use crate::poly::{BytePoly, Vector};
use crate::shape::Dim;

/// FIPS 204, Algorithm 20 (HintBitPack): encodes h as ω + K bytes. In: at most ω ones.
pub fn hint_bit_pack<P: ParameterSet>(h: &Vector<BytePoly, P::K>, bytes: &mut [u8]) {
    bytes.fill(0);
    let Some((positions, counters)) = bytes.split_at_mut_checked(P::OMEGA) else {
        return;
    };
    let mut index = 0;
    for (h_i, counter) in h.iter().zip(counters) {
        // Eight coefficients are handled at a time, because few of them are ones. There is no branch
        // for the first one of the eight, because it would be hard to predict: a position is always
        // written, and is overwritten later if none of the eight is a one.
        for (first, eight) in (0..=u8::MAX).step_by(8).zip(h_i.0.as_chunks().0) {
            let mut ones = u64::from_le_bytes(*eight);
            loop {
                if let Some(position) = positions.get_mut(index) {
                    *position = first + ((ones.trailing_zeros() >> 3) & 7) as u8;
                }
                index += usize::from(ones != 0);
                ones &= ones.wrapping_sub(1);
                if ones == 0 {
                    break;
                }
            }
        }
        *counter = index as u8;
    }
    if let Some(position) = positions.get_mut(index) {
        *position = 0;
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
        h_i.0.fill(0);
        // This returns `None` if the counter decreases, or exceeds ω.
        let row = positions.get(index..usize::from(*counter))?;
        if !row.is_sorted_by(|a, b| a < b) {
            return None;
        }
        for j in row {
            h_i.0[usize::from(*j)] = 1;
        }
        index = usize::from(*counter);
    }
    let left = positions.get(index..)?;
    left.iter().all(|byte| *byte == 0).then_some(())
}
