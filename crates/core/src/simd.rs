//! The interface in which kernels are written: registers of lanes, with any number of lanes.

use crate::field::Field;
use crate::shape::N;

pub(crate) mod sealed {
    /// This trait is private, so that only this crate can implement [`Simd`](super::Simd) and
    /// backends.
    pub trait Sealed {}
}
use sealed::Sealed;

/// The largest number of lanes of a register.
pub(crate) const MAX_SIMD_LANES: usize = 16;

/// The number of bytes that are read or written at once for a unit, even if the unit is shorter. No
/// register and no unit is longer.
pub(crate) const WINDOW: usize = 64;

/// A loop over registers, as a struct of its arguments.
pub trait Kernel {
    /// The type of the result.
    type Output;
    /// Runs the loop with the registers of `simd`. Implementations must be `#[inline(always)]`.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Registers of `LANES` signed 32-bit integers.
///
/// A value of this type proves that the CPU has the instructions; the methods are therefore safe.
/// Sums and differences must not overflow: each kernel states the bound that ensures this.
pub trait Simd: Copy + Sealed {
    /// The number of integers in a register; a power of two up to 16.
    const LANES: usize;
    /// The type of a register.
    type V: Copy;
    /// `[i32; LANES]`: a register in memory.
    type Chunk;
    /// `[u8; LANES]`.
    type ByteChunk;
    /// `[u8; 3 * LANES]`.
    type TripleChunk;
    /// `[V; LANES]`: a square of coefficients in registers.
    type Square: AsMut<[Self::V]>;
    /// A root of unity in the form that [`Self::twiddle_mul`] takes.
    type Twiddle: Copy;
    /// `LANES` sums of products, with 64 bits each.
    type Wide: Copy;
    /// The number of 64-bit integers in a register of such integers; a power of two up to 8.
    const WORDS: usize;
    /// A register of `WORDS` unsigned 64-bit integers, for fields whose elements are multiplied
    /// with each other more often than with constants.
    type Words: Copy;
    /// `[u64; WORDS]`.
    type WordChunk;
    /// The divisor of [`Self::reduce_words`]: the power of two that takes the fewest steps.
    const RADIX: i64;

    /// Returns the coefficients as registers in memory.
    fn chunks(w: &[i32; N]) -> &[Self::Chunk];
    /// Returns the coefficients as registers in memory.
    fn chunks_mut(w: &mut [i32; N]) -> &mut [Self::Chunk];
    /// Returns the register in memory that begins at coefficient `at`, or `None` if there are not
    /// enough coefficients for all of its lanes.
    fn chunk_at(w: &mut [i32], at: usize) -> Option<&mut Self::Chunk>;
    /// Splits the bytes into chunks of one byte for each lane, and a remainder.
    fn byte_chunks(bytes: &[u8]) -> (&[Self::ByteChunk], &[u8]);
    /// Returns the bytes in chunks of one byte for each lane.
    fn byte_chunks_mut(bytes: &mut [u8; N]) -> &mut [Self::ByteChunk];
    /// Splits the bytes into chunks of three bytes for each lane, and a remainder.
    fn triple_chunks(bytes: &[u8]) -> (&[Self::TripleChunk], &[u8]);
    /// Reads a register.
    fn load(self, from: &Self::Chunk) -> Self::V;
    /// Writes a register.
    fn store(self, v: Self::V, to: &mut Self::Chunk);
    /// Writes the first lanes to `to`, which is shorter than a register.
    #[inline(always)]
    fn store_part(self, v: Self::V, to: &mut [i32]) {
        let mut room = [0; MAX_SIMD_LANES];
        if let Some(chunk) = Self::chunk_at(&mut room, 0) {
            self.store(v, chunk);
        }
        for (to, lane) in to.iter_mut().zip(room) {
            *to = lane;
        }
    }
    /// Reads a byte into each lane.
    fn load_bytes(self, from: &Self::ByteChunk) -> Self::V;
    /// Writes the low byte of each lane.
    fn store_bytes(self, v: Self::V, to: &mut Self::ByteChunk);
    /// Reads three bytes into each lane, in little-endian order.
    fn load_triples(self, from: &Self::TripleChunk) -> Self::V;
    /// Moves the lanes where `mask` is all ones to the front, and returns their number. The mask
    /// must be public; the other lanes of the result are unspecified.
    fn compress(self, v: Self::V, mask: Self::V) -> (Self::V, usize);
    /// Returns a₀, b₀, a₁, b₁, ... in two registers.
    fn interleave(self, a: Self::V, b: Self::V) -> (Self::V, Self::V);
    /// Writes the codes of a unit one after the other, with `BITS` bits each. The other bits of
    /// each lane must be zero. The bytes of the window after the codes are unspecified.
    fn pack<const BITS: usize>(self, codes: &[Self::V], window: &mut [u8; WINDOW]);
    /// Reads the codes of a unit, with `BITS` bits each, into the lanes.
    fn unpack<const BITS: usize>(self, window: &[u8; WINDOW], codes: &mut [Self::V]);
    /// Returns `x` in every lane.
    fn splat(self, x: i32) -> Self::V;

    /// a + b.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// a − b.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// a · b, which must fit in 32 bits.
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// Bitwise and.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// Bitwise or.
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    /// ⌊a / 2^bits⌋.
    fn shr(self, a: Self::V, bits: u32) -> Self::V;
    /// All ones where a < 0, else zero.
    #[inline(always)]
    fn is_negative(self, a: Self::V) -> Self::V {
        self.shr(a, 31)
    }
    /// All ones where a > b, else zero. In: |a − b| < 2³¹.
    fn gt(self, a: Self::V, b: Self::V) -> Self::V;
    /// [`Self::gt`] for public numbers. This may be a comparison where that takes less time.
    #[inline(always)]
    fn gt_public(self, a: Self::V, b: Self::V) -> Self::V {
        self.gt(a, b)
    }
    /// Returns the sum of the lanes.
    fn sum(self, a: Self::V) -> i32;

    /// Returns ζ with index `k` in every lane.
    fn twiddle<F: Field>(self, k: usize) -> Self::Twiddle;
    /// Returns a different ζ in each lane: register `i` of the table that `ntt::tail` computes.
    fn tail_twiddle<F: Field, const INVERSE: bool>(self, i: usize) -> Self::Twiddle;
    /// a · ζ modulo q, for any a. Out: |·| ≤ (½ + |a| / 2³²) q + 1.
    fn twiddle_mul<F: Field>(self, a: Self::V, zeta: Self::Twiddle) -> Self::V;
    /// Returns the constant [`Field::INVERSE_SCALE`] for [`Self::twiddle_mul`], whose result with
    /// this constant is at most ¾q + 1.
    fn inverse_scale<F: Field>(self) -> Self::Twiddle;

    /// Returns zero.
    fn wide_zero(self) -> Self::Wide;
    /// acc + a · b.
    fn wide_add(self, acc: Self::Wide, a: Self::V, b: Self::V) -> Self::Wide;
    /// acc − a · b.
    fn wide_sub(self, acc: Self::Wide, a: Self::V, b: Self::V) -> Self::Wide;
    /// acc · 2⁻³² modulo q. In: |acc| ≤ 2³¹ q − 2³¹. Out: |·| < |acc| / 2³² + q/2 + 1.
    fn montgomery_reduce<F: Field>(self, acc: Self::Wide) -> Self::V;

    /// Returns the words as registers in memory.
    fn word_chunks(words: &[u64]) -> &[Self::WordChunk];
    /// Returns the words as registers in memory.
    fn word_chunks_mut(words: &mut [u64]) -> &mut [Self::WordChunk];
    /// Reads a register.
    fn load_words(self, from: &Self::WordChunk) -> Self::Words;
    /// Writes a register.
    fn store_words(self, v: Self::Words, to: &mut Self::WordChunk);
    /// Returns `x` in every word.
    fn splat_word(self, x: u64) -> Self::Words;
    /// a + b.
    fn add_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// a − b modulo 2⁶⁴.
    fn sub_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// All ones where a = b, else 0. In: a, b < 2³².
    fn equal_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// a where the mask is 0, and 0 where the mask is all ones.
    fn and_not_words(self, mask: Self::Words, a: Self::Words) -> Self::Words;
    /// Exchanges words 0 and 1, words 2 and 3, and so on.
    fn swap_words(self, a: Self::Words) -> Self::Words;
    /// acc + a · b. In: a, b < 2³²; the result is below 2⁵².
    fn mul_add_words(self, acc: Self::Words, a: Self::Words, b: Self::Words) -> Self::Words;
    /// acc / [`Self::RADIX`] modulo q. In: acc < 2⁵². Out: less than q + 1 + acc / 2³².
    fn reduce_words<F: Field>(self, acc: Self::Words) -> Self::Words;
    /// x modulo q. In: x < 2q.
    fn canonical_words<F: Field>(self, x: Self::Words) -> Self::Words;
    /// a · b / [`Self::RADIX`] modulo q. In: a, b < 2²⁶. Out: less than q + 1 + ab / 2³².
    #[inline(always)]
    fn mul_words<F: Field>(self, a: Self::Words, b: Self::Words) -> Self::Words {
        self.reduce_words::<F>(self.mul_add_words(self.splat_word(0), a, b))
    }

    /// Returns a square of zeros.
    fn square(self) -> Self::Square;
    /// Exchanges rows and columns.
    fn transpose(self, square: &mut Self::Square);
    /// Reads a square row by row.
    #[inline(always)]
    fn load_square(self, rows: &[Self::Chunk]) -> Self::Square {
        let mut square = self.square();
        for (v, row) in square.as_mut().iter_mut().zip(rows) {
            *v = self.load(row);
        }
        square
    }
    /// Writes a square row by row.
    #[inline(always)]
    fn store_square(self, mut square: Self::Square, rows: &mut [Self::Chunk]) {
        for (v, row) in square.as_mut().iter().zip(rows) {
            self.store(*v, row);
        }
    }
    /// Reads a square column by column.
    #[inline(always)]
    fn load_transposed(self, rows: &[Self::Chunk]) -> Self::Square {
        let mut square = self.load_square(rows);
        self.transpose(&mut square);
        square
    }
    /// Writes a square column by column.
    #[inline(always)]
    fn store_transposed(self, mut square: Self::Square, rows: &mut [Self::Chunk]) {
        self.transpose(&mut square);
        self.store_square(square, rows);
    }
}
