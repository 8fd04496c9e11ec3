//! One state in plain 64-bit integers.
use super::{Keccak, sealed};
use crate::lane::Simd64;
use crate::state::State;
use moissanite_cpu::Portable;

impl Simd64 for Portable {
    type Lane = [u64; 1];
    type V = u64;
    type Effect = u64;

    #[inline(always)]
    fn load(self, &[x]: &[u64; 1]) -> u64 {
        x
    }
    #[inline(always)]
    fn store(self, v: u64, lane: &mut [u64; 1]) {
        *lane = [v];
    }
    #[inline(always)]
    fn splat(self, x: u64) -> u64 {
        x
    }
    #[inline(always)]
    fn xor(self, a: u64, b: u64) -> u64 {
        a ^ b
    }
    #[inline(always)]
    fn effect(self, left: u64, right: u64) -> u64 {
        left ^ right.rotate_left(1)
    }
    #[inline(always)]
    fn add_effect(self, a: u64, effect: u64) -> u64 {
        a ^ effect
    }
    #[inline(always)]
    fn add_effect_rotate<const LEFT: i32, const RIGHT: i32>(self, a: u64, effect: u64) -> u64 {
        (a ^ effect).rotate_left(const { LEFT.cast_unsigned() })
    }
    #[inline(always)]
    fn chi(self, a: u64, b: u64, c: u64) -> u64 {
        a ^ (!b & c)
    }
}

impl sealed::Sealed for Portable {}
impl Keccak for Portable {
    const NAME: &str = Portable::NAME;
    const WIDTH: usize = 1;
    type Lane = [u64; 1];
    type Blocks<const RATE: usize> = [[u8; RATE]; 1];

    #[inline]
    fn blocks<const RATE: usize>() -> [[u8; RATE]; 1] {
        [[0; RATE]]
    }
    // Never inlined: more than a thousand instructions, called from every sponge function.
    #[inline(never)]
    fn permute(self, state: &mut State<[u64; 1]>) {
        #[cfg(armv7)]
        super::armv7::permute(state);
        #[cfg(tiny)]
        crate::compact::permute(state);
        #[cfg(not(any(armv7, tiny)))]
        crate::permutation::permute(self, state);
    }
}
