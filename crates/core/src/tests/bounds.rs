//! No overflow: the transforms and products with bounds instead of numbers.
//!
//! The code of the kernels runs on lanes that hold a bound b, which stands for all integers
//! −b ≤ x ≤ b. The type of polynomials is the same, because a bound fits in a coefficient. The
//! assertions of a kernel therefore hold for every input within its `In:`. The results for products
//! rely only on the bounds that [`Simd`] states, and therefore hold for every backend. The second
//! half of this file tests that each backend satisfies these bounds.
//!
//! This type is not `Lanes` with another element type, because each operation there would need a
//! trait for this test alone.
//!
//! Rounding has so few inputs that all of them are tested (`tests/round.rs`), and sums of rotations
//! reach their bounds (`tests/challenge.rs`).
//! Rounding has few enough inputs for all of them to be tried (`tests/round.rs`),
//! and sums of rotations reach their bounds (`tests/challenge.rs`).

use core::array::from_fn;
use core::marker::PhantomData;

use super::{OtherField, Random, backends, modulo};
use crate::backend::Backend;
use crate::field::{Field, MlDsaField, montgomery_form, plantard_form};
use crate::kernels::{arith, ntt};
use crate::poly::{NttPoly, Poly};
use crate::secret::Zeroed;
use crate::shape::N;
use crate::simd::sealed::Sealed;
use crate::simd::{Kernel, Simd};

on_every_backend! { twiddle_products reductions }

/// `L` lanes of `BITS` bits, and products with twice as many, each represented by its bound.
#[derive(Clone, Copy, Debug)]
struct Bounds<const L: usize, const BITS: u32>;

impl<const L: usize, const BITS: u32> Sealed for Bounds<L, BITS> {}

impl<const L: usize, const BITS: u32> Bounds<L, BITS> {
    fn lanes(bound: impl FnMut(usize) -> i64) -> [i64; L] {
        let lanes = from_fn(bound);
        let fit = lanes.iter().all(|b| b >> (BITS - 1) == 0);
        assert!(fit, "more than {BITS} bits: {lanes:?}");
        lanes
    }
    fn wide(bound: impl FnMut(usize) -> i128) -> [i128; L] {
        let lanes = from_fn(bound);
        let fit = lanes.iter().all(|b| b >> (2 * BITS - 1) == 0);
        assert!(fit, "more than {} bits: {lanes:?}", 2 * BITS);
        lanes
    }
    fn product(a: i64, b: i64) -> i128 {
        i128::from(a) * i128::from(b)
    }
}

impl<const L: usize, const BITS: u32> Simd for Bounds<L, BITS> {
    const LANES: usize = L;
    type V = [i64; L];
    type Chunk = [i32; L];
    type ByteChunk = [u8; L];
    type TripleChunk = [[u8; 3]; L];
    type Square = [[i64; L]; L];
    /// Whether this is the last factor of NTT⁻¹. The bound of the product is the same for all
    /// roots.
    type Twiddle = bool;
    type Wide = [i128; L];
    const WORDS: usize = 1;
    type Words = u64;
    type WordChunk = u64;
    const RADIX: i64 = 1;

    fn chunks(w: &[i32; N]) -> &[[i32; L]] {
        w.as_chunks().0
    }
    fn chunks_mut(w: &mut [i32; N]) -> &mut [[i32; L]] {
        w.as_chunks_mut().0
    }
    fn chunk_at(w: &mut [i32], at: usize) -> Option<&mut [i32; L]> {
        w.get_mut(at..)?.first_chunk_mut()
    }
    fn load(self, from: &[i32; L]) -> [i64; L] {
        assert!(from.iter().all(|b| *b >= 0), "a bound is negative");
        Self::lanes(|i| from[i].into())
    }
    fn store(self, v: [i64; L], to: &mut [i32; L]) {
        *to = v.map(|b| b.try_into().unwrap());
    }
    fn splat(self, x: i32) -> [i64; L] {
        Self::lanes(|_| i64::from(x).abs())
    }
    fn add(self, a: [i64; L], b: [i64; L]) -> [i64; L] {
        Self::lanes(|i| a[i] + b[i])
    }
    fn sub(self, a: [i64; L], b: [i64; L]) -> [i64; L] {
        self.add(a, b)
    }
    fn mul(self, a: [i64; L], b: [i64; L]) -> [i64; L] {
        Self::lanes(|i| a[i] * b[i])
    }

    fn twiddle<F: Field>(self, k: usize) -> bool {
        assert!(k < N);
        false
    }
    fn tail_twiddle<F: Field, const INVERSE: bool>(self, i: usize) -> bool {
        assert!(i < N / L);
        false
    }
    fn inverse_scale<F: Field>(self) -> bool {
        true
    }
    fn twiddle_mul<F: Field>(self, a: [i64; L], last: bool) -> [i64; L] {
        let q = i64::from(F::Q);
        Self::lanes(|i| match last {
            true => (3 * q + 4) / 4,
            false => ((((1 << 31) + a[i]) * q) >> 32) + 1,
        })
    }

    fn wide_zero(self) -> [i128; L] {
        [0; L]
    }
    fn wide_add(self, acc: [i128; L], a: [i64; L], b: [i64; L]) -> [i128; L] {
        Self::wide(|i| acc[i] + Self::product(a[i], b[i]))
    }
    fn wide_sub(self, acc: [i128; L], a: [i64; L], b: [i64; L]) -> [i128; L] {
        self.wide_add(acc, a, b)
    }
    fn montgomery_reduce<F: Field>(self, acc: [i128; L]) -> [i64; L] {
        let q = i128::from(F::Q);
        let most = (q << 31) - (1 << 31);
        assert!(acc.iter().all(|b| *b <= most), "too much to reduce");
        // The largest integer less than |acc| / 2³² + q/2 + 1.
        Self::lanes(|i| ((2 * acc[i] + ((q + 2) << 32) - 1) >> 33) as i64)
    }

    fn square(self) -> [[i64; L]; L] {
        [[0; L]; L]
    }
    fn transpose(self, square: &mut [[i64; L]; L]) {
        *square = from_fn(|i| from_fn(|j| square[j][i]));
    }

    // These operations are not defined on bounds. No transform and no product uses them.
    fn byte_chunks(_: &[u8]) -> (&[[u8; L]], &[u8]) {
        unreachable!()
    }
    fn byte_chunks_mut(_: &mut [u8; N]) -> &mut [[u8; L]] {
        unreachable!()
    }
    fn triple_chunks(_: &[u8]) -> (&[[[u8; 3]; L]], &[u8]) {
        unreachable!()
    }
    fn load_bytes(self, _: &[u8; L]) -> [i64; L] {
        unreachable!()
    }
    fn store_bytes(self, _: [i64; L], _: &mut [u8; L]) {
        unreachable!()
    }
    fn load_triples(self, _: &[[u8; 3]; L]) -> [i64; L] {
        unreachable!()
    }
    fn compress(self, _: [i64; L], _: [i64; L]) -> ([i64; L], usize) {
        unreachable!()
    }
    fn interleave(self, _: [i64; L], _: [i64; L]) -> ([i64; L], [i64; L]) {
        unreachable!()
    }
    fn pack<const WIDTH: usize>(self, _: &[[i64; L]], _: &mut [u8; crate::simd::WINDOW]) {
        unreachable!()
    }
    fn unpack<const WIDTH: usize>(self, _: &[u8; crate::simd::WINDOW], _: &mut [[i64; L]]) {
        unreachable!()
    }
    fn and(self, _: [i64; L], _: [i64; L]) -> [i64; L] {
        unreachable!()
    }
    fn or(self, _: [i64; L], _: [i64; L]) -> [i64; L] {
        unreachable!()
    }
    fn shr(self, _: [i64; L], _: u32) -> [i64; L] {
        unreachable!()
    }
    fn gt(self, _: [i64; L], _: [i64; L]) -> [i64; L] {
        unreachable!()
    }
    fn sum(self, _: [i64; L]) -> i32 {
        unreachable!()
    }
    fn word_chunks(_: &[u64]) -> &[u64] {
        unreachable!()
    }
    fn word_chunks_mut(_: &mut [u64]) -> &mut [u64] {
        unreachable!()
    }
    fn load_words(self, _: &u64) -> u64 {
        unreachable!()
    }
    fn store_words(self, _: u64, _: &mut u64) {
        unreachable!()
    }
    fn splat_word(self, _: u64) -> u64 {
        unreachable!()
    }
    fn add_words(self, _: u64, _: u64) -> u64 {
        unreachable!()
    }
    fn sub_words(self, _: u64, _: u64) -> u64 {
        unreachable!()
    }
    fn equal_words(self, _: u64, _: u64) -> u64 {
        unreachable!()
    }
    fn and_not_words(self, _: u64, _: u64) -> u64 {
        unreachable!()
    }
    fn swap_words(self, _: u64) -> u64 {
        unreachable!()
    }
    fn mul_add_words(self, _: u64, _: u64, _: u64) -> u64 {
        unreachable!()
    }
    fn reduce_words<F: Field>(self, _: u64) -> u64 {
        unreachable!()
    }
    fn canonical_words<F: Field>(self, _: u64) -> u64 {
        unreachable!()
    }
}

/// Returns a polynomial whose bounds are all `most`.
fn within<F>(most: i32) -> NttPoly<F> {
    let mut w_hat = NttPoly::ZERO;
    w_hat.0 = [most; N];
    w_hat
}

/// Returns the bound of all coefficients.
fn bound(w: &[i32; N]) -> i32 {
    *w.iter().max().unwrap()
}

/// Tests the bounds of Algorithm 41.
fn ntt<F: Field, const L: usize, const BITS: u32>() {
    let (w, mut w_hat) = (Poly::<F>::new([F::Q; N]), NttPoly::ZERO);
    ntt::Ntt {
        w: &w,
        w_hat: &mut w_hat,
    }
    .run(Bounds::<L, BITS>);
    assert!(bound(&w_hat.0) <= 9 * F::Q);
}

/// Tests the bounds of Algorithm 42.
fn inverse_ntt<F: Field, const L: usize, const BITS: u32>() {
    let (w_hat, mut w) = (within::<F>(F::Q - 1), Poly::ZERO);
    ntt::InverseNtt {
        w_hat: &w_hat,
        w: &mut w,
    }
    .run(Bounds::<L, BITS>);
    assert!(4 * bound(&w.0) <= 3 * F::Q + 4);
}

/// Tests the bounds of a sum of products. |c| and |d| are `subtracted` · q.
fn inner_product<F: Field, const L: usize, const BITS: u32>(subtracted: i32) {
    let c = within(subtracted * F::Q);
    for terms in 0..=14 {
        for minus in [None, Some((&c, &c))] {
            let a = from_fn::<_, 14, _>(|_| within::<F>(F::Q - 1));
            let b = from_fn::<_, 14, _>(|_| within(9 * F::Q));
            let mut out = NttPoly::ZERO;
            arith::InnerProduct {
                a: &a[..terms],
                b: &b[..terms],
                minus,
                out: &mut out,
            }
            .run(Bounds::<L, BITS>);
            assert!(bound(&out.0) < F::Q);
        }
    }
}

#[test]
fn nothing_overflows_within_the_bounds() {
    fn on<F: Field, const L: usize>() {
        // 7q + 8 < 2²⁶, and 256 (q − 1) < 2³¹.
        ntt::<F, L, 27>();
        inverse_ntt::<F, L, 32>();
        // 9q < 2²⁷, and 207q² < 2⁵⁴.
        inner_product::<F, L, 28>(9);
    }
    fn on_every_width<F: Field>() {
        on::<F, 1>();
        on::<F, 2>();
        on::<F, 4>();
        on::<F, 8>();
        on::<F, 16>();
    }
    on_every_width::<MlDsaField>();
    on_every_width::<OtherField>();
}

#[test]
#[should_panic(expected = "more than 26 bits")]
fn a_register_too_narrow_for_the_ntt() {
    ntt::<MlDsaField, 8, 26>();
}

#[test]
#[should_panic(expected = "more than 31 bits")]
fn a_register_too_narrow_for_the_inverse_ntt() {
    inverse_ntt::<MlDsaField, 8, 31>();
}

#[test]
#[should_panic(expected = "more than 27 bits")]
fn a_register_too_narrow_for_the_inner_product() {
    inner_product::<MlDsaField, 8, 27>(1);
}

#[test]
#[should_panic(expected = "too much to reduce")]
fn an_input_too_large_for_the_inner_product() {
    inner_product::<MlDsaField, 8, 32>(14);
}

/// a ← aζ.
struct TwiddleProducts<'a, F>(&'a mut [i32; N], usize, PhantomData<F>);

impl<F: Field> Kernel for TwiddleProducts<'_, F> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let zeta = s.twiddle::<F>(self.1);
        for a in S::chunks_mut(self.0) {
            s.store(s.twiddle_mul::<F>(s.load(a), zeta), a);
        }
    }
}

/// [`Simd::twiddle_mul`] satisfies its bound for every ζ, at the ends of 32 bits and between them.
fn twiddle_products<B: Backend>(backend: B) {
    fn on<F: Field, B: Backend>(backend: B) {
        let mut random = Random(11);
        for k in 1..N {
            let ends = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX];
            let a = from_fn(|_| random.mostly(&ends, i32::MIN, i32::MAX));
            let mut out = a;
            backend.run(TwiddleProducts(&mut out, k, PhantomData::<F>));
            for (a, out) in a.into_iter().zip(out) {
                let product = i64::from(a) * i64::from(F::ZETAS[k]);
                assert_eq!(modulo::<F>(out.into()), modulo::<F>(product));
                let bound = ((1 << 31) + i64::from(a).abs()) * i64::from(F::Q) + (1 << 32);
                assert!(i64::from(out).abs() << 32 <= bound);
            }
        }
    }
    on::<MlDsaField, B>(backend);
    on::<OtherField, B>(backend);
}

/// a ← (± ab ± c) · 2⁻³².
struct Reductions<'a, F> {
    a: &'a mut NttPoly<F>,
    b: &'a NttPoly<F>,
    c: &'a NttPoly<F>,
    subtract: bool,
}

impl<F: Field> Kernel for Reductions<'_, F> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let rest = S::chunks(&self.b.0).iter().zip(S::chunks(&self.c.0));
        for (a, (b, c)) in S::chunks_mut(&mut self.a.0).iter_mut().zip(rest) {
            let (va, vb, vc, one) = (s.load(a), s.load(b), s.load(c), s.splat(1));
            let zero = s.wide_zero();
            let acc = if self.subtract {
                s.wide_sub(s.wide_sub(zero, va, vb), vc, one)
            } else {
                s.wide_add(s.wide_add(zero, va, vb), vc, one)
            };
            s.store(s.montgomery_reduce::<F>(acc), a);
        }
    }
}

/// [`Simd::montgomery_reduce`] satisfies its bound in its whole range: 2³¹
/// q − 2³¹ = (q − 1)(2³¹ − 1) + q − 1.
fn reductions<B: Backend>(backend: B) {
    fn on<F: Field, B: Backend>(backend: B) {
        let mut random = Random(12);
        for subtract in [false, true] {
            for _ in 0..64 {
                let mut poly = |most: i32| {
                    let mut w = NttPoly::<F>::ZERO;
                    w.0 = from_fn(|_| random.mostly(&[-most, 0, most], -most, most));
                    w
                };
                let (a, b, c) = (poly(i32::MAX), poly(F::Q - 1), poly(F::Q - 1));
                let mut out = a.clone();
                backend.run(Reductions {
                    a: &mut out,
                    b: &b,
                    c: &c,
                    subtract,
                });
                for j in 0..N {
                    let acc = i64::from(a.0[j]) * i64::from(b.0[j]) + i64::from(c.0[j]);
                    let acc = if subtract { -acc } else { acc };
                    let out = i64::from(out.0[j]);
                    assert_eq!(modulo::<F>(out << 32), modulo::<F>(acc));
                    let bound = 2 * i128::from(acc.abs()) + (i128::from(F::Q + 2) << 32);
                    assert!(i128::from(out.abs()) << 33 < bound, "{acc}");
                }
            }
        }
    }
    on::<MlDsaField, B>(backend);
    on::<OtherField, B>(backend);
}

/// The two ways to multiply by a constant, for any |a| ≤ 2³¹ and every constant.
///
/// Montgomery: aζ' − tq with |t| ≤ 2³¹ fits in 64 bits, and its upper half is the result. Plantard
/// (`Portable::twiddle_mul`): p·q ≡ c modulo 2⁶⁴ for a small c, the number that is added to it does
/// not reach the next multiple of 2⁶⁴, and (p₁ + 2) q with −2³¹ ≤ p₁ < 2³¹ fits in 64 bits.
#[test]
fn products_with_constants_keep_their_promise() {
    fn on<F: Field>() {
        let q = i128::from(F::Q);
        let (most_a, promise) = (1_i128 << 31, (3 * q + 4) << 30);
        let constants = F::ZETAS.into_iter().chain([F::INVERSE_SCALE]);
        for constant in constants {
            let zeta = i128::from(montgomery_form(constant, F::Q));
            let most = most_a * zeta.abs() + most_a * q;
            assert!(most >> 63 == 0 && most <= promise);

            let factor = plantard_form(constant, F::Q).wrapping_mul(F::Q.into());
            let c = most_a * i128::from(factor).abs();
            let (p0_least, p0_most) = (0, (1_i128 << 32) - 1);
            assert!(((1 << 33) - p0_most) * q - c >= 0);
            assert!((((1 << 33) - p0_least) * q + c) >> 64 == 0);
        }
        let most = (most_a + 2) * q;
        assert!(most >> 63 == 0 && most <= promise);
    }
    on::<MlDsaField>();
    on::<OtherField>();
}
