//! Tests of every level, from registers to signatures.
//!
//! Code that runs on a backend is tested by functions that are generic over the backend.
//! `on_every_backend!` turns them into tests, and `tests/backends.rs` lists the backends. The
//! results are compared with `reference.rs`, which is FIPS 204 as it is written.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::integer_division_remainder_used,
    reason = "a test may panic, and has no secrets"
)]

#[macro_use]
mod backends;

mod accumulated;
mod batch;
mod bounds;
mod challenge;
mod dispatch;
mod encode;
mod field;
mod hash;
mod hint;
mod keygen;
mod known_answers;
mod miri;
mod multiply;
mod norm;
mod ntt;
mod rejections;
mod round;
mod sample;
mod secret;
mod sign;
mod simd;
mod stream;
mod verify;

use crate::backend;
use crate::field::Field;
use crate::reference::{Coefficients, modulo};
use crate::shape::N;

/// The field of zkDilithium: a second field, so that no test depends on a property of one q.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OtherField;

impl Field for OtherField {
    const Q: i32 = 7_340_033;
    const ZETA: i32 = 3_483_618;
}

/// How often a test is repeated with other numbers: once in Miri, which is slow.
fn rounds(usually: usize) -> usize {
    if cfg!(miri) { 1 } else { usually }
}

/// Numbers without a pattern, which are the same in every run (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns low ≤ x ≤ high.
    fn within(&mut self, low: i32, high: i32) -> i32 {
        let values = (i64::from(high) - i64::from(low) + 1) as u64;
        (i64::from(low) + (self.next() % values) as i64) as i32
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn choose<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Returns one of `ends`, or any number in the range.
    fn mostly(&mut self, ends: &[i32], low: i32, high: i32) -> i32 {
        let any = self.within(low, high);
        ends.get(self.below(ends.len() + 1)).copied().unwrap_or(any)
    }

    fn bytes<const LEN: usize>(&mut self) -> [u8; LEN] {
        core::array::from_fn(|_| self.next() as u8)
    }

    fn coefficients(&mut self, low: i32, high: i32) -> Coefficients {
        core::array::from_fn(|_| self.within(low, high))
    }
}

/// Returns inputs for a kernel whose bound is |w_j| ≤ `most`: the corners, and points without a
/// pattern between them.
fn extremes(most: i32) -> impl Iterator<Item = Coefficients> {
    let mut random = Random(u64::from(most.unsigned_abs()));
    let alternating = move |run: usize| {
        core::array::from_fn(move |j| {
            if (j / run).is_multiple_of(2) {
                most
            } else {
                -most
            }
        })
    };
    let corners = [[0; N], [most; N], [-most; N]].into_iter();
    let corners = corners.chain([1, 2, 16, 128].into_iter().map(alternating));
    corners.chain((0..8).map(move |i| match i % 2 {
        0 => core::array::from_fn(|_| random.choose(&[-most, most])),
        _ => random.coefficients(-most, most),
    }))
}

/// Returns the representative of each coefficient in −q < · ≤ 0 if `negative`, else in 0 ≤ · < q.
fn reduced<F: Field>(w: &Coefficients, negative: bool) -> Coefficients {
    w.map(|w| {
        let w = modulo::<F>(w.into()) as i32;
        if negative && w > 0 { w - F::Q } else { w }
    })
}
