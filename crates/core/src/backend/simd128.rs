//! WebAssembly with `simd128`: four lanes. A program has this backend if it is compiled for the feature.
#![allow(unsafe_code, reason = "the intrinsics that load and store registers")]

use core::arch::wasm32::*;

use super::Backend;
use super::tables::{COMPRESS, code_shifts, gather_pairs, pair_shifts, spread_codes};
use crate::field::{Field, montgomery_form};
use crate::kernels::ntt::tail;
use crate::secret::Zeroed;
use crate::shape::Dim;
use crate::shape::N;
use crate::simd::WINDOW;
use crate::simd::{Kernel, Simd, sealed};
use moissanite_cpu::Simd128;

impl sealed::Sealed for Simd128 {}

impl Backend for Simd128 {
    const NAME: &'static str = Simd128::NAME;
    type Keccak = Simd128;
    type Window<T: Zeroed, D: Dim> = super::WideWindow<T>;
    #[inline]
    fn keccak(self) -> Simd128 {
        self
    }
    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}

impl Simd for Simd128 {
    const LANES: usize = 4;
    type V = v128;
    type Chunk = [i32; 4];
    type ByteChunk = [u8; 4];
    type TripleChunk = [u8; 12];
    type Square = [v128; 4];
    /// ζ in Montgomery form, and its product with q⁻¹.
    type Twiddle = (v128, v128);
    /// The sums of the lower two lanes, and of the upper two.
    type Wide = (v128, v128);
    const WORDS: usize = 2;
    type Words = v128;
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
    fn load(self, from: &[i32; 4]) -> v128 {
        // SAFETY: the array has the size of the register.
        unsafe { v128_load(from.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store(self, v: v128, to: &mut [i32; 4]) {
        // SAFETY: the array has the size of the register.
        unsafe { v128_store(to.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn load_bytes(self, from: &[u8; 4]) -> v128 {
        let bytes = u32x4_splat(u32::from_le_bytes(*from));
        u32x4_extend_low_u16x8(u16x8_extend_low_u8x16(bytes))
    }
    #[inline(always)]
    fn store_bytes(self, v: v128, to: &mut [u8; 4]) {
        let low = i8x16_shuffle::<0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12>(v, v);
        *to = u32x4_extract_lane::<0>(low).to_le_bytes();
    }
    #[inline(always)]
    fn load_triples(self, from: &[u8; 12]) -> v128 {
        // SAFETY: the array has the 8 and 4 bytes that are read.
        let all = unsafe {
            let low = v128_load64_zero(from.as_ptr().cast());
            v128_load32_lane::<2>(low, from.as_ptr().add(8).cast())
        };
        let zero = u64x2_splat(0);
        i8x16_shuffle::<0, 1, 2, 16, 3, 4, 5, 16, 6, 7, 8, 16, 9, 10, 11, 16>(all, zero)
    }
    #[inline(always)]
    fn compress(self, v: v128, mask: v128) -> (v128, usize) {
        let accepted = i32x4_bitmask(mask);
        let order = bytes(&COMPRESS[usize::from(accepted & 0xf)]);
        (i8x16_swizzle(v, order), accepted.count_ones() as usize)
    }
    #[inline(always)]
    fn interleave(self, a: v128, b: v128) -> (v128, v128) {
        (
            i32x4_shuffle::<0, 4, 1, 5>(a, b),
            i32x4_shuffle::<2, 6, 3, 7>(a, b),
        )
    }
    #[inline(always)]
    fn pack<const BITS: usize>(self, codes: &[v128], window: &mut [u8; WINDOW]) {
        // Four pairs of 2 · BITS bits, each shifted to its offset in the byte in which it begins. No instruction
        // shifts the lanes by different numbers, so each pair is taken from a register of its own.
        let shifts = const { &pair_shifts::<4>(BITS) };
        let lower = u64x2_splat((1 << BITS) - 1);
        let pairs = |codes| v128_bitselect(codes, u64x2_shr(codes, 32 - BITS as u32), lower);
        let (low, high) = (pairs(codes[0]), pairs(codes[1]));
        let even = i64x2_shuffle::<0, 2>(shl(low, shifts[0]), shl(high, shifts[2]));
        let odd = i64x2_shuffle::<1, 3>(shl(low, shifts[1]), shl(high, shifts[3]));
        let gather_even = const { &pairs_of_two(gather_pairs(BITS, 0, 0)) };
        let gather_odd = const { &pairs_of_two(gather_pairs(BITS, 0, 1)) };
        let rows = window.as_chunks_mut().0.iter_mut();
        for (i, row) in rows.enumerate().take(BITS.div_ceil(16)) {
            let even = i8x16_swizzle(even, bytes(&gather_even[i]));
            let odd = i8x16_swizzle(odd, bytes(&gather_odd[i]));
            store_bytes(v128_or(even, odd), row);
        }
    }
    #[inline(always)]
    fn unpack<const BITS: usize>(self, window: &[u8; WINDOW], codes: &mut [v128]) {
        // The product shifts each code to bit 7.
        let factors = const { &factors(code_shifts(BITS)) };
        let spread = const { [spread_codes(BITS, 0), spread_codes(BITS, 4)] };
        for r in 0..2 {
            let from = window.get((4 * r * BITS) >> 3..);
            let Some(from) = from.and_then(<[u8]>::first_chunk) else {
                return;
            };
            let bits = i8x16_swizzle(bytes(from), bytes(&spread[r]));
            let bits = u32x4_shr(i32x4_mul(bits, self.load(&factors[r])), 7);
            codes[r] = v128_and(bits, i32x4_splat((1 << BITS) - 1));
        }
    }
    #[inline(always)]
    fn splat(self, x: i32) -> v128 {
        i32x4_splat(x)
    }
    #[inline(always)]
    fn add(self, a: v128, b: v128) -> v128 {
        i32x4_add(a, b)
    }
    #[inline(always)]
    fn sub(self, a: v128, b: v128) -> v128 {
        i32x4_sub(a, b)
    }
    #[inline(always)]
    fn mul(self, a: v128, b: v128) -> v128 {
        i32x4_mul(a, b)
    }
    #[inline(always)]
    fn and(self, a: v128, b: v128) -> v128 {
        v128_and(a, b)
    }
    #[inline(always)]
    fn or(self, a: v128, b: v128) -> v128 {
        v128_or(a, b)
    }
    #[inline(always)]
    fn shr(self, a: v128, bits: u32) -> v128 {
        i32x4_shr(a, bits)
    }
    #[inline(always)]
    fn gt(self, a: v128, b: v128) -> v128 {
        i32x4_gt(a, b)
    }
    #[inline(always)]
    fn sum(self, a: v128) -> i32 {
        let pairs = i32x4_add(a, i32x4_shuffle::<2, 3, 0, 1>(a, a));
        i32x4_extract_lane::<0>(pairs).wrapping_add(i32x4_extract_lane::<1>(pairs))
    }

    #[inline(always)]
    fn twiddle<F: Field>(self, k: usize) -> (v128, v128) {
        (
            self.splat((const { &F::MONTGOMERY_ZETAS })[k]),
            self.splat((const { &F::MONTGOMERY_ZETAS_Q_INV })[k]),
        )
    }
    #[inline(always)]
    fn tail_twiddle<F: Field, const INVERSE: bool>(self, i: usize) -> (v128, v128) {
        (
            self.load(&Self::chunks(const { &tail::<4, INVERSE>(&F::MONTGOMERY_ZETAS) })[i]),
            self.load(&Self::chunks(const { &tail::<4, INVERSE>(&F::MONTGOMERY_ZETAS_Q_INV) })[i]),
        )
    }
    #[inline(always)]
    fn twiddle_mul<F: Field>(self, a: v128, (z, zq): (v128, v128)) -> v128 {
        // The lower halves of the two products are equal.
        let t = i32x4_mul(a, zq);
        i32x4_sub(
            upper_halves(product(a, opaque(z))),
            upper_halves(product(t, q::<F>())),
        )
    }
    #[inline(always)]
    fn inverse_scale<F: Field>(self) -> (v128, v128) {
        let z = const { montgomery_form(F::INVERSE_SCALE, F::Q) };
        (self.splat(z), self.splat(z.wrapping_mul(F::Q_INV)))
    }

    #[inline(always)]
    fn wide_zero(self) -> (v128, v128) {
        (self.splat(0), self.splat(0))
    }
    #[inline(always)]
    fn wide_add(self, acc: (v128, v128), a: v128, b: v128) -> (v128, v128) {
        let (low, high) = product(a, b);
        (i64x2_add(acc.0, low), i64x2_add(acc.1, high))
    }
    #[inline(always)]
    fn wide_sub(self, acc: (v128, v128), a: v128, b: v128) -> (v128, v128) {
        let (low, high) = product(a, b);
        (i64x2_sub(acc.0, low), i64x2_sub(acc.1, high))
    }
    #[inline(always)]
    fn montgomery_reduce<F: Field>(self, acc: (v128, v128)) -> v128 {
        let lower = i32x4_shuffle::<0, 2, 4, 6>(acc.0, acc.1);
        let t = i32x4_mul(lower, i32x4_splat(F::Q_INV));
        i32x4_sub(upper_halves(acc), upper_halves(product(t, q::<F>())))
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
    fn load_words(self, from: &[u64; 2]) -> v128 {
        // SAFETY: the array has the size of the register.
        unsafe { v128_load(from.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store_words(self, v: v128, to: &mut [u64; 2]) {
        // SAFETY: the array has the size of the register.
        unsafe { v128_store(to.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn splat_word(self, x: u64) -> v128 {
        u64x2_splat(x)
    }
    #[inline(always)]
    fn add_words(self, a: v128, b: v128) -> v128 {
        i64x2_add(a, b)
    }
    #[inline(always)]
    fn sub_words(self, a: v128, b: v128) -> v128 {
        i64x2_sub(a, b)
    }
    #[inline(always)]
    fn equal_words(self, a: v128, b: v128) -> v128 {
        i64x2_eq(a, b)
    }
    #[inline(always)]
    fn and_not_words(self, mask: v128, a: v128) -> v128 {
        v128_andnot(a, mask)
    }
    #[inline(always)]
    fn swap_words(self, a: v128) -> v128 {
        i64x2_shuffle::<1, 0>(a, a)
    }
    #[inline(always)]
    fn mul_add_words(self, acc: v128, a: v128, b: v128) -> v128 {
        i64x2_add(acc, u64x2_extmul_low_u32x4(narrow(a), narrow(b)))
    }
    #[inline(always)]
    fn canonical_words<F: Field>(self, x: v128) -> v128 {
        // The upper halves of a difference are zeros, or all ones if it is negative; the minimum of each half is
        // then that of x.
        u32x4_min(x, i64x2_sub(x, i64x2_splat(F::Q.into())))
    }
    /// The algorithm is that of [`Portable`](super::Portable).
    #[inline(always)]
    fn reduce_words<F: Field>(self, acc: v128) -> v128 {
        let t = i32x4_mul(narrow(acc), i32x4_splat(F::Q_INV.wrapping_neg()));
        let tq = u64x2_extmul_low_u32x4(t, i32x4_splat(F::Q));
        u64x2_shr(i64x2_add(acc, tq), 32)
    }

    #[inline(always)]
    fn square(self) -> [v128; 4] {
        [self.splat(0); 4]
    }
    #[inline(always)]
    fn transpose(self, r: &mut [v128; 4]) {
        // The steps are perfect shuffles in units of 32 and 64 bits.
        let a = [
            i32x4_shuffle::<0, 4, 1, 5>(r[0], r[1]),
            i32x4_shuffle::<2, 6, 3, 7>(r[0], r[1]),
            i32x4_shuffle::<0, 4, 1, 5>(r[2], r[3]),
            i32x4_shuffle::<2, 6, 3, 7>(r[2], r[3]),
        ];
        *r = [
            i64x2_shuffle::<0, 2>(a[0], a[2]),
            i64x2_shuffle::<1, 3>(a[0], a[2]),
            i64x2_shuffle::<0, 2>(a[1], a[3]),
            i64x2_shuffle::<1, 3>(a[1], a[3]),
        ];
    }
}

/// The products of the lower two lanes, and of the upper two.
#[inline(always)]
fn product(a: v128, b: v128) -> (v128, v128) {
    (i64x2_extmul_low_i32x4(a, b), i64x2_extmul_high_i32x4(a, b))
}

/// Returns `v` in a form of which the compiler knows nothing.
///
/// Products of lanes are one instruction, but LLVM (22) computes the extension of a factor once if the factor is a
/// constant or the same in each iteration of a loop. Then nothing but a much slower product of 64-bit lanes is left.
#[inline(always)]
fn opaque(v: v128) -> v128 {
    // SAFETY: this reads a valid variable.
    unsafe { core::ptr::read_volatile(&raw const v) }
}

/// q in each lane, which is [`opaque`].
#[inline(always)]
fn q<F: Field>() -> v128 {
    #[repr(align(16))]
    struct Register([i32; 4]);
    // SAFETY: the constant has the size and the alignment of the register.
    unsafe { core::ptr::read_volatile((&raw const (const { &Register([F::Q; 4]) }).0).cast()) }
}

/// ⌊x / 2³²⌋ for each of four 64-bit integers.
#[inline(always)]
fn upper_halves((low, high): (v128, v128)) -> v128 {
    i32x4_shuffle::<1, 3, 5, 7>(low, high)
}

/// Moves the lower halves of both words to the lower two lanes.
#[inline(always)]
fn narrow(words: v128) -> v128 {
    i32x4_shuffle::<0, 2, 0, 2>(words, words)
}

#[inline(always)]
fn shl(pairs: v128, bits: u64) -> v128 {
    i64x2_shl(pairs, bits as u32)
}

/// Loads a register of bytes.
#[inline(always)]
fn bytes(from: &[u8; 16]) -> v128 {
    // SAFETY: the array has the size of the register.
    unsafe { v128_load(from.as_ptr().cast()) }
}

#[inline(always)]
fn store_bytes(v: v128, to: &mut [u8; 16]) {
    // SAFETY: the array has the size of the register.
    unsafe { v128_store(to.as_mut_ptr().cast(), v) }
}

/// The table of `gather_pairs` for every other pair of four, next to each other in a register.
const fn pairs_of_two(table: [u8; 32]) -> [[u8; 16]; 2] {
    let mut halves = [[0x80; 16]; 2];
    let mut at = 0;
    while at < 32 {
        if table[at] < 32 {
            halves[at >> 4][at & 15] = (table[at] >> 4 << 3) + (table[at] & 7);
        }
        at += 1;
    }
    halves
}

/// The powers of two that shift codes at these offsets to bit 7.
const fn factors(shifts: [u32; 8]) -> [[i32; 4]; 2] {
    let mut factors = [[0; 4]; 2];
    let mut code = 0;
    while code < 8 {
        factors[code >> 2][code & 3] = 1 << (7 - shifts[code]);
        code += 1;
    }
    factors
}
