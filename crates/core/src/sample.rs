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

/// Bytes of a block of SHAKE128, and of SHAKE256.
const G_RATE: usize = 168;
pub(crate) const H_RATE: usize = 136;

/// What an entry of Â almost always takes: 280 candidates for 256 coefficients,
/// of which one in 1,024 is refused.
pub(crate) const UNIFORM_LEN: usize = 5 * G_RATE;

/// What a polynomial of y takes in all sets, if only a few bytes of the last block.
pub(crate) const MASK_LEN: usize = 5 * H_RATE;

/// [`Keccak::Blocks`] of a backend.
pub(crate) type Blocks<B, const LEN: usize> = <<B as Backend>::Keccak as Keccak>::Blocks<LEN>;

/// FIPS 204, Algorithm 29 (SampleInBall). c̃ is public, and so is c.
pub fn sample_in_ball<P: ParameterSet>(c_tilde: &[u8], c: &mut Poly<P::Field>) {
    let mut xof = Shake256::new();
    xof.absorb(c_tilde);
    let mut xof = xof.squeeze();
    fill_ball::<P>(bytes(|block| xof.read(block)), &mut c.0);
}

/// [`sample_in_ball`], where the first block of H(c̃) is known.
pub(crate) fn sample_in_ball_from<P: ParameterSet>(
    first: &[u8; H_RATE],
    c_tilde: &[u8],
    c: &mut Poly<P::Field>,
) {
    let mut squeezed = 0;
    let squeeze = |block: &mut [u8; H_RATE]| {
        block.clone_from(first);
        if squeezed > 0 {
            // Rare, so restarting is fine.
            let mut xof = Shake256::new();
            xof.absorb(c_tilde);
            let mut xof = xof.squeeze();
            (0..=squeezed).for_each(|_| xof.read(block));
        }
        squeezed += 1;
    };
    fill_ball::<P>(bytes(squeeze), &mut c.0);
}

/// The bytes of blocks.
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

/// The rest of [`sample_in_ball`], with the XOF's bytes as a parameter: it never asks
/// for a second block but in a test.
#[inline(always)]
pub(crate) fn fill_ball<P: ParameterSet>(mut next: impl FnMut() -> u8, c: &mut [i32; N]) {
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

/// The seeds of the entries of Â, row by row, from the one of this number on.
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

/// Polynomials that are made as many at a time as there are Keccak states and
/// taken so many at a time as it happens. What is left over waits in a window.
#[derive(Default)]
struct Lookahead {
    /// Polynomials in the window, and how many of the first were taken.
    filled: usize,
    taken: usize,
    /// Polynomials made so far.
    made: usize,
}

impl Lookahead {
    /// The next `count`, as in each call. `make` is given the number of the first one to make and
    /// room for them, and says how many it made. There is room for `count` and `width`, less one.
    fn take<'w, T: Clone>(
        &mut self,
        count: usize,
        width: usize,
        window: &'w mut [T],
        mut make: impl FnMut(usize, &mut [T]) -> usize,
    ) -> &'w mut [T] {
        while self.filled - self.taken < count {
            if window.len() < self.filled + width {
                // Fewer than `count` are left, and at least as many were taken.
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

/// What is hashed alongside the rows of Â: all of it, or the start of it that is known.
#[derive(Clone, Copy, Debug)]
pub enum HashAlongside<'a> {
    /// Nothing.
    Nothing,
    /// A message that more follows.
    SoFar(&'a [u8]),
    /// A message.
    Whole(&'a [u8]),
}

/// ExpandA, a row at a time. An entry is made of `LEN` bytes at a time: whole blocks, as many as it
/// almost always takes.
pub struct Rows<'a, P: ParameterSet, B: Backend, const LEN: usize = UNIFORM_LEN> {
    backend: B,
    rho: &'a [u8; 32],
    hashing: Hashing,
    lookahead: Lookahead,
    window: &'a mut B::Window<NttPoly<P::Field>, P::L>,
    blocks: Blocks<B, LEN>,
}

impl<'a, P: ParameterSet, B: Backend> Rows<'a, P, B> {
    /// The rows of ExpandA(ρ), from the first on.
    pub fn new(
        backend: B,
        rho: &'a [u8; 32],
        window: &'a mut B::Window<NttPoly<P::Field>, P::L>,
    ) -> Self {
        Self::with_len(backend, rho, window)
    }
}

impl<'a, P: ParameterSet, B: Backend, const LEN: usize> Rows<'a, P, B, LEN> {
    /// [`Rows::new`], where a field refuses more or fewer candidates than ML-DSA's.
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

    /// The next row, L entries. There are K. Where it costs little, the message of `alongside` is hashed
    /// meanwhile.
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

    /// How far the hash came of the message that the rows were made alongside.
    pub fn hashing(&mut self) -> &mut Hashing {
        &mut self.hashing
    }
}

/// Chooses a hash for the last lane of a batch, if entries leave that lane idle.
///
/// With eight states or more, it takes the lane of an entry too: ten to twenty permutations one
/// after the other then cost five of many. A lane that it cannot use in most of those, or one of
/// four, would cost more than it saves.
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

/// s₁ and s₂ of one key, for [`reject_bounded`].
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

/// FIPS 204, Algorithm 34 (ExpandMask), attempt after attempt: κ counts on by L,
/// so that the polynomials of all attempts have nonces one after the other.
/// Those that were made lookahead for an attempt that does not take place are wiped
/// with the window, which is the caller's.
pub struct Masks<'a, P: ParameterSet, B: Backend> {
    backend: B,
    rho_second: &'a [u8; 64],
    lookahead: Lookahead,
    window: &'a mut B::Window<Poly<P::Field>, P::L>,
    blocks: Blocks<B, MASK_LEN>,
}

impl<'a, P: ParameterSet, B: Backend> Masks<'a, P, B> {
    /// From this κ on. ρ'' is secret.
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

    /// H of a message, and, in lanes that it leaves idle, polynomials of next y if there is room.
    /// Gives the y that [`Self::next_mask`] gave once more.
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

    /// The next y, L polynomials.
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
            // Past the last attempt that may be made, nonces may wrap: those are not taken.
            let seeds = mask_seeds(rho_second, first);
            expand_masks::<P, B>(*backend, &mut [], batch.iter_mut().zip(seeds), blocks);
            width
        })
    }
}

/// ρ'' ‖ nonce, from this nonce on.
fn mask_seeds(rho_second: &[u8; 64], first: usize) -> impl Iterator<Item = Secret<[u8; 66]>> {
    let nonces = (first..).map(|nonce| nonce as u16);
    nonces.map(|nonce| seed(rho_second, nonce.to_le_bytes()))
}

/// y of one attempt: FIPS 204, Algorithm 34 (ExpandMask), for [`expand_masks`].
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

/// ρ ‖ the index of one polynomial.
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

/// A polynomial for each lane that has one.
pub(crate) type Batch<'a, T> = [Option<&'a mut T>; MAX_KECCAK_WIDTH];

/// Takes the polynomials `width` at a time, at most as many as there are lanes,
/// and gives `fill` the XOFs that their seeds start.
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

/// Rejection: squeezes `LEN` bytes at a time until every polynomial is full.
/// `take` goes on from the coefficient it is given and says how far it came.
/// The XOFs are a parameter, so that a test can give output that they would take
/// 2¹³¹ tries to give.
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
