//! x86-64 with AVX-512: sixteen lanes.
#![allow(
    unsafe_code,
    reason = "these are intrinsics, and the token proves that the CPU has them"
)]

use core::arch::x86_64::*;

use super::Backend;
use super::tables::{code_shifts, gather_pairs, given, pair_shifts, spread_codes};
use crate::field::Field;
use crate::kernels::ntt::tail;
use crate::secret::Zeroed;
use crate::shape::Dim;
use crate::shape::N;
use crate::simd::WINDOW;
use crate::simd::{Kernel, Simd, sealed};
use moissanite_cpu::Avx512;

/// Allows intrinsics in methods whose `self` is the token.
macro_rules! avx512 {
    ($($body:tt)*) => {{
        // SAFETY: the token proves that the CPU has the features, and the intrinsics that access
        // memory are given arrays as large as their accesses.
        unsafe { $($body)* }
    }};
}

impl sealed::Sealed for Avx512 {}

impl Backend for Avx512 {
    const NAME: &'static str = Avx512::NAME;
    type Keccak = Avx512;
    type Window<T: Zeroed, D: Dim> = super::WideWindow<T>;
    #[inline]
    fn keccak(self) -> Avx512 {
        self
    }
    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(
            enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512vl,avx512bw,avx512dq,avx512ifma,avx512vbmi,avx512vbmi2"
        )]
        fn shim<K: Kernel>(simd: Avx512, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        avx512!(shim(self, kernel))
    }
}

impl Simd for Avx512 {
    const LANES: usize = 16;
    type V = __m512i;
    type Chunk = [i32; 16];
    type ByteChunk = [u8; 16];
    type TripleChunk = [u8; 48];
    type Square = [__m512i; 16];
    /// ζ in Montgomery form, and its product with q⁻¹.
    type Twiddle = (__m512i, __m512i);
    /// The sums of the even lanes, and of the odd lanes.
    type Wide = (__m512i, __m512i);
    const WORDS: usize = 8;
    type Words = __m512i;
    type WordChunk = [u64; 8];
    const RADIX: i64 = -(1 << 52);

    #[inline(always)]
    fn chunks(w: &[i32; N]) -> &[[i32; 16]] {
        w.as_chunks().0
    }
    #[inline(always)]
    fn chunks_mut(w: &mut [i32; N]) -> &mut [[i32; 16]] {
        w.as_chunks_mut().0
    }
    #[inline(always)]
    fn byte_chunks(bytes: &[u8]) -> (&[[u8; 16]], &[u8]) {
        bytes.as_chunks()
    }
    #[inline(always)]
    fn byte_chunks_mut(bytes: &mut [u8; N]) -> &mut [[u8; 16]] {
        bytes.as_chunks_mut().0
    }
    #[inline(always)]
    fn triple_chunks(bytes: &[u8]) -> (&[[u8; 48]], &[u8]) {
        bytes.as_chunks()
    }
    #[inline(always)]
    fn chunk_at(w: &mut [i32], at: usize) -> Option<&mut [i32; 16]> {
        w.get_mut(at..)?.first_chunk_mut()
    }
    #[inline(always)]
    fn load(self, from: &[i32; 16]) -> __m512i {
        avx512!(_mm512_loadu_si512(from.as_ptr().cast()))
    }
    #[inline(always)]
    fn store(self, v: __m512i, to: &mut [i32; 16]) {
        avx512!(_mm512_storeu_si512(to.as_mut_ptr().cast(), v));
    }
    #[inline(always)]
    fn store_part(self, v: __m512i, to: &mut [i32]) {
        let mask = (1 << to.len().min(16)) - 1;
        avx512!(_mm512_mask_storeu_epi32(to.as_mut_ptr(), mask as u16, v));
    }
    #[inline(always)]
    fn load_bytes(self, from: &[u8; 16]) -> __m512i {
        avx512!(_mm512_cvtepu8_epi32(_mm_loadu_si128(from.as_ptr().cast())))
    }
    #[inline(always)]
    fn store_bytes(self, v: __m512i, to: &mut [u8; 16]) {
        avx512!(_mm_storeu_si128(
            to.as_mut_ptr().cast(),
            _mm512_cvtepi32_epi8(v)
        ));
    }
    #[inline(always)]
    fn load_triples(self, from: &[u8; 48]) -> __m512i {
        avx512! {
            let bytes = _mm512_maskz_loadu_epi8((1 << 48) - 1, from.as_ptr().cast());
            let spread = self.load(const { &SPREAD_TRIPLES });
            _mm512_maskz_permutexvar_epi8(0x7777_7777_7777_7777, spread, bytes)
        }
    }
    #[inline(always)]
    fn compress(self, v: __m512i, mask: __m512i) -> (__m512i, usize) {
        avx512! {
            let accepted = _mm512_movepi32_mask(mask);
            (_mm512_maskz_compress_epi32(accepted, v), accepted.count_ones() as usize)
        }
    }
    #[inline(always)]
    fn interleave(self, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        avx512! {
            let first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            let second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
            (_mm512_permutex2var_epi32(a, first, b), _mm512_permutex2var_epi32(a, second, b))
        }
    }
    #[inline(always)]
    fn pack<const BITS: usize>(self, codes: &[__m512i], window: &mut [u8; WINDOW]) {
        avx512! {
            // Eight pairs of 2 · BITS bits, each shifted to its offset in the byte in which it
            // begins.
            let odd = _mm512_srli_epi64::<32>(codes[0]);
            let odd = _mm512_sll_epi64(odd, _mm_cvtsi64_si128(BITS as i64));
            let even = _mm512_and_si512(codes[0], _mm512_set1_epi64(0xffff_ffff));
            let shifts = const { &pair_shifts::<8>(BITS) };
            let shifts = _mm512_loadu_si512(shifts.as_ptr().cast());
            let pairs = _mm512_sllv_epi64(_mm512_or_si512(even, odd), shifts);
            let table = const { &gather_pairs::<64>(BITS, 0, 0) };
            let even = _mm512_maskz_permutexvar_epi8(given(table), bytes(table), pairs);
            let table = const { &gather_pairs::<64>(BITS, 0, 1) };
            let odd = _mm512_maskz_permutexvar_epi8(given(table), bytes(table), pairs);
            let both = _mm512_or_si512(even, odd);
            // The store is as short as possible, because the next unit overlaps it.
            let to = window.as_mut_ptr();
            match 2 * BITS {
                ..=16 => _mm_storeu_si128(to.cast(), _mm512_castsi512_si128(both)),
                17..=32 => _mm256_storeu_si256(to.cast(), _mm512_castsi512_si256(both)),
                _ => _mm512_storeu_si512(to.cast(), both),
            }
        }
    }
    #[inline(always)]
    fn unpack<const BITS: usize>(self, window: &[u8; WINDOW], codes: &mut [__m512i]) {
        avx512! {
            let spread = bytes(const { &spread_codes(BITS, 0) });
            let shifts = const { &code_shifts::<16>(BITS) };
            let shifts = _mm512_loadu_si512(shifts.as_ptr().cast());
            let bits = _mm512_srlv_epi32(_mm512_permutexvar_epi8(spread, bytes(window)), shifts);
            codes[0] = _mm512_and_si512(bits, _mm512_set1_epi32((1 << BITS) - 1));
        }
    }
    #[inline(always)]
    fn splat(self, x: i32) -> __m512i {
        avx512!(_mm512_set1_epi32(x))
    }
    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_add_epi32(a, b))
    }
    #[inline(always)]
    fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_sub_epi32(a, b))
    }
    #[inline(always)]
    fn mul(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_mullo_epi32(a, b))
    }
    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_and_si512(a, b))
    }
    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_or_si512(a, b))
    }
    #[inline(always)]
    fn shr(self, a: __m512i, bits: u32) -> __m512i {
        avx512!(_mm512_sra_epi32(a, _mm_cvtsi32_si128(bits.cast_signed())))
    }
    #[inline(always)]
    fn gt(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_movm_epi32(_mm512_cmpgt_epi32_mask(a, b)))
    }
    #[inline(always)]
    fn sum(self, a: __m512i) -> i32 {
        avx512!(_mm512_reduce_add_epi32(a))
    }

    #[inline(always)]
    fn twiddle<F: Field>(self, k: usize) -> (__m512i, __m512i) {
        (
            self.splat((const { &F::MONTGOMERY_ZETAS })[k]),
            self.splat((const { &F::MONTGOMERY_ZETAS_Q_INV })[k]),
        )
    }
    #[inline(always)]
    fn tail_twiddle<F: Field, const INVERSE: bool>(self, i: usize) -> (__m512i, __m512i) {
        (
            self.load(&Self::chunks(const { &tail::<16, INVERSE>(&F::MONTGOMERY_ZETAS) })[i]),
            self.load(&Self::chunks(const { &tail::<16, INVERSE>(&F::MONTGOMERY_ZETAS_Q_INV) })[i]),
        )
    }
    #[inline(always)]
    fn twiddle_mul<F: Field>(self, a: __m512i, (z, zq): (__m512i, __m512i)) -> __m512i {
        avx512! {
            let q = _mm512_set1_epi32(F::Q);
            let (a1, z1) = (odd(a), odd(z));
            // `_mm512_mul_epi32` would be slower here: LLVM detects that the upper halves are unused,
            // and replaces the instruction by a 64-bit product in three steps.
            let t = _mm512_mullo_epi32(a, zq);
            let even_t = _mm512_mul_epi32(t, q);
            let odd_t = _mm512_mul_epi32(odd(t), q);
            let even_p = _mm512_sub_epi64(_mm512_mul_epi32(a, z), even_t);
            let odd_p = _mm512_sub_epi64(_mm512_mul_epi32(a1, z1), odd_t);
            high_halves(even_p, odd_p)
        }
    }
    #[inline(always)]
    fn inverse_scale<F: Field>(self) -> (__m512i, __m512i) {
        let z = const { crate::field::montgomery_form(F::INVERSE_SCALE, F::Q) };
        (self.splat(z), self.splat(z.wrapping_mul(F::Q_INV)))
    }

    #[inline(always)]
    fn wide_zero(self) -> (__m512i, __m512i) {
        (self.splat(0), self.splat(0))
    }
    #[inline(always)]
    fn wide_add(self, acc: (__m512i, __m512i), a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        avx512! {
            (
                _mm512_add_epi64(acc.0, _mm512_mul_epi32(a, b)),
                _mm512_add_epi64(acc.1, _mm512_mul_epi32(odd(a), odd(b))),
            )
        }
    }
    #[inline(always)]
    fn wide_sub(self, acc: (__m512i, __m512i), a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        avx512! {
            (
                _mm512_sub_epi64(acc.0, _mm512_mul_epi32(a, b)),
                _mm512_sub_epi64(acc.1, _mm512_mul_epi32(odd(a), odd(b))),
            )
        }
    }
    #[inline(always)]
    fn montgomery_reduce<F: Field>(self, (even_p, odd_p): (__m512i, __m512i)) -> __m512i {
        avx512! {
            let (q, q_inv) = (_mm512_set1_epi32(F::Q), _mm512_set1_epi32(F::Q_INV));
            let even_t = _mm512_mul_epi32(_mm512_mullo_epi32(even_p, q_inv), q);
            let odd_t = _mm512_mul_epi32(_mm512_mullo_epi32(odd_p, q_inv), q);
            high_halves(_mm512_sub_epi64(even_p, even_t), _mm512_sub_epi64(odd_p, odd_t))
        }
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
    fn load_words(self, from: &[u64; 8]) -> __m512i {
        avx512!(_mm512_loadu_si512(from.as_ptr().cast()))
    }
    #[inline(always)]
    fn store_words(self, v: __m512i, to: &mut [u64; 8]) {
        avx512!(_mm512_storeu_si512(to.as_mut_ptr().cast(), v));
    }
    #[inline(always)]
    fn splat_word(self, x: u64) -> __m512i {
        avx512!(_mm512_set1_epi64(x.cast_signed()))
    }
    #[inline(always)]
    fn add_words(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_add_epi64(a, b))
    }
    #[inline(always)]
    fn sub_words(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_sub_epi64(a, b))
    }
    #[inline(always)]
    fn equal_words(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_maskz_set1_epi64(_mm512_cmpeq_epu64_mask(a, b), -1))
    }
    #[inline(always)]
    fn and_not_words(self, mask: __m512i, a: __m512i) -> __m512i {
        avx512!(_mm512_andnot_si512(mask, a))
    }
    #[inline(always)]
    fn swap_words(self, a: __m512i) -> __m512i {
        avx512!(_mm512_shuffle_epi32::<0x4e>(a))
    }
    #[inline(always)]
    fn mul_add_words(self, acc: __m512i, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_madd52lo_epu64(acc, a, b))
    }
    #[inline(always)]
    fn canonical_words<F: Field>(self, x: __m512i) -> __m512i {
        avx512!(_mm512_min_epu64(
            x,
            _mm512_sub_epi64(x, _mm512_set1_epi64(F::Q.into()))
        ))
    }
    /// For t ≡ acc / q modulo 2⁵², tq = acc + 2⁵² u. Its upper half u is therefore −acc / 2⁵²
    /// modulo q, and below q.
    #[inline(always)]
    fn reduce_words<F: Field>(self, acc: __m512i) -> __m512i {
        avx512! {
            let (zero, q) = (_mm512_setzero_si512(), _mm512_set1_epi64(F::Q.into()));
            let q_inv = _mm512_set1_epi64(F::Q_INV_52.cast_signed());
            _mm512_madd52hi_epu64(zero, _mm512_madd52lo_epu64(zero, acc, q_inv), q)
        }
    }

    #[inline(always)]
    fn square(self) -> [__m512i; 16] {
        [self.splat(0); 16]
    }
    #[inline(always)]
    fn transpose(self, r: &mut [__m512i; 16]) {
        avx512! {
            // The steps are perfect shuffles in units of 32, 64, 128 and 256 bits.
            let mut a = *r;
            for i in 0..8 {
                a[2 * i] = _mm512_unpacklo_epi32(r[2 * i], r[2 * i + 1]);
                a[2 * i + 1] = _mm512_unpackhi_epi32(r[2 * i], r[2 * i + 1]);
            }
            let mut b = a;
            for i in 0..4 {
                b[4 * i] = _mm512_unpacklo_epi64(a[4 * i], a[4 * i + 2]);
                b[4 * i + 1] = _mm512_unpackhi_epi64(a[4 * i], a[4 * i + 2]);
                b[4 * i + 2] = _mm512_unpacklo_epi64(a[4 * i + 1], a[4 * i + 3]);
                b[4 * i + 3] = _mm512_unpackhi_epi64(a[4 * i + 1], a[4 * i + 3]);
            }
            let mut c = b;
            for j in 0..4 {
                c[j] = _mm512_shuffle_i32x4::<0x88>(b[j], b[4 + j]);
                c[4 + j] = _mm512_shuffle_i32x4::<0xdd>(b[j], b[4 + j]);
                c[8 + j] = _mm512_shuffle_i32x4::<0x88>(b[8 + j], b[12 + j]);
                c[12 + j] = _mm512_shuffle_i32x4::<0xdd>(b[8 + j], b[12 + j]);
            }
            for j in 0..8 {
                r[j] = _mm512_shuffle_i32x4::<0x88>(c[j], c[8 + j]);
                r[8 + j] = _mm512_shuffle_i32x4::<0xdd>(c[j], c[8 + j]);
            }
        }
    }
}

/// Copies each odd lane to the even lane before it.
///
/// # Safety
/// The CPU has AVX-512.
#[inline(always)]
unsafe fn odd(a: __m512i) -> __m512i {
    avx512!(_mm512_castps_si512(_mm512_movehdup_ps(
        _mm512_castsi512_ps(a)
    )))
}

/// Returns the upper halves of 64-bit words as even and odd lanes.
///
/// # Safety
/// The CPU has AVX-512.
#[inline(always)]
unsafe fn high_halves(even: __m512i, odd_lanes: __m512i) -> __m512i {
    avx512!(_mm512_mask_mov_epi32(odd(even), 0xaaaa, odd_lanes))
}

/// Loads a register of bytes.
///
/// # Safety
/// The CPU has AVX-512.
#[inline(always)]
unsafe fn bytes(from: &[u8; 64]) -> __m512i {
    avx512!(_mm512_loadu_si512(from.as_ptr().cast()))
}

/// For j < 3, byte 4i + j of the result is byte 3i + j; for j = 3, it is masked.
const SPREAD_TRIPLES: [i32; 16] = {
    let mut table = [0; 16];
    let mut i = 0;
    while i < 16 {
        let at = 3 * i as i32;
        table[i] = at | (at + 1) << 8 | (at + 2) << 16;
        i += 1;
    }
    table
};
