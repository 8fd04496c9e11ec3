//! Kernels on secrets. The fixed secret is zero, because shortcuts are most likely for zero.

use std::marker::PhantomData;

use dudect_bencher::rand::Rng;
use dudect_bencher::{BenchRng, CtRunner};
use moissanite_core::MlDsa44;
use moissanite_core::backend::Backend;
use moissanite_core::encode::bits;
use moissanite_core::field::{Field, MlDsaField};
use moissanite_core::params::{D, ParameterSet};
use moissanite_core::poly::{BytePoly, Challenge, NttPoly, Poly, Rotations, Small};
use moissanite_core::secret::Zeroed;

use crate::case::Case;
use crate::classes::compare;

type F = MlDsaField;
const Q: i32 = F::Q;

/// Returns a polynomial with |w_j| ≤ most.
fn poly(rng: &mut BenchRng, most: i32) -> Poly<F> {
    Poly::new(std::array::from_fn(|_| rng.gen_range(-most..=most)))
}

fn ntt_poly(rng: &mut BenchRng, most: i32) -> NttPoly<F> {
    let mut w_hat = NttPoly::ZERO;
    w_hat.0 = poly(rng, most).0;
    w_hat
}

fn bytes(rng: &mut BenchRng, values: u8) -> BytePoly {
    BytePoly(std::array::from_fn(|_| rng.gen_range(0..values)))
}

pub(crate) struct Ntt;
impl Case for Ntt {
    fn time<B: Backend>(backend: B, runner: &mut CtRunner, rng: &mut BenchRng) {
        let random = |rng: &mut BenchRng| poly(rng, Q);
        compare(runner, rng, NttPoly::ZERO, Poly::ZERO, random, |w, out| {
            backend.ntt(w, out);
        });
    }
}

pub(crate) struct InverseNtt;
impl Case for InverseNtt {
    fn time<B: Backend>(backend: B, runner: &mut CtRunner, rng: &mut BenchRng) {
        let random = |rng: &mut BenchRng| ntt_poly(rng, Q - 1);
        compare(
            runner,
            rng,
            Poly::ZERO,
            NttPoly::ZERO,
            random,
            |w_hat, out| {
                backend.inverse_ntt(w_hat, out);
            },
        );
    }
}

/// A row of Â, public, with ŷ.
pub(crate) struct InnerProduct;
impl Case for InnerProduct {
    fn time<B: Backend>(backend: B, runner: &mut CtRunner, rng: &mut BenchRng) {
        let row = [(); 5].map(|()| ntt_poly(rng, Q - 1));
        let zero = [(); 5].map(|()| NttPoly::ZERO);
        let random = |rng: &mut BenchRng| [(); 5].map(|()| ntt_poly(rng, 9 * Q));
        compare(runner, rng, NttPoly::ZERO, zero, random, |y_hat, out| {
            backend.inner_product(&row, y_hat, out);
        });
    }
}

/// c, public, with s or t₀ and an accumulator.
pub(crate) struct AddProduct<T, const LARGEST: u32>(PhantomData<T>);
impl<T: Small, const LARGEST: u32> Case for AddProduct<T, LARGEST> {
    fn time<B: Backend>(backend: B, runner: &mut CtRunner, rng: &mut BenchRng) {
        let positions: [i32; 39] = std::array::from_fn(|i| 6 * i as i32 + rng.gen_range(0..6));
        let c = Challenge::new(&positions[..20], &positions[20..]);
        let zero = (Poly::ZERO, Rotations::<T>::ZERO);
        let random = |rng: &mut BenchRng| {
            let mut s = Rotations::ZERO;
            s.set(&poly(rng, LARGEST as i32));
            (poly(rng, 1 << 17), s)
        };
        compare(runner, rng, (), zero, random, |(acc, s), ()| {
            backend.add_product(acc, &c, s, LARGEST);
        });
    }
}

pub(crate) struct Power2Round;
impl Case for Power2Round {
    fn time<B: Backend>(backend: B, runner: &mut CtRunner, rng: &mut BenchRng) {
        let random = |rng: &mut BenchRng| poly(rng, Q - 1);
        compare(runner, rng, Poly::ZERO, Poly::ZERO, random, |t, t1| {
            backend.power2round::<F>(t, t1);
        });
    }
}

pub(crate) struct Decompose<P>(PhantomData<P>);
impl<P: ParameterSet<Field = F>> Case for Decompose<P> {
    fn time<B: Backend>(backend: B, runner: &mut CtRunner, rng: &mut BenchRng) {
        let random = |rng: &mut BenchRng| poly(rng, Q - 1);
        compare(runner, rng, BytePoly::ZERO, Poly::ZERO, random, |w, w1| {
            backend.decompose::<P>(w, w1);
        });
    }
}

pub(crate) struct MakeHint<P>(PhantomData<P>);
impl<P: ParameterSet<Field = F>> Case for MakeHint<P> {
    fn time<B: Backend>(backend: B, runner: &mut CtRunner, rng: &mut BenchRng) {
        let (most, values) = (2 * P::GAMMA2 as i32 - 1, P::HIGH_VALUES as u8);
        let zero = (Poly::ZERO, BytePoly::ZERO);
        let random = |rng: &mut BenchRng| (poly(rng, most), bytes(rng, values));
        compare(runner, rng, 0, zero, random, |(r, w1), ones| {
            *ones = backend.make_hint::<P>(r, w1);
        });
    }
}

/// All norms are below the bound, because it is public whether a norm exceeds the bound.
pub(crate) struct NormAtLeast;
impl Case for NormAtLeast {
    fn time<B: Backend>(backend: B, runner: &mut CtRunner, rng: &mut BenchRng) {
        let bound = MlDsa44::GAMMA1 - MlDsa44::BETA;
        let random = |rng: &mut BenchRng| poly(rng, bound as i32 - 1);
        compare(runner, rng, false, Poly::ZERO, random, |w, exceeded| {
            *exceeded = backend.norm_at_least(w, bound) != 0;
        });
    }
}

/// A polynomial of s₂, of t₀ and of w₁.
pub(crate) struct Pack;
impl Case for Pack {
    fn time<B: Backend>(backend: B, runner: &mut CtRunner, rng: &mut BenchRng) {
        const T0: i32 = 1 << (D - 1);
        let out = ([0; 32 * 3], [0; 32 * 13], [0; 32 * 6]);
        let zero = (Poly::<F>::ZERO, Poly::<F>::ZERO, BytePoly::ZERO);
        let random = |rng: &mut BenchRng| (poly(rng, 2), poly(rng, T0 - 1), bytes(rng, 44));
        compare(runner, rng, out, zero, random, |(s, t0, w1), out| {
            bits::bit_pack(backend, 3, 2, s, &mut out.0);
            bits::bit_pack(backend, 13, T0 as u32, t0, &mut out.1);
            bits::simple_bit_pack_bytes(backend, 6, w1, &mut out.2);
        });
    }
}

/// The positions of rejected half-bytes are public, so both classes reject the same ones.
pub(crate) struct RejectBounded<const ETA: u32>;
impl<const ETA: u32> Case for RejectBounded<ETA> {
    fn time<B: Backend>(backend: B, runner: &mut CtRunner, rng: &mut BenchRng) {
        let limit = if ETA == 2 { 15 } else { 9 };
        let fixed: [u8; 136] = std::array::from_fn(|_| rng.gen_range(0..=0xff));
        let random = |rng: &mut BenchRng| {
            let mut half = |half: u8| match half < limit {
                true => rng.gen_range(0..limit),
                false => half,
            };
            fixed.map(|byte| half(byte & 0x0f) | half(byte >> 4) << 4)
        };
        let out = (Poly::<F>::ZERO, 0);
        compare(runner, rng, out, fixed, random, |block, (s, filled)| {
            *filled = backend.reject_bounded(block, ETA, s, 0);
        });
    }
}

/// A deliberate leak: the loop stops at the first coefficient that is not zero.
pub(crate) struct PlantedLeak;
impl Case for PlantedLeak {
    fn time<B: Backend>(_: B, runner: &mut CtRunner, rng: &mut BenchRng) {
        let random = |rng: &mut BenchRng| poly(rng, Q);
        compare(runner, rng, None, Poly::ZERO, random, |w, first| {
            *first = w.0.iter().position(|w| *w != 0);
        });
    }
}
