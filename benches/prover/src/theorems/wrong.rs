//! Claims that are wrong by as little as possible. Each must be rejected, for the expected reason.

use std::sync::OnceLock;

use super::challenges::Product;
use super::claim::{Claim, GAMMA2};
use super::norms::NormAtLeast;
use super::packing::{Pack, Unpack};
use super::permutations::Permutation;
use super::products::InnerProduct;
use super::rounding::{MakeHint, Rounding};
use super::transforms::Transform;
use crate::image::Architecture;
use crate::image::Image;
use crate::machine::Executor;
use crate::machine::Limits;
use crate::probe::Build;
use crate::specification::{Q, ZETA, keccak::Constants, transform};

/// The probe for x86-64, compiled once.
fn image() -> &'static Image {
    static IMAGE: OnceLock<Image> = OnceLock::new();
    IMAGE.get_or_init(|| {
        let build = Build {
            architecture: Architecture::X86_64,
            level: "3".to_owned(),
            native: false,
        };
        build.image().unwrap()
    })
}

/// Returns the text of the proof, or of the reason why there is none.
fn prove(claim: &dyn Claim) -> Result<String, String> {
    crate::terms::forget();
    let mut executor = Executor::new(image(), Limits::default());
    claim
        .prove(&mut executor)
        .map_err(|error| format!("{error:#}"))
}

#[track_caller]
fn assert_rejected(claim: &dyn Claim, reason: &str) {
    let error = prove(claim).expect_err("a wrong claim was proved");
    assert!(error.contains(reason), "{error}");
}

/// Returns the bound that a proof prints.
fn bound_found(claim: &dyn Claim) -> i128 {
    let said = prove(claim).unwrap();
    let number = said.strip_prefix("|out| ≤ ").unwrap();
    number.split(' ').next().unwrap().parse().unwrap()
}

const BACKENDS: [&str; 3] = ["portable", "avx2", "avx512"];

#[test]
fn transforms_have_no_smaller_bound_and_no_other_root() {
    for backend in BACKENDS {
        for claim in [Transform::forward, Transform::inverse] {
            let output = bound_found(&claim(backend));
            let claim = || claim(backend);
            prove(&Transform { output, ..claim() }).unwrap();
            let output = output - 1;
            assert_rejected(&Transform { output, ..claim() }, "outputs are up to");
            // Another 512th root of unity.
            let zeta = ZETA * ZETA % Q * ZETA % Q;
            assert_rejected(&Transform { zeta, ..claim() }, "another linear map");
            let scale = claim().scale + 1;
            assert_rejected(&Transform { scale, ..claim() }, "another linear map");
            let input = i64::from(i32::MAX);
            assert_rejected(&Transform { input, ..claim() }, "not known modulo q");
        }
        let standard = transform::inverse_ntt;
        let claim = Transform {
            standard,
            ..Transform::forward(backend)
        };
        assert_rejected(&claim, "another linear map");
    }
}

#[test]
fn inner_products_have_no_smaller_bound_and_no_larger_factors() {
    for backend in BACKENDS {
        for minus in [false, true] {
            let claim = || InnerProduct::new(backend, minus);
            let output = i128::from(Q) / 2;
            assert_rejected(&InnerProduct { output, ..claim() }, "more than");
            let factor = i64::from(i32::MAX);
            assert_rejected(&InnerProduct { factor, ..claim() }, "more than");
        }
    }
}

#[test]
fn products_with_challenges_are_not_rotated() {
    for backend in BACKENDS {
        for width in [8, 16] {
            let mut claim = Product::new(backend, false, width);
            claim.shift = 1;
            assert_rejected(&claim, "is another sum");
        }
    }
}

#[test]
fn roundings_are_not_those_of_another_set() {
    let [(_, small), (_, large)] = GAMMA2;
    for backend in BACKENDS {
        for (set, gamma2) in [
            ("44", large),
            ("65", small),
            ("44", small + 1),
            ("65", large - 1),
        ] {
            assert_rejected(&Rounding::decompose(backend, set, gamma2), "instead of");
            assert_rejected(&Rounding::use_hint(backend, set, gamma2), "instead of");
            assert_rejected(&MakeHint::new(backend, set, gamma2), "instead of");
        }
        // Wrong for one input alone.
        let mut claim = Rounding::power2round(backend);
        claim.standard = Box::new(|r, h| {
            let mut all = (Rounding::power2round("").standard)(r, h);
            all[1] ^= i64::from(r == 1_234_567);
            all
        });
        assert_rejected(&claim, "for 1234567 is");
    }
}

#[test]
fn norms_are_not_compared_with_other_bounds() {
    for backend in BACKENDS {
        for less in [0, 2] {
            let mut claim = NormAtLeast::new(backend);
            claim.less = less;
            assert_rejected(&claim, "is not compared");
        }
    }
}

#[test]
fn packing_has_no_other_offset() {
    for backend in BACKENDS {
        assert_rejected(&Pack { backend, offset: 1 }, "byte 0 is");
        assert_rejected(&Unpack { backend, offset: 1 }, "coefficient 0 is");
    }
}

#[test]
fn keccak_has_no_other_rotations_and_constants() {
    for (_, permutation) in Permutation::X86_64 {
        let mut claim = *permutation;
        claim.constants = || {
            let mut constants = Constants::new();
            constants.offsets.swap(7, 18);
            constants
        };
        assert_rejected(&claim, "after round 0 is");
        claim.constants = || {
            let mut constants = Constants::new();
            constants.rounds[23] ^= 1 << 63;
            constants
        };
        assert_rejected(&claim, "lane 0 after round 23 is");
        // Of a state that the function does not permute alone.
        claim.stride *= 2;
        assert!(prove(&claim).is_err());
    }
}
