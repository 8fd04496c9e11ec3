//! x86-64 with AVX2: eight lanes.
#![allow(
    unsafe_code,
    reason = "these are intrinsics, and the token proves that the CPU has them"
)]

use core::arch::x86_64::*;

use super::Backend;
use super::tables::{code_shifts, gather_pairs, pair_shifts, spread_codes};
use crate::field::Field;
use crate::kernels::ntt::tail;
use crate::secret::Zeroed;
use crate::shape::Dim;
use crate::shape::N;
use crate::simd::WINDOW;
use crate::simd::{Kernel, Simd, sealed};
use moissanite_cpu::Avx2;

/// Allows intrinsics in methods whose `self` is the token.
macro_rules! avx2 {
    ($($body:tt)*) => {{
        // SAFETY: the token proves that the CPU has AVX2, and the intrinsics that access memory are
        // given arrays as large as their accesses.
        unsafe { $($body)* }
    }};
}

impl sealed::Sealed for Avx2 {}

impl Backend for Avx2 {
    const NAME: &'static str = Avx2::NAME;
    type Keccak = Avx2;
    type Window<T: Zeroed, D: Dim> = super::WideWindow<T>;
    #[inline]
    fn keccak(self) -> Avx2 {
        self
    }
    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
        fn shim<K: Kernel>(simd: Avx2, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        avx2!(shim(self, kernel))
    }
}

impl Simd for Avx2 {
    const LANES: usize = 8;
    type V = __m256i;
    type Chunk = [i32; 8];
    type ByteChunk = [u8; 8];
    type TripleChunk = [u8; 24];
    type Square = [__m256i; 8];
    /// ζ in Montgomery form, and its product with q⁻¹.
    type Twiddle = (__m256i, __m256i);
    /// The sums of the even lanes, and of the odd lanes.
    type Wide = (__m256i, __m256i);
    const WORDS: usize = 4;
    type Words = __m256i;
    type WordChunk = [u64; 4];
    const RADIX: i64 = 1 << 32;

    #[inline(always)]
    fn chunks(w: &[i32; N]) -> &[[i32; 8]] {
        w.as_chunks().0
    }
    #[inline(always)]
    fn chunks_mut(w: &mut [i32; N]) -> &mut [[i32; 8]] {
        w.as_chunks_mut().0
    }
    #[inline(always)]
    fn byte_chunks(bytes: &[u8]) -> (&[[u8; 8]], &[u8]) {
        bytes.as_chunks()
    }
    #[inline(always)]
    fn byte_chunks_mut(bytes: &mut [u8; N]) -> &mut [[u8; 8]] {
        bytes.as_chunks_mut().0
    }
    #[inline(always)]
    fn triple_chunks(bytes: &[u8]) -> (&[[u8; 24]], &[u8]) {
        bytes.as_chunks()
    }
    #[inline(always)]
    fn chunk_at(w: &mut [i32], at: usize) -> Option<&mut [i32; 8]> {
        w.get_mut(at..)?.first_chunk_mut()
    }
    #[inline(always)]
    fn load(self, from: &[i32; 8]) -> __m256i {
        avx2!(_mm256_loadu_si256(from.as_ptr().cast()))
    }
    #[inline(always)]
    fn store(self, v: __m256i, to: &mut [i32; 8]) {
        avx2!(_mm256_storeu_si256(to.as_mut_ptr().cast(), v));
    }
    #[inline(always)]
    fn store_part(self, v: __m256i, to: &mut [i32]) {
        avx2! {
            let room = _mm256_set1_epi32(to.len() as i32);
            let mask = _mm256_cmpgt_epi32(room, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
            _mm256_maskstore_epi32(to.as_mut_ptr(), mask, v);
        }
    }
    #[inline(always)]
    fn load_bytes(self, from: &[u8; 8]) -> __m256i {
        avx2!(_mm256_cvtepu8_epi32(_mm_loadl_epi64(from.as_ptr().cast())))
    }
    #[inline(always)]
    fn store_bytes(self, v: __m256i, to: &mut [u8; 8]) {
        avx2! {
            // The low bytes of each half move to its low 32 bits, and then next to each other.
            let low = _mm256_set1_epi32(0x0c08_0400);
            let v = _mm256_shuffle_epi8(v, low);
            let v = _mm_unpacklo_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
            _mm_storel_epi64(to.as_mut_ptr().cast(), v);
        }
    }
    #[inline(always)]
    fn load_triples(self, from: &[u8; 24]) -> __m256i {
        avx2! {
            // Each half takes twelve bytes; the second load ends where `from` ends.
            let low = _mm_loadu_si128(from.as_ptr().cast());
            let high = _mm_loadu_si128(from.as_ptr().add(8).cast());
            let spread = _mm256_setr_epi8(
                0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1,
                4, 5, 6, -1, 7, 8, 9, -1, 10, 11, 12, -1, 13, 14, 15, -1,
            );
            _mm256_shuffle_epi8(_mm256_set_m128i(high, low), spread)
        }
    }
    #[inline(always)]
    fn compress(self, v: __m256i, mask: __m256i) -> (__m256i, usize) {
        avx2! {
            let accepted = _mm256_movemask_ps(_mm256_castsi256_ps(mask)) as usize;
            let order = _mm_loadl_epi64(COMPRESS[accepted & 0xff].as_ptr().cast());
            let v = _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(order));
            (v, accepted.count_ones() as usize)
        }
    }
    #[inline(always)]
    fn interleave(self, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
        avx2! {
            let (low, high) = (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
            (
                _mm256_permute2x128_si256::<0x20>(low, high),
                _mm256_permute2x128_si256::<0x31>(low, high),
            )
        }
    }
    #[inline(always)]
    fn pack<const BITS: usize>(self, codes: &[__m256i], window: &mut [u8; WINDOW]) {
        avx2! {
            // Four pairs of 2 · BITS bits, each shifted to its offset in the byte in which it
            // begins.
            let odd = _mm256_srli_epi64::<32>(codes[0]);
            let odd = _mm256_sll_epi64(odd, _mm_cvtsi64_si128(BITS as i64));
            let even = _mm256_and_si256(codes[0], _mm256_set1_epi64x(0xffff_ffff));
            let shifts = const { &pair_shifts::<4>(BITS) };
            let shifts = _mm256_loadu_si256(shifts.as_ptr().cast());
            let pairs = _mm256_sllv_epi64(_mm256_or_si256(even, odd), shifts);
            let low = const { &gather_pairs::<16>(BITS, 0, 0) };
            let high = const { &gather_pairs::<16>(BITS, 2, 0) };
            let even = _mm256_shuffle_epi8(pairs, halves(low, high));
            let low = const { &gather_pairs::<16>(BITS, 0, 1) };
            let high = const { &gather_pairs::<16>(BITS, 2, 1) };
            let odd = _mm256_shuffle_epi8(pairs, halves(low, high));
            let both = _mm256_or_si256(even, odd);
            let (low, high) = (_mm256_castsi256_si128(both), _mm256_extracti128_si256::<1>(both));
            // If the number of bits is odd, the lower half ends in the byte in which the upper half
            // begins.
            const { assert!(BITS & 1 == 0 || BITS == 3 || BITS == 13) };
            let at = (4 * BITS) >> 3;
            let high = match BITS {
                3 => _mm_or_si128(high, _mm_srli_si128::<1>(low)),
                13 => _mm_or_si128(high, _mm_srli_si128::<6>(low)),
                _ => high,
            };
            _mm_storeu_si128(window.as_mut_ptr().cast(), low);
            _mm_storeu_si128(window.as_mut_ptr().add(at).cast(), high);
        }
    }
    #[inline(always)]
    fn unpack<const BITS: usize>(self, window: &[u8; WINDOW], codes: &mut [__m256i]) {
        avx2! {
            let at = (4 * BITS) >> 3;
            let low = _mm_loadu_si128(window.as_ptr().cast());
            let high = _mm_loadu_si128(window.as_ptr().add(at).cast());
            let (low_spread, high_spread) =
                const { (&spread_codes::<16>(BITS, 0), &spread_codes::<16>(BITS, 4)) };
            let spread = halves(low_spread, high_spread);
            let shifts = const { &code_shifts::<8>(BITS) };
            let shifts = _mm256_loadu_si256(shifts.as_ptr().cast());
            let bits = _mm256_shuffle_epi8(_mm256_set_m128i(high, low), spread);
            let bits = _mm256_srlv_epi32(bits, shifts);
            codes[0] = _mm256_and_si256(bits, _mm256_set1_epi32((1 << BITS) - 1));
        }
    }
    #[inline(always)]
    fn splat(self, x: i32) -> __m256i {
        avx2!(_mm256_set1_epi32(x))
    }
    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_add_epi32(a, b))
    }
    #[inline(always)]
    fn sub(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_sub_epi32(a, b))
    }
    #[inline(always)]
    fn mul(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_mullo_epi32(a, b))
    }
    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_and_si256(a, b))
    }
    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_or_si256(a, b))
    }
    #[inline(always)]
    fn shr(self, a: __m256i, bits: u32) -> __m256i {
        avx2!(_mm256_sra_epi32(a, _mm_cvtsi32_si128(bits.cast_signed())))
    }
    #[inline(always)]
    fn gt(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_cmpgt_epi32(a, b))
    }
    #[inline(always)]
    fn sum(self, a: __m256i) -> i32 {
        let mut lanes = [0; 8];
        self.store(a, &mut lanes);
        lanes.into_iter().fold(0, i32::wrapping_add)
    }

    #[inline(always)]
    fn twiddle<F: Field>(self, k: usize) -> (__m256i, __m256i) {
        (
            self.splat((const { &F::MONTGOMERY_ZETAS })[k]),
            self.splat((const { &F::MONTGOMERY_ZETAS_Q_INV })[k]),
        )
    }
    #[inline(always)]
    fn tail_twiddle<F: Field, const INVERSE: bool>(self, i: usize) -> (__m256i, __m256i) {
        (
            self.load(&Self::chunks(const { &tail::<8, INVERSE>(&F::MONTGOMERY_ZETAS) })[i]),
            self.load(&Self::chunks(const { &tail::<8, INVERSE>(&F::MONTGOMERY_ZETAS_Q_INV) })[i]),
        )
    }
    #[inline(always)]
    fn twiddle_mul<F: Field>(self, a: __m256i, (z, zq): (__m256i, __m256i)) -> __m256i {
        avx2! {
            let q = _mm256_set1_epi32(F::Q);
            let (a1, z1, zq1) = (odd(a), odd(z), odd(zq));
            let even_t = _mm256_mul_epi32(_mm256_mul_epi32(a, zq), q);
            let odd_t = _mm256_mul_epi32(_mm256_mul_epi32(a1, zq1), q);
            let even_p = _mm256_sub_epi64(_mm256_mul_epi32(a, z), even_t);
            let odd_p = _mm256_sub_epi64(_mm256_mul_epi32(a1, z1), odd_t);
            _mm256_blend_epi32::<0b1010_1010>(odd(even_p), odd_p)
        }
    }
    #[inline(always)]
    fn inverse_scale<F: Field>(self) -> (__m256i, __m256i) {
        let z = const { crate::field::montgomery_form(F::INVERSE_SCALE, F::Q) };
        (self.splat(z), self.splat(z.wrapping_mul(F::Q_INV)))
    }

    #[inline(always)]
    fn wide_zero(self) -> (__m256i, __m256i) {
        (self.splat(0), self.splat(0))
    }
    #[inline(always)]
    fn wide_add(self, acc: (__m256i, __m256i), a: __m256i, b: __m256i) -> (__m256i, __m256i) {
        avx2! {
            (
                _mm256_add_epi64(acc.0, _mm256_mul_epi32(a, b)),
                _mm256_add_epi64(acc.1, _mm256_mul_epi32(odd(a), odd(b))),
            )
        }
    }
    #[inline(always)]
    fn wide_sub(self, acc: (__m256i, __m256i), a: __m256i, b: __m256i) -> (__m256i, __m256i) {
        avx2! {
            (
                _mm256_sub_epi64(acc.0, _mm256_mul_epi32(a, b)),
                _mm256_sub_epi64(acc.1, _mm256_mul_epi32(odd(a), odd(b))),
            )
        }
    }
    #[inline(always)]
    fn montgomery_reduce<F: Field>(self, (even_p, odd_p): (__m256i, __m256i)) -> __m256i {
        avx2! {
            let (q, q_inv) = (_mm256_set1_epi32(F::Q), _mm256_set1_epi32(F::Q_INV));
            let even_t = _mm256_mul_epi32(_mm256_mul_epi32(even_p, q_inv), q);
            let odd_t = _mm256_mul_epi32(_mm256_mul_epi32(odd_p, q_inv), q);
            let (even_p, odd_p) = (_mm256_sub_epi64(even_p, even_t), _mm256_sub_epi64(odd_p, odd_t));
            _mm256_blend_epi32::<0b1010_1010>(odd(even_p), odd_p)
        }
    }

    #[inline(always)]
    fn word_chunks(words: &[u64]) -> &[[u64; 4]] {
        words.as_chunks().0
    }
    #[inline(always)]
    fn word_chunks_mut(words: &mut [u64]) -> &mut [[u64; 4]] {
        words.as_chunks_mut().0
    }
    #[inline(always)]
    fn load_words(self, from: &[u64; 4]) -> __m256i {
        avx2!(_mm256_loadu_si256(from.as_ptr().cast()))
    }
    #[inline(always)]
    fn store_words(self, v: __m256i, to: &mut [u64; 4]) {
        avx2!(_mm256_storeu_si256(to.as_mut_ptr().cast(), v));
    }
    #[inline(always)]
    fn splat_word(self, x: u64) -> __m256i {
        avx2!(_mm256_set1_epi64x(x.cast_signed()))
    }
    #[inline(always)]
    fn add_words(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_add_epi64(a, b))
    }
    #[inline(always)]
    fn sub_words(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_sub_epi64(a, b))
    }
    #[inline(always)]
    fn equal_words(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_cmpeq_epi64(a, b))
    }
    #[inline(always)]
    fn and_not_words(self, mask: __m256i, a: __m256i) -> __m256i {
        avx2!(_mm256_andnot_si256(mask, a))
    }
    #[inline(always)]
    fn swap_words(self, a: __m256i) -> __m256i {
        avx2!(_mm256_shuffle_epi32::<0x4e>(a))
    }
    #[inline(always)]
    fn mul_add_words(self, acc: __m256i, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_add_epi64(acc, _mm256_mul_epu32(a, b)))
    }
    #[inline(always)]
    fn canonical_words<F: Field>(self, x: __m256i) -> __m256i {
        // The upper halves of a difference are zeros, or all ones if it is negative; the minimum of
        // each half is then that of x.
        avx2!(_mm256_min_epu32(
            x,
            _mm256_sub_epi64(x, _mm256_set1_epi64x(F::Q.into()))
        ))
    }
    /// The algorithm is that of [`Portable`](super::Portable).
    #[inline(always)]
    fn reduce_words<F: Field>(self, acc: __m256i) -> __m256i {
        avx2! {
            let minus_q_inv = _mm256_set1_epi32(F::Q_INV.wrapping_neg());
            let tq = _mm256_mul_epu32(_mm256_mul_epu32(acc, minus_q_inv), _mm256_set1_epi32(F::Q));
            _mm256_srli_epi64::<32>(_mm256_add_epi64(acc, tq))
        }
    }

    #[inline(always)]
    fn square(self) -> [__m256i; 8] {
        [self.splat(0); 8]
    }
    #[inline(always)]
    fn transpose(self, r: &mut [__m256i; 8]) {
        avx2! {
            // The steps are perfect shuffles in units of 32, 64 and 128 bits.
            let a = [
                _mm256_unpacklo_epi32(r[0], r[1]),
                _mm256_unpackhi_epi32(r[0], r[1]),
                _mm256_unpacklo_epi32(r[2], r[3]),
                _mm256_unpackhi_epi32(r[2], r[3]),
                _mm256_unpacklo_epi32(r[4], r[5]),
                _mm256_unpackhi_epi32(r[4], r[5]),
                _mm256_unpacklo_epi32(r[6], r[7]),
                _mm256_unpackhi_epi32(r[6], r[7]),
            ];
            let b = [
                _mm256_unpacklo_epi64(a[0], a[2]),
                _mm256_unpackhi_epi64(a[0], a[2]),
                _mm256_unpacklo_epi64(a[1], a[3]),
                _mm256_unpackhi_epi64(a[1], a[3]),
                _mm256_unpacklo_epi64(a[4], a[6]),
                _mm256_unpackhi_epi64(a[4], a[6]),
                _mm256_unpacklo_epi64(a[5], a[7]),
                _mm256_unpackhi_epi64(a[5], a[7]),
            ];
            *r = [
                _mm256_permute2x128_si256::<0x20>(b[0], b[4]),
                _mm256_permute2x128_si256::<0x20>(b[1], b[5]),
                _mm256_permute2x128_si256::<0x20>(b[2], b[6]),
                _mm256_permute2x128_si256::<0x20>(b[3], b[7]),
                _mm256_permute2x128_si256::<0x31>(b[0], b[4]),
                _mm256_permute2x128_si256::<0x31>(b[1], b[5]),
                _mm256_permute2x128_si256::<0x31>(b[2], b[6]),
                _mm256_permute2x128_si256::<0x31>(b[3], b[7]),
            ];
        }
    }
}

/// Copies each odd lane to the even lane before it.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn odd(a: __m256i) -> __m256i {
    avx2!(_mm256_castps_si256(_mm256_movehdup_ps(
        _mm256_castsi256_ps(a)
    )))
}

/// Loads a register from its two halves.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn halves(low: &[u8; 16], high: &[u8; 16]) -> __m256i {
    avx2!(_mm256_set_m128i(
        _mm_loadu_si128(high.as_ptr().cast()),
        _mm_loadu_si128(low.as_ptr().cast())
    ))
}

/// For each set of accepted lanes, the numbers of these lanes, moved to the front. The index is
/// public: it comes from public data or from a public mask.
static COMPRESS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut accepted = 0;
    while accepted < 256 {
        let (mut lane, mut count) = (0, 0);
        while lane < 8 {
            if accepted >> lane & 1 == 1 {
                table[accepted][count] = lane;
                count += 1;
            }
            lane += 1;
        }
        accepted += 1;
    }
    table
};
