//! The operations for microcontrollers, on the one backend that the target determines.

use core::convert::Infallible;

use moissanite::stream::{CachedMatrix, PrivateKey, Seeds, SigningKey};
use moissanite::{Fips204, MuBuilder};
use moissanite_core::secret::Zeroed;
use moissanite_core::shape::Dim;
use moissanite_core::{ParameterSet, stream};

use crate::secret::{Hedge, Secret};
use crate::step::step;

pub(crate) fn run<P: Fips204>(secret: Secret) -> bool {
    step("key generation in pieces");
    let seed = secret.seed(0);
    let (mut pk, mut sk) = (P::PublicKey::ZERO, P::PrivateKey::ZERO);
    let mut scratch = stream::keygen::Scratch::ZERO;
    stream::keygen::keygen_internal::<P>(&seed, &mut pk, &mut sk, &mut scratch);

    step("check of a private key in pieces");
    let Ok(expanded) = SigningKey::<P, _>::from_expanded_bytes(sk.as_ref()) else {
        return false;
    };

    step("signing in pieces with a key in bytes");
    let of_bytes = signs(&expanded, None);

    step("signing in pieces with a key in bytes and kept entries, hedged");
    let mut kept = CachedMatrix::<{ most_entries() }>::new();
    let hedged = signs(&expanded.keep(&mut kept), Some(Hedge(secret)));

    step("a key of a seed");
    let mut seeds = Seeds::new();
    let key = SigningKey::<P, _>::from_seed_in(&mut seeds, &seed.into());

    step("signing in pieces with a seed");
    of_bytes && hedged && signs(&key, None)
}

/// The number of entries of the largest matrix.
const fn most_entries() -> usize {
    <<moissanite_core::MlDsa87 as ParameterSet>::K as Dim>::N
        * <<moissanite_core::MlDsa87 as ParameterSet>::L as Dim>::N
}

fn signs<P: Fips204, K: PrivateKey<P>>(key: &SigningKey<'_, P, K>, rng: Option<Hedge>) -> bool {
    let message = |mu: &mut MuBuilder| mu.update(b"message");
    let sink = |_: &[u8]| Ok::<_, Infallible>(());
    match rng {
        None => key.try_sign_pieces(b"", message, sink).is_ok(),
        Some(mut rng) => key
            .try_sign_pieces_with_rng(&mut rng, b"", message, sink)
            .is_ok(),
    }
}
