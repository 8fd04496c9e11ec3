//! Rounding, hints and norms: FIPS 204, Algorithms 35 to 40, on whole polynomials.
//!
//! [`crate::rounding`] has these algorithms for one coefficient, as the standard defines them; the
//! tests compare the two over all of Z_q. The code in this module has no branches and no divisions.

use moissanite_cpu::value_barrier;

use super::{canonical, canonical_public};
use crate::bounds::check_all;
use crate::field::Field;
use crate::params::{D, ParameterSet};
use crate::poly::{BytePoly, Poly};
use crate::simd::{Kernel, Simd};

/// FIPS 204, Algorithm 35 (Power2Round), for one register. In: 0 ≤ r < q.
#[inline(always)]
pub(crate) fn power2round<S: Simd>(s: S, r: S::V) -> (S::V, S::V) {
    let r1 = s.shr(s.add(r, s.splat((1 << (D - 1)) - 1)), D);
    (r1, s.sub(r, s.mul(r1, s.splat(1 << D))))
}

/// FIPS 204, Algorithm 35 (Power2Round). In: |t_j| < q. Out: 0 ≤ t₁ < 2¹⁰, −2¹² < t₀ ≤ 2¹².
pub(crate) struct Power2Round<'a, F> {
    /// t, then t₀.
    pub(crate) t: &'a mut Poly<F>,
    pub(crate) t1: &'a mut Poly<F>,
}

impl<F: Field> Kernel for Power2Round<'_, F> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        check_all(&self.t.0, F::Q - 1);
        for (t, t1) in S::chunks_mut(&mut self.t.0)
            .iter_mut()
            .zip(S::chunks_mut(&mut self.t1.0))
        {
            let (r1, r0) = power2round(s, canonical::<F, S>(s, s.load(t)));
            s.store(r0, t);
            s.store(r1, t1);
        }
    }
}

/// The division by 2γ₂ = 2^shift · odd in Decompose: ⌊x / 2^shift⌋ · factor / 2^25.
struct Division {
    shift: u32,
    factor: i32,
}

const DIVISION_BITS: u32 = 25;

#[allow(clippy::integer_division_remainder_used, reason = "at compile time")]
impl Division {
    /// Returns a division that is exact for every quotient in Decompose; otherwise, the code does
    /// not compile.
    const fn by(divisor: i32, largest: i32) -> Self {
        let shift = divisor.trailing_zeros();
        let odd = divisor >> shift;
        let factor = (1 << DIVISION_BITS) / odd + 1;
        let mut x = 0;
        while x <= largest >> shift {
            assert!(x as i64 * factor as i64 <= i32::MAX as i64);
            assert!((x * factor) >> DIVISION_BITS == x / odd);
            x += 1;
        }
        Self { shift, factor }
    }
}

/// The constants of Decompose for a parameter set.
struct Rounding<P>(core::marker::PhantomData<P>);
impl<P: ParameterSet> Rounding<P> {
    const GAMMA2: i32 = P::GAMMA2 as i32;
    const DIVISION: Division = Division::by(2 * Self::GAMMA2, P::Field::Q - 1 + Self::GAMMA2 - 1);
}

/// ⌈(r − γ₂) / 2γ₂⌉ = ⌊(r + γ₂ − 1) / 2γ₂⌋. In: 0 ≤ r < q. Out: from 0 to (q − 1)/2γ₂.
#[inline(always)]
fn nearest<P: ParameterSet, S: Simd>(s: S, r: S::V) -> S::V {
    let division = const { Rounding::<P>::DIVISION };
    let rounded = s.add(r, s.splat(Rounding::<P>::GAMMA2 - 1));
    let odd = s.mul(s.shr(rounded, division.shift), s.splat(division.factor));
    s.shr(odd, DIVISION_BITS)
}

/// FIPS 204, Algorithm 36 (Decompose), for one register. In: 0 ≤ r < q.
///
/// r₁ = ⌈(r − γ₂) / 2γ₂⌉ and r₀ = r − 2γ₂ r₁. In the topmost interval, r₁ = (q − 1)/2γ₂ is replaced
/// by 0, and r₀ is reduced by 1; the new r₀ is r − q.
#[inline(always)]
pub(crate) fn decompose<P: ParameterSet, S: Simd>(s: S, r: S::V) -> (S::V, S::V) {
    let r1 = nearest::<P, S>(s, r);
    let wrapped = s.gt(r1, s.splat(P::HIGH_VALUES as i32 - 1));
    let r1 = s.sub(r1, s.and(wrapped, s.splat(P::HIGH_VALUES as i32)));
    let r0 = s.sub(r, s.mul(r1, s.splat(2 * Rounding::<P>::GAMMA2)));
    (r1, s.sub(r0, s.and(wrapped, s.splat(P::Field::Q))))
}

/// FIPS 204, Algorithm 36 (Decompose). In: |w_j| < q. Out: 0 ≤ w₁ < (q − 1)/2γ₂, −γ₂ ≤ w₀ ≤ γ₂.
pub(crate) struct Decompose<'a, P: ParameterSet> {
    /// w, then w₀.
    pub(crate) w: &'a mut Poly<P::Field>,
    pub(crate) w1: &'a mut BytePoly,
}

impl<P: ParameterSet> Kernel for Decompose<'_, P> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        check_all(&self.w.0, P::Field::Q - 1);
        let w1 = S::byte_chunks_mut(&mut self.w1.0);
        for (w, w1) in S::chunks_mut(&mut self.w.0).iter_mut().zip(w1) {
            let (r1, r0) = decompose::<P, S>(s, canonical::<P::Field, S>(s, s.load(w)));
            s.store(r0, w);
            s.store_bytes(r1, w1);
        }
    }
}

/// FIPS 204, Algorithm 39 (MakeHint), for −ct₀ and w − cs₂ + ct₀. Returns the number of ones.
///
/// In: w₁ from Decompose(w), and r = w₀ − cs₂ + ct₀ with |w₀ − cs₂| < γ₂ − β and |ct₀| < γ₂.
/// Because of the first bound, w₁ is HighBits(w − cs₂). The hint is therefore a one if the addition
/// of ct₀ changes the high bits, which means that r is outside the interval of w₁. The interval is
/// −γ₂ < r ≤ γ₂, and −γ₂ ≤ r ≤ γ₂ for w₁ = 0, with which the topmost interval was merged.
pub(crate) struct MakeHint<'a, P: ParameterSet> {
    pub(crate) r: &'a Poly<P::Field>,
    /// w₁, then h.
    pub(crate) w1: &'a mut BytePoly,
}

impl<P: ParameterSet> Kernel for MakeHint<'_, P> {
    type Output = i32;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i32 {
        const { assert!(P::HIGH_VALUES <= 64) };
        let gamma2 = P::GAMMA2 as i32;
        check_all(&self.r.0, 2 * gamma2 - 1);
        let mut ones = s.splat(0);
        let w1 = S::byte_chunks_mut(&mut self.w1.0);
        for (r, h) in S::chunks(&self.r.0).iter().zip(w1) {
            let (r, w1) = (s.load(r), s.load_bytes(h));
            // `open` is one where w₁ > 0, as w₁ is less than 64. `left` is negative where r is
            // outside the interval.
            let open = s.shr(s.add(w1, s.splat(63)), 6);
            let below = s.sub(s.add(r, s.splat(gamma2)), open);
            let left = s.or(below, s.sub(s.splat(gamma2), r));
            let bit = s.and(s.shr(left, 31), s.splat(1));
            ones = s.add(ones, bit);
            s.store_bytes(bit, h);
        }
        s.sum(ones)
    }
}

/// FIPS 204, Algorithm 40 (UseHint), for one register. All data is public. In: 0 ≤ r < q; a hint
/// bit in each lane of h.
#[inline(always)]
pub(crate) fn use_hint<P: ParameterSet, S: Simd>(s: S, r: S::V, h: S::V) -> S::V {
    let m = s.splat(P::HIGH_VALUES as i32);
    let last = s.splat(P::HIGH_VALUES as i32 - 1);
    let zero = s.splat(0);
    // In the topmost interval, r₁ is m instead of 0, and r₀ is too large by 1, but not above 0.
    let r1 = nearest::<P, S>(s, r);
    let r0 = s.sub(r, s.mul(r1, s.splat(2 * Rounding::<P>::GAMMA2)));
    // r₁ increases by h where r₀ > 0, and decreases by h where r₀ ≤ 0, modulo m.
    let twice = s.and(s.gt_public(r0, zero), s.add(h, h));
    let r1 = s.add(s.sub(r1, h), twice);
    if P::HIGH_VALUES.is_power_of_two() {
        s.and(r1, last)
    } else {
        let r1 = s.add(r1, s.and(s.gt_public(zero, r1), m));
        s.sub(r1, s.and(s.gt_public(r1, last), m))
    }
}

/// FIPS 204, Algorithm 40 (UseHint). In: |w_j| < q; hint bits in `h`, which become w₁.
pub(crate) struct UseHint<'a, P: ParameterSet> {
    pub(crate) w: &'a Poly<P::Field>,
    pub(crate) h: &'a mut BytePoly,
}

impl<P: ParameterSet> Kernel for UseHint<'_, P> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        check_all(&self.w.0, P::Field::Q - 1);
        let h = S::byte_chunks_mut(&mut self.h.0);
        for (w, h) in S::chunks(&self.w.0).iter().zip(h) {
            let r = canonical_public::<P::Field, S>(s, s.load(w));
            let r1 = use_hint::<P, S>(s, r, s.load_bytes(h));
            s.store_bytes(r1, h);
        }
    }
}

/// Returns all ones if ‖w‖∞ ≥ bound, else zero. All of w is always read.
///
/// In: centered w; bound ≤ 2³⁰.
pub(crate) struct NormAtLeast<'a, F> {
    pub(crate) w: &'a Poly<F>,
    pub(crate) bound: u32,
}

impl<F: Field> Kernel for NormAtLeast<'_, F> {
    type Output = i32;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i32 {
        let largest = s.splat(self.bound as i32 - 1);
        let mut exceeded = s.splat(0);
        for w in S::chunks(&self.w.0) {
            let w = s.load(w);
            // This is negative where w is outside the bounds.
            exceeded = s.or(exceeded, s.or(s.sub(largest, w), s.add(largest, w)));
        }
        value_barrier(value_barrier(s.sum(s.shr(exceeded, 31))) >> 31)
    }
}
