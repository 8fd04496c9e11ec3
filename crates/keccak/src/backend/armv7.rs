//! One state on a 32-bit ARM core, whose registers hold a quarter of the state.
//!
//! This backend is in assembly. The compiled portable permutation takes 18,900 cycles on a
//! Cortex-M4. The assembly takes 10,000 cycles and 240 bytes of stack at every opt-level.
//!
//! There are two reasons, both of which change the representation in memory (see
//! [`interleave`](crate::interleave)):
//!
//! - A lane is stored as a word of its even bits and a word of its odd bits. A rotation of the lane
//!   rotates the two words, which costs nothing in the last operand of another instruction.
//! - No instruction rotates two operands, so the rotations of rho are deferred: a result of chi
//!   lacks the same rotation as the first of its three lanes, and the sums of theta compensate for
//!   it. The deferred rotation of each word ([`OWED`]) is the same after every round, so all rounds
//!   share one code.
#![allow(unsafe_code, reason = "assembly")]
use crate::constants::ROUND_CONSTANTS;
use crate::interleave::split;
use crate::state::State;
use core::arch::asm;

/// [`ROUND_CONSTANTS`], even and odd bits, and [`END`].
static SPLIT_CONSTANTS: [[u32; 2]; 25] = {
    let mut words = [[END, 0]; 25];
    let mut round = 0;
    while round < 24 {
        words[round] = split(ROUND_CONSTANTS[round]);
        assert!(words[round][0] != END);
        round += 1;
    }
    words
};
/// A value that is not the even bits of any round constant.
const END: u32 = 0xff;

/// FIPS 202, Algorithm 7 (Keccak-p\[1600, 24\]), in place.
///
/// A round reads one state and writes another. The second state is on the stack, and is wiped. Each
/// half of a row, with the even or the odd bits, has one word of each column. Rho determines which
/// half of theta's sum is added to this word. The halves of rows are ordered so that successive
/// halves use almost the same sums, which stay in r3, r4, r6, r9 and r11. The other sums are stored
/// in the memory to which the last two halves are written.
#[inline(always)]
pub(super) fn permute(state: &mut State<[u64; 1]>) {
    // SAFETY: the code reads and writes the 200 bytes at `state`, which is borrowed exclusively,
    // and reads the 200 bytes of the constants. It allocates and frees 240 bytes of stack, and
    // restores r4 to r11.
    unsafe {
        asm!(
            r"
            @ the next lane, into the parity of its column
            .macro parity even, odd, n, m
            ldmia r0!, {{r1, r12}}
            eor \even, \even, r1, ror #\n
            eor \odd, \odd, r12, ror #\m
            .endm
            @ of each column a word
            .macro words a, b, c, d, e
            ldr r2, [r0, #\a]
            ldr r5, [r0, #\b]
            ldr r7, [r0, #\c]
            ldr r8, [r0, #\d]
            ldr r10, [r0, #\e]
            .endm
            .macro mix word, effect, n
            eor \word, \effect, \word, ror #\n
            .endm
            @ r12 <- a ^ ~b & c, of which each owes so much
            .macro sum a, b, c, i, j, k
            bic r12, \c, \b, ror #(\k-\j)&31
            eor r12, \a, r12, ror #(\i-\k)&31
            .endm
            @ a row, but for the first word, which is left in r12
            .macro chi at, i, j, k, l, m
            sum r5, r7, r8, \j, \k, \l
            str r12, [r1, #8+\at]
            sum r7, r8, r10, \k, \l, \m
            str r12, [r1, #16+\at]
            sum r8, r10, r2, \l, \m, \i
            str r12, [r1, #24+\at]
            sum r10, r2, r5, \m, \i, \j
            str r12, [r1, #32+\at]
            sum r2, r5, r7, \i, \j, \k
            .endm

            push {{r4-r11}}
            sub sp, sp, #208
            add r1, sp, #8
            str r1, [sp]
        2:
            @ theta
            ldmia r0!, {{r2-r11}}
            parity r2, r3, 6, 7
            parity r4, r5, 22, 22
            parity r6, r7, 13, 13
            parity r8, r9, 31, 0
            parity r10, r11, 8, 9
            parity r2, r3, 31, 0
            parity r4, r5, 29, 29
            parity r6, r7, 20, 19
            parity r8, r9, 28, 28
            parity r10, r11, 23, 23
            parity r2, r3, 28, 29
            parity r4, r5, 7, 7
            parity r6, r7, 7, 6
            parity r8, r9, 24, 25
            parity r10, r11, 21, 22
            parity r2, r3, 11, 11
            parity r4, r5, 15, 15
            parity r6, r7, 2, 2
            parity r8, r9, 4, 5
            parity r10, r11, 28, 28
            sub r0, r0, #200
            ldr r1, [sp]
            eor r12, r10, r5, ror #6
            str r12, [r1, #96]
            eor r5, r5, r8, ror #0
            str r5, [r1, #104]
            eor r8, r8, r3, ror #21
            str r8, [r1, #148]
            eor r3, r3, r6, ror #20
            str r3, [r1, #132]
            eor r6, r6, r11, ror #14
            str r6, [r1, #112]
            eor r11, r11, r4, ror #7
            str r11, [r1, #124]
            eor r4, r4, r9, ror #31
            str r4, [r1, #140]
            eor r9, r9, r2, ror #22
            eor r2, r2, r7, ror #20
            str r2, [r1, #80]
            eor r7, r7, r10, ror #14
            str r7, [r1, #88]

            @ row 0, odd bits
            words 4, 52, 96, 144, 196
            eor r2, r2, r11, ror #3
            mix r5, r3, 0
            mix r7, r4, 30
            mix r8, r6, 14
            mix r10, r9, 21
            chi 4, 0, 22, 11, 22, 29
            ldr r10, [lr, #4]
            eor r12, r12, r10
            str r12, [r1, #4]

            @ row 4, even bits
            ldr r3, [r1, #80]
            ldr r6, [r1, #88]
            words 16, 68, 116, 124, 168
            mix r2, r4, 10
            mix r5, r6, 21
            mix r7, r9, 16
            mix r8, r11, 26
            mix r10, r3, 25
            chi 160, 21, 7, 10, 18, 1
            str r12, [r1, #160]

            @ row 1, odd bits
            ldr r11, [r1, #96]
            words 28, 76, 80, 128, 176
            mix r2, r6, 21
            mix r5, r9, 2
            mix r7, r11, 28
            mix r8, r3, 17
            mix r10, r4, 12
            chi 44, 25, 0, 30, 22, 20
            str r12, [r1, #44]

            @ row 3, even bits
            ldr r4, [r1, #104]
            ldr r6, [r1, #112]
            words 36, 40, 88, 140, 184
            mix r2, r9, 25
            mix r5, r11, 3
            mix r7, r3, 7
            mix r8, r4, 17
            mix r10, r6, 26
            chi 120, 4, 15, 5, 30, 8
            str r12, [r1, #120]

            @ row 2, odd bits
            ldr r11, [r1, #124]
            words 8, 60, 104, 156, 164
            mix r2, r3, 10
            mix r5, r4, 24
            mix r7, r6, 18
            mix r8, r9, 15
            mix r10, r11, 8
            chi 84, 0, 25, 24, 26, 6
            str r12, [r1, #84]

            @ row 1, even bits
            ldr r3, [r1, #132]
            ldr r9, [r1, #148]
            words 24, 72, 84, 132, 180
            mix r2, r6, 22
            mix r5, r9, 1
            mix r7, r11, 29
            mix r8, r3, 17
            mix r10, r4, 13
            chi 40, 26, 0, 31, 23, 21
            str r12, [r1, #40]

            @ row 4, odd bits
            ldr r11, [r1, #96]
            words 20, 64, 112, 120, 172
            mix r2, r4, 11
            mix r5, r6, 21
            mix r7, r9, 16
            mix r8, r11, 25
            mix r10, r3, 25
            chi 164, 21, 7, 9, 17, 1
            str r12, [r1, #164]

            @ row 0, even bits
            ldr r3, [r1, #80]
            ldr r6, [r1, #88]
            words 0, 48, 100, 148, 192
            eor r2, r2, r11, ror #3
            mix r5, r3, 0
            mix r7, r4, 30
            mix r8, r6, 14
            mix r10, r9, 21
            chi 0, 0, 22, 12, 22, 29
            ldr r10, [lr], #8
            eor r12, r12, r10
            str r12, [r1, #0]

            @ row 2, even bits
            ldr r3, [r1, #132]
            ldr r4, [r1, #140]
            words 12, 56, 108, 152, 160
            mix r2, r3, 10
            mix r5, r4, 23
            mix r7, r6, 17
            mix r8, r9, 14
            mix r10, r11, 8
            chi 80, 1, 25, 24, 26, 6
            str r12, [r1, #80]

            @ row 3, odd bits
            ldr r11, [r1, #124]
            words 32, 44, 92, 136, 188
            mix r2, r9, 25
            mix r5, r11, 4
            mix r7, r3, 7
            mix r8, r4, 17
            mix r10, r6, 26
            chi 124, 3, 15, 5, 29, 7
            str r12, [r1, #124]
            str r0, [sp]
            mov r0, r1
            ldr r12, [lr]
            cmp r12, #{end}
            bne 2b

            add r1, sp, #8
            .irp word, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11
            mov \word, #0
            .endr
            .rept 5
            stmia r1!, {{r2-r11}}
            .endr
            add sp, sp, #208
            pop {{r4-r11}}
            .purgem parity
            .purgem words
            .purgem mix
            .purgem sum
            .purgem chi
            ",
            end = const END,
            inout("r0") state => _,
            out("r1") _,
            out("r2") _,
            out("r3") _,
            out("r12") _,
            inout("lr") SPLIT_CONSTANTS.as_ptr() => _,
        );
    }
}
