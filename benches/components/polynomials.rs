//! Arithmetic, rounding and hints.

use moissanite_benches::numbered;
use moissanite_core::ParameterSet;
use moissanite_core::backend::Backend;
use moissanite_core::params::D;
use moissanite_core::poly::{BytePoly, Challenge, NttPoly, Poly, Rotations, Small};
use moissanite_core::sample;
use moissanite_core::secret::Zeroed;
use moissanite_core::shape::Dim;
use moissanite_core::{MlDsa44, MlDsa65, MlDsa87};

use crate::bench::{Bench, F, uniform, uniform_hat};

impl Bench {
    pub(crate) fn multiplication<B: Backend>(&mut self, backend: B) {
        let (w, mut w_hat) = (uniform(1), NttPoly::<F>::ZERO);
        backend.ntt(&w, &mut w_hat);
        let state = (w, NttPoly::<F>::ZERO);
        self.time(
            B::NAME,
            "ntt",
            state,
            |(w, w_hat)| backend.ntt(w, w_hat),
            |s| s.1.0,
        );
        let reduced = uniform_hat(2);
        let state = (reduced.clone(), Poly::<F>::ZERO);
        self.time(
            B::NAME,
            "inverse ntt",
            state,
            |(w_hat, w)| backend.inverse_ntt(w_hat, w),
            |s| s.1.0,
        );
        for terms in [
            1,
            columns::<MlDsa44>(),
            columns::<MlDsa65>(),
            columns::<MlDsa87>(),
        ] {
            let row: Vec<_> = (0..terms as i32).map(uniform_hat).collect();
            let state = (row, vec![w_hat.clone(); terms], NttPoly::<F>::ZERO);
            self.time(
                B::NAME,
                format!("montgomery product, {terms} terms"),
                state,
                |(a, b, out)| backend.inner_product(a, b, out),
                |s| s.2.0,
            );
        }
        self.time(
            B::NAME,
            "power2round",
            (uniform(3), Poly::<F>::ZERO),
            |(t, t1)| backend.power2round(t, t1),
            |s| (s.0.0, s.1.0),
        );
    }

    pub(crate) fn rounding<P: ParameterSet<Field = F>, B: Backend>(
        &mut self,
        backend: B,
        gamma2: &str,
    ) {
        let (w, mut w0, mut w1) = (uniform(4), uniform(4), BytePoly::ZERO);
        backend.decompose::<P>(&mut w0, &mut w1);
        self.time(
            B::NAME,
            format!("decompose, {gamma2}"),
            (w.clone(), BytePoly::ZERO),
            |(w, w1)| backend.decompose::<P>(w, w1),
            |s| (s.0.0, s.1.0),
        );
        // Some coefficients exceed the bound by as much as a hint can correct.
        let moved = P::GAMMA2 as i32 >> 3;
        w0.0.iter_mut().for_each(|w| *w += moved);
        self.time(
            B::NAME,
            format!("make_hint, {gamma2}"),
            (w0.clone(), w1.clone(), w1, 0),
            |(r, w1, h, count)| {
                h.clone_from(w1);
                *count = backend.make_hint::<P>(r, h);
            },
            |s| (s.2.0, s.3),
        );
        let hints = BytePoly(std::array::from_fn(|j| u8::from(j & 3 == 0)));
        self.time(
            B::NAME,
            format!("use_hint, {gamma2}"),
            (w.clone(), hints.clone(), hints),
            |(w, h, w1)| {
                w1.clone_from(h);
                backend.use_hint::<P>(w, w1);
            },
            |s| s.2.0,
        );
        self.time(
            B::NAME,
            format!("norm check, {gamma2}"),
            (w, false),
            |(w, over)| *over = backend.norm_at_least(w, P::GAMMA2 - P::BETA) != 0,
            |s| s.1,
        );
    }

    /// c · s for s₁ and s₂, and for t₀. Sums would overflow, so every other call subtracts.
    pub(crate) fn challenge<P: ParameterSet<Field = F>, B: Backend>(&mut self, backend: B) {
        let mut c = Poly::<F>::ZERO;
        sample::sample_in_ball::<P>(&numbered(b'c', P::TAU), &mut c);
        let c = backend.challenge(&c);
        self.product::<P, B, i8>(backend, "s", &c, P::ETA as i32);
        self.product::<P, B, i16>(backend, "t0", &c, 1 << (D - 1));
    }

    fn product<P: ParameterSet<Field = F>, B: Backend, T: Small>(
        &mut self,
        backend: B,
        what: &str,
        c: &Challenge,
        largest: i32,
    ) {
        let mut s = Rotations::<T>::ZERO;
        s.set(&Poly::<F>::new(
            uniform(5).0.map(|w| w.clamp(-largest, largest)),
        ));
        let largest = largest as u32;
        self.time(
            B::NAME,
            format!("c * {what}, {}", P::NAME),
            (uniform(6), c.clone(), s, false),
            |(w, c, s, odd)| {
                if *odd {
                    backend.sub_product(w, c, s, largest);
                } else {
                    backend.add_product(w, c, s, largest);
                }
                *odd = !*odd;
            },
            |s| s.0.0,
        );
    }
}

/// L.
fn columns<P: ParameterSet>() -> usize {
    P::L::N
}
