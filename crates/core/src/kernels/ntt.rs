//! FIPS 204, Algorithms 41 and 42.
//!
//! Both use the same three kinds of loop. Layers whose blocks are longer than a square of `LANES` ×
//! `LANES` coefficients are computed in memory, two at a time. The other layers are computed in
//! registers, on one square. While partners are one register or more apart, all lanes of a register
//! share a ζ. Then the square is transposed, which exchanges lanes and registers, and each lane has
//! its own ζ. With one lane, a square is one coefficient, and only the first kind of loop is used.

use crate::bounds::check_all;
use crate::field::Field;
use crate::poly::{NttPoly, Poly};
use crate::shape::N;
use crate::simd::{Kernel, Simd};

/// FIPS 204, Algorithm 41 (NTT). In: |w_j| ≤ q. Out: |ŵ_j| ≤ 9q.
///
/// Each of the eight layers adds a product of |·| < q to each coefficient, or subtracts it.
pub(crate) struct Ntt<'a, F> {
    pub(crate) w: &'a Poly<F>,
    pub(crate) w_hat: &'a mut NttPoly<F>,
}

impl<F: Field> Kernel for Ntt<'_, F> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        check_all(&self.w.0, F::Q);
        forward::<F, S>(s, &self.w.0, &mut self.w_hat.0);
        check_all(&self.w_hat.0, 9 * F::Q);
    }
}

/// FIPS 204, Algorithm 42 (NTT⁻¹), times 2³². In: |ŵ_j| < q. Out: |w_j| ≤ ¾q.
///
/// The bound of the sums doubles in each of the eight layers. They are never reduced, because 256
/// (q − 1) < 2³¹.
pub(crate) struct InverseNtt<'a, F> {
    pub(crate) w_hat: &'a NttPoly<F>,
    pub(crate) w: &'a mut Poly<F>,
}

impl<F: Field> Kernel for InverseNtt<'_, F> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        const { assert!(256 * (F::Q as i64 - 1) < 1 << 31) };
        check_all(&self.w_hat.0, F::Q - 1);
        inverse::<F, S>(s, &self.w_hat.0, &mut self.w.0);
        check_all(&self.w.0, (F::Q >> 2) * 3 + 2);
    }
}

/// The step of a layer on a pair. Forward: (a, b) ← (a + ζb, a − ζb). Inverse: (a, b) ← (a + b,
/// ζ(b − a)), which is −ζ(a − b) in the standard.
#[inline(always)]
fn butterfly<F: Field, S: Simd, const INVERSE: bool>(
    s: S,
    zeta: S::Twiddle,
    a: &mut S::V,
    b: &mut S::V,
) {
    if INVERSE {
        let t = s.sub(*b, *a);
        (*a, *b) = (s.add(*a, *b), s.twiddle_mul::<F>(t, zeta));
    } else {
        let t = s.twiddle_mul::<F>(*b, zeta);
        (*a, *b) = (s.add(*a, t), s.sub(*a, t));
    }
}

/// Returns the index of the root of block `i` in the layer with `m` blocks.
///
/// In the forward direction, it is k = m + i. The inverse takes its roots in the opposite order,
/// 3m − 1 − k. Because BitRev₈(k) + BitRev₈(3m − 1 − k) = 256 and ζ²⁵⁶ = −1, the root at that index
/// is −ζ⁻¹.
#[inline(always)]
const fn root<const INVERSE: bool>(m: usize, i: usize) -> usize {
    let root = if INVERSE { 2 * m - 1 - i } else { m + i };
    // The mask changes nothing; the compiler takes the bound of the tables from it.
    root & (N - 1)
}

/// Computes the NTT. The first pass reads `w`; the others work in place, on `out`.
#[inline(always)]
fn forward<F: Field, S: Simd>(s: S, w: &[i32; N], out: &mut [i32; N]) {
    let one_pass = S::LANES * S::LANES == N;
    if !one_pass {
        two_layers::<F, S, false>(s, Some(w), out, N >> 1);
    }
    let mut len = N >> 3;
    while len >= S::LANES * S::LANES {
        two_layers::<F, S, false>(s, None, out, len);
        len >>= 2;
    }
    if S::LANES > 1 {
        for (i, rows) in S::chunks_mut(out).chunks_exact_mut(S::LANES).enumerate() {
            let mut v = s.load_square(if one_pass { S::chunks(w) } else { rows });
            square_layers::<F, S, false, false>(s, v.as_mut(), i);
            s.transpose(&mut v);
            square_layers::<F, S, false, true>(s, v.as_mut(), i);
            s.store_transposed(v, rows);
        }
    }
}

/// Computes NTT⁻¹. The first pass reads `w_hat`; the others work in place, on `out`.
#[inline(always)]
fn inverse<F: Field, S: Simd>(s: S, w_hat: &[i32; N], out: &mut [i32; N]) {
    if S::LANES > 1 {
        let squares = S::chunks(w_hat).chunks_exact(S::LANES);
        let rows = S::chunks_mut(out).chunks_exact_mut(S::LANES);
        for (i, (square, rows)) in squares.zip(rows).enumerate() {
            let mut v = s.load_transposed(square);
            square_layers::<F, S, true, true>(s, v.as_mut(), i);
            s.transpose(&mut v);
            square_layers::<F, S, true, false>(s, v.as_mut(), i);
            for v in v.as_mut() {
                *v = finish::<F, S, true>(s, S::LANES * S::LANES == N, *v);
            }
            s.store_square(v, rows);
        }
    } else {
        two_layers::<F, S, true>(s, Some(w_hat), out, 2);
    }
    let mut len = (2 * S::LANES * S::LANES).max(8);
    while len < N {
        two_layers::<F, S, true>(s, None, out, len);
        len <<= 2;
    }
}

/// Applies the last step of NTT⁻¹, if this is the pass with the last layer.
#[inline(always)]
fn finish<F: Field, S: Simd, const INVERSE: bool>(s: S, last: bool, v: S::V) -> S::V {
    if INVERSE && last {
        s.twiddle_mul::<F>(v, s.inverse_scale::<F>())
    } else {
        v
    }
}

/// Computes the layer whose partners are `len` coefficients apart, and the one with half that
/// distance. In: `len` ≥ 2 · LANES. Reads `from` if given, or works in place.
#[inline(always)]
pub(crate) fn two_layers<F: Field, S: Simd, const INVERSE: bool>(
    s: S,
    from: Option<&[i32; N]>,
    w: &mut [i32; N],
    len: usize,
) {
    // Both divisors are powers of two, and a shift has no case that panics.
    let registers = (2 * len) >> S::LANES.trailing_zeros();
    let blocks = N >> (2 * len).trailing_zeros();
    let last = blocks == 1;
    let in_blocks = S::chunks_mut(w).chunks_exact_mut(registers.max(1));
    for (i, block) in in_blocks.enumerate() {
        let outer = s.twiddle::<F>(root::<INVERSE>(blocks, i));
        let inner_low = s.twiddle::<F>(root::<INVERSE>(2 * blocks, 2 * i));
        let inner_high = s.twiddle::<F>(root::<INVERSE>(2 * blocks, 2 * i + 1));
        for (j, (a, b, c, d)) in quarters(block).enumerate() {
            let at = i * registers + j;
            let (mut va, mut vb, mut vc, mut vd) = match from.map(S::chunks) {
                Some(from) => (
                    s.load(&from[at]),
                    s.load(&from[at + (registers >> 2)]),
                    s.load(&from[at + (registers >> 1)]),
                    s.load(&from[at + (registers >> 2) * 3]),
                ),
                None => (s.load(a), s.load(b), s.load(c), s.load(d)),
            };
            if INVERSE {
                butterfly::<F, S, INVERSE>(s, inner_low, &mut va, &mut vb);
                butterfly::<F, S, INVERSE>(s, inner_high, &mut vc, &mut vd);
            }
            butterfly::<F, S, INVERSE>(s, outer, &mut va, &mut vc);
            butterfly::<F, S, INVERSE>(s, outer, &mut vb, &mut vd);
            if !INVERSE {
                butterfly::<F, S, INVERSE>(s, inner_low, &mut va, &mut vb);
                butterfly::<F, S, INVERSE>(s, inner_high, &mut vc, &mut vd);
            }
            s.store(finish::<F, S, INVERSE>(s, last, va), a);
            s.store(finish::<F, S, INVERSE>(s, last, vb), b);
            s.store(finish::<F, S, INVERSE>(s, last, vc), c);
            s.store(finish::<F, S, INVERSE>(s, last, vd), d);
        }
    }
}

/// Iterates over the registers of the four quarters of a block in parallel.
#[inline(always)]
fn quarters<C>(block: &mut [C]) -> impl Iterator<Item = (&mut C, &mut C, &mut C, &mut C)> {
    let (low, high) = block.split_at_mut(block.len() >> 1);
    let (a, b) = low.split_at_mut(low.len() >> 1);
    let (c, d) = high.split_at_mut(high.len() >> 1);
    a.iter_mut()
        .zip(b)
        .zip(c.iter_mut().zip(d))
        .map(|((a, b), (c, d))| (a, b, c, d))
}

/// Computes the layers of square `i`, or of its transpose if `TURNED`, in which partners are 1, 2,
/// 4 and 8 registers apart, as far as the square has that many. The loops are unrolled by hand,
/// because LLVM does not unroll them for every CPU, and a square that is indexed by a variable is in
/// memory. Debug builds keep the loops, because each unrolled pair would take several KiB of stack.
#[inline(always)]
fn square_layers<F: Field, S: Simd, const INVERSE: bool, const TURNED: bool>(
    s: S,
    v: &mut [S::V],
    i: usize,
) {
    let distances = if INVERSE { [1, 2, 4, 8] } else { [8, 4, 2, 1] };
    if cfg!(debug_assertions) {
        for distance in distances {
            for n in 0..8 {
                pair::<F, S, INVERSE, TURNED>(s, v, i, distance, n);
            }
        }
        return;
    }
    let [first, second, third, fourth] = distances;
    layer::<F, S, INVERSE, TURNED>(s, v, i, first);
    layer::<F, S, INVERSE, TURNED>(s, v, i, second);
    layer::<F, S, INVERSE, TURNED>(s, v, i, third);
    layer::<F, S, INVERSE, TURNED>(s, v, i, fourth);
}

/// Computes one of these layers.
#[inline(always)]
fn layer<F: Field, S: Simd, const INVERSE: bool, const TURNED: bool>(
    s: S,
    v: &mut [S::V],
    i: usize,
    distance: usize,
) {
    pair::<F, S, INVERSE, TURNED>(s, v, i, distance, 0);
    pair::<F, S, INVERSE, TURNED>(s, v, i, distance, 1);
    pair::<F, S, INVERSE, TURNED>(s, v, i, distance, 2);
    pair::<F, S, INVERSE, TURNED>(s, v, i, distance, 3);
    pair::<F, S, INVERSE, TURNED>(s, v, i, distance, 4);
    pair::<F, S, INVERSE, TURNED>(s, v, i, distance, 5);
    pair::<F, S, INVERSE, TURNED>(s, v, i, distance, 6);
    pair::<F, S, INVERSE, TURNED>(s, v, i, distance, 7);
}

/// Computes pair `n` of a layer, if there is one.
#[inline(always)]
fn pair<F: Field, S: Simd, const INVERSE: bool, const TURNED: bool>(
    s: S,
    v: &mut [S::V],
    i: usize,
    distance: usize,
    n: usize,
) {
    if 2 * n >= S::LANES || distance >= S::LANES {
        return;
    }
    let block = n >> distance.ilog2();
    // The number of blocks of the square. The layers with longer distances before this one took 1,
    // 2, 4, ... roots.
    let blocks = S::LANES >> distance.ilog2() >> 1;
    let zeta = if TURNED {
        // As in `root`, the mask only bounds the index.
        let of_square = i * (S::LANES - 1) + blocks - 1 + block;
        s.tail_twiddle::<F, INVERSE>(of_square & ((N >> S::LANES.trailing_zeros()) - 1))
    } else {
        let squares = N >> (2 * S::LANES.ilog2());
        s.twiddle::<F>(root::<INVERSE>(squares * blocks, i * blocks + block))
    };
    let (a, b) = v.split_at_mut(n + (block + 1) * distance);
    butterfly::<F, S, INVERSE>(s, zeta, &mut a[n + block * distance], &mut b[0]);
}

/// Returns the constants for [`Simd::tail_twiddle`] from one of the tables of [`Field`].
pub(crate) const fn tail<const LANES: usize, const INVERSE: bool>(zetas: &[i32; N]) -> [i32; N] {
    let roots = tail_roots::<LANES, INVERSE>();
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = zetas[roots[i] as usize];
        i += 1;
    }
    table
}

/// Returns the indices of these constants in [`Field::ZETAS`], one register after the other: for
/// each square, for each distance in descending order, for each block, for each lane.
#[allow(
    clippy::integer_division_remainder_used,
    reason = "this function computes constants at compile time"
)]
const fn tail_roots<const LANES: usize, const INVERSE: bool>() -> [u8; N] {
    let mut table = [0; N];
    let mut at = 0;
    let mut square = 0;
    while square < N {
        let mut distance = LANES / 2;
        while distance > 0 {
            let mut block = 0;
            while block < LANES / (2 * distance) {
                let mut lane = 0;
                while lane < LANES {
                    let start = square + lane * LANES + block * 2 * distance;
                    table[at] = root::<INVERSE>(N / (2 * distance), start / (2 * distance)) as u8;
                    at += 1;
                    lane += 1;
                }
                block += 1;
            }
            distance /= 2;
        }
        square += LANES * LANES;
    }
    table
}
