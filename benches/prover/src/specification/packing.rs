//! FIPS 204, section 7.1: conversions between integers and bit strings, on bits of any kind.
//!
//! A polynomial is given by the bits of its integers, the lowest first, as Algorithm 9 (IntegerToBits)
//! returns them. For BitPack and BitUnpack, these integers are `b` minus the coefficients.

/// Algorithm 12 (BitsToBytes): bit i is bit i mod 8 of byte ⌊i / 8⌋.
fn bits_to_bytes<B: Clone>(y: &[B]) -> Vec<Vec<B>> {
    y.chunks(8).map(<[B]>::to_vec).collect()
}

/// Algorithm 13 (BytesToBits).
fn bytes_to_bits<B: Clone>(z: &[Vec<B>]) -> Vec<B> {
    z.concat()
}

/// Algorithm 16 (SimpleBitPack), and Algorithm 17 (BitPack) of the differences.
pub(crate) fn simple_bit_pack<B: Clone>(w: &[Vec<B>]) -> Vec<Vec<B>> {
    bits_to_bytes(&w.concat())
}

/// Algorithm 18 (SimpleBitUnpack), and Algorithm 19 (BitUnpack) to the differences; c is the length of the
/// integers in bits.
pub(crate) fn simple_bit_unpack<B: Clone>(v: &[Vec<B>], c: usize) -> Vec<Vec<B>> {
    let z = bytes_to_bits(v);
    (0..z.len() / c).map(|i| z[i * c..][..c].to_vec()).collect()
}
