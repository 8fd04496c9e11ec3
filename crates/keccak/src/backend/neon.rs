//! Two states in the 128-bit registers of AArch64.
#![allow(unsafe_code, reason = "intrinsics, behind the token that proves them")]
use super::{Keccak, sealed};
use crate::lane::Simd64;
use crate::permutation::permute;
use crate::state::State;
use core::arch::aarch64::*;
use moissanite_cpu::Neon;

// SAFETY of every block below: `self` proves that the CPU has NEON, and the memory is an array of
// the register's size.
impl Simd64 for Neon {
    type Lane = [u64; 2];
    type V = uint64x2_t;
    type Effect = uint64x2_t;

    #[inline(always)]
    fn load(self, lane: &[u64; 2]) -> uint64x2_t {
        // SAFETY: as above.
        unsafe { vld1q_u64(lane.as_ptr()) }
    }
    #[inline(always)]
    fn store(self, v: uint64x2_t, lane: &mut [u64; 2]) {
        // SAFETY: as above.
        unsafe { vst1q_u64(lane.as_mut_ptr(), v) }
    }
    #[inline(always)]
    fn splat(self, x: u64) -> uint64x2_t {
        // SAFETY: as above.
        unsafe { vdupq_n_u64(x) }
    }
    #[inline(always)]
    fn xor(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: as above.
        unsafe { veorq_u64(a, b) }
    }
    #[inline(always)]
    fn effect(self, left: uint64x2_t, right: uint64x2_t) -> uint64x2_t {
        // SAFETY: as above. Doubling does not use the shifter, which the other half of the rotation
        // needs.
        unsafe { veorq_u64(left, vsriq_n_u64::<63>(vaddq_u64(right, right), right)) }
    }
    #[inline(always)]
    fn add_effect(self, a: uint64x2_t, effect: uint64x2_t) -> uint64x2_t {
        self.xor(a, effect)
    }
    #[inline(always)]
    fn add_effect_rotate<const LEFT: i32, const RIGHT: i32>(
        self,
        a: uint64x2_t,
        effect: uint64x2_t,
    ) -> uint64x2_t {
        let a = self.xor(a, effect);
        // SAFETY: as above.
        unsafe { vsriq_n_u64::<RIGHT>(vshlq_n_u64::<LEFT>(a), a) }
    }
    #[inline(always)]
    fn chi(self, a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
        // SAFETY: as above.
        unsafe { veorq_u64(a, vbicq_u64(c, b)) }
    }
}

impl sealed::Sealed for Neon {}
impl Keccak for Neon {
    const NAME: &str = Neon::NAME;
    const WIDTH: usize = 2;
    type Lane = [u64; 2];
    type Blocks<const RATE: usize> = [[u8; RATE]; 2];

    #[inline]
    fn blocks<const RATE: usize>() -> [[u8; RATE]; 2] {
        [[0; RATE]; 2]
    }
    #[inline]
    fn permute(self, state: &mut State<[u64; 2]>) {
        // SAFETY: the token `self` proves that the CPU has NEON.
        unsafe { permute_neon(self, state) }
    }
}

#[target_feature(enable = "neon")]
fn permute_neon(simd: Neon, state: &mut State<[u64; 2]>) {
    permute(simd, state);
}
