//! Two states in the 128-bit registers of WebAssembly.
#![allow(unsafe_code, reason = "the intrinsics that load and store registers")]
use super::{Keccak, sealed};
use crate::lane::Simd64;
use crate::permutation::permute;
use crate::state::State;
use core::arch::wasm32::*;
use moissanite_cpu::Simd128;

impl Simd64 for Simd128 {
    type Lane = [u64; 2];
    type V = v128;
    type Effect = v128;
    /// V8 allocates registers better in shorter loops.
    const ONE_ROUND: bool = true;

    #[inline(always)]
    fn load(self, lane: &[u64; 2]) -> v128 {
        // SAFETY: the array has the size of the register.
        unsafe { v128_load(lane.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store(self, v: v128, lane: &mut [u64; 2]) {
        // SAFETY: the array has the size of the register.
        unsafe { v128_store(lane.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn splat(self, x: u64) -> v128 {
        u64x2_splat(x)
    }
    #[inline(always)]
    fn xor(self, a: v128, b: v128) -> v128 {
        v128_xor(a, b)
    }
    #[inline(always)]
    fn effect(self, left: v128, right: v128) -> v128 {
        v128_xor(left, v128_or(i64x2_add(right, right), u64x2_shr(right, 63)))
    }
    #[inline(always)]
    fn add_effect(self, a: v128, effect: v128) -> v128 {
        v128_xor(a, effect)
    }
    #[inline(always)]
    fn add_effect_rotate<const LEFT: i32, const RIGHT: i32>(self, a: v128, effect: v128) -> v128 {
        let a = v128_xor(a, effect);
        match LEFT {
            // Rotations by whole bytes are one instruction.
            8 => i8x16_shuffle::<7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14>(a, a),
            56 => i8x16_shuffle::<1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8>(a, a),
            _ => v128_or(
                i64x2_shl(a, const { LEFT.cast_unsigned() }),
                u64x2_shr(a, const { RIGHT.cast_unsigned() }),
            ),
        }
    }
    #[inline(always)]
    fn chi(self, a: v128, b: v128, c: v128) -> v128 {
        v128_xor(a, v128_andnot(c, b))
    }
}

impl sealed::Sealed for Simd128 {}
impl Keccak for Simd128 {
    const NAME: &str = Simd128::NAME;
    const WIDTH: usize = 2;
    type Lane = [u64; 2];
    type Blocks<const RATE: usize> = [[u8; RATE]; 2];

    #[inline]
    fn blocks<const RATE: usize>() -> [[u8; RATE]; 2] {
        [[0; RATE]; 2]
    }
    // Never inlined: see `Portable`.
    #[inline(never)]
    fn permute(self, state: &mut State<[u64; 2]>) {
        permute(self, state);
    }
}
