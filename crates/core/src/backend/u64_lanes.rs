//! Lanes of 64 bits on any CPU: one, and two in a register. [`Simd`](super::Simd) states what each
//! function computes.

use moissanite_cpu::value_barrier_64;

use super::multiply;
use crate::field::Field;

/// All ones where the top bit is one, else 0.
#[inline(always)]
fn is_negative(x: u64) -> u64 {
    // Opaque too is what it is made of, or the shift could be a comparison.
    value_barrier_64((value_barrier_64(x).cast_signed() >> 63).cast_unsigned())
}

/// All ones where a = b, else 0, without a comparison. In: less than 2³².
#[inline(always)]
pub(super) fn equal_word(a: u64, b: u64) -> u64 {
    is_negative((a ^ b).wrapping_sub(1))
}

/// acc + a · b. In: a and b less than 2³².
#[inline(always)]
pub fn mul_add_word(acc: u64, a: u64, b: u64) -> u64 {
    acc.wrapping_add(multiply::unsigned(a as u32, b as u32))
}

/// acc / 2³² modulo q. In: acc < 2⁵². Out: less than q + 1 + acc / 2³².
///
/// Montgomery: t ≡ −acc / q modulo 2³² makes acc + tq a multiple of 2³².
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

/// In plain Rust.
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

/// In registers of SSE2. The compiler does not make these of arrays.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code, reason = "intrinsics of what the target has everywhere")]
mod two {
    use crate::field::Field;
    use core::arch::x86_64::*;

    /// Intrinsics of SSE2.
    macro_rules! sse2 {
        ($($body:tt)*) => {{
            // SAFETY: this is compiled for targets that have SSE2 only, and the intrinsics that
            // touch memory are given arrays as large as what they touch.
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
    /// The upper halves are zeros; the lower ones tell.
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
    /// As [`reduce_word`](super::reduce_word) does it.
    #[inline(always)]
    pub(in crate::backend) fn reduce<F: Field>(acc: Words) -> Words {
        sse2! {
            let minus_q_inv = _mm_set1_epi32(F::Q_INV.wrapping_neg());
            let tq = _mm_mul_epu32(_mm_mul_epu32(acc, minus_q_inv), _mm_set1_epi32(F::Q));
            _mm_srli_epi64::<32>(_mm_add_epi64(acc, tq))
        }
    }
    /// In the lower halves.
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
