//! Products in T_q, and sums.

use crate::bounds::{check, check_all};
use crate::field::Field;
use crate::poly::{NttPoly, Poly};
use crate::simd::{Kernel, Simd};

/// out ← (Σ_j a_j ∘ b_j − c ∘ d) · 2⁻³², with one reduction for the whole sum.
///
/// In: |a_j| < q, |b_j|, |c|, |d| ≤ 9q, and at most 15 products in all. Out: |·| < q.
///
/// A product is at most 9q² (81q² for c ∘ d), so that the sum is at most 216q², and
/// 216q² / 2³² + q/2 + 1 < q because q < 2²³.
pub(crate) struct InnerProduct<'a, F> {
    pub(crate) a: &'a [NttPoly<F>],
    pub(crate) b: &'a [NttPoly<F>],
    pub(crate) minus: Option<(&'a NttPoly<F>, &'a NttPoly<F>)>,
    pub(crate) out: &'a mut NttPoly<F>,
}

impl<F: Field> Kernel for InnerProduct<'_, F> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        debug_assert!(self.a.len() <= 14);
        self.a.iter().for_each(|a| check_all(&a.0, F::Q - 1));
        check(|| self.a.len() == self.b.len());
        // The number of terms is that of b, which is a constant in the callers: the compiler then unrolls
        // the sum.
        let Some(a) = self.a.get(..self.b.len()) else {
            return;
        };
        for (i, out) in S::chunks_mut(&mut self.out.0).iter_mut().enumerate() {
            let mut sum = s.wide_zero();
            for (a, b) in a.iter().zip(self.b) {
                sum = s.wide_add(
                    sum,
                    s.load(&S::chunks(&a.0)[i]),
                    s.load(&S::chunks(&b.0)[i]),
                );
            }
            if let Some((c, d)) = self.minus {
                sum = s.wide_sub(
                    sum,
                    s.load(&S::chunks(&c.0)[i]),
                    s.load(&S::chunks(&d.0)[i]),
                );
            }
            s.store(s.montgomery_reduce::<F>(sum), out);
        }
        check_all(&self.out.0, F::Q - 1);
    }
}

/// a ← a + b. In: sums that fit in 32 bits.
pub(crate) struct Add<'a, F> {
    pub(crate) a: &'a mut Poly<F>,
    pub(crate) b: &'a Poly<F>,
}

impl<F: Field> Kernel for Add<'_, F> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (a, b) in S::chunks_mut(&mut self.a.0)
            .iter_mut()
            .zip(S::chunks(&self.b.0))
        {
            s.store(s.add(s.load(a), s.load(b)), a);
        }
    }
}
