//! Polynomials from seeds in batches, with one seed in each lane of Keccak.

use moissanite_keccak::{Keccak, Shakes};

use crate::backend::{Backend, MAX_KECCAK_WIDTH};
use crate::bounds::check;
use crate::secret::Secret;
use crate::shape::N;

/// The block length of SHAKE128, and of SHAKE256, in bytes.
pub(super) const G_RATE: usize = 168;
pub(crate) const H_RATE: usize = 136;

/// [`Keccak::Blocks`] for a backend.
pub(crate) type Blocks<B, const LEN: usize> = <<B as Backend>::Keccak as Keccak>::Blocks<LEN>;

/// A queue of polynomials that are generated in batches of the number of Keccak states, and taken
/// in groups of another size. Polynomials that are not yet taken stay in a window.
#[derive(Default)]
pub(super) struct Lookahead {
    /// The number of polynomials in the window, and the number of those that were taken, which are
    /// the first.
    pub(super) filled: usize,
    pub(super) taken: usize,
    /// The number of polynomials generated so far.
    pub(super) made: usize,
}

impl Lookahead {
    /// Returns the next `count` polynomials; `count` is the same in each call. `make` is given the
    /// number of the first polynomial to generate and a slice for the results, and returns how many
    /// it generated. The window has room for at least `count + width - 1` polynomials.
    pub(super) fn take<'w, T: Clone>(
        &mut self,
        count: usize,
        width: usize,
        window: &'w mut [T],
        mut make: impl FnMut(usize, &mut [T]) -> usize,
    ) -> &'w mut [T] {
        while self.filled - self.taken < count {
            if window.len() < self.filled + width {
                // Fewer than `count` polynomials are left, and at least as many were taken.
                if let Some((taken, left)) = window.split_at_mut_checked(self.taken) {
                    let left = left.iter().take(self.filled - self.taken);
                    taken
                        .iter_mut()
                        .zip(left)
                        .for_each(|(to, from)| to.clone_from(from));
                }
                self.filled -= self.taken;
                self.taken = 0;
            }
            let room = window.get_mut(self.filled..self.filled + width);
            let made = room.map_or(0, |room| make(self.made, room));
            check(|| made > 0);
            if made == 0 {
                break;
            }
            self.filled += made;
            self.made += made;
        }
        self.taken += count;
        let first = self.taken - count;
        window.get_mut(first..self.taken).unwrap_or_default()
    }
}

/// Returns ρ ‖ the index of one polynomial.
pub(super) fn seed<const LEN: usize, const SEED: usize>(
    rho: &[u8; LEN],
    index: [u8; 2],
) -> Secret<[u8; SEED]> {
    const { assert!(SEED == LEN + 2) };
    let mut seed = Secret::new([0; SEED]);
    seed[..LEN].copy_from_slice(rho);
    seed[LEN..].copy_from_slice(&index);
    seed
}

/// The polynomial of each lane; a lane may have none.
pub(crate) type Batch<'a, T> = [Option<&'a mut T>; MAX_KECCAK_WIDTH];

/// Splits the polynomials into batches of `width`, which is at most the number of lanes, and calls
/// `fill` with each batch and its XOFs, which have absorbed the seeds.
pub(super) fn each_batch<'a, K: Keccak, const SEED: usize, const RATE: usize, T: 'a>(
    keccak: K,
    width: usize,
    seeded: impl Iterator<Item = (&'a mut T, Secret<[u8; SEED]>)>,
    mut fill: impl FnMut(&mut Shakes<K, RATE>, &mut Batch<'a, T>),
) {
    const { assert!(K::WIDTH <= MAX_KECCAK_WIDTH && SEED < RATE) };
    let mut seeded = seeded.peekable();
    while seeded.peek().is_some() {
        let mut batch: Batch<'a, T> = [const { None }; MAX_KECCAK_WIDTH];
        let mut seeds = Secret::new([[0; SEED]; MAX_KECCAK_WIDTH]);
        let lanes = batch.iter_mut().zip(seeds.iter_mut()).take(width);
        let mut count = 0;
        for ((slot, seed), (poly, its_seed)) in lanes.zip(seeded.by_ref()) {
            (*slot, *seed) = (Some(poly), *its_seed);
            count += 1;
        }
        let inputs = seeds.each_ref().map(|seed| seed.as_slice());
        let inputs = &inputs[..count.min(MAX_KECCAK_WIDTH)];
        fill(&mut Shakes::absorb(keccak, inputs), &mut batch);
    }
}

/// Rejection sampling: squeezes `LEN` bytes at a time until every polynomial is full. `take`
/// continues from the coefficient that it is given, and returns the number of coefficients that are
/// then filled. The XOFs are a parameter, so that a test can supply output that SHAKE would give
/// once in 2¹³¹ tries.
pub(crate) fn fill_batch<K: Keccak, const LEN: usize, T>(
    mut squeeze: impl FnMut(&mut K::Blocks<LEN>),
    blocks: &mut K::Blocks<LEN>,
    batch: &mut Batch<'_, T>,
    take: impl Fn(&[u8; LEN], &mut T, usize) -> usize,
) {
    let mut filled = [0; MAX_KECCAK_WIDTH];
    loop {
        squeeze(blocks);
        let mut full = true;
        for ((poly, filled), block) in batch.iter_mut().zip(&mut filled).zip(blocks.as_ref()) {
            if let Some(poly) = poly {
                *filled = take(block, poly, *filled);
                full &= *filled == N;
            }
        }
        if full {
            break;
        }
    }
}
