//! Rounding and hints. `rounding.rs` is compared with the definitions of the standard, and the
//! kernels with `rounding.rs`, over all of Z_q, with both γ₂ and both hint bits.
//!
//! ML-DSA-44 has one γ₂; ML-DSA-65 has the other, and the larger β of the two sets with that γ₂.

use core::marker::PhantomData;
use std::vec::Vec;

use super::backends::{Test, on_every_backend};
use crate::backend::Backend;
use crate::field::{Field, MlDsaField};
use crate::params::{D, MlDsa44, MlDsa65, MlDsa87, ParameterSet};
use crate::poly::{BytePoly, Poly};
use crate::reference::Coefficients;
use crate::rounding;
use crate::shape::N;

const Q: i32 = MlDsaField::Q;
const _: () = assert!(MlDsa65::GAMMA2 == MlDsa87::GAMMA2 && MlDsa65::BETA > MlDsa87::BETA);

/// Returns all of Z_q, one polynomial at a time. The last one is filled with the first numbers.
fn all_of_z_q() -> impl Iterator<Item = Coefficients> {
    (0..Q)
        .step_by(N)
        .map(|first| core::array::from_fn(|j| (first + j as i32) % Q))
}

/// Returns the same numbers modulo q, −q < · ≤ 0.
fn negative(w: &Coefficients) -> Coefficients {
    w.map(|w| if w > 0 { w - Q } else { w })
}

#[test]
fn mod_pm_is_as_section_2_3_says() {
    // Even α: −α/2 < m' ≤ α/2; odd α: |m'| ≤ (α − 1)/2.
    assert_eq!(
        [-4, -3, -2, -1, 0, 1, 2, 3, 4].map(|m| rounding::mod_pm(m, 4)),
        [0, 1, 2, -1, 0, 1, 2, -1, 0]
    );
    assert_eq!(
        [-3, -2, -1, 0, 1, 2, 3].map(|m| rounding::mod_pm(m, 5)),
        [2, -2, -1, 0, 1, 2, -2]
    );
}

/// Tests the properties of Algorithms 35 and 36 that determine their results.
#[test]
fn oracle_rounds_as_it_should() {
    for r in 0..Q {
        let (r1, r0) = rounding::power2round(r);
        assert!(
            r == (r1 << D) + r0 && -(1 << 12) < r0 && r0 <= 1 << 12,
            "{r}"
        );
        for gamma2 in [MlDsa44::GAMMA2, MlDsa65::GAMMA2].map(|gamma2| gamma2 as i32) {
            let (r1, r0) = rounding::decompose(r, gamma2);
            let values = (Q - 1) / (2 * gamma2);
            assert!((0..values).contains(&r1), "{r}");
            if r > Q - 1 - gamma2 {
                // The topmost interval belongs to r₁ = 0.
                assert!(r1 == 0 && r0 == r - Q, "{r}");
            } else {
                assert!(
                    r == r1 * 2 * gamma2 + r0 && -gamma2 < r0 && r0 <= gamma2,
                    "{r}"
                );
            }
        }
    }
}

/// Tests UseHint in cases in which other implementations had errors: r₀ = 0 steps down, and both
/// ends wrap.
#[test]
fn use_hint_at_its_corners() {
    for gamma2 in [MlDsa44::GAMMA2, MlDsa65::GAMMA2].map(|gamma2| gamma2 as i32) {
        let last = (Q - 1) / (2 * gamma2) - 1;
        assert_eq!(rounding::use_hint(true, 0, gamma2), last);
        assert_eq!(rounding::use_hint(true, 2 * gamma2, gamma2), 0);
        assert_eq!(rounding::use_hint(true, 2 * gamma2 + 1, gamma2), 2);
        assert_eq!(rounding::use_hint(true, Q - 1, gamma2), last);
        assert_eq!(rounding::use_hint(true, 2 * gamma2 * last + 1, gamma2), 0);
        assert_eq!(rounding::use_hint(false, 0, gamma2), 0);
    }
}

#[test]
fn power2round_of_all_z_q() {
    struct Case {
        t: [Coefficients; 2],
        t0: Coefficients,
        t1: Coefficients,
    }
    impl Test for Case {
        fn on<B: Backend>(&self, backend: B) {
            for input in self.t {
                let (mut t, mut t1) = (Poly::<MlDsaField>::new(input), Poly::new([-1; N]));
                backend.power2round(&mut t, &mut t1);
                assert_eq!((t.0, t1.0), (self.t0, self.t1), "Power2Round of {input:?}");
            }
        }
    }
    for r in all_of_z_q() {
        let rounded = r.map(rounding::power2round);
        on_every_backend(&Case {
            t: [r, negative(&r)],
            t1: rounded.map(|(t1, _)| t1),
            t0: rounded.map(|(_, t0)| t0),
        });
    }
}

fn decompose_and_use_hint<P: ParameterSet<Field = MlDsaField>>() {
    struct Case<P> {
        w: [Coefficients; 2],
        w0: Coefficients,
        w1: [u8; N],
        hinted: [u8; N],
        set: PhantomData<P>,
    }
    impl<P: ParameterSet<Field = MlDsaField>> Test for Case<P> {
        fn on<B: Backend>(&self, backend: B) {
            for input in self.w {
                let (mut w, mut w1) = (Poly::new(input), BytePoly([0xff; N]));
                backend.decompose::<P>(&mut w, &mut w1);
                assert_eq!((w.0, w1.0), (self.w0, self.w1), "Decompose of {input:?}");
                for (bit, expected) in [(0, self.w1), (1, self.hinted)] {
                    let mut h = BytePoly([bit; N]);
                    backend.use_hint::<P>(&Poly::new(input), &mut h);
                    assert_eq!(h.0, expected, "UseHint {bit} of {input:?}");
                }
            }
        }
    }
    let gamma2 = P::GAMMA2 as i32;
    for r in all_of_z_q() {
        let rounded = r.map(|r| rounding::decompose(r, gamma2));
        on_every_backend(&Case::<P> {
            w: [r, negative(&r)],
            w1: rounded.map(|(w1, _)| w1 as u8),
            w0: rounded.map(|(_, w0)| w0),
            hinted: r.map(|r| rounding::use_hint(true, r, gamma2) as u8),
            set: PhantomData,
        });
    }
}

#[test]
fn decompose_and_use_hint_of_all_z_q_44() {
    decompose_and_use_hint::<MlDsa44>();
}
#[test]
fn decompose_and_use_hint_of_all_z_q_65() {
    decompose_and_use_hint::<MlDsa65>();
}

/// The results of Algorithms 37 and 40 for all of Z_q, in tables, because calls would take most of
/// the time.
struct HighBits {
    /// 2γ₂.
    alpha: i32,
    plain: Vec<u8>,
    hinted: Vec<u8>,
}

impl HighBits {
    fn new<P: ParameterSet>() -> Self {
        let gamma2 = P::GAMMA2 as i32;
        let hinted = |r| rounding::use_hint(true, r, gamma2) as u8;
        Self {
            alpha: 2 * gamma2,
            plain: (0..Q)
                .map(|r| rounding::high_bits(r, gamma2) as u8)
                .collect(),
            hinted: (0..Q).map(hinted).collect(),
        }
    }

    /// Returns the expected hint for r and w₁: whether r, added to the middle of the interval of
    /// w₁, is outside it.
    fn left(&self, w1: u8, r: i32) -> bool {
        self.plain[(i32::from(w1) * self.alpha + r).rem_euclid(Q) as usize] != w1
    }
}

/// The inputs of the kernel are r = w₀ − cs₂ + ct₀ and w₁; those of Algorithm 39 are −ct₀ and
/// w − cs₂ + ct₀. Under the condition of the kernel, both give the same hint, and UseHint recovers
/// the high bits of w − cs₂ from it.
fn make_hint<P: ParameterSet<Field = MlDsaField>>() {
    let (gamma2, beta) = (P::GAMMA2 as i32, P::BETA as i32);
    let pairs = [
        (0, 0),
        (0, gamma2 - 1),
        (0, 1 - gamma2),
        (beta, gamma2 - 1),
        (-beta, 1 - gamma2),
        (beta, 1 - gamma2),
        (-beta, gamma2 - 1),
        // These are around the shortest ct₀ that can lead to a hint.
        (-1, beta + 1),
        (-1, beta + 2),
        (1, -beta),
        (1, -beta - 1),
    ];
    let high_bits = HighBits::new::<P>();
    let (mut ones, mut skipped) = ([0; 11], [0; 11]);
    for w in 0..Q {
        let (w1, w0) = rounding::decompose(w, gamma2);
        let w1 = w1 as u8;
        for (i, (cs2, ct0)) in pairs.into_iter().enumerate() {
            if (w0 - cs2).abs() >= gamma2 - beta {
                skipped[i] += 1;
                continue;
            }
            let [second, first] = [w - cs2 + ct0, w - cs2].map(|w| w.rem_euclid(Q) as usize);
            let hint = high_bits.plain[second] != high_bits.plain[first];
            if w % 256 == 0 {
                let as_written = rounding::make_hint(-ct0, second as i32, gamma2);
                assert_eq!(hint, as_written, "the table is wrong");
            }
            let made = high_bits.left(w1, w0 - cs2 + ct0);
            assert_eq!(made, hint, "MakeHint of {w}, {cs2}, {ct0}");
            let used = if hint {
                &high_bits.hinted
            } else {
                &high_bits.plain
            };
            assert_eq!(used[second], w1, "UseHint of {w}, {cs2}, {ct0}");
            ones[i] += u32::from(hint);
        }
    }
    // The condition holds for most w. There are hints where ct₀ can move |w₀ − cs₂| < γ₂ − β out of
    // the interval (−γ₂, γ₂].
    for (i, (cs2, ct0)) in pairs.into_iter().enumerate() {
        assert!(skipped[i] < Q / 100);
        assert_eq!(ones[i] > 0, ct0 > beta + 1 || ct0 < -beta, "{cs2} {ct0}");
    }
}

#[test]
fn make_hint_of_all_z_q_44() {
    make_hint::<MlDsa44>();
}
#[test]
fn make_hint_of_all_z_q_65() {
    make_hint::<MlDsa65>();
}

/// The condition of the kernel is wider than that in `sign`: this tests every r that it allows,
/// with every w₁.
fn make_hint_at_every_r<P: ParameterSet<Field = MlDsaField>>() {
    struct Case<P> {
        r: Coefficients,
        w1: [u8; N],
        h: [u8; N],
        set: PhantomData<P>,
    }
    impl<P: ParameterSet<Field = MlDsaField>> Test for Case<P> {
        fn on<B: Backend>(&self, backend: B) {
            let mut h = BytePoly(self.w1);
            let ones = backend.make_hint::<P>(&Poly::new(self.r), &mut h);
            assert_eq!(h.0, self.h, "MakeHint of {:?}, {:?}", self.r, self.w1);
            assert_eq!(ones, h.0.iter().map(|h| i32::from(*h)).sum::<i32>());
        }
    }
    let high_bits = HighBits::new::<P>();
    let largest = high_bits.alpha - 1;
    for turn in 0..P::HIGH_VALUES as usize {
        // Each lane has another w₁, and takes all of them in turn.
        let w1 = core::array::from_fn(|j| ((turn + j) % P::HIGH_VALUES as usize) as u8);
        for first in (-largest..=largest).step_by(N) {
            let r: Coefficients = core::array::from_fn(|j| (first + j as i32).min(largest));
            let h = core::array::from_fn(|j| u8::from(high_bits.left(w1[j], r[j])));
            let set = PhantomData;
            on_every_backend(&Case::<P> { r, w1, h, set });
        }
    }
}

#[test]
fn make_hint_at_every_r_44() {
    make_hint_at_every_r::<MlDsa44>();
}
#[test]
fn make_hint_at_every_r_65() {
    make_hint_at_every_r::<MlDsa65>();
}

/// Tests the property on which `sign::respond` relies: |w₀ − cs₂| is at least γ₂ − β exactly where
/// |LowBits(w − cs₂)| is, and where it is below, the two are equal, and so are the high bits. All
/// |cs₂| ≤ β are tested, with all w that are near an end of an interval.
fn low_bits_may_be_taken_first<P: ParameterSet>() {
    let (gamma2, beta) = (P::GAMMA2 as i32, P::BETA as i32);
    let (mut short, mut long) = (0, 0);
    for edge in (0..(Q - 1) / gamma2 + 2).map(|i| i * gamma2) {
        for w in (edge - 3 * beta..=edge + 3 * beta).map(|w| w.rem_euclid(Q)) {
            let (w1, w0) = rounding::decompose(w, gamma2);
            for cs2 in -beta..=beta {
                let (r1, r0) = rounding::decompose(w - cs2, gamma2);
                let is_short = (w0 - cs2).abs() < gamma2 - beta;
                assert_eq!(is_short, r0.abs() < gamma2 - beta, "{w} {cs2}");
                if is_short {
                    assert_eq!((w0 - cs2, w1), (r0, r1), "{w} {cs2}");
                    short += 1;
                } else {
                    long += 1;
                }
            }
        }
    }
    assert!(short > 0 && long > 0);
}

#[test]
fn low_bits_first_44() {
    low_bits_may_be_taken_first::<MlDsa44>();
}
#[test]
fn low_bits_first_65() {
    low_bits_may_be_taken_first::<MlDsa65>();
}
#[test]
fn low_bits_first_87() {
    low_bits_may_be_taken_first::<MlDsa87>();
}
