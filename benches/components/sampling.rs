//! Everything that is sampled from a seed.

use std::hint::black_box;

use moissanite_benches::numbered;
use moissanite_core::ParameterSet;
use moissanite_core::backend::Backend;
use moissanite_core::poly::{Matrix, Poly, Vector};
use moissanite_core::sample;
use moissanite_core::secret::Zeroed;
use moissanite_core::shape::Dim;
use moissanite_keccak::{Keccak, Scalar};

use crate::bench::{Bench, F};

/// The number of attempts, which uses all of the masks that are computed ahead, eight at a time.
const ATTEMPTS: usize = 8;

impl Bench {
    pub(crate) fn sampling<P: ParameterSet<Field = F>, B: Backend>(&mut self, backend: B) {
        let (rho, a_hat) = (numbered(b'a', 0), Box::new(Matrix::<F, P::K, P::L>::ZERO));
        self.time(
            B::NAME,
            format!("expand_a, {} x {}", P::K::N, P::L::N),
            (rho, a_hat),
            |(rho, a_hat)| sample::expand_a::<P, B>(backend, rho, a_hat),
            |s| {
                s.1.iter()
                    .flat_map(Vector::iter)
                    .map(|a| a.0)
                    .collect::<Vec<_>>()
            },
        );
        self.time(
            B::NAME,
            format!("expand_s, {}, eta = {}", P::K::N + P::L::N, P::ETA),
            ([7; 64], Vector::ZERO, Vector::ZERO),
            |(rho, s1, s2)| sample::expand_s::<P, B>(backend, rho, s1, s2),
            |s| {
                s.1.iter()
                    .chain(s.2.iter())
                    .map(|s| s.0)
                    .collect::<Vec<_>>()
            },
        );
    }

    pub(crate) fn masks<P: ParameterSet<Field = F>, B: Backend>(&mut self, backend: B, log: u32) {
        assert_eq!(P::GAMMA1, 1 << log);
        self.time(
            B::NAME,
            format!(
                "expand_mask, {ATTEMPTS} times {}, gamma1 = 2^{log}",
                P::L::N
            ),
            (
                [8; 64],
                B::Window::<Poly<F>, P::L>::ZERO,
                Vector::<_, P::L>::ZERO,
            ),
            |(rho, window, last)| {
                let mut masks = sample::Masks::<P, B>::new(backend, rho, 0, window);
                for _ in 1..ATTEMPTS {
                    black_box(masks.next_mask());
                }
                last.as_mut().clone_from_slice(masks.next_mask());
            },
            |s| s.2.iter().map(|y| y.0).collect::<Vec<_>>(),
        );
    }

    /// The same code on every backend.
    pub(crate) fn ball<P: ParameterSet<Field = F>>(&mut self) {
        self.time(
            Scalar::NAME,
            format!("sample_in_ball, tau = {}", P::TAU),
            (vec![9; P::C_TILDE_LEN], Poly::<F>::ZERO),
            |(c_tilde, c)| sample::sample_in_ball::<P>(c_tilde, c),
            |s| s.1.0,
        );
    }
}
