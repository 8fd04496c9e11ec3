//! The number-theoretic transform with the least code (`cfg(tiny)`): in loops, and with roots that are
//! computed from eight of them.

#[cfg(armv7)]
use super::armv7::montgomery_product;
#[cfg(not(armv7))]
use super::portable::montgomery_product;
use crate::field::{Field, montgomery_form};
use crate::shape::N;

/// FIPS 204, Algorithm 41 (NTT), in place. In: |w_j| ≤ q. Out: |ŵ_j| ≤ 9q.
#[inline(always)]
pub(crate) fn ntt_in_place<F: Field>(w: &mut [i32; N]) {
    transform::<F>(w, false);
}

/// FIPS 204, Algorithm 42 (NTT⁻¹), times 2³², in place. In: |ŵ_j| < q. Out: |w_j| ≤ ¾q.
#[inline(always)]
pub(crate) fn inverse_ntt_in_place<F: Field>(w: &mut [i32; N]) {
    transform::<F>(w, true);
}

/// Both transforms have the same loops, in opposite orders. Forward: each layer adds a product of |·| < q to
/// each coefficient, or subtracts it. Inverse: the bound of the sums doubles in each layer, and 256q < 2³¹.
#[inline(never)]
fn transform<F: Field>(w: &mut [i32; N], inverse: bool) {
    let (mut len, mut k) = if inverse { (1, N - 1) } else { (N >> 1, 1) };
    while len > 0 && len < N {
        let mut rest = &mut w[..];
        while let Some((block, after)) = rest.split_at_mut_checked(2 * len) {
            rest = after;
            let zeta = root::<F>(k);
            k = if inverse { k - 1 } else { k + 1 };
            let (low, high) = block.split_at_mut(len);
            for (a, b) in low.iter_mut().zip(high) {
                if inverse {
                    let difference = b.wrapping_sub(*a);
                    *a = a.wrapping_add(*b);
                    *b = product::<F>(difference, zeta);
                } else {
                    let t = product::<F>(*b, zeta);
                    *b = a.wrapping_sub(t);
                    *a = a.wrapping_add(t);
                }
            }
        }
        len = if inverse { len << 1 } else { len >> 1 };
    }
    if inverse {
        let scale = const { montgomery_form(F::INVERSE_SCALE, F::Q) };
        for w in w {
            *w = product::<F>(*w, scale);
        }
    }
}

/// Returns ζ^BitRev₈(k) · 2³², as a product of powers of ζ. |·| ≤ 0.51q.
fn root<F: Field>(k: usize) -> i32 {
    let powers = &const {
        let mut powers = [0; 8];
        let mut bit = 0;
        while bit < 8 {
            powers[bit] = F::MONTGOMERY_ZETAS[1 << bit];
            bit += 1;
        }
        powers
    };
    let mut root = const { montgomery_form(1, F::Q) };
    for (bit, power) in powers.iter().enumerate() {
        if k >> bit & 1 == 1 {
            root = product::<F>(root, *power);
        }
    }
    root
}

/// a · b · 2⁻³². In: |a| < 2³¹, |b| ≤ 0.51q. Out: |·| ≤ 0.755q, and ≤ 0.51q for |a| ≤ q.
#[inline(never)]
fn product<F: Field>(a: i32, b: i32) -> i32 {
    montgomery_product::<F>(a, b)
}
