//! One or two states in the 128-bit registers of AArch64, with the SHA-3 instructions.
//!
//! A permutation has 1,841 instructions. Plain NEON needs 4,320 for two states, and plain integers
//! 3,719 for one. A single state therefore uses these instructions too, with half of each register
//! idle. This is twice as fast on cores on which every vector unit has the instructions (Apple's
//! cores, Neoverse V3), and slower than plain integers on cores on which only one unit has them.
#![allow(unsafe_code, reason = "intrinsics, behind the token that proves them")]
#![allow(
    unknown_lints,
    inline_always_mismatching_target_features,
    reason = "all is inlined into the one function that has the features"
)]
use super::{Keccak, sealed};
use crate::lane::Simd64;
use crate::permutation::permute;
use crate::state::State;
use core::arch::aarch64::*;
use moissanite_cpu::{Neon, Sha3};

/// W states, 1 or 2.
#[derive(Clone, Copy)]
struct Registers<const W: usize>(Sha3);

// SAFETY of every block below: `self` proves that the CPU has the SHA-3 instructions.
impl<const W: usize> Simd64 for Registers<W> {
    type Lane = [u64; W];
    type V = uint64x2_t;
    type Effect = uint64x2_t;
    const PI_FIRST: bool = true;

    #[inline(always)]
    fn load(self, lane: &[u64; W]) -> uint64x2_t {
        let mut both = [0; 2];
        for (to, from) in both.iter_mut().zip(lane) {
            *to = *from;
        }
        Neon::from(self.0).load(&both)
    }
    #[inline(always)]
    fn store(self, v: uint64x2_t, lane: &mut [u64; W]) {
        let mut both = [0; 2];
        Neon::from(self.0).store(v, &mut both);
        for (to, from) in lane.iter_mut().zip(both) {
            *to = from;
        }
    }
    #[inline(always)]
    fn splat(self, x: u64) -> uint64x2_t {
        Neon::from(self.0).splat(x)
    }
    #[inline(always)]
    fn xor(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        Neon::from(self.0).xor(a, b)
    }
    #[inline(always)]
    fn xor5(self, [a, b, c, d, e]: [uint64x2_t; 5]) -> uint64x2_t {
        // SAFETY: as above.
        unsafe { veor3q_u64(veor3q_u64(a, b, c), d, e) }
    }
    #[inline(always)]
    fn effect(self, left: uint64x2_t, right: uint64x2_t) -> uint64x2_t {
        // SAFETY: as above.
        unsafe { vrax1q_u64(left, right) }
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
        // SAFETY: as above.
        unsafe { vxarq_u64::<RIGHT>(a, effect) }
    }
    #[inline(always)]
    fn chi(self, a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
        // SAFETY: as above.
        unsafe { vbcaxq_u64(a, c, b) }
    }
}

impl sealed::Sealed for Sha3 {}
impl Keccak for Sha3 {
    const NAME: &str = Sha3::NAME;
    const WIDTH: usize = 2;
    type Lane = [u64; 2];
    type Blocks<const RATE: usize> = [[u8; RATE]; 2];

    #[inline]
    fn blocks<const RATE: usize>() -> [[u8; RATE]; 2] {
        [[0; RATE]; 2]
    }
    #[inline]
    fn permute(self, state: &mut State<[u64; 2]>) {
        // SAFETY: the token `self` proves that the CPU has the SHA-3 instructions.
        unsafe { permute_sha3(Registers(self), state) }
    }
}

/// Keccak-f\[1600\] on one state.
#[inline]
pub(super) fn permute_one(sha3: Sha3, state: &mut State<[u64; 1]>) {
    // SAFETY: the token proves that the CPU has the SHA-3 instructions.
    unsafe { permute_sha3(Registers(sha3), state) }
}

// Never inlined: more than a thousand instructions, called from every sponge function.
#[inline(never)]
#[target_feature(enable = "neon,sha3")]
fn permute_sha3<const W: usize>(simd: Registers<W>, state: &mut State<[u64; W]>) {
    permute(simd, state);
}
