//! Value barriers, which prevent the compiler from inferring that a mask is either zero or all
//! ones.
//!
//! With this inference, a compiler may turn `mask & x` into a branch on the condition of the mask,
//! and does so on cores without conditional moves. After a barrier, the mask is an arbitrary
//! integer to the compiler, so the operation is not changed. A barrier hides one value. It does not
//! order memory accesses, and the compiler may still remove it together with an unused result.
//!
//! On targets with inline assembly, a barrier is an empty statement on a register and costs nothing
//! by itself. On other targets, and under Miri, it is [`core::hint::black_box`].

/// Returns the value. The compiler can make no assumption about the result.
///
/// ```
/// use moissanite_cpu::value_barrier;
///
/// // All ones where x is negative, else zero.
/// let is_negative = |x: i32| value_barrier(x >> 31);
/// assert_eq!((is_negative(-3), is_negative(3)), (-1, 0));
/// ```
#[inline(always)]
#[must_use]
pub fn value_barrier(x: i32) -> i32 {
    imp::hide(x)
}

/// The same as [`value_barrier`], for 64 bits.
#[inline(always)]
#[must_use]
pub fn value_barrier_64(x: u64) -> u64 {
    imp::hide_64(x)
}

#[cfg(all(
    not(miri),
    any(
        target_arch = "x86",
        target_arch = "x86_64",
        target_arch = "arm",
        target_arch = "aarch64",
        target_arch = "riscv32",
        target_arch = "riscv64",
        target_arch = "s390x",
        target_arch = "loongarch64",
    )
))]
#[allow(unsafe_code, reason = "an empty statement of inline assembly")]
#[allow(asm_sub_register, reason = "no instruction names the register")]
mod imp {
    use core::arch::asm;

    #[inline(always)]
    pub(super) fn hide(mut x: i32) -> i32 {
        // SAFETY: the assembly contains no instruction.
        unsafe { asm!("/* {0} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags)) };
        x
    }

    #[cfg(target_pointer_width = "64")]
    #[inline(always)]
    pub(super) fn hide_64(mut x: u64) -> u64 {
        // SAFETY: the assembly contains no instruction.
        unsafe { asm!("/* {0} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags)) };
        x
    }

    /// On targets with 32-bit registers, both halves need a barrier.
    #[cfg(not(target_pointer_width = "64"))]
    #[inline(always)]
    pub(super) fn hide_64(x: u64) -> u64 {
        let half = |x: u64| u64::from(hide((x as u32).cast_signed()).cast_unsigned());
        half(x >> 32) << 32 | half(x)
    }
}

#[cfg(not(all(
    not(miri),
    any(
        target_arch = "x86",
        target_arch = "x86_64",
        target_arch = "arm",
        target_arch = "aarch64",
        target_arch = "riscv32",
        target_arch = "riscv64",
        target_arch = "s390x",
        target_arch = "loongarch64",
    )
)))]
mod imp {
    use core::hint::black_box;

    #[inline(always)]
    pub(super) fn hide(x: i32) -> i32 {
        black_box(x)
    }

    #[inline(always)]
    pub(super) fn hide_64(x: u64) -> u64 {
        black_box(x)
    }
}
