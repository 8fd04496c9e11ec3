//! Encoding of coefficients, eight at a time: these fill whole bytes with any number of bits.

use super::source::Source;
use crate::bounds::check;
use crate::secret::{Secret, Zeroed};
use crate::shape::N;

/// The number of coefficients of a piece.
pub(crate) const CHUNK: usize = 8;
/// The length of the longest code in bits: that of z in ML-DSA-65 and -87.
const MOST_BITS: usize = 20;
/// The length of a piece and of the bytes that may be read after its end: a code is read as four
/// bytes.
const WINDOW: usize = MOST_BITS + 4;

/// Returns the piece of a polynomial that begins with coefficient `at`. There are 32 pieces.
#[inline(always)]
pub(crate) fn piece(w: &mut [i32; N], at: usize) -> Option<&mut [i32; CHUNK]> {
    w.as_chunks_mut().0.get_mut(at >> CHUNK.ilog2())
}

/// FIPS 204, Algorithm 18 (SimpleBitUnpack), with bytes from `read` and codes for `take`, one piece
/// at a time. `read` is called with the offset of the bytes of the piece and with room for them, and
/// returns whether it read them; if not, the function ends. `take` is called with the index of the first
/// coefficient of the piece.
#[cfg_attr(tiny, inline(never))]
#[cfg_attr(not(tiny), inline(always))]
pub(crate) fn unpack(
    bits: usize,
    read: &mut dyn FnMut(usize, &mut [u8]) -> bool,
    take: &mut dyn FnMut(usize, &mut [i32; CHUNK]),
) {
    let mut window = Secret::new([0; WINDOW]);
    let mut codes = Secret::new([0; CHUNK]);
    for at in (0..N).step_by(CHUNK) {
        // Not an index, whose check remains at opt-level z, where the compiler does not inline it.
        let Some(bytes) = window.get_mut(..bits) else {
            return;
        };
        if !read((at * bits) >> 3, bytes) {
            return;
        }
        for (code, bit) in codes.iter_mut().zip((0..).step_by(bits)) {
            if let Some(bytes) = window.get(bit >> 3..).and_then(<[u8]>::first_chunk) {
                let word = u32::from_le_bytes(*bytes) >> (bit & 7);
                *code = (word & ((1 << bits) - 1)).cast_signed();
            }
        }
        take(at, &mut codes);
    }
}

/// [`unpack`] for a slice.
#[inline(always)]
pub(crate) fn unpack_slice(
    bits: usize,
    bytes: &[u8],
    take: &mut dyn FnMut(usize, &mut [i32; CHUNK]),
) {
    let mut source = bytes;
    let mut read = |offset: usize, piece: &mut [u8]| source.read(offset, piece).is_ok();
    unpack(bits, &mut read, take);
}

/// FIPS 204, Algorithm 16 (SimpleBitPack), for one piece. The code is the first `bits` bytes of the
/// result.
#[cfg_attr(tiny, inline(never))]
#[cfg_attr(not(tiny), inline(always))]
pub(crate) fn pack(bits: usize, codes: &[i32; CHUNK]) -> Secret<[u8; MOST_BITS]> {
    let mut bytes = Secret::<[u8; MOST_BITS]>::ZERO;
    let mut out = bytes.iter_mut();
    let (mut word, mut len) = (0, 0);
    for code in codes {
        check(|| code >> bits == 0);
        word |= code.cast_unsigned() << len;
        len += bits;
        while len >= 8 {
            if let Some(byte) = out.next() {
                *byte = word as u8;
            }
            word >>= 8;
            len -= 8;
        }
    }
    bytes
}
