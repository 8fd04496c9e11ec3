//! Generation of many keys at once.

use moissanite_keccak::hash_many;

use crate::backend::Backend;
use crate::encode::keys;
use crate::keygen::{self, Rows, SEEDS_LEN, Small};
use crate::params::ParameterSet;
use crate::sample;
use crate::secret::{Secret, Zeroed};

/// A key to be generated.
pub struct Item<'a, P: ParameterSet> {
    xi: &'a [u8; 32],
    pk: &'a mut P::PublicKey,
    sk: &'a mut P::PrivateKey,
}

impl<'a, P: ParameterSet> Item<'a, P> {
    /// Returns an item for the key of this seed.
    pub fn new(xi: &'a [u8; 32], pk: &'a mut P::PublicKey, sk: &'a mut P::PrivateKey) -> Self {
        Self { xi, pk, sk }
    }
}

/// The variables of one key that is being generated. They are wiped when the value is dropped.
pub struct Scratch<P: ParameterSet> {
    seeds: Secret<[u8; SEEDS_LEN]>,
    rho_prime: Secret<[u8; 64]>,
    tr: [u8; 64],
    small: Small<P>,
}

impl<P: ParameterSet> Zeroed for Scratch<P> {
    const ZERO: Self = Self {
        seeds: Secret::ZERO,
        rho_prime: Secret::ZERO,
        tr: [0; 64],
        small: Small::ZERO,
    };
}

/// FIPS 204, Algorithm 6, for each item. The group size is the number of elements of `scratch`,
/// which must not be empty.
pub fn generate<P: ParameterSet, B: Backend>(
    backend: B,
    items: &mut [Item<'_, P>],
    scratch: &mut [Scratch<P>],
    rows: &mut Rows<P, B>,
) {
    let keccak = backend.keccak();
    let dimensions = keygen::dimensions::<P>();
    for group in items.chunks_mut(scratch.len().max(1)) {
        let seeds = group.iter().zip(scratch.iter_mut());
        hash_many(
            keccak,
            seeds.map(|(item, scratch)| ([&item.xi[..], dimensions.as_ref()], &mut *scratch.seeds)),
        );
        for (item, scratch) in group.iter_mut().zip(scratch.iter_mut()) {
            keygen::take_seeds::<P>(&scratch.seeds, item.sk, &mut scratch.rho_prime);
        }
        let small = scratch.iter_mut().take(group.len()).flat_map(|scratch| {
            let Small { s1, s2 } = &mut scratch.small;
            sample::small::<P>(&scratch.rho_prime, s1, s2)
        });
        sample::reject_bounded::<P, B>(backend, small);
        for (item, scratch) in group.iter_mut().zip(scratch.iter_mut()) {
            // tr is computed below for all keys of the group, whose hashes fill the lanes.
            keygen::finish(backend, &scratch.small, item.pk, item.sk, rows, false);
        }
        let hashes = group.iter().zip(scratch.iter_mut());
        hash_many(
            keccak,
            hashes.map(|(item, scratch)| ([item.pk.as_ref()], &mut scratch.tr)),
        );
        for (item, scratch) in group.iter_mut().zip(scratch.iter()) {
            let tr = keys::sk_split_mut::<P>(item.sk).tr;
            tr.copy_from_slice(&scratch.tr[..P::TR_LEN]);
        }
    }
}
