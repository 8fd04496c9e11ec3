//! Wrong claims about the code for ARMv7-M.

use std::sync::OnceLock;

use super::{other_transforms, prove_of};
use crate::image::{Architecture, Image};
use crate::probe::Build;
use crate::specification::{N, Q, keccak::Constants};
use crate::theorems::accumulation::AddAccepted;
use crate::theorems::challenges::Product;
use crate::theorems::claim::{Claim, GAMMA2};
use crate::theorems::norms::NormAtLeast;
use crate::theorems::packing::{Pack, Unpack};
use crate::theorems::permutations::{Conversion, Interleaved};
use crate::theorems::products::InnerProduct;
use crate::theorems::rejection::Rejection;
use crate::theorems::rounding::Rounding;
use crate::theorems::transforms::Transform;

const BACKEND: &str = "armv7";

fn image() -> &'static Image {
    static IMAGE: OnceLock<Image> = OnceLock::new();
    IMAGE.get_or_init(|| Build::release(Architecture::Armv7m).image().unwrap())
}

#[track_caller]
fn assert_rejected(claim: &dyn Claim, reason: &str) {
    let error = prove_of(image(), claim).expect_err("a wrong claim was proved");
    assert!(error.contains(reason), "{error}");
}

#[test]
fn transforms_have_no_other_root_factor_and_field() {
    for claim in [
        Transform::forward,
        Transform::inverse,
        Transform::streams_forward,
        Transform::streams_inverse,
        Transform::zk_forward,
        Transform::zk_inverse,
    ] {
        let claim = || claim(BACKEND);
        for (wrong, reason) in other_transforms(&claim, i128::from(claim().field.q) / 2) {
            assert_rejected(&wrong, reason);
        }
    }
}

#[test]
fn kernels_have_no_other_bounds_and_positions() {
    for minus in [false, true] {
        let output = i128::from(Q) / 2;
        let claim = InnerProduct {
            output,
            ..InnerProduct::new(BACKEND, minus)
        };
        assert_rejected(&claim, "more than");
    }
    for width in [8, 16] {
        let mut claim = Product::new(BACKEND, false, width);
        claim.shift = 1;
        assert_rejected(&claim, "is another sum");
    }
    let mut claim = Product::new(BACKEND, true, 8);
    claim.larger = 1;
    assert_rejected(&claim, "is not a known sum");
    let mut claim = NormAtLeast::new(BACKEND);
    claim.less = 2;
    assert_rejected(&claim, "is not compared");
    let (backend, offset) = (BACKEND, 1);
    assert_rejected(&Pack { backend, offset }, "byte 0 is");
    assert_rejected(&Unpack { backend, offset }, "coefficient 0 is");
    let [(_, small), _] = GAMMA2;
    assert_rejected(&Rounding::decompose(BACKEND, "65", small), "instead of");
    let claim = Rejection {
        standard: |bytes| {
            let z = bytes & 0x7f_ffff;
            (z <= Q).then_some(z)
        },
        filled: 240..=250,
        ..Rejection::uniform(BACKEND)
    };
    assert_rejected(&claim, "accepted candidate");
}

#[test]
fn accepted_coefficients_have_no_other_limit_place_and_bound() {
    let claim = || AddAccepted {
        filled: vec![0, 3],
        ..AddAccepted::new(BACKEND)
    };
    prove_of(image(), &claim()).unwrap();
    let end = Q + 1;
    assert_rejected(&AddAccepted { end, ..claim() }, "for 8380417 is");
    let shift = 1;
    assert_rejected(&AddAccepted { shift, ..claim() }, "another number is added");
    let added = i128::from(Q) / 2;
    assert_rejected(&AddAccepted { added, ..claim() }, "is added, more than");
    // Room for another number of coefficients, near the end. More than N that are there already are no input:
    // the compiler can find that no caller passes them, and leave out the comparison.
    for room in [N - 1, N + 1] {
        let wrong = AddAccepted {
            filled: vec![N - 3],
            room,
            ..claim()
        };
        assert_rejected(&wrong, "candidates are looked at");
    }
}

#[test]
fn keccak_has_no_other_rotations_and_constants() {
    let mut claim = Interleaved::new("portable_permute");
    claim.constants = || {
        let mut constants = Constants::new();
        constants.rounds[23] ^= 1 << 63;
        constants
    };
    assert_rejected(&claim, "of lane 0 after round 23 is");
    claim.constants = || {
        let mut constants = Constants::new();
        constants.offsets.swap(7, 18);
        constants
    };
    assert_rejected(&claim, "after round 0 is");
    let mut claim = Interleaved::new("portable_permute");
    claim.behind = |_| [[0; 2]; 25];
    assert_rejected(&claim, "after round 0 is");
    for mut claim in [Conversion::absorb(BACKEND), Conversion::squeeze(BACKEND)] {
        claim.behind = |_| [[0; 2]; 25];
        assert_rejected(&claim, "result ");
    }
}
