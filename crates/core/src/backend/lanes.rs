//! Any CPU, with registers that are arrays. This backend is slow. It runs the code for many lanes
//! where the instructions for it are missing: under valgrind, on big-endian machines, and in tests
//! of this crate on any CPU.

use core::array::from_fn;

use super::u64_lanes::{canonical_word, equal_word, mul_add_word, reduce_word};
use super::{Backend, Portable};
use crate::field::Field;
use crate::kernels::ntt::tail;
use crate::kernels::pack::{pack_integers, unpack_integers};
use crate::secret::Zeroed;
use crate::shape::Dim;
use crate::shape::N;
use crate::simd::WINDOW;
use crate::simd::{Kernel, Simd, sealed};

/// `L` lanes in plain Rust, L = 2, 4, 8 or 16.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<const L: usize>;

impl<const L: usize> sealed::Sealed for Lanes<L> {}

macro_rules! backend {
    ($lanes:literal, $name:literal, $states:literal) => {
        impl Backend for Lanes<$lanes> {
            const NAME: &'static str = $name;
            type Keccak = moissanite_keccak::Lanes<$states>;
            type Window<T: Zeroed, D: Dim> = super::WideWindow<T>;
            fn keccak(self) -> Self::Keccak {
                moissanite_keccak::Lanes
            }
            fn run<K: Kernel>(self, kernel: K) -> K::Output {
                kernel.run(self)
            }
        }
    };
}
// The number of Keccak states is the number of 64-bit words in a register with this number of
// lanes.
backend!(2, "lanes2", 2);
backend!(4, "lanes4", 2);
backend!(8, "lanes8", 4);
backend!(16, "lanes16", 8);

impl<const L: usize> Simd for Lanes<L> {
    const LANES: usize = L;
    type V = [i32; L];
    type Chunk = [i32; L];
    type ByteChunk = [u8; L];
    type TripleChunk = [[u8; 3]; L];
    type Square = [[i32; L]; L];
    /// ζ in Montgomery form, and its product with q⁻¹.
    type Twiddle = ([i32; L], [i32; L]);
    type Wide = [i64; L];
    const WORDS: usize = 8;
    type Words = [u64; 8];
    type WordChunk = [u64; 8];
    const RADIX: i64 = Portable::RADIX;

    #[inline(always)]
    fn chunks(w: &[i32; N]) -> &[[i32; L]] {
        w.as_chunks().0
    }
    #[inline(always)]
    fn chunks_mut(w: &mut [i32; N]) -> &mut [[i32; L]] {
        w.as_chunks_mut().0
    }
    #[inline(always)]
    fn byte_chunks(bytes: &[u8]) -> (&[[u8; L]], &[u8]) {
        bytes.as_chunks()
    }
    #[inline(always)]
    fn byte_chunks_mut(bytes: &mut [u8; N]) -> &mut [[u8; L]] {
        bytes.as_chunks_mut().0
    }
    #[inline(always)]
    fn triple_chunks(bytes: &[u8]) -> (&[[[u8; 3]; L]], &[u8]) {
        let (triples, _) = bytes.as_chunks();
        let (chunks, rest) = triples.as_chunks();
        (chunks, rest.as_flattened())
    }
    #[inline(always)]
    fn chunk_at(w: &mut [i32], at: usize) -> Option<&mut [i32; L]> {
        w.get_mut(at..)?.first_chunk_mut()
    }
    #[inline(always)]
    fn load(self, from: &[i32; L]) -> [i32; L] {
        *from
    }
    #[inline(always)]
    fn store(self, v: [i32; L], to: &mut [i32; L]) {
        *to = v;
    }
    #[inline(always)]
    fn load_bytes(self, from: &[u8; L]) -> [i32; L] {
        from.map(i32::from)
    }
    #[inline(always)]
    fn store_bytes(self, v: [i32; L], to: &mut [u8; L]) {
        *to = v.map(|v| v as u8);
    }
    #[inline(always)]
    fn load_triples(self, from: &[[u8; 3]; L]) -> [i32; L] {
        from.map(|[b0, b1, b2]| i32::from_le_bytes([b0, b1, b2, 0]))
    }
    #[inline(always)]
    fn compress(self, v: [i32; L], mask: [i32; L]) -> ([i32; L], usize) {
        let (mut front, mut count) = ([0; L], 0);
        for (v, mask) in v.into_iter().zip(mask) {
            if mask != 0 {
                front[count] = v;
                count += 1;
            }
        }
        (front, count)
    }
    #[inline(always)]
    fn interleave(self, a: [i32; L], b: [i32; L]) -> ([i32; L], [i32; L]) {
        let nth = |i: usize| if i & 1 == 0 { a[i >> 1] } else { b[i >> 1] };
        (from_fn(nth), from_fn(|i| nth(L + i)))
    }
    #[inline(always)]
    fn pack<const BITS: usize>(self, codes: &[[i32; L]], window: &mut [u8; WINDOW]) {
        pack_integers::<BITS>(codes.as_flattened(), window);
    }
    #[inline(always)]
    fn unpack<const BITS: usize>(self, window: &[u8; WINDOW], codes: &mut [[i32; L]]) {
        unpack_integers::<BITS>(window, codes.as_flattened_mut());
    }
    #[inline(always)]
    fn splat(self, x: i32) -> [i32; L] {
        [x; L]
    }
    #[inline(always)]
    fn add(self, a: [i32; L], b: [i32; L]) -> [i32; L] {
        from_fn(|i| a[i].wrapping_add(b[i]))
    }
    #[inline(always)]
    fn sub(self, a: [i32; L], b: [i32; L]) -> [i32; L] {
        from_fn(|i| Portable.sub(a[i], b[i]))
    }
    #[inline(always)]
    fn mul(self, a: [i32; L], b: [i32; L]) -> [i32; L] {
        from_fn(|i| Portable.mul(a[i], b[i]))
    }
    #[inline(always)]
    fn and(self, a: [i32; L], b: [i32; L]) -> [i32; L] {
        from_fn(|i| a[i] & b[i])
    }
    #[inline(always)]
    fn or(self, a: [i32; L], b: [i32; L]) -> [i32; L] {
        from_fn(|i| a[i] | b[i])
    }
    #[inline(always)]
    fn shr(self, a: [i32; L], bits: u32) -> [i32; L] {
        a.map(|a| a >> bits)
    }
    #[inline(always)]
    fn is_negative(self, a: [i32; L]) -> [i32; L] {
        a.map(|a| Portable.is_negative(a))
    }
    #[inline(always)]
    fn gt(self, a: [i32; L], b: [i32; L]) -> [i32; L] {
        from_fn(|i| Portable.gt(a[i], b[i]))
    }
    #[inline(always)]
    fn sum(self, a: [i32; L]) -> i32 {
        a.into_iter().fold(0, i32::wrapping_add)
    }

    #[inline(always)]
    fn twiddle<F: Field>(self, k: usize) -> Self::Twiddle {
        (
            [(const { &F::MONTGOMERY_ZETAS })[k]; L],
            [(const { &F::MONTGOMERY_ZETAS_Q_INV })[k]; L],
        )
    }
    #[inline(always)]
    fn tail_twiddle<F: Field, const INVERSE: bool>(self, i: usize) -> Self::Twiddle {
        (
            Self::chunks(const { &tail::<L, INVERSE>(&F::MONTGOMERY_ZETAS) })[i],
            Self::chunks(const { &tail::<L, INVERSE>(&F::MONTGOMERY_ZETAS_Q_INV) })[i],
        )
    }
    /// Montgomery multiplication: |a · ζ| / 2³² ≤ q/4 for any a, because the entries of the table are
    /// mod± q.
    #[inline(always)]
    fn twiddle_mul<F: Field>(self, a: [i32; L], (z, zq): Self::Twiddle) -> [i32; L] {
        from_fn(|i| {
            let product = Portable.wide_add(0, a[i], z[i]);
            (Portable.wide_sub(product, a[i].wrapping_mul(zq[i]), F::Q) >> 32) as i32
        })
    }
    #[inline(always)]
    fn inverse_scale<F: Field>(self) -> Self::Twiddle {
        let z = const { crate::field::montgomery_form(F::INVERSE_SCALE, F::Q) };
        ([z; L], [z.wrapping_mul(F::Q_INV); L])
    }

    #[inline(always)]
    fn wide_zero(self) -> [i64; L] {
        [0; L]
    }
    #[inline(always)]
    fn wide_add(self, acc: [i64; L], a: [i32; L], b: [i32; L]) -> [i64; L] {
        from_fn(|i| Portable.wide_add(acc[i], a[i], b[i]))
    }
    #[inline(always)]
    fn wide_sub(self, acc: [i64; L], a: [i32; L], b: [i32; L]) -> [i64; L] {
        from_fn(|i| Portable.wide_sub(acc[i], a[i], b[i]))
    }
    #[inline(always)]
    fn montgomery_reduce<F: Field>(self, acc: [i64; L]) -> [i32; L] {
        acc.map(|acc| Portable.montgomery_reduce::<F>(acc))
    }

    #[inline(always)]
    fn word_chunks(words: &[u64]) -> &[[u64; 8]] {
        words.as_chunks().0
    }
    #[inline(always)]
    fn word_chunks_mut(words: &mut [u64]) -> &mut [[u64; 8]] {
        words.as_chunks_mut().0
    }
    #[inline(always)]
    fn load_words(self, from: &[u64; 8]) -> [u64; 8] {
        *from
    }
    #[inline(always)]
    fn store_words(self, v: [u64; 8], to: &mut [u64; 8]) {
        *to = v;
    }
    #[inline(always)]
    fn splat_word(self, x: u64) -> [u64; 8] {
        [x; 8]
    }
    #[inline(always)]
    fn add_words(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        from_fn(|i| a[i].wrapping_add(b[i]))
    }
    #[inline(always)]
    fn sub_words(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        from_fn(|i| a[i].wrapping_sub(b[i]))
    }
    #[inline(always)]
    fn equal_words(self, a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        from_fn(|i| equal_word(a[i], b[i]))
    }
    #[inline(always)]
    fn and_not_words(self, mask: [u64; 8], a: [u64; 8]) -> [u64; 8] {
        from_fn(|i| !mask[i] & a[i])
    }
    #[inline(always)]
    fn swap_words(self, a: [u64; 8]) -> [u64; 8] {
        from_fn(|i| a[i ^ 1])
    }
    #[inline(always)]
    fn mul_add_words(self, acc: [u64; 8], a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        from_fn(|i| mul_add_word(acc[i], a[i], b[i]))
    }
    #[inline(always)]
    fn reduce_words<F: Field>(self, acc: [u64; 8]) -> [u64; 8] {
        acc.map(reduce_word::<F>)
    }
    #[inline(always)]
    fn canonical_words<F: Field>(self, x: [u64; 8]) -> [u64; 8] {
        x.map(canonical_word::<F>)
    }

    #[inline(always)]
    fn square(self) -> [[i32; L]; L] {
        [[0; L]; L]
    }
    #[inline(always)]
    fn transpose(self, square: &mut [[i32; L]; L]) {
        *square = from_fn(|i| from_fn(|j| square[j][i]));
    }
}
