//! Compares the NTT with the evaluation at the roots, and products through it with products of
//! polynomials.

use super::{OtherField, Random, backends, extremes, modulo, reduced};
use crate::backend::{Backend, compact};
use crate::field::{Field, MlDsaField};
use crate::poly::{NttPoly, Poly};
use crate::reference::{self, Coefficients};
use crate::secret::Zeroed;
use crate::shape::N;

on_every_backend! {
    ntt_evaluates_at_the_roots
    inverse_ntt_interpolates
    inner_product_sums
    products_are_negacyclic
    add_adds
}

fn ntt_poly<F>(w_hat: Coefficients) -> NttPoly<F> {
    let mut out = NttPoly::ZERO;
    out.0 = w_hat;
    out
}

fn assert_congruent<F: Field>(left: &Coefficients, right: &Coefficients, what: &str) {
    assert_eq!(
        reduced::<F>(left, false),
        reduced::<F>(right, false),
        "{what}"
    );
}

/// Tests monomials, which detect a misplaced root, and the largest inputs.
fn inputs(most: i32) -> impl Iterator<Item = Coefficients> {
    let monomials = [0, 1, 2, 3, 17, 64, 128, 255].into_iter();
    let monomials = monomials.map(|k| core::array::from_fn(|j| i32::from(j == k)));
    monomials.chain(extremes(most))
}

fn ntt_evaluates_at_the_roots<B: Backend>(backend: B) {
    fn on<F: Field, B: Backend>(backend: B) {
        for w in inputs(F::Q) {
            let mut w_hat = NttPoly::<F>::ZERO;
            backend.ntt(&Poly::new(w), &mut w_hat);
            assert_congruent::<F>(&w_hat.0, &reference::ntt::<F>(&w), "NTT");
            assert!(w_hat.0.iter().all(|w| w.abs() <= 9 * F::Q));
        }
    }
    on::<MlDsaField, B>(backend);
    on::<OtherField, B>(backend);
}

/// Tests the inverse, which has a factor of 2³², by its definition and as the inverse of `ntt`.
fn inverse_ntt_interpolates<B: Backend>(backend: B) {
    fn on<F: Field, B: Backend>(backend: B) {
        let times_2_32 = |w: &Coefficients| w.map(|w| modulo::<F>(i64::from(w) << 32) as i32);
        for (i, w_hat) in inputs(F::Q - 1).enumerate() {
            let mut w = Poly::<F>::ZERO;
            backend.inverse_ntt(&ntt_poly(w_hat), &mut w);
            let expected = times_2_32(&reference::inverse_ntt::<F>(&w_hat));
            assert_congruent::<F>(&w.0, &expected, "inverse NTT");
            assert!(w.0.iter().all(|w| 4 * w.abs() <= 3 * F::Q + 4));

            // NTT and NTT⁻¹ are composed in both orders; representatives may be any below q.
            let mut again = NttPoly::ZERO;
            backend.ntt(&w, &mut again);
            assert_congruent::<F>(&again.0, &times_2_32(&w_hat), "NTT after inverse NTT");
            let again = ntt_poly(reduced::<F>(&again.0, i % 2 == 0));
            let first = w.clone();
            backend.inverse_ntt(&again, &mut w);
            assert_congruent::<F>(&w.0, &times_2_32(&first.0), "inverse NTT after NTT");
        }
    }
    on::<MlDsaField, B>(backend);
    on::<OtherField, B>(backend);
}

/// Tests up to 14 terms and one that is subtracted, all as large as possible and with the same
/// sign.
fn inner_product_sums<B: Backend>(backend: B) {
    fn on<F: Field, B: Backend>(backend: B) {
        let mut random = Random(5);
        let (small, large) = (F::Q - 1, 9 * F::Q);
        for terms in [1, 4, 5, 7, 14] {
            for kind in 0..6 {
                let mut poly = |most: i32, negative: bool| {
                    let most_signed = if negative { -most } else { most };
                    ntt_poly::<F>(match kind {
                        0..4 => [most_signed; N],
                        _ => random.coefficients(-most, most),
                    })
                };
                let a = [(); 14].map(|()| poly(small, kind & 1 == 1));
                let b = [(); 14].map(|()| poly(large, kind & 2 == 2));
                let c = poly(large, kind & 1 == 0);
                let d = poly(large, kind & 2 == 2);
                let (a, b) = (&a[..terms], &b[..terms]);
                let sums: [i64; N] = core::array::from_fn(|j| {
                    a.iter()
                        .zip(b)
                        .map(|(a, b)| i64::from(a.0[j]) * i64::from(b.0[j]))
                        .sum()
                });
                let check = |out: &NttPoly<F>, expected: &dyn Fn(usize) -> i64| {
                    for (j, out) in out.0.into_iter().enumerate() {
                        assert_eq!(modulo::<F>(i64::from(out) << 32), modulo::<F>(expected(j)));
                        assert!(out.abs() < F::Q);
                    }
                };
                let mut out = NttPoly::ZERO;
                backend.inner_product(a, b, &mut out);
                check(&out, &|j| sums[j]);
                backend.inner_product_minus(a, b, (&c, &d), &mut out);
                check(&out, &|j| sums[j] - i64::from(c.0[j]) * i64::from(d.0[j]));
            }
        }
    }
    on::<MlDsaField, B>(backend);
    on::<OtherField, B>(backend);
}

/// NTT, inner product and NTT⁻¹ together compute a sum of products modulo X²⁵⁶ + 1, without a
/// factor.
fn products_are_negacyclic<B: Backend>(backend: B) {
    fn on<F: Field, B: Backend>(backend: B) {
        let mut random = Random(6);
        for terms in [1, 7] {
            let (mut a_hat, mut b_hat) = (std::vec::Vec::new(), std::vec::Vec::new());
            let mut expected = [0; N];
            for _ in 0..terms {
                let a = random.coefficients(0, F::Q - 1);
                let b = random.coefficients(-F::Q, F::Q);
                for (sum, product) in expected.iter_mut().zip(reference::product(&a, &b)) {
                    *sum = modulo::<F>(i64::from(*sum) + product) as i32;
                }
                let negative = random.choose(&[false, true]);
                let mut hat = NttPoly::ZERO;
                backend.ntt(&Poly::new(a), &mut hat);
                a_hat.push(ntt_poly::<F>(reduced::<F>(&hat.0, negative)));
                backend.ntt(&Poly::new(b), &mut hat);
                b_hat.push(hat);
            }
            let (mut sum, mut out) = (NttPoly::ZERO, Poly::ZERO);
            backend.inner_product(&a_hat, &b_hat, &mut sum);
            backend.inverse_ntt(&sum, &mut out);
            assert_congruent::<F>(&out.0, &expected, "sum of products");
        }
    }
    on::<MlDsaField, B>(backend);
    on::<OtherField, B>(backend);
}

fn add_adds<B: Backend>(backend: B) {
    let mut random = Random(7);
    let [a, b] = [(); 2].map(|()| random.coefficients(-(1 << 30), (1 << 30) - 1));
    let mut sum = Poly::<MlDsaField>::new(a);
    backend.add(&mut sum, &Poly::new(b));
    assert_eq!(sum.0, core::array::from_fn(|j| a[j] + b[j]));
}

/// The transforms with the least code.
#[test]
fn compact() {
    fn of<F: Field>() {
        for w in inputs(F::Q - 1) {
            let mut w_hat = w;
            compact::ntt_in_place::<F>(&mut w_hat);
            assert_congruent::<F>(&w_hat, &reference::ntt::<F>(&w), "NTT");
            assert!(w_hat.iter().all(|w| w.abs() <= 9 * F::Q));
            let mut inverse = w;
            compact::inverse_ntt_in_place::<F>(&mut inverse);
            let expected = reference::inverse_ntt::<F>(&w);
            let expected = expected.map(|w| modulo::<F>(i64::from(w) << 32) as i32);
            assert_congruent::<F>(&inverse, &expected, "inverse NTT");
            assert!(inverse.iter().all(|w| w.abs() <= (F::Q >> 2) * 3 + 2));
        }
    }
    of::<MlDsaField>();
    of::<OtherField>();
}
