//! ExpandS: the secret vectors s₁ and s₂.

use moissanite_keccak::Keccak;

use super::batches::{H_RATE, each_batch, fill_batch, seed};
use crate::backend::Backend;
use crate::params::ParameterSet;
use crate::poly::{Poly, Vector};
use crate::secret::{Secret, wipe};

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
