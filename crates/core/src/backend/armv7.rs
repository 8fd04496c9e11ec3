//! 32-bit ARM cores with Thumb-2, such as Cortex-M3, -M4, -M7 and -M33: one lane, whose transforms
//! are in assembly. A butterfly there takes five instructions, and four at a time stay in registers.
//!
//! The compiler makes 20,400 cycles of an NTT on a Cortex-M4; this takes 8,900.
#![allow(unsafe_code, reason = "assembly")]

use core::arch::asm;

use moissanite_keccak::Scalar;

use super::{Backend, Kernel, Portable, sealed};
use crate::field::{Field, montgomery_form};
use crate::poly::{N, NttPoly, Poly};
use crate::secret::Zeroed;

/// Compiled for a core with Thumb-2.
#[derive(Clone, Copy, Debug)]
pub struct Armv7;

impl sealed::Sealed for Armv7 {}

impl Backend for Armv7 {
    const NAME: &'static str = "armv7";
    type Keccak = Scalar;
    type Window<T: Zeroed> = [T; super::MOST_COLUMNS];
    #[inline]
    fn keccak(self) -> Scalar {
        Scalar::new()
    }
    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(Portable)
    }
    #[inline]
    fn ntt<F: Field>(self, w: &Poly<F>, w_hat: &mut NttPoly<F>) {
        w_hat.0 = w.0;
        ntt_in_place::<F>(&mut w_hat.0);
    }
    #[inline]
    fn inverse_ntt<F: Field>(self, w_hat: &NttPoly<F>, w: &mut Poly<F>) {
        w.0 = w_hat.0;
        inverse_ntt_in_place::<F>(&mut w.0);
    }
}

/// FIPS 204, Algorithm 41 (NTT). In: |w_j| ≤ q. Out: |ŵ_j| ≤ 9q.
///
/// Two layers at a time: r3 to r6 are coefficients as far apart as the second one's partners, r7
/// the root of the first, and r8 and r9 those of the second. q is in r10 and −q⁻¹ in r11; r1 and
/// [sp, #8] go through the roots.
#[inline(never)]
pub(crate) fn ntt_in_place<F: Field>(w: &mut [i32; N]) {
    // SAFETY: it reads and writes the 1,024 bytes at `w`, which it has for itself, reads those of
    // the table, and writes 48 bytes of stack that it takes and gives back, like r4 to r11.
    unsafe {
        asm!(
            r"
            @ high <- b zeta / 2^32 modulo q: -1/q times the low half, times q, cancels that half
            .macro product low, high, b, zeta
            smull \low, \high, \b, \zeta
            mul \b, \low, r11
            smlal \low, \high, \b, r10
            .endm
            @ a, b <- a + zeta b, a - zeta b
            .macro butterfly a, b, zeta
            product r12, lr, \b, \zeta
            sub \b, \a, lr
            add \a, \a, lr
            .endm
            .macro butterflies
            butterfly r3, r5, r7
            butterfly r4, r6, r7
            butterfly r3, r4, r8
            butterfly r5, r6, r9
            .endm
            .macro pass apart
        3:
            ldr r12, [sp, #8]
            ldr r7, [r1], #4
            ldmia r12!, {{r8, r9}}
            str r12, [sp, #8]
            add r2, r0, #\apart
        2:
            ldr r3, [r0]
            ldr r4, [r0, #\apart]
            ldr r5, [r0, #2*\apart]
            ldr r6, [r0, #3*\apart]
            butterflies
            str r4, [r0, #\apart]
            str r5, [r0, #2*\apart]
            str r6, [r0, #3*\apart]
            str r3, [r0], #4
            cmp r0, r2
            bne 2b
            ldr r12, [sp, #4]
            add r0, r0, #3*\apart
            cmp r0, r12
            bne 3b
            @ where the roots of the next layers are: each has twice as many
            sub r0, r0, #1024
            ldr r2, [sp]
            ldr r1, [sp, #8]
            rsb r2, r2, r1, lsl #1
            str r2, [sp, #8]
            .endm

            push {{r4-r11}}
            sub sp, sp, #16
            mov r10, r2
            mov r11, r3
            add r2, r0, #1024
            str r1, [sp]
            str r2, [sp, #4]
            add r2, r1, #8
            add r1, r1, #4
            str r2, [sp, #8]
            pass 256
            pass 64
            pass 16
        2:
            ldm r0, {{r3-r6}}
            ldr r7, [r1], #4
            ldmia r2!, {{r8, r9}}
            butterflies
            stmia r0!, {{r3-r6}}
            ldr r12, [sp, #4]
            cmp r0, r12
            bne 2b
            add sp, sp, #16
            pop {{r4-r11}}
            .purgem product
            .purgem butterfly
            .purgem butterflies
            .purgem pass
            ",
            inout("r0") w.as_mut_ptr() => _,
            inout("r1") const { &F::MONTGOMERY_ZETAS }.as_ptr() => _,
            inout("r2") F::Q => _,
            inout("r3") F::Q_INV.wrapping_neg() => _,
            out("r12") _,
            out("lr") _,
        );
    }
}

/// FIPS 204, Algorithm 42 (NTT⁻¹), times 2³². In: |ŵ_j| < q. Out: |w_j| ≤ ¾q + 1.
///
/// As [`ntt_in_place`], in the opposite order, that of the roots included; the last pass multiplies
/// by [`Field::INVERSE_SCALE`].
#[inline(never)]
pub(crate) fn inverse_ntt_in_place<F: Field>(w: &mut [i32; N]) {
    // SAFETY: it reads and writes the 1,024 bytes at `w`, which it has for itself, reads those of
    // the table, and writes 48 bytes of stack that it takes and gives back, like r4 to r11.
    unsafe {
        asm!(
            r"
            @ high <- b zeta / 2^32 modulo q: -1/q times the low half, times q, cancels that half
            .macro product low, high, b, zeta
            smull \low, \high, \b, \zeta
            mul \b, \low, r11
            smlal \low, \high, \b, r10
            .endm
            @ a, b <- a + b, zeta (b - a)
            .macro butterfly a, b, zeta
            sub lr, \b, \a
            add \a, \a, \b
            product r12, \b, lr, \zeta
            .endm
            .macro butterflies
            butterfly r3, r4, r9
            butterfly r5, r6, r8
            butterfly r3, r5, r7
            butterfly r4, r6, r7
            .endm
            .macro pass apart, last
            @ where the roots of these layers are: each has half as many
            sub r0, r0, #1024
            ldr r2, [sp]
            str r1, [sp, #8]
            sub r1, r1, r2
            add r1, r2, r1, lsr #1
        3:
            ldr r12, [sp, #8]
            ldr r7, [r1, #-4]!
            ldmdb r12!, {{r8, r9}}
            str r12, [sp, #8]
            .if \last
            ldr r1, [sp, #12]
            .endif
            add r2, r0, #\apart
        2:
            ldr r3, [r0]
            ldr r4, [r0, #\apart]
            ldr r5, [r0, #2*\apart]
            ldr r6, [r0, #3*\apart]
            butterflies
            .if \last
            product r12, lr, r6, r1
            str lr, [r0, #3*\apart]
            product r12, r6, r5, r1
            product r12, r5, r4, r1
            product r12, r4, r3, r1
            str r6, [r0, #2*\apart]
            str r5, [r0, #\apart]
            str r4, [r0], #4
            .else
            str r6, [r0, #3*\apart]
            str r5, [r0, #2*\apart]
            str r4, [r0, #\apart]
            str r3, [r0], #4
            .endif
            cmp r0, r2
            bne 2b
            ldr r12, [sp, #4]
            add r0, r0, #3*\apart
            cmp r0, r12
            bne 3b
            .endm

            push {{r4-r11}}
            sub sp, sp, #16
            mov r10, r2
            mov r11, r3
            add r2, r0, #1024
            str r1, [sp]
            str r2, [sp, #4]
            str r12, [sp, #12]
            add r2, r1, #1024
            add r1, r1, #512
        2:
            ldm r0, {{r3-r6}}
            ldr r7, [r1, #-4]!
            ldmdb r2!, {{r8, r9}}
            butterflies
            stmia r0!, {{r3-r6}}
            ldr r12, [sp, #4]
            cmp r0, r12
            bne 2b
            pass 16, 0
            pass 64, 0
            pass 256, 1
            add sp, sp, #16
            pop {{r4-r11}}
            .purgem product
            .purgem butterfly
            .purgem butterflies
            .purgem pass
            ",
            inout("r0") w.as_mut_ptr() => _,
            inout("r1") const { &F::MONTGOMERY_ZETAS }.as_ptr() => _,
            inout("r2") F::Q => _,
            inout("r3") F::Q_INV.wrapping_neg() => _,
            inout("r12") const { montgomery_form(F::INVERSE_SCALE, F::Q) } => _,
            out("lr") _,
        );
    }
}
