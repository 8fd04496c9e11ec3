//! One state on a 32-bit ARM core, whose registers hold less than a fifth of one.
//!
//! In assembly, since the compiler does not see that: what it makes of the common text takes 18,900
//! cycles on a Cortex-M4 and 420 bytes of stack. This takes 15,100 and 136, at any opt-level.
#![allow(unsafe_code, reason = "assembly")]
use crate::permutation::ROUND_CONSTANTS;
use crate::state::State;
use core::arch::asm;

/// FIPS 202, Algorithm 7 (Keccak-p\[1600, 24\]), in place.
///
/// A row of a round's result takes the place of a row of which later rows of the result still need
/// lanes. Those are kept beside: six at most.
#[inline(always)]
pub(super) fn permute(state: &mut State<[u64; 1]>) {
    // SAFETY: it reads and writes the 200 bytes at `state`, which it has for itself, reads the 192
    // of the constants, and writes 96 bytes of stack that it takes and gives back, like r4 to r11.
    unsafe {
        asm!(
            r"
            @ r11, r12 <- lane (x, y) after theta
            .macro mixed x, y, s, t
            ldr r11, [r0, #8*\x+40*\y]
            ldr r12, [r0, #8*\x+40*\y+4]
            ldr \s, [sp, #8*\x]
            ldr \t, [sp, #8*\x+4]
            eor r11, r11, \s
            eor r12, r12, \t
            .endm
            @ lo, hi <- (r11, r12) <<< n
            .macro rotated lo, hi, n
            .if \n < 32
            lsl \lo, r11, #\n
            lsl \hi, r12, #\n
            orr \lo, \lo, r12, lsr #32-\n
            orr \hi, \hi, r11, lsr #32-\n
            .else
            lsl \lo, r12, #\n-32
            lsl \hi, r11, #\n-32
            orr \lo, \lo, r11, lsr #64-\n
            orr \hi, \hi, r12, lsr #64-\n
            .endif
            .endm
            @ a lane after theta and rho
            .macro lane lo, hi, x, y, n
            mixed \x, \y, \lo, \hi
            rotated \lo, \hi, \n
            .endm
            @ the same, of a lane that was kept
            .macro kept lo, hi, slot, n
            ldr r11, [sp, #40+8*\slot]
            ldr r12, [sp, #44+8*\slot]
            rotated \lo, \hi, \n
            .endm
            @ one for a later row
            .macro keep slot, x, y
            mixed \x, \y, r9, r10
            str r11, [sp, #40+8*\slot]
            str r12, [sp, #44+8*\slot]
            .endm
            @ a ^ ~b & c
            .macro chi a, b, c, at
            bic r11, \c, \b
            eor r11, r11, \a
            str r11, [r0, #\at]
            .endm
            .macro row at
            chi r1, r3, r5, \at
            chi r2, r4, r6, \at+4
            chi r3, r5, r7, \at+8
            chi r4, r6, r8, \at+12
            chi r5, r7, r9, \at+16
            chi r6, r8, r10, \at+20
            chi r7, r9, r1, \at+24
            chi r8, r10, r2, \at+28
            chi r9, r1, r3, \at+32
            chi r10, r2, r4, \at+36
            .endm
            @ half a column's parity
            .macro parity c, at
            ldr \c, [r0, #\at]
            ldr r11, [r0, #40+\at]
            ldr r12, [r0, #80+\at]
            ldr lr, [r0, #120+\at]
            eor \c, \c, r11
            ldr r11, [r0, #160+\at]
            eor \c, \c, r12
            eor \c, \c, lr
            eor \c, \c, r11
            .endm
            @ half of what theta adds to a column
            .macro effect left, right, other, at
            eor r11, \left, \right, lsl #1
            eor r11, r11, \other, lsr #31
            str r11, [sp, #\at]
            .endm

            push {{r4-r11}}
            sub sp, sp, #96
            add r2, r1, #192
            str r1, [sp, #88]
            str r2, [sp, #92]
        2:
            parity r1, 0
            parity r2, 4
            parity r3, 8
            parity r4, 12
            parity r5, 16
            parity r6, 20
            parity r7, 24
            parity r8, 28
            parity r9, 32
            parity r10, 36
            effect r9, r3, r4, 0
            effect r10, r4, r3, 4
            effect r1, r5, r6, 8
            effect r2, r6, r5, 12
            effect r3, r7, r8, 16
            effect r4, r8, r7, 20
            effect r5, r9, r10, 24
            effect r6, r10, r9, 28
            effect r7, r1, r2, 32
            effect r8, r2, r1, 36

            keep 0, 3, 0
            keep 1, 1, 0
            keep 2, 4, 0
            keep 3, 2, 0
            mixed 0, 0, r1, r2
            mov r1, r11
            mov r2, r12
            lane r3, r4, 1, 1, 44
            lane r5, r6, 2, 2, 43
            lane r7, r8, 3, 3, 21
            lane r9, r10, 4, 4, 14
            row 0
            @ iota
            ldr r12, [sp, #88]
            ldr r11, [r0]
            ldr lr, [r12], #4
            eor r11, r11, lr
            str r11, [r0]
            ldr lr, [r12], #4
            ldr r11, [r0, #4]
            str r12, [sp, #88]
            eor r11, r11, lr
            str r11, [r0, #4]

            kept r1, r2, 0, 28
            keep 4, 2, 1
            keep 5, 0, 1
            keep 0, 3, 1
            lane r3, r4, 4, 1, 20
            lane r5, r6, 0, 2, 3
            lane r7, r8, 1, 3, 45
            lane r9, r10, 2, 4, 61
            row 40

            kept r1, r2, 1, 1
            kept r3, r4, 4, 6
            keep 1, 1, 2
            keep 4, 4, 2
            lane r5, r6, 3, 2, 25
            lane r7, r8, 4, 3, 8
            lane r9, r10, 0, 4, 18
            row 80

            kept r1, r2, 2, 27
            kept r3, r4, 5, 36
            kept r5, r6, 1, 10
            keep 2, 0, 3
            lane r7, r8, 2, 3, 15
            lane r9, r10, 3, 4, 56
            row 120

            kept r1, r2, 3, 62
            kept r3, r4, 0, 55
            kept r5, r6, 4, 39
            kept r7, r8, 2, 41
            lane r9, r10, 1, 4, 2
            row 160

            ldr r11, [sp, #88]
            ldr r12, [sp, #92]
            cmp r11, r12
            bne 2b
            add sp, sp, #96
            pop {{r4-r11}}
            .purgem mixed
            .purgem rotated
            .purgem lane
            .purgem kept
            .purgem keep
            .purgem chi
            .purgem row
            .purgem parity
            .purgem effect
            ",
            inout("r0") state => _,
            inout("r1") const { &ROUND_CONSTANTS }.as_ptr() => _,
            out("r2") _,
            out("r3") _,
            out("r12") _,
            out("lr") _,
        );
    }
}
