//! Products of secrets with 64 bits, for cores on which the time of a multiplication depends on its
//! operands.
//!
//! The Cortex-M3 (`cfg(slow_long_multiply)`) multiplies to 32 bits in one cycle, but its SMULL,
//! UMULL, SMLAL and UMLAL take from three to seven cycles, depending on their operands. On this
//! core, a product is computed from the products of the halves.

/// a · b.
#[inline(always)]
pub(super) fn signed(a: i32, b: i32) -> i64 {
    #[cfg(slow_long_multiply)]
    return halves::signed(a, b);
    #[cfg(not(slow_long_multiply))]
    i64::from(a).wrapping_mul(i64::from(b))
}

/// a · b.
#[inline(always)]
pub(super) fn unsigned(a: u32, b: u32) -> u64 {
    #[cfg(slow_long_multiply)]
    return halves::unsigned(a, b);
    #[cfg(not(slow_long_multiply))]
    u64::from(a).wrapping_mul(u64::from(b))
}

#[cfg(any(slow_long_multiply, test))]
pub(crate) mod halves {
    use moissanite_cpu::value_barrier;

    /// Read as an unsigned number, a negative a is a + 2³². The unsigned product is then too large
    /// by 2³² b.
    #[inline(always)]
    pub(crate) fn signed(a: i32, b: i32) -> i64 {
        let excess = (value_barrier(a >> 31) & b).wrapping_add(value_barrier(b >> 31) & a);
        let product = unsigned(a.cast_unsigned(), b.cast_unsigned()).cast_signed();
        product.wrapping_sub(i64::from(excess) << 32)
    }

    /// Adds the products of the halves of 16 bits: a₁b₁ 2³² + (a₁b₀ + a₀b₁) 2¹⁶ + a₀b₀.
    #[inline(always)]
    pub(crate) fn unsigned(a: u32, b: u32) -> u64 {
        // The halves are opaque, because the compiler would otherwise replace this code by the long
        // multiplication.
        let opaque = |x: u32| value_barrier(x.cast_signed()).cast_unsigned();
        let (a0, a1) = (opaque(a & 0xffff), opaque(a >> 16));
        let (b0, b1) = (opaque(b & 0xffff), opaque(b >> 16));
        let low = a0.wrapping_mul(b0);
        let (middle, other) = (a0.wrapping_mul(b1), a1.wrapping_mul(b0));
        // This is at most 3 (2¹⁶ − 1).
        let carried = (low >> 16) + (middle & 0xffff) + (other & 0xffff);
        let high = a1.wrapping_mul(b1);
        let high = high.wrapping_add((middle >> 16) + (other >> 16) + (carried >> 16));
        u64::from(high) << 32 | u64::from(carried << 16 | low & 0xffff)
    }
}
