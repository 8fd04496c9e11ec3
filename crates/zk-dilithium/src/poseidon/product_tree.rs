//! The product of eighteen numbers, and for each number the product of all others, in every word of
//! their registers. A tree needs three products per number.

use moissanite_core::backend::Simd;
use moissanite_core::secret::Zeroed;

use super::arithmetic::{Rows, rows};
use super::constants::QUARTER;
use crate::params::ZkField;

const THIRD: usize = 3;
const _: () = assert!(QUARTER == 3 * THIRD);

/// The products on the way up, and the products of the other branches on the way down.
#[derive(Clone)]
pub(super) struct ProductTree<const W: usize> {
    twos: Rows<QUARTER, W>,
    /// The products of two of these, for the third.
    fours: Rows<QUARTER, W>,
    sixes: Rows<THIRD, W>,
    beside_sixes: Rows<THIRD, W>,
    beside_twos: Rows<QUARTER, W>,
}

impl<const W: usize> Zeroed for ProductTree<W> {
    const ZERO: Self = Self {
        twos: Zeroed::ZERO,
        fours: Zeroed::ZERO,
        sixes: Zeroed::ZERO,
        beside_sixes: Zeroed::ZERO,
        beside_twos: Zeroed::ZERO,
    };
}

impl<const W: usize> ProductTree<W> {
    /// The product of all x.
    #[inline(always)]
    pub(super) fn all<S: Simd>(&mut self, s: S, x: &[S::WordChunk]) -> S::Words {
        let twos = rows::<S, _, W>(&mut self.twos);
        let fours = rows::<S, _, W>(&mut self.fours);
        let sixes = rows::<S, _, W>(&mut self.sixes);
        let beside_sixes = rows::<S, _, W>(&mut self.beside_sixes);
        products(s, twos, &x[..QUARTER], &x[QUARTER..]);
        beside_thirds(s, fours, twos, THIRD);
        products(s, sixes, fours, twos);
        beside_thirds(s, beside_sixes, sixes, 1);
        s.mul_words::<ZkField>(s.load_words(&beside_sixes[0]), s.load_words(&sixes[0]))
    }

    /// After [`Self::all`]: the additional factor of all numbers.
    #[inline(always)]
    pub(super) fn scale<S: Simd>(&mut self, s: S, factor: S::Words) {
        for beside in rows::<S, _, W>(&mut self.beside_sixes) {
            let product = s.mul_words::<ZkField>(s.load_words(beside), factor);
            s.store_words(product, beside);
        }
    }

    /// After [`Self::all`]: for each x the product of all others.
    #[inline(always)]
    pub(super) fn each<S: Simd>(&mut self, s: S, x: &[S::WordChunk], out: &mut [S::WordChunk]) {
        let fours = rows::<S, _, W>(&mut self.fours).chunks(THIRD);
        let beside_twos = rows::<S, _, W>(&mut self.beside_twos);
        for (beside_twos, fours) in beside_twos.chunks_mut(THIRD).zip(fours) {
            products(
                s,
                beside_twos,
                fours,
                rows::<S, _, W>(&mut self.beside_sixes),
            );
        }
        products(s, &mut out[..QUARTER], &x[QUARTER..], beside_twos);
        products(s, &mut out[QUARTER..], &x[..QUARTER], beside_twos);
    }

    /// All of it.
    #[cfg(test)]
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        let Self {
            twos,
            fours,
            sixes,
            beside_sixes,
            beside_twos,
        } = self;
        let quarters = [twos, fours, beside_twos].into_iter().flatten();
        let all = quarters.chain([sixes, beside_sixes].into_iter().flatten());
        all.flatten().copied()
    }
}

/// out ← ab, up to the shortest of the three.
#[inline(always)]
pub(super) fn products<S: Simd>(
    s: S,
    out: &mut [S::WordChunk],
    a: &[S::WordChunk],
    b: &[S::WordChunk],
) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        let product = s.mul_words::<ZkField>(s.load_words(a), s.load_words(b));
        s.store_words(product, out);
    }
}

/// For each third of x, which is `third` long, the product of the other two.
#[inline(always)]
fn beside_thirds<S: Simd>(s: S, out: &mut [S::WordChunk], x: &[S::WordChunk], third: usize) {
    let (a, rest) = x.split_at(third);
    let (b, c) = rest.split_at(third);
    let (beside_a, rest) = out.split_at_mut(third);
    let (beside_b, beside_c) = rest.split_at_mut(third);
    products(s, beside_a, b, c);
    products(s, beside_b, c, a);
    products(s, beside_c, a, b);
}
