//! Eight states in 512-bit registers, with three-input logic and rotations.
#![allow(unsafe_code, reason = "intrinsics, behind the token that proves them")]
use super::{Keccak, sealed};
use crate::lane::Simd64;
use crate::permutation::permute;
use crate::state::State;
use core::arch::x86_64::*;
use moissanite_cpu::Avx512;

/// `vpternlog`'s table of a ⊕ b ⊕ c: its bits 1, 2, 4 and 7.
const XOR3: i32 = 0b1001_0110;
/// The table of a ⊕ (¬b ∧ c): bit abc, a the highest.
const CHI: i32 = 0b1101_0010;

// SAFETY of every block below: `self` proves that the CPU has AVX-512, and the memory is an array
// of the register's size.
impl Simd64 for Avx512 {
    type Lane = [u64; 8];
    type V = __m512i;
    /// The two parities, to be XORed onto a lane in one instruction.
    type Effect = (__m512i, __m512i);
    const PI_FIRST: bool = true;

    #[inline(always)]
    fn load(self, lane: &[u64; 8]) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_loadu_si512(lane.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store(self, v: __m512i, lane: &mut [u64; 8]) {
        // SAFETY: as above.
        unsafe { _mm512_storeu_si512(lane.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn splat(self, x: u64) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_set1_epi64(x.cast_signed()) }
    }
    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_xor_si512(a, b) }
    }
    #[inline(always)]
    fn xor5(self, [a, b, c, d, e]: [__m512i; 5]) -> __m512i {
        // SAFETY: as above.
        unsafe {
            let abc = _mm512_ternarylogic_epi64::<XOR3>(a, b, c);
            _mm512_ternarylogic_epi64::<XOR3>(abc, d, e)
        }
    }
    #[inline(always)]
    fn effect(self, left: __m512i, right: __m512i) -> (__m512i, __m512i) {
        // SAFETY: as above.
        (left, unsafe { _mm512_rol_epi64::<1>(right) })
    }
    #[inline(always)]
    fn add_effect(self, a: __m512i, (left, right): (__m512i, __m512i)) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_ternarylogic_epi64::<XOR3>(a, left, right) }
    }
    #[inline(always)]
    fn add_effect_rotate<const LEFT: i32, const RIGHT: i32>(
        self,
        a: __m512i,
        effect: (__m512i, __m512i),
    ) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_rol_epi64::<LEFT>(self.add_effect(a, effect)) }
    }
    #[inline(always)]
    fn chi(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_ternarylogic_epi64::<CHI>(a, b, c) }
    }
}

impl sealed::Sealed for Avx512 {}
impl Keccak for Avx512 {
    const NAME: &str = Avx512::NAME;
    const WIDTH: usize = 8;
    type Lane = [u64; 8];
    type Blocks<const RATE: usize> = [[u8; RATE]; 8];

    #[inline]
    fn blocks<const RATE: usize>() -> [[u8; RATE]; 8] {
        [[0; RATE]; 8]
    }
    #[inline]
    fn permute(self, state: &mut State<[u64; 8]>) {
        // SAFETY: the token `self` proves that the CPU has AVX-512.
        unsafe { permute_avx512(self, state) }
    }
}

#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vbmi,avx512vbmi2")]
fn permute_avx512(simd: Avx512, state: &mut State<[u64; 8]>) {
    permute(simd, state);
}
