//! Programs of a few instructions that the model must reject.

use crate::image::Architecture::Aarch64;
use crate::machine::trial;

const RET: u32 = 0xd65f_03c0;

fn bytes(code: &[u32]) -> Vec<u8> {
    code.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn run(code: &[u32]) -> Result<(), String> {
    trial::run(Aarch64, &bytes(code))
}

#[track_caller]
fn assert_rejected(code: &[u32], reason: &str) {
    trial::assert_rejected(Aarch64, &bytes(code), reason);
}

#[test]
fn the_model_accepts_what_a_function_may_do() {
    // ldr w0, [x0]
    run(&[0xb940_0000, RET]).unwrap();
    // ldr s0, [x0]; add v0.4s, v0.4s, v0.4s
    run(&[0xbd40_0000, 0x4ea0_8400, RET]).unwrap();
}

#[test]
fn the_model_rejects_what_a_function_must_not_do() {
    // ldr x0, [x0]: four bytes too many.
    assert_rejected(&[0xf940_0000, RET], "outside of what it was given");
    // str w1, [x0]
    assert_rejected(&[0xb900_0001, RET], "it writes 4 bytes");
    // ldr w1, [x0]; cbz w1, +8
    assert_rejected(
        &[0xb940_0001, 0x3400_0041, RET, RET],
        "the branch depends on an input",
    );
    // ldr w1, [x0]; ldrb w2, [sp, w1, uxtw]
    assert_rejected(
        &[0xb940_0001, 0x3861_4be2, RET],
        "the address depends on an input",
    );
    // ldr w1, [x0]; strb w2, [sp, w1, uxtw]
    assert_rejected(
        &[0xb940_0001, 0x3821_4be2, RET],
        "the address depends on an input",
    );
    // ldr w19, [x0]
    assert_rejected(&[0xb940_0013, RET], "x19");
    // ldr s8, [x0]
    assert_rejected(&[0xbd40_0008, RET], "d8");
    // sub sp, sp, #16
    assert_rejected(&[0xd100_43ff, RET], "the stack pointer is not restored");
    // svc #0
    assert_rejected(&[0xd400_0001, RET], "there is no model of this instruction");
    // b to itself
    assert_rejected(&[0x1400_0000], "too many steps");
}
