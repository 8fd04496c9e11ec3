//! Four states in 256-bit registers.
#![allow(unsafe_code, reason = "intrinsics, behind the token that proves them")]
use super::{Keccak, sealed};
use crate::lane::Simd64;
use crate::permutation::permute;
use crate::state::State;
use core::arch::x86_64::*;
use moissanite_cpu::Avx2;

// SAFETY of every block below: `self` proves that the CPU has AVX2, and the memory is an array of
// the register's size.
impl Simd64 for Avx2 {
    type Lane = [u64; 4];
    type V = __m256i;
    type Effect = __m256i;

    #[inline(always)]
    fn load(self, lane: &[u64; 4]) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_loadu_si256(lane.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store(self, v: __m256i, lane: &mut [u64; 4]) {
        // SAFETY: as above.
        unsafe { _mm256_storeu_si256(lane.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn splat(self, x: u64) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_set1_epi64x(x.cast_signed()) }
    }
    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_xor_si256(a, b) }
    }
    #[inline(always)]
    fn effect(self, left: __m256i, right: __m256i) -> __m256i {
        // SAFETY: as above. Doubling and shifting use another port than two shifts do.
        unsafe {
            let rotated = _mm256_or_si256(
                _mm256_add_epi64(right, right),
                _mm256_srli_epi64::<63>(right),
            );
            _mm256_xor_si256(left, rotated)
        }
    }
    #[inline(always)]
    fn add_effect(self, a: __m256i, effect: __m256i) -> __m256i {
        self.xor(a, effect)
    }
    #[inline(always)]
    fn add_effect_rotate<const LEFT: i32, const RIGHT: i32>(
        self,
        a: __m256i,
        effect: __m256i,
    ) -> __m256i {
        let a = self.xor(a, effect);
        // SAFETY: as above.
        unsafe {
            match LEFT {
                // One shuffle rotates by whole bytes.
                8 => _mm256_shuffle_epi8(a, rotate_bytes::<1>()),
                56 => _mm256_shuffle_epi8(a, rotate_bytes::<7>()),
                _ => _mm256_or_si256(_mm256_slli_epi64::<LEFT>(a), _mm256_srli_epi64::<RIGHT>(a)),
            }
        }
    }
    #[inline(always)]
    fn chi(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_xor_si256(a, _mm256_andnot_si256(b, c)) }
    }
}

/// The byte shuffle that rotates each 64-bit word to the left by BYTES bytes.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn rotate_bytes<const BYTES: usize>() -> __m256i {
    const fn shuffle(bytes: usize) -> [u8; 32] {
        let mut indices = [0; 32];
        let mut i = 0;
        while i < 32 {
            indices[i] = ((i & 8) | ((i + 8 - bytes) & 7)) as u8;
            i += 1;
        }
        indices
    }
    // SAFETY: the caller has AVX2; the table has the register's 32 bytes.
    unsafe { _mm256_loadu_si256(const { &shuffle(BYTES) }.as_ptr().cast()) }
}

impl sealed::Sealed for Avx2 {}
impl Keccak for Avx2 {
    const NAME: &str = Avx2::NAME;
    const WIDTH: usize = 4;
    type Lane = [u64; 4];
    type Blocks<const RATE: usize> = [[u8; RATE]; 4];

    #[inline]
    fn blocks<const RATE: usize>() -> [[u8; RATE]; 4] {
        [[0; RATE]; 4]
    }
    #[inline]
    fn permute(self, state: &mut State<[u64; 4]>) {
        // SAFETY: the token `self` proves that the CPU has AVX2.
        unsafe { permute_avx2(self, state) }
    }
}

/// An aligned value, like a register that is stored by one instruction.
#[repr(align(32))]
#[expect(dead_code, reason = "the value only aligns the stack frame")]
struct Aligned([u8; 32]);

#[target_feature(enable = "avx2")]
fn permute_avx2(simd: Avx2, state: &mut State<[u64; 4]>) {
    // This aligns the stack frame. Without it, LLVM does not align the frame, and spilled registers
    // can cross cache lines, which makes the permutation 8 % slower.
    core::hint::black_box(Aligned([0; 32]));
    permute(simd, state);
}
