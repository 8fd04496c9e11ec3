//! N states in plain 64-bit integers, lane by lane like a SIMD register.
//!
//! It is no faster than N calls of `Portable`. It runs the code for wide registers on every
//! machine: under valgrind and Miri, on big-endian targets, and in tests.
use super::{Keccak, sealed};
use crate::lane::{Simd64, sealed::Sealed};
use crate::permutation::permute;
use crate::state::State;

/// N states at once in software: what a SIMD register does, on every target.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lanes<const N: usize>;

/// Applies f to every pair of elements.
#[inline(always)]
fn zip<const N: usize>(mut a: [u64; N], b: [u64; N], f: impl Fn(u64, u64) -> u64) -> [u64; N] {
    for (a, b) in a.iter_mut().zip(b) {
        *a = f(*a, b);
    }
    a
}

impl<const N: usize> Simd64 for Lanes<N> {
    type Lane = [u64; N];
    type V = [u64; N];
    type Effect = [u64; N];

    #[inline(always)]
    fn load(self, lane: &[u64; N]) -> [u64; N] {
        *lane
    }
    #[inline(always)]
    fn store(self, v: [u64; N], lane: &mut [u64; N]) {
        *lane = v;
    }
    #[inline(always)]
    fn splat(self, x: u64) -> [u64; N] {
        [x; N]
    }
    #[inline(always)]
    fn xor(self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        zip(a, b, |a, b| a ^ b)
    }
    #[inline(always)]
    fn effect(self, left: [u64; N], right: [u64; N]) -> [u64; N] {
        zip(left, right, |left, right| left ^ right.rotate_left(1))
    }
    #[inline(always)]
    fn add_effect(self, a: [u64; N], effect: [u64; N]) -> [u64; N] {
        self.xor(a, effect)
    }
    #[inline(always)]
    fn add_effect_rotate<const LEFT: i32, const RIGHT: i32>(
        self,
        a: [u64; N],
        effect: [u64; N],
    ) -> [u64; N] {
        zip(a, effect, |a, effect| {
            (a ^ effect).rotate_left(const { LEFT.cast_unsigned() })
        })
    }
    #[inline(always)]
    fn chi(self, a: [u64; N], b: [u64; N], c: [u64; N]) -> [u64; N] {
        self.xor(a, zip(b, c, |b, c| !b & c))
    }
}

impl<const N: usize> sealed::Sealed for Lanes<N> {}
impl<const N: usize> Keccak for Lanes<N> {
    const NAME: &str = "lanes";
    const WIDTH: usize = N;
    type Lane = [u64; N];
    type Blocks<const RATE: usize> = [[u8; RATE]; N];

    #[inline]
    fn blocks<const RATE: usize>() -> [[u8; RATE]; N] {
        [[0; RATE]; N]
    }
    #[inline(never)]
    fn permute(self, state: &mut State<[u64; N]>) {
        // The memory of a single state can have another representation than this code expects.
        state.each_word(<[u64; N]>::outward);
        permute(self, state);
        state.each_word(<[u64; N]>::inward);
    }
}
