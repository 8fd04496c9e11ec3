//! Programs of a few instructions that the model must reject.

use crate::image::Architecture::Armv7m;
use crate::machine::trial;

/// bx lr
const RET: u16 = 0x4770;
/// ldr r1, [r0]
const LOAD: u16 = 0x6801;
/// cmp r1, #5, and a block of one instruction that is executed if r1 is less
const IF_LESS: [u16; 2] = [0x2905, 0xbfb8];

fn bytes(code: &[u16]) -> Vec<u8> {
    code.iter().flat_map(|half| half.to_le_bytes()).collect()
}

#[track_caller]
fn assert_accepted(code: &[u16]) {
    trial::run(Armv7m, &bytes(code)).unwrap();
}

#[track_caller]
fn assert_rejected(code: &[u16], reason: &str) {
    trial::assert_rejected(Armv7m, &bytes(code), reason);
}

#[test]
fn the_model_accepts_what_a_function_may_do() {
    // ldr r0, [r0]
    assert_accepted(&[0x6800, RET]);
    let [compare, block] = IF_LESS;
    // movlt r1, #3
    assert_accepted(&[LOAD, compare, block, 0x2103, RET]);
    // smull r1, r2, r1, r1
    assert_accepted(&[LOAD, 0xfb81, 0x1201, RET]);
}

#[test]
fn the_model_rejects_what_a_function_must_not_do() {
    // ldrd r0, r1, [r0]: four bytes too many.
    assert_rejected(&[0xe9d0, 0x0100, RET], "outside of what it was given");
    // str r1, [r0]
    assert_rejected(&[0x6001, RET], "it writes 4 bytes");
    // cbz r1, +4
    assert_rejected(&[LOAD, 0xb101, RET, RET], "the branch depends on an input");
    let [compare, block] = IF_LESS;
    // bxlt lr
    assert_rejected(
        &[LOAD, compare, block, RET, RET],
        "the branch depends on an input",
    );
    // ldrb r2, [sp, r1]
    assert_rejected(
        &[LOAD, 0xf81d, 0x2001, RET],
        "the address depends on an input",
    );
    // bx r1
    assert_rejected(
        &[LOAD, 0x4708],
        "the target of the jump depends on an input",
    );
    // mov r1, #2; bx r1
    assert_rejected(&[0xf04f, 0x0102, 0x4708], "is not Thumb");
    // adds r0, #1; ldm r0, {r1, r2}
    assert_rejected(&[0x3001, 0xe890, 0x0006, RET], "is not aligned");
    // udiv r1, r1, r1
    assert_rejected(&[LOAD, 0xfbb1, 0xf1f1, RET], "a division");
    // lsl r2, r2, r1
    assert_rejected(&[LOAD, 0xfa02, 0xf201, RET], "the count of a shift");
    // ldr r4, [r0]
    assert_rejected(&[0x6804, RET], "r4");
    // sub sp, #8
    assert_rejected(&[0xb082, RET], "the stack pointer is not restored");
    // smmul r1, r1, r1
    assert_rejected(
        &[LOAD, 0xfb51, 0xf101, RET],
        "there is no model of this instruction",
    );
    // svc #0
    assert_rejected(&[0xdf00, RET], "there is no model of this instruction");
    // b to itself
    assert_rejected(&[0xe7fe], "too many steps");
}
