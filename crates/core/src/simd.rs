//! What a kernel is written in: registers of lanes, whichever a CPU has.

use crate::field::Field;
use crate::shape::N;

pub(crate) mod sealed {
    /// Only this crate can say what a CPU has.
    pub trait Sealed {}
}
use sealed::Sealed;

/// No register has more lanes.
pub(crate) const MAX_SIMD_LANES: usize = 16;

/// Bytes that a unit is read from or written to at once, more than it takes: no
/// register and no unit is larger.
pub(crate) const WINDOW: usize = 64;

/// A loop over registers: a struct of its arguments.
pub trait Kernel {
    /// What it returns.
    type Output;
    /// The loop, for whichever registers `simd` has. Must be `#[inline(always)]`.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Registers of `LANES` signed 32-bit integers.
///
/// Having `self` is the proof that the CPU has the instructions, which is why
/// the methods are safe. Sums and differences must not overflow: each kernel
/// states the bound that makes it so.
pub trait Simd: Copy + Sealed {
    /// Integers in a register; a power of two up to 16.
    const LANES: usize;
    /// A register.
    type V: Copy;
    /// `[i32; LANES]`: a register in memory.
    type Chunk;
    /// `[u8; LANES]`.
    type ByteChunk;
    /// `[u8; 3 * LANES]`.
    type TripleChunk;
    /// `[V; LANES]`: a square of coefficients.
    type Square: AsMut<[Self::V]>;
    /// A root of unity in the form that [`Self::twiddle_mul`] wants.
    type Twiddle: Copy;
    /// `LANES` 64-bit sums of products.
    type Wide: Copy;
    /// 64-bit integers in a register of them; a power of two up to 8.
    const WORDS: usize;
    /// A register of `WORDS` unsigned 64-bit integers, for fields whose elements are multiplied
    /// with each other more often than with constants.
    type Words: Copy;
    /// `[u64; WORDS]`.
    type WordChunk;
    /// What [`Self::reduce_words`] divides by: the power of two that takes the fewest steps.
    const RADIX: i64;

    /// The coefficients, a register at a time.
    fn chunks(w: &[i32; N]) -> &[Self::Chunk];
    /// The coefficients, a register at a time.
    fn chunks_mut(w: &mut [i32; N]) -> &mut [Self::Chunk];
    /// The register in memory that begins at coefficient `at`, if there is all of it.
    fn chunk_at(w: &mut [i32], at: usize) -> Option<&mut Self::Chunk>;
    /// The bytes, one for each lane at a time, and those left over.
    fn byte_chunks(bytes: &[u8]) -> (&[Self::ByteChunk], &[u8]);
    /// The bytes, one for each lane at a time.
    fn byte_chunks_mut(bytes: &mut [u8; N]) -> &mut [Self::ByteChunk];
    /// The bytes, three for each lane at a time, and those left over.
    fn triple_chunks(bytes: &[u8]) -> (&[Self::TripleChunk], &[u8]);
    /// Reads a register.
    fn load(self, from: &Self::Chunk) -> Self::V;
    /// Writes a register.
    fn store(self, v: Self::V, to: &mut Self::Chunk);
    /// Writes as many lanes as there is room for: less than all.
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
    /// Reads three bytes into each lane, the first the lowest.
    fn load_triples(self, from: &Self::TripleChunk) -> Self::V;
    /// Moves the lanes where `mask` is all ones to the front, and counts them.
    /// The mask must be public; the other lanes of the result are anything.
    fn compress(self, v: Self::V, mask: Self::V) -> (Self::V, usize);
    /// a₀, b₀, a₁, b₁, ... in two registers.
    fn interleave(self, a: Self::V, b: Self::V) -> (Self::V, Self::V);
    /// Writes the codes of a unit side by side, each `BITS` bits long and all that is in its
    /// lane. What comes after them in the window is anything.
    fn pack<const BITS: usize>(self, codes: &[Self::V], window: &mut [u8; WINDOW]);
    /// Reads the codes of a unit, `BITS` bits long each, into the lanes.
    fn unpack<const BITS: usize>(self, window: &[u8; WINDOW], codes: &mut [Self::V]);
    /// `x` in every lane.
    fn splat(self, x: i32) -> Self::V;

    /// a + b.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// a − b.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// a · b, which must fit 32 bits.
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
    /// [`Self::gt`] of public numbers, which may be a comparison where that takes less time.
    #[inline(always)]
    fn gt_public(self, a: Self::V, b: Self::V) -> Self::V {
        self.gt(a, b)
    }
    /// The sum of the lanes.
    fn sum(self, a: Self::V) -> i32;

    /// ζ of index `k` in every lane.
    fn twiddle<F: Field>(self, k: usize) -> Self::Twiddle;
    /// Each lane its own ζ: register `i` of the table of `ntt::tail`.
    fn tail_twiddle<F: Field, const INVERSE: bool>(self, i: usize) -> Self::Twiddle;
    /// a · ζ modulo q, for any a. Out: |·| ≤ (½ + |a| / 2³²) q + 1.
    fn twiddle_mul<F: Field>(self, a: Self::V, zeta: Self::Twiddle) -> Self::V;
    /// The constant [`Field::INVERSE_SCALE`], for [`Self::twiddle_mul`], which gives at most
    /// ¾q + 1 with it.
    fn inverse_scale<F: Field>(self) -> Self::Twiddle;

    /// Zero.
    fn wide_zero(self) -> Self::Wide;
    /// acc + a · b.
    fn wide_add(self, acc: Self::Wide, a: Self::V, b: Self::V) -> Self::Wide;
    /// acc − a · b.
    fn wide_sub(self, acc: Self::Wide, a: Self::V, b: Self::V) -> Self::Wide;
    /// acc · 2⁻³² modulo q. In: |acc| ≤ 2³¹ q − 2³¹. Out: |·| < |acc| / 2³² + q/2 + 1.
    fn montgomery_reduce<F: Field>(self, acc: Self::Wide) -> Self::V;

    /// The words, a register at a time.
    fn word_chunks(words: &[u64]) -> &[Self::WordChunk];
    /// The words, a register at a time.
    fn word_chunks_mut(words: &mut [u64]) -> &mut [Self::WordChunk];
    /// Reads a register.
    fn load_words(self, from: &Self::WordChunk) -> Self::Words;
    /// Writes a register.
    fn store_words(self, v: Self::Words, to: &mut Self::WordChunk);
    /// `x` in every word.
    fn splat_word(self, x: u64) -> Self::Words;
    /// a + b.
    fn add_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// a − b modulo 2⁶⁴.
    fn sub_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// All ones where a = b, else 0. In: a, b < 2³².
    fn equal_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// a where the mask is 0, and 0 where it is all ones.
    fn and_not_words(self, mask: Self::Words, a: Self::Words) -> Self::Words;
    /// Words 0 and 1 exchanged, 2 and 3, and so on.
    fn swap_words(self, a: Self::Words) -> Self::Words;
    /// acc + a · b. In: a, b < 2³²; the result is below 2⁵².
    fn mul_add_words(self, acc: Self::Words, a: Self::Words, b: Self::Words) -> Self::Words;
    /// acc / [`Self::RADIX`] modulo q. In: acc < 2⁵². Out: less than q + 1 + acc / 2³².
    fn reduce_words<F: Field>(self, acc: Self::Words) -> Self::Words;
    /// x modulo q. In: less than 2q.
    fn canonical_words<F: Field>(self, x: Self::Words) -> Self::Words;
    /// a · b / [`Self::RADIX`] modulo q. In: a, b < 2²⁶. Out: less than q + 1 + ab / 2³².
    #[inline(always)]
    fn mul_words<F: Field>(self, a: Self::Words, b: Self::Words) -> Self::Words {
        self.reduce_words::<F>(self.mul_add_words(self.splat_word(0), a, b))
    }

    /// A square, to be filled.
    fn square(self) -> Self::Square;
    /// Rows become columns.
    fn transpose(self, square: &mut Self::Square);
    /// Reads a square, row by row.
    #[inline(always)]
    fn load_square(self, rows: &[Self::Chunk]) -> Self::Square {
        let mut square = self.square();
        for (v, row) in square.as_mut().iter_mut().zip(rows) {
            *v = self.load(row);
        }
        square
    }
    /// Writes a square, row by row.
    #[inline(always)]
    fn store_square(self, mut square: Self::Square, rows: &mut [Self::Chunk]) {
        for (v, row) in square.as_mut().iter().zip(rows) {
            self.store(*v, row);
        }
    }
    /// [`Self::load_square`], column by column.
    #[inline(always)]
    fn load_transposed(self, rows: &[Self::Chunk]) -> Self::Square {
        let mut square = self.load_square(rows);
        self.transpose(&mut square);
        square
    }
    /// [`Self::store_square`], column by column.
    #[inline(always)]
    fn store_transposed(self, mut square: Self::Square, rows: &mut [Self::Chunk]) {
        self.transpose(&mut square);
        self.store_square(square, rows);
    }
}
