//! Pseudorandom sampling: FIPS 204, Algorithms 29 to 34.

use moissanite_keccak::{Hashing, IdleLaneHash, Keccak, Shake256, Shakes};

use crate::backend::{Backend, MAX_KECCAK_WIDTH, SPARE_MASKS};
use crate::bounds::check;
use crate::encode::bits;
use crate::field::Field;
use crate::params::ParameterSet;
use crate::poly::{Matrix, NttPoly, Poly, Vector};
use crate::secret::{Secret, wipe};
use crate::shape::Dim;
use crate::shape::N;

/// The block length of SHAKE128, and of SHAKE256, in bytes.
const G_RATE: usize = 168;
pub(crate) const H_RATE: usize = 136;

/// The number of XOF bytes that are almost always sufficient for an entry of Â: 280 candidates for
/// 256 coefficients, of which one in 1,024 is rejected.
pub(crate) const UNIFORM_LEN: usize = 5 * G_RATE;

/// The length of the whole blocks that a polynomial of y takes in all sets, in bytes. Only a part
/// of the last block may be needed.
pub(crate) const MASK_LEN: usize = 5 * H_RATE;

/// [`Keccak::Blocks`] for a backend.
pub(crate) type Blocks<B, const LEN: usize> = <<B as Backend>::Keccak as Keccak>::Blocks<LEN>;

/// FIPS 204, Algorithm 29 (SampleInBall). Both c̃ and c are public.
pub fn sample_in_ball<P: ParameterSet>(c_tilde: &[u8], c: &mut Poly<P::Field>) {
    let mut xof = Shake256::new();
    xof.absorb(c_tilde);
    let mut xof = xof.squeeze();
    fill_ball::<P>(bytes(|block| xof.read(block)), &mut c.0);
}

/// [`sample_in_ball`] with a known first block of H(c̃).
pub(crate) fn sample_in_ball_from<P: ParameterSet>(
    first: &[u8; H_RATE],
    c_tilde: &[u8],
    c: &mut Poly<P::Field>,
) {
    let mut squeezed = 0;
    let squeeze = |block: &mut [u8; H_RATE]| {
        block.clone_from(first);
        if squeezed > 0 {
            // This case is rare, so that the cost of a restart does not matter.
            let mut xof = Shake256::new();
            xof.absorb(c_tilde);
            let mut xof = xof.squeeze();
            (0..=squeezed).for_each(|_| xof.read(block));
        }
        squeezed += 1;
    };
    fill_ball::<P>(bytes(squeeze), &mut c.0);
}

/// Returns a function that returns the bytes of the blocks one by one.
pub(crate) fn bytes(mut squeeze: impl FnMut(&mut [u8; H_RATE])) -> impl FnMut() -> u8 {
    let mut block = [0; H_RATE];
    let mut at = H_RATE;
    move || {
        loop {
            if let Some(byte) = block.get(at) {
                at += 1;
                return *byte;
            }
            squeeze(&mut block);
            at = 0;
        }
    }
}

/// Lines 4 to 13 of [`sample_in_ball`], which take the bytes of the XOF from `next`. Only tests
/// reach the second block.
///
/// In: τ ≤ 64, because the signs are the bits of one word.
#[inline(always)]
pub(crate) fn fill_ball<P: ParameterSet>(mut next: impl FnMut() -> u8, c: &mut [i32; N]) {
    const { assert!(P::TAU <= 64) };
    let mut signs = u64::from_le_bytes(core::array::from_fn(|_| next()));
    *c = [0; N];
    for i in N - P::TAU..N {
        let j = loop {
            let j = usize::from(next());
            if j <= i {
                break j;
            }
        };
        c[i] = c[j];
        c[j] = 1 - 2 * (signs & 1) as i32;
        signs >>= 1;
    }
}

/// FIPS 204, Algorithm 32 (ExpandA). ρ is public.
pub fn expand_a<P: ParameterSet, B: Backend>(
    backend: B,
    rho: &[u8; 32],
    a_hat: &mut Matrix<P::Field, P::K, P::L>,
) {
    let entries = a_hat.iter_mut().flat_map(Vector::iter_mut);
    let seeded = entries.zip(a_seeds::<P>(rho, 0));
    reject_uniform::<_, B, UNIFORM_LEN>(backend, None, seeded, &mut B::Keccak::blocks());
}

/// Returns the seeds of the entries of Â, row by row, from number `first` on.
fn a_seeds<P: ParameterSet>(
    rho: &[u8; 32],
    first: usize,
) -> impl Iterator<Item = Secret<[u8; 34]>> {
    let indices = (0..P::K::N as u8).flat_map(|r| (0..P::L::N as u8).map(move |s| [s, r]));
    indices.skip(first).map(|index| seed(rho, index))
}

/// FIPS 204, Algorithm 30 (RejNTTPoly), for each seed.
fn reject_uniform<'a, F: Field, B: Backend, const LEN: usize>(
    backend: B,
    mut idle_hash: Option<IdleLaneHash<'_, 1>>,
    seeded: impl Iterator<Item = (&'a mut NttPoly<F>, Secret<[u8; 34]>)>,
    blocks: &mut Blocks<B, LEN>,
) {
    let width = B::Keccak::WIDTH - usize::from(idle_hash.is_some());
    each_batch::<_, 34, G_RATE, _>(backend.keccak(), width, seeded, |xofs, batch| {
        fill_batch::<B::Keccak, LEN, _>(
            |blocks| xofs.squeeze_alongside(idle_hash.as_mut_slice(), blocks),
            blocks,
            batch,
            |block, a_rs, filled| backend.reject_uniform(block, a_rs, filled),
        );
    });
}

/// A queue of polynomials that are generated in batches of the number of Keccak states, and taken
/// in groups of another size. Polynomials that are not yet taken stay in a window.
#[derive(Default)]
struct Lookahead {
    /// The number of polynomials in the window, and the number of those that were taken, which are
    /// the first.
    filled: usize,
    taken: usize,
    /// The number of polynomials generated so far.
    made: usize,
}

impl Lookahead {
    /// Returns the next `count` polynomials; `count` is the same in each call. `make` is given the
    /// number of the first polynomial to generate and a slice for the results, and returns how many
    /// it generated. The window has room for at least `count + width - 1` polynomials.
    fn take<'w, T: Clone>(
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

/// The message that is hashed alongside the rows of Â: all of it, or the known start of it.
#[derive(Clone, Copy, Debug)]
pub enum HashAlongside<'a> {
    /// No message.
    Nothing,
    /// The known start of a message.
    SoFar(&'a [u8]),
    /// A whole message.
    Whole(&'a [u8]),
}

/// ExpandA, one row at a time. An entry is sampled from `LEN` bytes at a time, which are whole
/// blocks and almost always sufficient.
pub struct Rows<'a, P: ParameterSet, B: Backend, const LEN: usize = UNIFORM_LEN> {
    backend: B,
    rho: &'a [u8; 32],
    hashing: Hashing,
    lookahead: Lookahead,
    window: &'a mut B::Window<NttPoly<P::Field>, P::L>,
    blocks: Blocks<B, LEN>,
}

impl<'a, P: ParameterSet, B: Backend> Rows<'a, P, B> {
    /// Returns the rows of ExpandA(ρ) from the first on.
    pub fn new(
        backend: B,
        rho: &'a [u8; 32],
        window: &'a mut B::Window<NttPoly<P::Field>, P::L>,
    ) -> Self {
        Self::with_len(backend, rho, window)
    }
}

impl<'a, P: ParameterSet, B: Backend, const LEN: usize> Rows<'a, P, B, LEN> {
    /// [`Rows::new`] for fields that reject more or fewer candidates than the field of ML-DSA.
    pub fn with_len(
        backend: B,
        rho: &'a [u8; 32],
        window: &'a mut B::Window<NttPoly<P::Field>, P::L>,
    ) -> Self {
        Self {
            backend,
            rho,
            hashing: Hashing::default(),
            lookahead: Lookahead::default(),
            window,
            blocks: B::Keccak::blocks(),
        }
    }

    /// Returns the next row, which has L entries. There are K rows. Where this costs little, the
    /// message of `alongside` is hashed at the same time.
    pub fn next_row(&mut self, alongside: HashAlongside<'_>) -> &[NttPoly<P::Field>] {
        let Self {
            backend,
            rho,
            hashing,
            lookahead,
            window,
            blocks,
        } = self;
        lookahead.take(
            P::L::N,
            B::Keccak::WIDTH,
            window.as_mut(),
            |first, batch| {
                let left = (P::K::N * P::L::N).saturating_sub(first);
                let idle_hash = idle_hash::<B>(hashing, alongside, left);
                let width = B::Keccak::WIDTH - usize::from(idle_hash.is_some());
                let batch = batch.iter_mut().take(width);
                let seeded = batch.zip(a_seeds::<P>(rho, first));
                reject_uniform(*backend, idle_hash, seeded, blocks);
                width
            },
        )
    }

    /// Returns the state of the hash of the message that was hashed alongside the rows.
    pub fn hashing(&mut self) -> &mut Hashing {
        &mut self.hashing
    }
}

/// Chooses a hash for the last lane of a batch, if the entries leave that lane idle.
///
/// With eight or more states, the hash may also take the lane of an entry. Ten to twenty
/// permutations of one state are then replaced by five permutations of all states. This costs more
/// than it saves if the hash cannot use its lane in most of the five, or if there are only four
/// lanes.
fn idle_hash<'h, B: Backend>(
    hashing: &'h mut Hashing,
    alongside: HashAlongside<'h>,
    entries: usize,
) -> Option<IdleLaneHash<'h, 1>> {
    const WORTH_A_LANE: usize = 4;
    let idle_hash = match alongside {
        HashAlongside::Nothing => return None,
        HashAlongside::SoFar(message) => IdleLaneHash::so_far(hashing, [message]),
        HashAlongside::Whole(message) => IdleLaneHash::new(hashing, [message]),
    };
    let ready = idle_hash.ready();
    let idle = entries < B::Keccak::WIDTH;
    let worth = B::Keccak::WIDTH >= 8 && ready >= WORTH_A_LANE;
    (ready > 0 && (idle || worth)).then_some(idle_hash)
}

/// FIPS 204, Algorithm 33 (ExpandS). ρ' is secret.
pub fn expand_s<P: ParameterSet, B: Backend>(
    backend: B,
    rho_prime: &[u8; 64],
    s1: &mut Vector<Poly<P::Field>, P::L>,
    s2: &mut Vector<Poly<P::Field>, P::K>,
) {
    reject_bounded::<P, B>(backend, small::<P>(rho_prime, s1, s2));
}

/// Returns the polynomials of s₁ and s₂ of one key with their seeds, for [`reject_bounded`].
pub(crate) fn small<'a, P: ParameterSet>(
    rho_prime: &'a [u8; 64],
    s1: &'a mut Vector<Poly<P::Field>, P::L>,
    s2: &'a mut Vector<Poly<P::Field>, P::K>,
) -> impl Iterator<Item = (&'a mut Poly<P::Field>, Secret<[u8; 66]>)> {
    let polys = s1.iter_mut().chain(s2.iter_mut()).zip(0u16..);
    polys.map(|(s, r)| (s, seed(rho_prime, r.to_le_bytes())))
}

/// FIPS 204, Algorithm 31 (RejBoundedPoly), for each polynomial and its seed.
pub(crate) fn reject_bounded<'a, P: ParameterSet, B: Backend>(
    backend: B,
    seeded: impl Iterator<Item = (&'a mut Poly<P::Field>, Secret<[u8; 66]>)>,
) {
    let mut blocks = B::Keccak::blocks::<H_RATE>();
    each_batch::<_, 66, H_RATE, _>(backend.keccak(), B::Keccak::WIDTH, seeded, |xofs, batch| {
        fill_batch::<B::Keccak, H_RATE, _>(
            |blocks| xofs.squeeze(blocks),
            &mut blocks,
            batch,
            |block, s, filled| backend.reject_bounded(block, P::ETA, s, filled),
        );
    });
    wipe(blocks.as_mut());
}

/// FIPS 204, Algorithm 34 (ExpandMask), one attempt after the other. κ increases by L, so that the
/// polynomials of all attempts have consecutive nonces. Polynomials that were generated in advance
/// for an attempt that is not made are wiped with the window, which belongs to the caller.
pub struct Masks<'a, P: ParameterSet, B: Backend> {
    backend: B,
    rho_second: &'a [u8; 64],
    lookahead: Lookahead,
    window: &'a mut B::Window<Poly<P::Field>, P::L>,
    blocks: Blocks<B, MASK_LEN>,
}

impl<'a, P: ParameterSet, B: Backend> Masks<'a, P, B> {
    /// Returns the masks from this κ on. ρ'' is secret.
    pub fn new(
        backend: B,
        rho_second: &'a [u8; 64],
        kappa: u16,
        window: &'a mut B::Window<Poly<P::Field>, P::L>,
    ) -> Self {
        Self {
            backend,
            rho_second,
            lookahead: Lookahead {
                made: kappa.into(),
                ..Lookahead::default()
            },
            window,
            blocks: B::Keccak::blocks(),
        }
    }

    /// Computes H of a message and, in the idle lanes, polynomials of the next y if the window has
    /// room for them. Returns the same y as the last call of [`Self::next_mask`].
    #[inline(never)]
    pub fn hash_alongside<const LEN: usize>(
        &mut self,
        message: [&[u8]; 2],
        hash: &mut [u8; LEN],
    ) -> &mut [Poly<P::Field>] {
        let Self {
            backend,
            rho_second,
            lookahead,
            window,
            blocks,
        } = self;
        let window = window.as_mut();
        let mut hashing = Hashing::new();
        if B::Keccak::WIDTH >= 8
            && let Some(batch) = window.get_mut(lookahead.filled..lookahead.filled + SPARE_MASKS)
        {
            let hashes = &mut [IdleLaneHash::new(&mut hashing, message)];
            let seeded = batch.iter_mut().zip(mask_seeds(rho_second, lookahead.made));
            expand_masks::<P, B>(*backend, hashes, seeded, blocks);
            lookahead.filled += SPARE_MASKS;
            lookahead.made += SPARE_MASKS;
        }
        hashing.finish(message, hash);
        let y = lookahead.taken.saturating_sub(P::L::N)..lookahead.taken;
        window.get_mut(y).unwrap_or_default()
    }

    /// Returns the next y, which has L polynomials.
    #[inline(never)]
    pub fn next_mask(&mut self) -> &mut [Poly<P::Field>] {
        let Self {
            backend,
            rho_second,
            lookahead,
            window,
            blocks,
        } = self;
        let width = B::Keccak::WIDTH;
        lookahead.take(P::L::N, width, window.as_mut(), |first, batch| {
            // After the last allowed attempt, nonces may wrap; these polynomials are not taken.
            let seeds = mask_seeds(rho_second, first);
            expand_masks::<P, B>(*backend, &mut [], batch.iter_mut().zip(seeds), blocks);
            width
        })
    }
}

/// Returns ρ'' ‖ nonce, for all nonces from this one on.
fn mask_seeds(rho_second: &[u8; 64], first: usize) -> impl Iterator<Item = Secret<[u8; 66]>> {
    let nonces = (first..).map(|nonce| nonce as u16);
    nonces.map(|nonce| seed(rho_second, nonce.to_le_bytes()))
}

/// Returns the polynomials of y of one attempt with their seeds, for [`expand_masks`]: FIPS 204,
/// Algorithm 34 (ExpandMask).
pub(crate) fn mask<'a, P: ParameterSet>(
    rho_second: &'a [u8; 64],
    kappa: u16,
    y: &'a mut Vector<Poly<P::Field>, P::L>,
) -> impl Iterator<Item = (&'a mut Poly<P::Field>, Secret<[u8; 66]>)> {
    y.iter_mut().zip(mask_seeds(rho_second, kappa.into()))
}

/// Lines 3 and 4 of Algorithm 34, for each polynomial and its seed.
pub(crate) fn expand_masks<'a, P: ParameterSet, B: Backend>(
    backend: B,
    hashes: &mut [IdleLaneHash<'_, 2>],
    seeded: impl Iterator<Item = (&'a mut Poly<P::Field>, Secret<[u8; 66]>)>,
    blocks: &mut Blocks<B, MASK_LEN>,
) {
    const { assert!(4 * H_RATE < 32 * P::Z_BITS && 32 * P::Z_BITS <= MASK_LEN) };
    let width = B::Keccak::WIDTH - hashes.len();
    each_batch::<_, 66, H_RATE, _>(backend.keccak(), width, seeded, |xofs, batch| {
        xofs.squeeze_alongside(hashes, blocks);
        for (y, bytes) in batch.iter_mut().flatten().zip(blocks.as_ref()) {
            let bytes = &bytes[..32 * P::Z_BITS];
            bits::bit_unpack(backend, P::Z_BITS, P::GAMMA1, bytes, y);
        }
    });
}

impl<P: ParameterSet, B: Backend> Drop for Masks<'_, P, B> {
    fn drop(&mut self) {
        wipe(self.blocks.as_mut());
    }
}

/// Returns ρ ‖ the index of one polynomial.
fn seed<const LEN: usize, const SEED: usize>(
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
fn each_batch<'a, K: Keccak, const SEED: usize, const RATE: usize, T: 'a>(
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
