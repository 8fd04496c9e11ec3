//! Claims that are wrong by as little as possible. Each must be rejected, for the expected reason.

mod armv7;
mod steps;

use std::sync::OnceLock;

use super::challenges::Product;
use super::claim::{Claim, GAMMA2};
use super::norms::NormAtLeast;
use super::packing::{Pack, Unpack};
use super::permutations::Permutation;
use super::products::InnerProduct;
use super::rejection::Rejection;
use super::rounding::{MakeHint, Rounding};
use super::transforms::Transform;
use super::words::{Canonical, MultiplyAdd, Reduce};
use crate::image::Architecture;
use crate::image::Image;
use crate::machine::Executor;
use crate::machine::Limits;
use crate::probe::Build;
use crate::specification::sampling::{coeff_from_half_byte, coeff_from_three_bytes};
use crate::specification::{Field, ML_DSA, Q, ZK_DILITHIUM, keccak::Constants, transform};

/// The probe for x86-64, compiled once.
fn image() -> &'static Image {
    static IMAGE: OnceLock<Image> = OnceLock::new();
    IMAGE.get_or_init(|| Build::release(Architecture::X86_64).image().unwrap())
}

/// Returns the text of the proof, or of the reason why there is none.
fn prove(claim: &dyn Claim) -> Result<String, String> {
    prove_of(image(), claim)
}

/// The same for another image.
fn prove_of(image: &Image, claim: &dyn Claim) -> Result<String, String> {
    crate::terms::forget();
    let mut executor = Executor::new(image, Limits::default());
    claim
        .prove(&mut executor)
        .map_err(|error| format!("{error:#}"))
}

#[track_caller]
fn assert_rejected(claim: &dyn Claim, reason: &str) {
    assert_rejected_for_one_of(claim, &[reason]);
}

/// The first difference that a proof meets can depend on the backend.
fn assert_rejected_for_one_of(claim: &dyn Claim, reasons: &[&str]) {
    let error = prove(claim).expect_err("a wrong claim was proved");
    let is_reason = |reason: &&str| error.contains(*reason);
    assert!(reasons.iter().any(is_reason), "{error}");
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
        for claim in [
            Transform::forward,
            Transform::inverse,
            Transform::zk_forward,
            Transform::zk_inverse,
        ] {
            assert_exact(&|| claim(backend));
        }
        let standard = transform::inverse_ntt;
        let claim = Transform {
            standard,
            ..Transform::forward(backend)
        };
        assert_rejected(&claim, "another linear map");
    }
}

/// Checks that a transform has no smaller bound, no other root of unity and no other factor.
fn assert_exact(claim: &dyn Fn() -> Transform) {
    let output = bound_found(&claim());
    prove(&Transform { output, ..claim() }).unwrap();
    for (wrong, reason) in other_transforms(claim, output - 1) {
        assert_rejected(&wrong, reason);
    }
}

/// Returns wrong claims about a transform, and why each is rejected: outputs up to a bound that is too small,
/// another 512th root of unity, another factor, and inputs that are too large.
fn other_transforms(claim: &dyn Fn() -> Transform, output: i128) -> [(Transform, &'static str); 4] {
    let Field { q, zeta } = claim().field;
    let zeta = zeta * zeta % q * zeta % q;
    let field = Field { q, zeta };
    let scale = claim().scale + 1;
    let input = i64::from(i32::MAX);
    [
        (Transform { output, ..claim() }, "outputs are up to"),
        (Transform { field, ..claim() }, "another linear map"),
        (Transform { scale, ..claim() }, "another linear map"),
        (Transform { input, ..claim() }, "not known modulo q"),
    ]
}

#[test]
fn transforms_in_place_have_no_smaller_bound_and_no_other_root() {
    assert_exact(&|| Transform::streams_forward("portable"));
    assert_exact(&|| Transform::streams_inverse("portable"));
    let standard = transform::inverse_ntt;
    let claim = Transform {
        standard,
        ..Transform::streams_forward("portable")
    };
    assert_rejected(&claim, "another linear map");
}

#[test]
fn transforms_are_not_those_of_the_other_field() {
    for backend in BACKENDS {
        let field = ZK_DILITHIUM;
        let claim = Transform {
            field,
            ..Transform::forward(backend)
        };
        assert_rejected(&claim, "not known modulo q");
        let field = ML_DSA;
        let claim = Transform {
            field,
            ..Transform::zk_inverse(backend)
        };
        assert_rejected(&claim, "not known modulo q");
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
        let output = i128::from(ZK_DILITHIUM.q) / 2;
        let claim = InnerProduct {
            output,
            ..InnerProduct::zk(backend)
        };
        assert_rejected(&claim, "more than");
        let claim = InnerProduct {
            field: ML_DSA,
            ..InnerProduct::zk(backend)
        };
        assert_rejected(&claim, "output 0 of 1 terms");
    }
}

#[test]
fn words_have_no_smaller_bound_and_no_other_radix() {
    for backend in BACKENDS {
        let claim = || Reduce::new(backend);
        let said = prove(&claim()).unwrap();
        let most = said.strip_prefix("out ≤ ").unwrap().split(',').next();
        let most: i128 = most.unwrap().parse().unwrap();
        let output = most;
        prove(&Reduce { output, ..claim() }).unwrap();
        let output = most - 1;
        assert_rejected(&Reduce { output, ..claim() }, "word 0 is from 0 to");
        let radix = -claim().radix;
        assert_rejected(&Reduce { radix, ..claim() }, "another number");
        let factor = (1 << 32) - 1;
        let multiply = MultiplyAdd {
            factor,
            ..MultiplyAdd::new(backend)
        };
        assert_rejected(&multiply, "another number");
        let end = Canonical::new(backend).end + 1;
        let canonical = Canonical {
            end,
            ..Canonical::new(backend)
        };
        assert_rejected(&canonical, "for 14680066 is");
    }
}

#[test]
fn rejection_has_no_other_limit_order_and_number() {
    for backend in BACKENDS {
        let uniform = || Rejection {
            filled: 240..=250,
            ..Rejection::uniform(backend)
        };
        prove(&uniform()).unwrap();
        let q_is_accepted: fn(i64) -> _ = |bytes| {
            let z = bytes & 0x7f_ffff;
            (z <= Q).then_some(z)
        };
        let without_mask: fn(i64) -> _ = |bytes| (bytes < Q).then_some(bytes);
        let one_more: fn(i64) -> _ = |bytes| {
            let z = coeff_from_three_bytes(bytes & 255, bytes >> 8 & 255, bytes >> 16);
            z.map(|z| z + i64::from(z == 1_234_567))
        };
        for standard in [q_is_accepted, without_mask] {
            let claim = Rejection {
                standard,
                ..uniform()
            };
            assert_rejected(&claim, "accepted candidate");
        }
        let standard = one_more;
        let claim = Rejection {
            standard,
            ..uniform()
        };
        assert_rejected(&claim, "the coefficient of 0x12d687 is");
        let most = 255;
        let filled = 255..=255;
        let claim = Rejection {
            most,
            filled,
            ..uniform()
        };
        assert_rejected(&claim, "the number is");
        for eta in [2, 4] {
            let bounded = || Rejection {
                filled: 229..=229,
                ..Rejection::bounded(backend, eta)
            };
            prove(&bounded()).unwrap();
            let standard: fn(i64) -> _ = match eta {
                2 => |b| coeff_from_half_byte(4, b),
                _ => |b| coeff_from_half_byte(2, b),
            };
            let claim = Rejection {
                standard,
                ..bounded()
            };
            let reasons = ["the coefficient of 0x0 is", "accepted candidate"];
            assert_rejected_for_one_of(&claim, &reasons);
            let upper_first = true;
            let claim = Rejection {
                upper_first,
                ..bounded()
            };
            assert_rejected(&claim, "accepted candidate");
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
fn products_with_challenges_have_no_larger_coefficients() {
    for backend in BACKENDS {
        let mut claim = Product::new(backend, true, 8);
        claim.larger = 1;
        assert_rejected(&claim, "is not a known sum");
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
