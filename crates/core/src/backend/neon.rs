//! AArch64 with NEON: four lanes. The backend with the SHA-3 instructions differs only in Keccak.
#![allow(
    unsafe_code,
    reason = "these are intrinsics, and the token proves that the CPU has them"
)]

use core::arch::aarch64::*;

use super::Backend;
use super::tables::{COMPRESS, code_shifts, gather_pairs, pair_shifts, spread_codes};
use crate::field::Field;
use crate::kernels::ntt::tail;
use crate::secret::Zeroed;
use crate::shape::Dim;
use crate::shape::N;
use crate::simd::WINDOW;
use crate::simd::{Kernel, Simd, sealed};
use moissanite_cpu::{Neon, Sha3};

/// Allows intrinsics in methods whose `self` is the token.
macro_rules! neon {
    ($($body:tt)*) => {{
        // SAFETY: the token proves that the CPU has NEON, and the intrinsics that access memory are
        // given arrays as large as their accesses.
        unsafe { $($body)* }
    }};
}

impl sealed::Sealed for Neon {}
impl sealed::Sealed for Sha3 {}

impl Backend for Neon {
    const NAME: &'static str = Neon::NAME;
    type Keccak = Neon;
    type Window<T: Zeroed, D: Dim> = super::WideWindow<T>;
    #[inline]
    fn keccak(self) -> Neon {
        self
    }
    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "neon")]
        fn shim<K: Kernel>(simd: Neon, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        neon!(shim(self, kernel))
    }
}

impl Backend for Sha3 {
    const NAME: &'static str = Sha3::NAME;
    type Keccak = Sha3;
    type Window<T: Zeroed, D: Dim> = super::WideWindow<T>;
    #[inline]
    fn keccak(self) -> Sha3 {
        self
    }
    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        Neon::from(self).run(kernel)
    }
}

impl Simd for Neon {
    const LANES: usize = 4;
    type V = int32x4_t;
    type Chunk = [i32; 4];
    type ByteChunk = [u8; 4];
    type TripleChunk = [u8; 12];
    type Square = [int32x4_t; 4];
    /// ζ and ⌊ζ · 2³¹ / q⌉.
    type Twiddle = (int32x4_t, int32x4_t);
    /// The sums of the lower two lanes, and of the upper two.
    type Wide = (int64x2_t, int64x2_t);
    const WORDS: usize = 2;
    type Words = uint64x2_t;
    type WordChunk = [u64; 2];
    const RADIX: i64 = 1 << 32;

    #[inline(always)]
    fn chunks(w: &[i32; N]) -> &[[i32; 4]] {
        w.as_chunks().0
    }
    #[inline(always)]
    fn chunks_mut(w: &mut [i32; N]) -> &mut [[i32; 4]] {
        w.as_chunks_mut().0
    }
    #[inline(always)]
    fn byte_chunks(bytes: &[u8]) -> (&[[u8; 4]], &[u8]) {
        bytes.as_chunks()
    }
    #[inline(always)]
    fn byte_chunks_mut(bytes: &mut [u8; N]) -> &mut [[u8; 4]] {
        bytes.as_chunks_mut().0
    }
    #[inline(always)]
    fn triple_chunks(bytes: &[u8]) -> (&[[u8; 12]], &[u8]) {
        bytes.as_chunks()
    }
    #[inline(always)]
    fn chunk_at(w: &mut [i32], at: usize) -> Option<&mut [i32; 4]> {
        w.get_mut(at..)?.first_chunk_mut()
    }
    #[inline(always)]
    fn load(self, from: &[i32; 4]) -> int32x4_t {
        neon!(vld1q_s32(from.as_ptr()))
    }
    #[inline(always)]
    fn store(self, v: int32x4_t, to: &mut [i32; 4]) {
        neon!(vst1q_s32(to.as_mut_ptr(), v));
    }
    #[inline(always)]
    fn load_bytes(self, from: &[u8; 4]) -> int32x4_t {
        neon! {
            let bytes = vreinterpret_u8_u32(vdup_n_u32(u32::from_le_bytes(*from)));
            vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(vmovl_u8(bytes))))
        }
    }
    #[inline(always)]
    fn store_bytes(self, v: int32x4_t, to: &mut [u8; 4]) {
        neon! {
            let v = vmovn_s16(vcombine_s16(vmovn_s32(v), vdup_n_s16(0)));
            *to = vget_lane_u32::<0>(vreinterpret_u32_s8(v)).to_le_bytes();
        }
    }
    #[inline(always)]
    fn load_triples(self, from: &[u8; 12]) -> int32x4_t {
        neon! {
            let low = vld1q_lane_u64::<0>(from.as_ptr().cast(), vdupq_n_u64(0));
            let all = vld1q_lane_u32::<2>(from.as_ptr().add(8).cast(), vreinterpretq_u32_u64(low));
            let spread = vld1q_u8(const { &[
                0, 1, 2, 255, 3, 4, 5, 255, 6, 7, 8, 255, 9, 10, 11, 255,
            ] }.as_ptr());
            vreinterpretq_s32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(all), spread))
        }
    }
    #[inline(always)]
    fn compress(self, v: int32x4_t, mask: int32x4_t) -> (int32x4_t, usize) {
        neon! {
            // The sum has a bit for each accepted lane, and above these bits their number.
            let bits = vld1q_s32(const { &[0x11, 0x12, 0x14, 0x18] }.as_ptr());
            let accepted = vaddvq_s32(vandq_s32(mask, bits)) as usize;
            let order = vld1q_u8(COMPRESS[accepted & 0xf].as_ptr());
            let v = vqtbl1q_u8(vreinterpretq_u8_s32(v), order);
            (vreinterpretq_s32_u8(v), accepted >> 4)
        }
    }
    #[inline(always)]
    fn interleave(self, a: int32x4_t, b: int32x4_t) -> (int32x4_t, int32x4_t) {
        neon!((vzip1q_s32(a, b), vzip2q_s32(a, b)))
    }
    #[inline(always)]
    fn pack<const BITS: usize>(self, codes: &[int32x4_t], window: &mut [u8; WINDOW]) {
        neon! {
            // Four pairs of 2 · BITS bits, each shifted to its offset in the byte in which it
            // begins.
            let bits = vdupq_n_s64(BITS as i64 - 32);
            let lower = vdupq_n_u64((1 << BITS) - 1);
            let shifts = const { &pair_shifts::<4>(BITS) }.as_ptr();
            let pairs = [(codes[0], shifts), (codes[1], shifts.add(2))].map(|(codes, shifts)| {
                let codes = vreinterpretq_u64_s32(codes);
                let pairs = vbslq_u64(lower, codes, vshlq_u64(codes, bits));
                vreinterpretq_u8_u64(vshlq_u64(pairs, vreinterpretq_s64_u64(vld1q_u64(shifts))))
            });
            let pairs = uint8x16x2_t(pairs[0], pairs[1]);
            let even = const { &gather_pairs::<32>(BITS, 0, 0) }.as_ptr();
            let odd = const { &gather_pairs::<32>(BITS, 0, 1) }.as_ptr();
            for at in (0..BITS).step_by(16) {
                let even = vqtbl2q_u8(pairs, vld1q_u8(even.add(at)));
                let odd = vqtbl2q_u8(pairs, vld1q_u8(odd.add(at)));
                vst1q_u8(window.as_mut_ptr().add(at), vorrq_u8(even, odd));
            }
        }
    }
    #[inline(always)]
    fn unpack<const BITS: usize>(self, window: &[u8; WINDOW], codes: &mut [int32x4_t]) {
        neon! {
            let shifts = const { &code_shifts::<8>(BITS) }.as_ptr();
            let low = const { &spread_codes::<16>(BITS, 0) };
            let high = const { &spread_codes::<16>(BITS, 4) };
            for (r, spread) in [low, high].into_iter().enumerate() {
                let bytes = vld1q_u8(window.as_ptr().add((4 * r * BITS) >> 3));
                let bits = vreinterpretq_u32_u8(vqtbl1q_u8(bytes, vld1q_u8(spread.as_ptr())));
                let shifts = vnegq_s32(vreinterpretq_s32_u32(vld1q_u32(shifts.add(4 * r))));
                let bits = vandq_u32(vshlq_u32(bits, shifts), vdupq_n_u32((1 << BITS) - 1));
                codes[r] = vreinterpretq_s32_u32(bits);
            }
        }
    }
    #[inline(always)]
    fn splat(self, x: i32) -> int32x4_t {
        neon!(vdupq_n_s32(x))
    }
    #[inline(always)]
    fn add(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        neon!(vaddq_s32(a, b))
    }
    #[inline(always)]
    fn sub(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        neon!(vsubq_s32(a, b))
    }
    #[inline(always)]
    fn mul(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        neon!(vmulq_s32(a, b))
    }
    #[inline(always)]
    fn and(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        neon!(vandq_s32(a, b))
    }
    #[inline(always)]
    fn or(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        neon!(vorrq_s32(a, b))
    }
    #[inline(always)]
    fn shr(self, a: int32x4_t, bits: u32) -> int32x4_t {
        neon!(vshlq_s32(a, vdupq_n_s32(-bits.cast_signed())))
    }
    #[inline(always)]
    fn gt(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        neon!(vreinterpretq_s32_u32(vcgtq_s32(a, b)))
    }
    #[inline(always)]
    fn sum(self, a: int32x4_t) -> i32 {
        neon!(vaddvq_s32(a))
    }

    #[inline(always)]
    fn twiddle<F: Field>(self, k: usize) -> (int32x4_t, int32x4_t) {
        neon! {
            // Both are lanes of one register, which multiplications take as operands directly.
            let pair = vld1_s32((const { &F::BARRETT_PAIRS })[k].as_ptr());
            (vdupq_lane_s32::<0>(pair), vdupq_lane_s32::<1>(pair))
        }
    }
    #[inline(always)]
    fn tail_twiddle<F: Field, const INVERSE: bool>(self, i: usize) -> (int32x4_t, int32x4_t) {
        (
            self.load(&Self::chunks(const { &tail::<4, INVERSE>(&F::ZETAS) })[i]),
            self.load(&Self::chunks(const { &tail::<4, INVERSE>(&F::BARRETT_ZETAS) })[i]),
        )
    }
    /// Barrett multiplication by a constant (Becker et al., "Neon NTT", 2022): aζ − tq, where
    /// t = ⌊2 · a · ζ' / 2³²⌉ and ζ' = ζ · 2³¹ / q + ε, |ε| ≤ ½.
    ///
    /// t is therefore aζ/q + aε / 2³¹, rounded, and the result is at most (½ + |a| |ε| / 2³¹) q.
    /// This fits in 32 bits, so that the overflows of aζ and tq cancel.
    #[inline(always)]
    fn twiddle_mul<F: Field>(self, a: int32x4_t, (z, zb): (int32x4_t, int32x4_t)) -> int32x4_t {
        neon! {
            let t = vqrdmulhq_s32(a, zb);
            vmlsq_s32(vmulq_s32(a, z), t, vdupq_n_s32(F::Q))
        }
    }
    /// For this constant, |ε| < ¼.
    #[inline(always)]
    fn inverse_scale<F: Field>(self) -> (int32x4_t, int32x4_t) {
        (
            self.splat(F::INVERSE_SCALE),
            self.splat(F::BARRETT_INVERSE_SCALE),
        )
    }

    #[inline(always)]
    fn wide_zero(self) -> (int64x2_t, int64x2_t) {
        neon!((vdupq_n_s64(0), vdupq_n_s64(0)))
    }
    #[inline(always)]
    fn wide_add(
        self,
        acc: (int64x2_t, int64x2_t),
        a: int32x4_t,
        b: int32x4_t,
    ) -> (int64x2_t, int64x2_t) {
        neon! {
            (
                vmlal_s32(acc.0, vget_low_s32(a), vget_low_s32(b)),
                vmlal_high_s32(acc.1, a, b),
            )
        }
    }
    #[inline(always)]
    fn wide_sub(
        self,
        acc: (int64x2_t, int64x2_t),
        a: int32x4_t,
        b: int32x4_t,
    ) -> (int64x2_t, int64x2_t) {
        neon! {
            (
                vmlsl_s32(acc.0, vget_low_s32(a), vget_low_s32(b)),
                vmlsl_high_s32(acc.1, a, b),
            )
        }
    }
    #[inline(always)]
    fn montgomery_reduce<F: Field>(self, (low, high): (int64x2_t, int64x2_t)) -> int32x4_t {
        neon! {
            let q = vdupq_n_s32(F::Q);
            let lower = vuzp1q_s32(vreinterpretq_s32_s64(low), vreinterpretq_s32_s64(high));
            let t = vmulq_s32(lower, vdupq_n_s32(F::Q_INV));
            let low = vmlsl_s32(low, vget_low_s32(t), vget_low_s32(q));
            let high = vmlsl_high_s32(high, t, q);
            vuzp2q_s32(vreinterpretq_s32_s64(low), vreinterpretq_s32_s64(high))
        }
    }

    #[inline(always)]
    fn word_chunks(words: &[u64]) -> &[[u64; 2]] {
        words.as_chunks().0
    }
    #[inline(always)]
    fn word_chunks_mut(words: &mut [u64]) -> &mut [[u64; 2]] {
        words.as_chunks_mut().0
    }
    #[inline(always)]
    fn load_words(self, from: &[u64; 2]) -> uint64x2_t {
        neon!(vld1q_u64(from.as_ptr()))
    }
    #[inline(always)]
    fn store_words(self, v: uint64x2_t, to: &mut [u64; 2]) {
        neon!(vst1q_u64(to.as_mut_ptr(), v));
    }
    #[inline(always)]
    fn splat_word(self, x: u64) -> uint64x2_t {
        neon!(vdupq_n_u64(x))
    }
    #[inline(always)]
    fn add_words(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        neon!(vaddq_u64(a, b))
    }
    #[inline(always)]
    fn sub_words(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        neon!(vsubq_u64(a, b))
    }
    #[inline(always)]
    fn equal_words(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        neon!(vceqq_u64(a, b))
    }
    #[inline(always)]
    fn and_not_words(self, mask: uint64x2_t, a: uint64x2_t) -> uint64x2_t {
        neon!(vbicq_u64(a, mask))
    }
    #[inline(always)]
    fn swap_words(self, a: uint64x2_t) -> uint64x2_t {
        neon!(vextq_u64::<1>(a, a))
    }
    #[inline(always)]
    fn mul_add_words(self, acc: uint64x2_t, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        neon!(vmlal_u32(acc, vmovn_u64(a), vmovn_u64(b)))
    }
    #[inline(always)]
    fn canonical_words<F: Field>(self, x: uint64x2_t) -> uint64x2_t {
        neon! {
            // The upper halves of a difference are zeros, or all ones if it is negative; the
            // minimum of each half is then that of x.
            let difference = vsubq_u64(x, vdupq_n_u64(F::Q.cast_unsigned().into()));
            let least = vminq_u32(vreinterpretq_u32_u64(x), vreinterpretq_u32_u64(difference));
            vreinterpretq_u64_u32(least)
        }
    }
    /// The algorithm is that of [`Portable`](super::Portable).
    #[inline(always)]
    fn reduce_words<F: Field>(self, acc: uint64x2_t) -> uint64x2_t {
        neon! {
            let minus_q_inv = vdup_n_u32(F::Q_INV.wrapping_neg().cast_unsigned());
            let t = vmul_u32(vmovn_u64(acc), minus_q_inv);
            vshrq_n_u64::<32>(vmlal_u32(acc, t, vdup_n_u32(F::Q.cast_unsigned())))
        }
    }

    #[inline(always)]
    fn square(self) -> [int32x4_t; 4] {
        [self.splat(0); 4]
    }
    #[inline(always)]
    fn transpose(self, r: &mut [int32x4_t; 4]) {
        neon! {
            // The rows of each pair are transposed, and then the pairs.
            let a = [
                vreinterpretq_s64_s32(vtrn1q_s32(r[0], r[1])),
                vreinterpretq_s64_s32(vtrn2q_s32(r[0], r[1])),
                vreinterpretq_s64_s32(vtrn1q_s32(r[2], r[3])),
                vreinterpretq_s64_s32(vtrn2q_s32(r[2], r[3])),
            ];
            *r = [
                vreinterpretq_s32_s64(vtrn1q_s64(a[0], a[2])),
                vreinterpretq_s32_s64(vtrn1q_s64(a[1], a[3])),
                vreinterpretq_s32_s64(vtrn2q_s64(a[0], a[2])),
                vreinterpretq_s32_s64(vtrn2q_s64(a[1], a[3])),
            ];
        }
    }
    #[inline(always)]
    fn load_transposed(self, rows: &[[i32; 4]]) -> [int32x4_t; 4] {
        let Some(rows) = rows.first_chunk::<4>() else {
            return self.square();
        };
        let square = neon!(vld4q_s32(rows.as_flattened().as_ptr()));
        [square.0, square.1, square.2, square.3]
    }
    #[inline(always)]
    fn store_transposed(self, [a, b, c, d]: [int32x4_t; 4], rows: &mut [[i32; 4]]) {
        if let Some(rows) = rows.first_chunk_mut::<4>() {
            neon!(vst4q_s32(
                rows.as_flattened_mut().as_mut_ptr(),
                int32x4x4_t(a, b, c, d)
            ));
        }
    }
}
