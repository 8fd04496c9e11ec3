//! Eight states in 512-bit registers, or the first four in 256-bit ones, with three-input logic and
//! rotations.
#![allow(unsafe_code, reason = "intrinsics, behind the token that proves them")]
use super::{Keccak, sealed};
use crate::lane::Simd64;
use crate::permutation::permute;
use crate::state::State;
use core::arch::x86_64::*;
use moissanite_cpu::Avx512;

/// `vpternlog`'s table of a ⊕ b ⊕ c: its bits 1, 2, 4 and 7.
const XOR3: i32 = 0b1001_0110;
/// The table of a ⊕ (¬b ∧ c), indexed by the bits abc with a as the highest.
const CHI: i32 = 0b1101_0010;

/// The first half of each lane: four states, in two thirds of the time of eight.
#[derive(Clone, Copy)]
struct Half(Avx512);

/// The type and intrinsics of a width, which differ only in their names.
macro_rules! width {
    (
        $token:ty, $V:ty,
        $load:ident, $store:ident, $splat:ident, $xor:ident, $ternary:ident, $rotate:ident
    ) => {
        // SAFETY of every block below: the token proves that the CPU has AVX-512, and the memory is
        // an array no smaller than the register.
        impl Simd64 for $token {
            type Lane = [u64; 8];
            type V = $V;
            /// The two parities, which one instruction XORs onto a lane.
            type Effect = ($V, $V);
            const PI_FIRST: bool = true;

            #[inline(always)]
            fn load(self, lane: &[u64; 8]) -> $V {
                // SAFETY: as above.
                unsafe { $load(lane.as_ptr().cast()) }
            }
            #[inline(always)]
            fn store(self, v: $V, lane: &mut [u64; 8]) {
                // SAFETY: as above.
                unsafe { $store(lane.as_mut_ptr().cast(), v) }
            }
            #[inline(always)]
            fn splat(self, x: u64) -> $V {
                // SAFETY: as above.
                unsafe { $splat(x.cast_signed()) }
            }
            #[inline(always)]
            fn xor(self, a: $V, b: $V) -> $V {
                // SAFETY: as above.
                unsafe { $xor(a, b) }
            }
            #[inline(always)]
            fn xor5(self, [a, b, c, d, e]: [$V; 5]) -> $V {
                // SAFETY: as above.
                unsafe { $ternary::<XOR3>($ternary::<XOR3>(a, b, c), d, e) }
            }
            #[inline(always)]
            fn effect(self, left: $V, right: $V) -> ($V, $V) {
                // SAFETY: as above.
                (left, unsafe { $rotate::<1>(right) })
            }
            #[inline(always)]
            fn add_effect(self, a: $V, (left, right): ($V, $V)) -> $V {
                // SAFETY: as above.
                unsafe { $ternary::<XOR3>(a, left, right) }
            }
            #[inline(always)]
            fn add_effect_rotate<const LEFT: i32, const RIGHT: i32>(
                self,
                a: $V,
                effect: ($V, $V),
            ) -> $V {
                // SAFETY: as above.
                unsafe { $rotate::<LEFT>(self.add_effect(a, effect)) }
            }
            #[inline(always)]
            fn chi(self, a: $V, b: $V, c: $V) -> $V {
                // SAFETY: as above.
                unsafe { $ternary::<CHI>(a, b, c) }
            }
        }
    };
}

width!(
    Avx512,
    __m512i,
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_set1_epi64,
    _mm512_xor_si512,
    _mm512_ternarylogic_epi64,
    _mm512_rol_epi64
);
width!(
    Half,
    __m256i,
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    _mm256_set1_epi64x,
    _mm256_xor_si256,
    _mm256_ternarylogic_epi64,
    _mm256_rol_epi64
);

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
    #[inline]
    fn permute_first(self, count: usize, state: &mut State<[u64; 8]>) {
        if count > 4 {
            self.permute(state);
        } else {
            // SAFETY: the token `self` proves that the CPU has AVX-512.
            unsafe { permute_avx512_half(Half(self), state) }
        }
    }
}

#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vbmi,avx512vbmi2")]
fn permute_avx512(simd: Avx512, state: &mut State<[u64; 8]>) {
    permute(simd, state);
}

#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vbmi,avx512vbmi2")]
fn permute_avx512_half(simd: Half, state: &mut State<[u64; 8]>) {
    permute(simd, state);
}
