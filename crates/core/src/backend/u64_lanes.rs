//! Lanes of 64 bits on any CPU: one lane, and two lanes in a register. [`Simd`](super::Simd)
//! describes the result of each function.

use moissanite_cpu::value_barrier_64;

use super::multiply;
use crate::field::Field;

/// All ones if the top bit is one, else 0.
#[inline(always)]
fn is_negative(x: u64) -> u64 {
    // The input is also opaque, because the compiler could otherwise replace the shift by a
    // comparison.
    value_barrier_64((value_barrier_64(x).cast_signed() >> 63).cast_unsigned())
}

/// All ones if a = b, else 0, without a comparison. In: a, b < 2³².
#[inline(always)]
pub(super) fn equal_word(a: u64, b: u64) -> u64 {
    is_negative((a ^ b).wrapping_sub(1))
}

/// acc + a · b. In: a, b < 2³².
#[inline(always)]
pub fn mul_add_word(acc: u64, a: u64, b: u64) -> u64 {
    acc.wrapping_add(multiply::unsigned(a as u32, b as u32))
}

/// acc / 2³² modulo q. In: acc < 2⁵². Out: less than q + 1 + acc / 2³².
///
/// Montgomery reduction: for t ≡ −acc / q modulo 2³², acc + tq is a multiple of 2³².
#[inline(always)]
pub fn reduce_word<F: Field>(acc: u64) -> u64 {
    let t = (acc as u32).wrapping_mul(F::Q_INV.wrapping_neg().cast_unsigned());
    acc.wrapping_add(multiply::unsigned(t, F::Q.cast_unsigned())) >> 32
}

#[inline(always)]
pub(super) fn canonical_word<F: Field>(x: u64) -> u64 {
    let q = u64::from(F::Q.cast_unsigned());
    let difference = x.wrapping_sub(q);
    difference.wrapping_add(is_negative(difference) & q)
}

pub(super) use two::*;

/// Two words in plain Rust.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
mod two {
    use super::{canonical_word, equal_word, mul_add_word, reduce_word};
    use crate::field::Field;
    use core::array::from_fn;

    pub(in crate::backend) type Words = [u64; 2];

    #[inline(always)]
    pub(in crate::backend) fn load(from: &[u64; 2]) -> Words {
        *from
    }
    #[inline(always)]
    pub(in crate::backend) fn store(v: Words, to: &mut [u64; 2]) {
        *to = v;
    }
    #[inline(always)]
    pub(in crate::backend) fn splat(x: u64) -> Words {
        [x; 2]
    }
    #[inline(always)]
    pub(in crate::backend) fn add(a: Words, b: Words) -> Words {
        from_fn(|i| a[i].wrapping_add(b[i]))
    }
    #[inline(always)]
    pub(in crate::backend) fn sub(a: Words, b: Words) -> Words {
        from_fn(|i| a[i].wrapping_sub(b[i]))
    }
    #[inline(always)]
    pub(in crate::backend) fn equal(a: Words, b: Words) -> Words {
        from_fn(|i| equal_word(a[i], b[i]))
    }
    #[inline(always)]
    pub(in crate::backend) fn and_not(mask: Words, a: Words) -> Words {
        from_fn(|i| !mask[i] & a[i])
    }
    #[inline(always)]
    pub(in crate::backend) fn swap([a, b]: Words) -> Words {
        [b, a]
    }
    #[inline(always)]
    pub(in crate::backend) fn mul_add(acc: Words, a: Words, b: Words) -> Words {
        from_fn(|i| mul_add_word(acc[i], a[i], b[i]))
    }
    #[inline(always)]
    pub(in crate::backend) fn reduce<F: Field>(acc: Words) -> Words {
        acc.map(reduce_word::<F>)
    }
    #[inline(always)]
    pub(in crate::backend) fn canonical<F: Field>(x: Words) -> Words {
        x.map(canonical_word::<F>)
    }
}

/// Two words in a register of SSE2. The compiler does not use these registers for arrays.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[allow(
    unsafe_code,
    reason = "these are intrinsics that all CPUs of the target have"
)]
mod two {
    use crate::field::Field;
    use core::arch::x86_64::*;

    /// Allows intrinsics of SSE2.
    macro_rules! sse2 {
        ($($body:tt)*) => {{
            // SAFETY: this is compiled only for targets that have SSE2, and the intrinsics that
            // access memory are given arrays as large as their accesses.
            unsafe { $($body)* }
        }};
    }

    pub(in crate::backend) type Words = __m128i;

    #[inline(always)]
    pub(in crate::backend) fn load(from: &[u64; 2]) -> Words {
        sse2!(_mm_loadu_si128(from.as_ptr().cast()))
    }
    #[inline(always)]
    pub(in crate::backend) fn store(v: Words, to: &mut [u64; 2]) {
        sse2!(_mm_storeu_si128(to.as_mut_ptr().cast(), v));
    }
    #[inline(always)]
    pub(in crate::backend) fn splat(x: u64) -> Words {
        sse2!(_mm_set1_epi64x(x.cast_signed()))
    }
    #[inline(always)]
    pub(in crate::backend) fn add(a: Words, b: Words) -> Words {
        sse2!(_mm_add_epi64(a, b))
    }
    #[inline(always)]
    pub(in crate::backend) fn sub(a: Words, b: Words) -> Words {
        sse2!(_mm_sub_epi64(a, b))
    }
    /// The upper halves of both are zeros, so that the comparison of the lower halves is the
    /// result.
    #[inline(always)]
    pub(in crate::backend) fn equal(a: Words, b: Words) -> Words {
        sse2!(_mm_shuffle_epi32::<0xa0>(_mm_cmpeq_epi32(a, b)))
    }
    #[inline(always)]
    pub(in crate::backend) fn and_not(mask: Words, a: Words) -> Words {
        sse2!(_mm_andnot_si128(mask, a))
    }
    #[inline(always)]
    pub(in crate::backend) fn swap(a: Words) -> Words {
        sse2!(_mm_shuffle_epi32::<0x4e>(a))
    }
    #[inline(always)]
    pub(in crate::backend) fn mul_add(acc: Words, a: Words, b: Words) -> Words {
        sse2!(_mm_add_epi64(acc, _mm_mul_epu32(a, b)))
    }
    /// The algorithm is that of [`reduce_word`](super::reduce_word).
    #[inline(always)]
    pub(in crate::backend) fn reduce<F: Field>(acc: Words) -> Words {
        sse2! {
            let minus_q_inv = _mm_set1_epi32(F::Q_INV.wrapping_neg());
            let tq = _mm_mul_epu32(_mm_mul_epu32(acc, minus_q_inv), _mm_set1_epi32(F::Q));
            _mm_srli_epi64::<32>(_mm_add_epi64(acc, tq))
        }
    }
    /// Computes in the lower halves.
    #[inline(always)]
    pub(in crate::backend) fn canonical<F: Field>(x: Words) -> Words {
        sse2! {
            let q = _mm_set1_epi64x(F::Q.into());
            let difference = _mm_sub_epi32(x, q);
            let is_negative = _mm_srai_epi32::<31>(difference);
            _mm_add_epi32(difference, _mm_and_si128(is_negative, q))
        }
    }
}
