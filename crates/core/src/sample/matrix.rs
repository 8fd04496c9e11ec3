//! ExpandA: the matrix Â, which is public.

use moissanite_keccak::{Hashing, IdleLaneHash, Keccak};

use super::batches::{Blocks, G_RATE, Lookahead, each_batch, fill_batch, seed};
use crate::backend::Backend;
use crate::field::Field;
use crate::params::ParameterSet;
use crate::poly::{Matrix, NttPoly, Vector};
use crate::secret::Secret;
use crate::shape::Dim;

/// The number of XOF bytes that are almost always sufficient for an entry of Â: 280 candidates for
/// 256 coefficients, of which one in 1,024 is rejected.
pub(crate) const UNIFORM_LEN: usize = 5 * G_RATE;

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
