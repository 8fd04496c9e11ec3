//! Wrong claims about the steps of loops.

use super::{assert_rejected, assert_rejected_for_one_of};
use crate::theorems::ball::Insert;
use crate::theorems::claim::OMEGA;
use crate::theorems::hints::{PackEight, UnpackRest, UnpackRow};

#[test]
fn hints_have_no_other_positions_and_numbers() {
    for (_, omega) in OMEGA {
        let claim = || PackEight::new(omega);
        assert_rejected(
            &PackEight {
                shift: 1,
                ..claim()
            },
            "a position of group 0 is 0",
        );
        assert_rejected(&PackEight { more: 1, ..claim() }, "the number is Some(0)");
        let reversed = true;
        assert_rejected(
            &PackEight {
                reversed,
                ..claim()
            },
            "is 0 instead of 1",
        );
    }
}

#[test]
fn hints_are_not_accepted_with_other_positions() {
    for (_, omega) in OMEGA {
        let order: [fn(u64, u64) -> bool; 4] = [
            // Equal positions are not accepted, nor any order.
            |a, b| a <= b,
            |_, _| true,
            // Others are not rejected.
            |a, b| a < b && b != 255,
            |a, b| a + 1 < b,
        ];
        for may_follow in order {
            let claim = UnpackRow {
                may_follow,
                ..UnpackRow::new(omega)
            };
            let reasons = ["requirement 1 may not hold", "all requirements may hold"];
            assert_rejected_for_one_of(&claim, &reasons);
        }
        let claim = UnpackRow {
            one: 2,
            ..UnpackRow::new(omega)
        };
        assert_rejected(&claim, "coefficient 0 is");
    }
}

/// Whether a counter is accepted: of the positions before, the counter, and ω.
type IsCounter = fn(usize, usize, usize) -> bool;

#[test]
fn hints_are_not_accepted_with_other_counters() {
    for (_, omega) in OMEGA {
        let counters: [(IsCounter, _); 4] = [
            // No counter beyond ω is accepted, and none that decreases.
            (
                |index, counter, omega| index <= counter && counter <= omega + 1,
                "it is rejected",
            ),
            (
                |index, counter, omega| index <= counter + 1 && counter <= omega,
                "it is rejected",
            ),
            // ω is accepted, and an empty polynomial.
            (
                |index, counter, omega| index <= counter && counter < omega,
                "is accepted",
            ),
            (
                |index, counter, omega| index < counter && counter <= omega,
                "is accepted",
            ),
        ];
        for (is_counter, reason) in counters {
            let claim = UnpackRow {
                is_counter,
                ..UnpackRow::new(omega)
            };
            assert_rejected(&claim, reason);
        }
    }
}

#[test]
fn hints_are_not_accepted_with_other_bytes_at_the_end() {
    for (_, omega) in OMEGA {
        let claim = || UnpackRest::new(omega);
        let bytes: [fn(u64) -> bool; 3] = [|byte| byte <= 1, |byte| byte != 1, |_| true];
        for may_be_unused in bytes {
            let claim = UnpackRest {
                may_be_unused,
                ..claim()
            };
            let reasons = ["may not hold", "all requirements may hold"];
            assert_rejected_for_one_of(&claim, &reasons);
        }
        let claim = UnpackRest {
            unchecked: 1,
            ..claim()
        };
        assert_rejected(&claim, "it is rejected");
    }
}

#[test]
fn the_challenge_takes_no_other_bytes_and_signs() {
    let claim = Insert::new;
    let bytes: [fn(u64, u64) -> bool; 3] = [|j, i| j < i, |j, i| j <= i + 1, |_, _| true];
    for is_position in bytes {
        let claim = Insert {
            is_position,
            ..claim()
        };
        assert_rejected(&claim, "it returns");
    }
    let sign = |h| 2 * h as i64 - 1;
    assert_rejected(
        &Insert { sign, ..claim() },
        "the coefficient for sign 0 is 0x1",
    );
    for removed in [0, 2] {
        assert_rejected(&Insert { removed, ..claim() }, "the signs become");
    }
    let moves = false;
    assert_rejected(&Insert { moves, ..claim() }, "coefficient 0 is");
}
