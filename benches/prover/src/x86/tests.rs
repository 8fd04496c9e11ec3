//! Programs of a few bytes that the model must reject.

use crate::image::Architecture::X86_64;
use crate::machine::trial;

fn run(code: &[u8]) -> Result<(), String> {
    trial::run(X86_64, code)
}

#[track_caller]
fn assert_rejected(code: &[u8], reason: &str) {
    trial::assert_rejected(X86_64, code, reason);
}

#[test]
fn the_model_accepts_what_a_function_may_do() {
    // mov eax, [rdi]; ret
    run(&[0x8b, 0x07, 0xc3]).unwrap();
    // push rbx; mov ebx, [rdi]; pop rbx; ret
    run(&[0x53, 0x8b, 0x1f, 0x5b, 0xc3]).unwrap();
}

#[test]
fn the_model_rejects_what_a_function_must_not_do() {
    // mov rax, [rdi]: four bytes too many.
    assert_rejected(&[0x48, 0x8b, 0x07, 0xc3], "outside of what it was given");
    // mov [rdi], eax
    assert_rejected(&[0x89, 0x07, 0xc3], "it writes 4 bytes");
    // cmp dword ptr [rdi], 0; je +0
    assert_rejected(
        &[0x83, 0x3f, 0x00, 0x74, 0x00, 0xc3],
        "the branch depends on an input",
    );
    // mov eax, [rdi]; mov al, [rsp + rax]
    assert_rejected(
        &[0x8b, 0x07, 0x8a, 0x04, 0x04, 0xc3],
        "the address depends on an input",
    );
    // mov eax, [rdi]; mov [rsp + rax], al
    assert_rejected(
        &[0x8b, 0x07, 0x88, 0x04, 0x04, 0xc3],
        "the address depends on an input",
    );
    // mov ebx, [rdi]; ret
    assert_rejected(&[0x8b, 0x1f, 0xc3], "is not restored");
    // push rbx; ret
    assert_rejected(&[0x53, 0xc3], "the return address depends on an input");
    // mov ecx, [rdi]; shl eax, cl
    assert_rejected(
        &[0x8b, 0x0f, 0xd3, 0xe0, 0xc3],
        "the count of a shift depends",
    );
    // cpuid
    assert_rejected(&[0x0f, 0xa2, 0xc3], "there is no model of this instruction");
    // add eax, 1; jo +0: a condition that the model does not have.
    assert_rejected(
        &[0x83, 0xc0, 0x01, 0x70, 0x00, 0xc3],
        "no model of this condition",
    );
    // ud2 is an instruction, but an undefined opcode is not.
    assert_rejected(&[0x0f, 0x04, 0xc3], "it is not an instruction");
    // jmp to itself
    assert_rejected(&[0xeb, 0xfe], "too many steps");
}
