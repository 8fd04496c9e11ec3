//! ExpandMask: the vector y of each attempt to sign.

use moissanite_keccak::{Hashing, IdleLaneHash, Keccak};

use super::batches::{Blocks, H_RATE, Lookahead, each_batch, seed};
use crate::backend::{Backend, SPARE_MASKS};
use crate::encode::bits;
use crate::params::ParameterSet;
use crate::poly::{Poly, Vector};
use crate::secret::{Secret, wipe};
use crate::shape::Dim;

/// The length of the whole blocks that a polynomial of y takes in all sets, in bytes. Only a part
/// of the last block may be needed.
pub(crate) const MASK_LEN: usize = 5 * H_RATE;

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
