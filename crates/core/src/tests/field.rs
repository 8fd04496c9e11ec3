//! The tables of `field.rs`, and products with their entries.

use std::vec::Vec;

use super::{OtherField, Random, backends, modulo};
use crate::backend::Backend;
use crate::field::{self, Field, MlDsaField};
use crate::poly::Poly;
use crate::secret::Zeroed;
use crate::shape::N;
use crate::simd::{Kernel, Simd};

on_every_backend! { twiddle_mul montgomery_reduce }

fn power<F: Field>(base: i64, exponent: u32) -> i64 {
    (0..exponent).fold(1, |power, _| modulo::<F>(power * base))
}

fn is_centered<F: Field>(x: i32) -> bool {
    -F::Q / 2 <= x && x <= F::Q / 2
}

fn zetas_are_powers<F: Field>() {
    assert_eq!(power::<F>(F::ZETA.into(), 256), i64::from(F::Q) - 1);
    for k in 0..N {
        let zeta = F::ZETAS[k];
        let bit_rev_8 = (0..8).map(|bit| (k as u32 >> bit & 1) << (7 - bit)).sum();
        assert_eq!(
            modulo::<F>(zeta.into()),
            power::<F>(F::ZETA.into(), bit_rev_8),
            "{k}"
        );
        assert!(is_centered::<F>(zeta), "{k}");
    }
}

/// Compares a few roots with FIPS 204, Appendix B, to fix their order.
#[test]
fn zetas() {
    zetas_are_powers::<MlDsaField>();
    zetas_are_powers::<OtherField>();
    let printed = [
        1, 4_808_194, 3_765_607, 3_761_513, 5_178_923, 5_496_691, 5_234_739, 5_178_987,
    ];
    let zetas: Vec<_> = MlDsaField::ZETAS[..8]
        .iter()
        .map(|z| z.rem_euclid(8_380_417))
        .collect();
    assert_eq!(zetas, printed);
    // The last root, and its Montgomery form in the code of the designers.
    assert_eq!(i64::from(MlDsaField::ZETAS[255]) * 1753 % 8_380_417, -1);
    assert_eq!(MlDsaField::MONTGOMERY_ZETAS[1], 25_847);
    assert_eq!(MlDsaField::MONTGOMERY_ZETAS[255], 1_976_782);
}

fn forms_mean_what_they_say<F: Field>() {
    let q = i64::from(F::Q);
    assert_eq!(F::Q.wrapping_mul(F::Q_INV), 1);
    assert_eq!(
        modulo::<F>(i64::from(F::INVERSE_SCALE) * 256),
        modulo::<F>(1 << 32)
    );
    assert!(is_centered::<F>(F::INVERSE_SCALE));
    for (k, zeta) in F::ZETAS.into_iter().enumerate() {
        let montgomery = F::MONTGOMERY_ZETAS[k];
        assert_eq!(montgomery, field::montgomery_form(zeta, F::Q));
        assert_eq!(
            modulo::<F>(montgomery.into()),
            modulo::<F>(i64::from(zeta) << 32),
            "{k}"
        );
        assert!(is_centered::<F>(montgomery), "{k}");
        let q_inv = F::MONTGOMERY_ZETAS_Q_INV[k];
        assert_eq!(q_inv.wrapping_mul(F::Q), montgomery, "{k}");
        // The Barrett form is ζ · 2³¹ / q, rounded to the nearest integer.
        let barrett = F::BARRETT_ZETAS[k];
        assert_eq!(barrett, field::barrett_form(zeta, F::Q));
        let error = i64::from(barrett) * q - (i64::from(zeta) << 31);
        assert!(error.abs() <= q / 2, "{k}");
        // The Plantard form times q is c = −ζ · 2⁶⁴ mod± q, modulo 2⁶⁴.
        let plantard = F::PLANTARD_ZETAS[k];
        assert_eq!(plantard, field::plantard_form(zeta, F::Q));
        let c = plantard.wrapping_mul(q);
        assert!(c.abs() <= q / 2, "{k}");
        let twice = modulo::<F>((1 << 32) * modulo::<F>(1 << 32));
        assert_eq!(modulo::<F>(c), modulo::<F>(-i64::from(zeta) * twice), "{k}");
    }
}

#[test]
fn forms() {
    forms_mean_what_they_say::<MlDsaField>();
    forms_mean_what_they_say::<OtherField>();
}

/// w_j ← w_j · ζ with index k, or the last step of NTT⁻¹.
struct TwiddleMul<'a, F> {
    w: &'a mut Poly<F>,
    k: Option<usize>,
}

impl<F: Field> Kernel for TwiddleMul<'_, F> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let zeta = match self.k {
            Some(k) => s.twiddle::<F>(k),
            None => s.inverse_scale::<F>(),
        };
        for w in S::chunks_mut(&mut self.w.0) {
            s.store(s.twiddle_mul::<F>(s.load(w), zeta), w);
        }
    }
}

/// Every ζ is multiplied by the ends of 32 bits, multiples of q and numbers between them.
fn twiddle_mul<B: Backend>(backend: B) {
    fn on<F: Field, B: Backend>(backend: B) {
        let mut random = Random(2);
        let ends = [i32::MIN, i32::MAX, 0, F::Q, -F::Q, 1 << 30, F::Q / 2];
        for k in (0..N).map(Some).chain([None]) {
            let mut a = random.coefficients(i32::MIN, i32::MAX);
            for (i, a) in a.iter_mut().enumerate().take(3 * ends.len()) {
                *a = ends[i / 3].wrapping_add(i as i32 % 3 - 1);
            }
            let mut w = Poly::<F>::new(a);
            backend.run(TwiddleMul { w: &mut w, k });
            // The scale of NTT⁻¹ is 2³² / 256, both in the table and as an argument.
            let zeta = k.map_or(F::INVERSE_SCALE, |k| F::ZETAS[k]);
            for (a, product) in a.into_iter().zip(w.0) {
                let expected = modulo::<F>(i64::from(a) * i64::from(zeta));
                assert_eq!(
                    modulo::<F>(product.into()),
                    expected,
                    "{a} times zeta {k:?}"
                );
                // The bound is in units of 2⁻³².
                let bound = match k {
                    Some(_) => ((1 << 31) + i64::from(a).abs()) * i64::from(F::Q) + (1 << 32),
                    None => (3 * i64::from(F::Q)) << 30,
                };
                assert!(i64::from(product).abs() << 32 <= bound, "{a} {k:?}");
            }
        }
    }
    on::<MlDsaField, B>(backend);
    on::<OtherField, B>(backend);
}

/// out_j ← (a_j · b_j − c_j · d_j) · 2⁻³².
struct Reduce<'a, F> {
    terms: &'a [Poly<F>; 4],
    out: &'a mut Poly<F>,
}

impl<F: Field> Kernel for Reduce<'_, F> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let [a, b, c, d] = self.terms.each_ref().map(|term| S::chunks(&term.0));
        for (i, out) in S::chunks_mut(&mut self.out.0).iter_mut().enumerate() {
            let sum = s.wide_add(s.wide_zero(), s.load(&a[i]), s.load(&b[i]));
            let sum = s.wide_sub(sum, s.load(&c[i]), s.load(&d[i]));
            s.store(s.montgomery_reduce::<F>(sum), out);
        }
    }
}

/// Tests sums up to ±(2³¹ − 1) q, and that the largest give the largest results.
fn montgomery_reduce<B: Backend>(backend: B) {
    fn on<F: Field, B: Backend>(backend: B) {
        let mut random = Random(3);
        let q = F::Q;
        let mut largest = 0;
        for round in 0..100 {
            let mut terms = [const { Poly::<F>::ZERO }; 4];
            for j in 0..N {
                // |a| + |c| < 2³¹ keeps the sum in range.
                let a = random.mostly(&[0, 1, i32::MAX, i32::MAX / 2], 0, i32::MAX);
                let c = random.within(0, i32::MAX - a);
                let [sign_a, sign_c] = [random.choose(&[-1, 1]), random.choose(&[-1, 1])];
                terms[0].0[j] = a * sign_a;
                terms[1].0[j] = random.mostly(&[q, -q, q - 1], -q, q);
                terms[2].0[j] = c * sign_c;
                terms[3].0[j] = if round == 0 { 0 } else { random.within(-q, q) };
            }
            let mut out = Poly::ZERO;
            backend.run(Reduce {
                terms: &terms,
                out: &mut out,
            });
            for (j, out) in out.0.into_iter().enumerate() {
                let [a, b, c, d] = terms.each_ref().map(|term| i64::from(term.0[j]));
                let sum = a * b - c * d;
                let expected = modulo::<F>(sum);
                assert_eq!(
                    modulo::<F>(i64::from(out) << 32),
                    expected,
                    "{a} {b} {c} {d}"
                );
                // 2 |out| < 2 |sum| / 2³² + q + 2
                let bound = 2 * i128::from(sum.abs()) + (i128::from(q + 2) << 32);
                assert!((2 * i128::from(out.abs())) << 32 < bound, "{a} {b} {c} {d}");
                largest = largest.max(out.abs());
            }
        }
        assert!(largest > q / 10 * 9, "the largest sums were not tested");
    }
    on::<MlDsaField, B>(backend);
    on::<OtherField, B>(backend);
}
