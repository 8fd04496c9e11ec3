//! The operations for microcontrollers, which use one backend.

use moissanite_core::backend::Portable;
use moissanite_core::encode::keys::{self, sk_split_mut};
use moissanite_core::secret::{Held, Zeroed};
use moissanite_core::shape::Dim;
use moissanite_core::sign::MAX_ATTEMPTS;
use moissanite_core::stream::key::{Encoded, PrivateKey, Seeds};
use moissanite_core::stream::matrix::{CachedMatrix, Matrix};
use moissanite_core::{MlDsa44, MlDsa65, MlDsa87, ParameterSet, hash, stream};
use moissanite_cpu::memcheck::{poison, unpoison};

use crate::lattice::{ATTEMPTS, LONG_CT0, every_other, poison_key};
use crate::step::step;

/// Runs all operations of a set; returns whether keys and signatures are right.
pub(crate) fn run() -> bool {
    run_stream::<MlDsa44>() && run_stream::<MlDsa65>() && run_stream::<MlDsa87>()
}

fn run_stream<P: ParameterSet>() -> bool {
    let mut xi = [P::K::N as u8; 32];
    poison(&mut xi);
    let (mut pk, mut sk) = (P::PublicKey::ZERO, P::PrivateKey::ZERO);
    step::<P, Portable, _>("keygen in pieces", || {
        let mut scratch = stream::keygen::Scratch::ZERO;
        stream::keygen::keygen_internal::<P>(&xi, &mut pk, &mut sk, &mut scratch);
    });
    poison_key::<P>(&mut sk);
    let Some(key) = Encoded::new::<P>(sk.as_ref()) else {
        return false;
    };
    let checked = step::<P, Portable, _>("check of a private key in pieces", || {
        let a_hat = Matrix::<P>::new(keys::sk_split::<P>(&sk).rho);
        let mut scratch = stream::keygen::Scratch::ZERO;
        stream::keygen::check_private_key(&a_hat, &key, &mut scratch).is_ok()
    });
    let signed = step::<P, Portable, _>("signing in pieces", || {
        let mut seeds = Held::new(Box::<Seeds>::default());
        seeds.set::<P>(&xi);
        (0..10).all(|message| {
            signs_in_pieces::<P, _>(&key, &pk, message, MAX_ATTEMPTS, &[])
                && signs_in_pieces::<P, _>(&seeds, &pk, message, MAX_ATTEMPTS, &[])
        })
    });
    let signed_with_matrix = step::<P, Portable, _>("signing in pieces with entries kept", || {
        let mut kept = CachedMatrix::<7>::new();
        kept.set::<P>(keys::sk_split::<P>(&sk).rho);
        (0..4).all(|message| {
            signs_in_pieces::<P, _>(&key, &pk, message, MAX_ATTEMPTS, kept.entries())
        })
    });
    sk_split_mut::<P>(&mut sk).t0.fill(0);
    poison_key::<P>(&mut sk);
    step::<P, Portable, _>("signing in pieces with the largest t0", || {
        if let Some(key) = Encoded::new::<P>(sk.as_ref()) {
            signs_in_pieces::<P, _>(&key, &pk, LONG_CT0, ATTEMPTS, &[]);
        }
    });
    checked && signed && signed_with_matrix
}

/// Signs a secret message with secret randomness; returns whether the signature verifies.
fn signs_in_pieces<P: ParameterSet, K: PrivateKey<P>>(
    key: &K,
    pk: &P::PublicKey,
    message: u16,
    attempts: u16,
    kept: &[stream::Packed],
) -> bool {
    let tr = hash::public_key_hash(pk.as_ref());
    let mut mu = *hash::h::<64>(&[&tr, &message.to_le_bytes()]);
    let mut rnd = [7; 32];
    poison(&mut mu);
    poison(&mut rnd);
    let rnd = every_other(message, &rnd);
    let a_hat = Matrix::new(key.rho()).with(kept);
    let mut sigma = Vec::new();
    let mut scratch = stream::sign::Scratch::ZERO;
    let sink = |piece: &[u8]| {
        sigma.extend_from_slice(piece);
        Ok::<_, ()>(())
    };
    let signed = stream::sign::sign_mu(&a_hat, key, &mu, rnd, attempts, &mut scratch, sink);
    unpoison(&mut mu);
    let mut xof = hash::Shake256::new();
    xof.absorb(&mu);
    let (mut pk, mut sigma) = (pk.as_ref(), sigma.as_slice());
    let mut scratch = stream::verify::Scratch::<P, stream::verify::Recomputed>::ZERO;
    signed.is_ok()
        && stream::verify::verify(&a_hat, &mut pk, &mut xof, &mut sigma, &mut scratch) == Ok(true)
}
