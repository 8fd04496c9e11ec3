//! Compares products with the challenge with the product of polynomials.

use super::{Random, backends};
use crate::backend::Backend;
use crate::field::MlDsaField;
use crate::poly::{Challenge, Poly, Rotations, Small};
use crate::reference::{self, Coefficients};
use crate::secret::Zeroed;
use crate::shape::N;

on_every_backend! { positions products_are_negacyclic }

/// Returns τ coefficients ±1 at positions without a pattern, all with the sign `sign` if given.
fn challenge(random: &mut Random, tau: usize, sign: Option<i32>) -> Coefficients {
    let mut c = [0; N];
    while c.iter().filter(|c| **c != 0).count() < tau {
        let j = random.below(N);
        c[j] = sign.unwrap_or_else(|| random.choose(&[-1, 1]));
    }
    c
}

fn positions<B: Backend>(backend: B) {
    let mut random = Random(9);
    let check = |c: Coefficients| {
        let found = backend.challenge(&Poly::<MlDsaField>::new(c));
        let mut again = [0; N];
        for (positions, sign) in [(found.plus(), 1), (found.minus(), -1)] {
            for j in positions {
                assert_eq!(again[usize::from(*j)], 0, "{j} is repeated");
                again[usize::from(*j)] = sign;
            }
        }
        assert_eq!(again, c);
    };
    for tau in [0, 1, 39, 49, 60, 64] {
        for sign in [None, Some(1), Some(-1)] {
            check(challenge(&mut random, tau, sign));
        }
        // The positions are consecutive, at either end. A whole register has the same sign if all have.
        let mixed = |j: usize| if j.is_multiple_of(3) { -1 } else { 1 };
        for sign in [mixed, |_| 1, |_| -1] {
            check(core::array::from_fn(|j| if j < tau { sign(j) } else { 0 }));
            check(core::array::from_fn(
                |j| if j >= N - tau { sign(j) } else { 0 },
            ));
        }
    }
}

/// The number of positions is limited to the size of the buffer.
#[test]
fn too_many_positions() {
    let indices: [i32; N] = core::array::from_fn(|j| j as i32);
    for (plus, minus, kept) in [
        (64, 1, (64, 0)),
        (40, 40, (40, 24)),
        (0, N, (0, 64)),
        (N, 3, (64, 0)),
    ] {
        let c = Challenge::new(&indices[..plus], &indices[..minus]);
        assert_eq!((c.plus().len(), c.minus().len()), kept);
        assert!(
            c.plus()
                .iter()
                .chain(c.minus())
                .all(|j| usize::from(*j) < 64)
        );
    }
}

/// Tests sums of τ rotations at the largest ‖s‖∞, in some cases with the same sign, so that they
/// reach the limits of `T`. If the signs of s follow those of c, a coefficient of c·s is τ ‖s‖∞.
fn products<B: Backend, T: Small>(backend: B, bounds: &[i32]) {
    let mut random = Random(10);
    let mut most = 0;
    for tau in [39, 49, 60, 64] {
        for largest in bounds.iter().copied() {
            for sign in [None, Some(1), Some(-1)] {
                let c = challenge(&mut random, tau, sign);
                // With this s, the last coefficient is τ · largest.
                let shaped = core::array::from_fn(|j| match c[N - 1 - j] {
                    0 => random.choose(&[-largest, largest]),
                    c => largest * c,
                });
                let spread = random.coefficients(-largest, largest);
                for s in [
                    shaped,
                    shaped.map(|s| -s),
                    [largest; N],
                    [-largest; N],
                    spread,
                ] {
                    let product = reference::product(&c, &s).map(|cs| cs as i32);
                    most = most.max(product.iter().map(|cs| cs.abs()).max().unwrap());
                    let c = backend.challenge(&Poly::<MlDsaField>::new(c));
                    let mut rotations = Rotations::<T>::ZERO;
                    rotations.set(&Poly::<MlDsaField>::new(s));
                    let before = random.coefficients(-(1 << 23), 1 << 23);
                    let mut acc = Poly::<MlDsaField>::new(before);
                    backend.add_product(&mut acc, &c, &rotations, largest as u32);
                    let sum: Coefficients = core::array::from_fn(|j| before[j] + product[j]);
                    assert_eq!(acc.0, sum, "tau {tau}, s up to {largest}");
                    acc.0 = before;
                    backend.sub_product(&mut acc, &c, &rotations, largest as u32);
                    let difference: Coefficients = core::array::from_fn(|j| before[j] - product[j]);
                    assert_eq!(acc.0, difference, "tau {tau}, s up to {largest}");
                }
            }
        }
    }
    assert_eq!(most, 64 * bounds.iter().max().unwrap());
}

fn products_are_negacyclic<B: Backend>(backend: B) {
    products::<B, i8>(backend, &[1, 2, 3, 4, 31, 32, 126, 127]);
    products::<B, i16>(backend, &[1, 127, 2047, 4095, 4096]);
}
