//! The norm bounds at their limits.

use super::{Random, backends};
use crate::backend::Backend;
use crate::field::MlDsaField;
use crate::params::{Fips204, MlDsa44, MlDsa65, MlDsa87};
use crate::poly::Poly;
use crate::shape::N;

on_every_backend_and_set! { one_coefficient_decides }

/// Tests the four bounds of the algorithms at every position, from both sides and with both signs.
/// The other coefficients are just below the bound.
fn one_coefficient_decides<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(8);
    for bound in [
        P::GAMMA1 - P::BETA,
        P::GAMMA2 - P::BETA,
        P::GAMMA2,
        P::ETA + 1,
    ] {
        let below = bound as i32 - 1;
        let others = [
            [0; N],
            core::array::from_fn(|_| random.choose(&[-below, below])),
        ];
        for mut w in others.map(Poly::<MlDsaField>::new) {
            assert_eq!(0, backend.norm_at_least(&w, bound));
            for j in 0..N {
                let before = w.0[j];
                for long in [
                    below + 1,
                    -below - 1,
                    below + 2,
                    -below - 2,
                    i32::MAX,
                    -i32::MAX,
                ] {
                    w.0[j] = long;
                    assert_eq!(-1, backend.norm_at_least(&w, bound), "{long} at {j}");
                }
                for short in [below, -below] {
                    w.0[j] = short;
                    assert_eq!(0, backend.norm_at_least(&w, bound), "{short} at {j}");
                }
                w.0[j] = before;
            }
            // All coefficients are too long at once, which could overflow a counter.
            w.0 = [-below - 1; N];
            assert_eq!(-1, backend.norm_at_least(&w, bound));
        }
    }
}
