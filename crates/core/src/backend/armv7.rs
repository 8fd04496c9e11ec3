//! 32-bit ARM cores with Thumb-2, such as Cortex-M4, -M7 and -M33: one lane, and assembly for the
//! functions that the compiler has too few registers for.
//!
//! | cycles on a Cortex-M4 | compiled code | assembly |
//! | --- | --- | --- |
//! | NTT / NTT⁻¹ | 20,400 / 22,300 | 9,100 / 9,800 |
//! | all products with c in a signature of ML-DSA-44 | 948,000 | 288,000 |
//!
//! The products use the packed sums of the DSP extension, and loads of words at any address. Both
//! are available on a Cortex-M4 or -M7, and under Linux, unless the target or the compiler flag
//! `+strict-align` excludes them (see `build.rs`). A Cortex-M3 has another backend,
//! [`Portable`](super::Portable), because the time of its long multiplications depends on the
//! operands.
#![allow(unsafe_code, reason = "these functions are assembly")]

use core::arch::asm;

use moissanite_keccak::Scalar;

use super::{Armv7, Backend, Portable};
use crate::field::{Field, montgomery_form};
#[cfg(armv7_dsp)]
use crate::poly::{Challenge, Rotations, Small};
use crate::poly::{NttPoly, Poly};
use crate::secret::Zeroed;
use crate::shape::Dim;
use crate::shape::N;
use crate::simd::{Kernel, sealed};

impl sealed::Sealed for Armv7 {}

impl Backend for Armv7 {
    const NAME: &'static str = "armv7";
    type Keccak = Scalar;
    type Window<T: Zeroed, D: Dim> = D::Array<T>;
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
    #[cfg(armv7_dsp)]
    #[inline]
    fn add_product<F: Field, T: Small>(
        self,
        acc: &mut Poly<F>,
        c: &Challenge,
        s: &Rotations<T>,
        largest: u32,
    ) {
        add_rotations(acc, s, c.plus(), c.minus(), largest);
    }
    #[cfg(armv7_dsp)]
    #[inline]
    fn sub_product<F: Field, T: Small>(
        self,
        acc: &mut Poly<F>,
        c: &Challenge,
        s: &Rotations<T>,
        largest: u32,
    ) {
        add_rotations(acc, s, c.minus(), c.plus(), largest);
    }
}

/// acc ← acc + Σ X^k · s over k in `plus` − Σ X^k · s over k in `minus`. In: ‖s‖∞ ≤ `largest`.
#[cfg(armv7_dsp)]
#[inline(never)]
fn add_rotations<F: Field, T: Small>(
    acc: &mut Poly<F>,
    s: &Rotations<T>,
    mut plus: &[u8],
    mut minus: &[u8],
    largest: u32,
) {
    // This is the number of rotations whose sum cannot overflow.
    let group = T::fitting(largest as usize);
    while plus.len() + minus.len() > 0 {
        let (now, later) = plus.split_at(plus.len().min(group));
        let (now_minus, later_minus) = minus.split_at(minus.len().min(group - now.len()));
        add_group(acc, s, now, now_minus);
        (plus, minus) = (later, later_minus);
    }
}

/// [`add_rotations`] for a number of rotations whose sum fits in a T.
///
/// Registers r4 to r11 hold eight words of sums at a time. Words are loaded at any address.
#[cfg(armv7_dsp)]
#[inline(never)]
fn add_group<F: Field, T: Small>(acc: &mut Poly<F>, s: &Rotations<T>, plus: &[u8], minus: &[u8]) {
    const { assert!(size_of::<T>() == 1 || size_of::<T>() == 2) }
    let (plus, minus) = (plus.as_ptr_range(), minus.as_ptr_range());
    let ends = [plus.start, plus.end, minus.start, minus.end];
    // SAFETY: the code reads and writes the 1,024 bytes of `acc`, to which it has exclusive access.
    // It reads the bytes between both pairs of `ends`, and N values of `s` from N − k on for each
    // k < N among these bytes. It writes 48 bytes of stack, which it allocates and releases, and
    // restores r4 to r11.
    unsafe {
        asm!(
            r"
            .macro each_lane op, to, from
            .if {size} == 1
            \op\()8 \to, \to, \from
            .else
            \op\()16 \to, \to, \from
            .endif
            .endm
            .macro two op, at, a, b, second
            ldr lr, [r12, #\at]
            ldr \second, [r12, #\at+4]
            each_lane \op, \a, lr
            each_lane \op, \b, \second
            .endm
            .macro sum op, ends
            ldr r12, [sp, #8]
            ldrd r2, r3, [r12, #\ends]
            cmp r2, r3
            beq 4f
        3:
            ldrb r12, [r2], #1
            .if {size} == 1
            sub r12, r1, r12
            .else
            sub r12, r1, r12, lsl #1
            .endif
            two \op, 0, r4, r5, r0
            two \op, 8, r6, r7, r0
            two \op, 16, r8, r9, r0
            two \op, 24, r10, r11, r12
            cmp r2, r3
            bne 3b
        4:
            .endm
            .macro widen a, b
            ldm r0, {{r2, r3, r12, lr}}
            .if {size} == 1
            sxtab r2, r2, \a
            sxtab r3, r3, \a, ror #8
            sxtab r12, r12, \a, ror #16
            sxtab lr, lr, \a, ror #24
            stmia r0!, {{r2, r3, r12, lr}}
            ldm r0, {{r2, r3, r12, lr}}
            sxtab r2, r2, \b
            sxtab r3, r3, \b, ror #8
            sxtab r12, r12, \b, ror #16
            sxtab lr, lr, \b, ror #24
            .else
            sxtah r2, r2, \a
            sxtah r3, r3, \a, ror #16
            sxtah r12, r12, \b
            sxtah lr, lr, \b, ror #16
            .endif
            stmia r0!, {{r2, r3, r12, lr}}
            .endm

            push {{r4-r11}}
            sub sp, sp, #16
            str r2, [sp, #8]
            add r3, r0, #1024
            str r3, [sp, #4]
        2:
            str r0, [sp]
            .irp sum, r4, r5, r6, r7, r8, r9, r10, r11
            mov \sum, #0
            .endr
            sum uadd, 0
            sum usub, 8
            ldr r0, [sp]
            widen r4, r5
            widen r6, r7
            widen r8, r9
            widen r10, r11
            add r1, r1, #32
            ldr r3, [sp, #4]
            cmp r0, r3
            bne 2b
            add sp, sp, #16
            pop {{r4-r11}}
            .purgem each_lane
            .purgem two
            .purgem sum
            .purgem widen
            ",
            size = const size_of::<T>(),
            inout("r0") acc.0.as_mut_ptr() => _,
            inout("r1") s.0.as_flattened().as_ptr().add(N) => _,
            inout("r2") ends.as_ptr() => _,
            out("r3") _,
            out("r12") _,
            out("lr") _,
        );
    }
}

/// a · b · 2⁻³² modulo q. Out: |·| < |ab| / 2³² + q/2 + 1.
///
/// This is in assembly, because the compiler splits products with a factor of known sign.
#[inline(always)]
pub(crate) fn montgomery_product<F: Field>(a: i32, b: i32) -> i32 {
    let high;
    // SAFETY: the code only computes on registers.
    unsafe {
        asm!(
            "smull {low}, {high}, {a}, {b}",
            "mul {a}, {low}, {inverse}",
            "smlal {low}, {high}, {a}, {q}",
            low = out(reg) _,
            high = out(reg) high,
            a = inout(reg) a => _,
            b = in(reg) b,
            inverse = in(reg) F::Q_INV.wrapping_neg(),
            q = in(reg) F::Q,
            options(pure, nomem, nostack),
        );
    }
    high
}

/// FIPS 204, Algorithm 30 (RejNTTPoly), on eight times three bytes: w_j ← w_j + a_j y_j 2⁻³² for
/// each accepted a_j, from index `filled` on. Returns the new number of coefficients. All data
/// except y and w is public.
#[inline(never)]
pub(crate) fn add_accepted<F: Field>(
    bytes: &[u64; 3],
    y: &[i32; N],
    w: &mut [i32; N],
    filled: usize,
) -> usize {
    let (Some(y), Some(w)) = (y.get(filled..), w.get_mut(filled..)) else {
        return filled;
    };
    let left: usize;
    // SAFETY: the code reads the 24 bytes. It reads `y`, and reads and writes `w`, to which it has
    // exclusive access, within their bounds. It writes 32 bytes of stack, which it allocates and
    // releases, and restores r4 to r11.
    unsafe {
        asm!(
            r"
            .macro accept a
            cmp \a, r12
            bcs 3f
            ldr r9, [r1], #4
            ldr r10, [r2]
            smull r7, r8, \a, r9
            mul r9, r7, lr
            smlal r7, r8, r9, r12
            add r10, r10, r8
            str r10, [r2], #4
            subs r3, r3, #1
            beq 4f
        3:
            .endm

            push {{r4-r11}}
            add r11, r0, #24
            cmp r3, #0
            beq 4f
        2:
            ldmia r0!, {{r4, r5, r6}}
            ubfx r7, r4, #0, #23
            accept r7
            lsr r4, r4, #24
            bfi r4, r5, #8, #15
            accept r4
            lsr r5, r5, #16
            bfi r5, r6, #16, #7
            accept r5
            ubfx r6, r6, #8, #23
            accept r6
            cmp r0, r11
            bne 2b
        4:
            pop {{r4-r11}}
            .purgem accept
            ",
            inout("r0") bytes.as_ptr() => _,
            inout("r1") y.as_ptr() => _,
            inout("r2") w.as_mut_ptr() => _,
            inout("r3") y.len() => left,
            inout("r12") F::Q => _,
            inout("lr") F::Q_INV.wrapping_neg() => _,
        );
    }
    N - left
}

/// Defines the macro `product` of both transforms.
macro_rules! product {
    () => {
        r"
        @ high <- b zeta / 2^32 modulo q: -1/q times the low half, times q, cancels that half
        .macro product low, high, b, zeta
        smull \low, \high, \b, \zeta
        mul \b, \low, r11
        smlal \low, \high, \b, r10
        .endm
        "
    };
}

/// FIPS 204, Algorithm 41 (NTT). In: |w_j| ≤ q. Out: |ŵ_j| ≤ 9q.
///
/// Two layers are computed at a time. r3 to r6 are coefficients whose distance is that of partners
/// in the second layer, r7 is the root of the first layer, and r8 and r9 are those of the second. q
/// is in r10 and −q⁻¹ in r11; r1 and [sp, #8] point to the roots.
#[inline(never)]
pub(crate) fn ntt_in_place<F: Field>(w: &mut [i32; N]) {
    // SAFETY: the code reads and writes the 1,024 bytes at `w`, to which it has exclusive access,
    // and reads those of the table. It writes 48 bytes of stack, which it allocates and releases,
    // and restores r4 to r11.
    unsafe {
        asm!(
            product!(),
            r"
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
/// The steps are those of [`ntt_in_place`] in the opposite order, including the roots. The last
/// pass multiplies by [`Field::INVERSE_SCALE`].
#[inline(never)]
pub(crate) fn inverse_ntt_in_place<F: Field>(w: &mut [i32; N]) {
    // SAFETY: the code reads and writes the 1,024 bytes at `w`, to which it has exclusive access,
    // and reads those of the table. It writes 48 bytes of stack, which it allocates and releases,
    // and restores r4 to r11.
    unsafe {
        asm!(
            product!(),
            r"
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
