//! Every operation of a set in every form. All forms must give the same results.

use core::fmt::Display;

use moissanite::backend::Backend;
use moissanite::stream::{CachedMatrix, PrivateKey, Seeds, SigningKey, VerifyingKey, ZCache};
use moissanite::{ContextTooLong, Fips204, Mu, MuBuilder, Seed, SigningKeyIn, SigningKeySpace};
use moissanite_core::secret::Zeroed;

use crate::cost;
use crate::pieces::into;

/// The streams' name.
const STREAM: &str = if cfg!(feature = "tiny") {
    "tiny stream"
} else {
    "stream"
};

/// One key and its signature of the empty message: `moissanite::stream`, with no memory for Â.
#[inline(never)]
pub fn streams<P: Fips204>(seed: &Seed) -> (P::PublicKey, P::Signature) {
    let mut seeds = Seeds::new();
    measure::<P>(format_args!("{STREAM}, key from a seed"), || {
        SigningKey::<P, _>::from_seed_in(&mut seeds, seed);
        true
    });
    let key = SigningKey::<P, _>::from_seed_in(&mut seeds, seed);
    let mut public_key = P::PublicKey::ZERO;
    let Ok(()) = key.write_public_key(into(public_key.as_mut()));
    let mut signature = P::Signature::ZERO;
    sign(format_args!("{STREAM}, sign, seed"), &key, &mut signature);
    let mut verifying = VerifyingKey::<P, _>::from_bytes(public_key.as_ref()).unwrap();
    verify(format_args!("{STREAM}, verify"), &mut verifying, &signature);
    verify(
        format_args!("{STREAM}, verify, z kept"),
        &mut verifying.cache_z(),
        &signature,
    );

    let mut space = SigningKeySpace::<P>::new();
    let expanded = SigningKeyIn::from_seed_in(&mut space, seed);
    let expanded = expanded.as_expanded_bytes();
    measure::<P>(format_args!("{STREAM}, key from expanded bytes"), || {
        SigningKey::<P, _>::from_expanded_bytes(expanded.as_ref()).is_ok()
    });
    let key = SigningKey::<P, _>::from_expanded_bytes(expanded.as_ref()).unwrap();
    signs_too(
        format_args!("{STREAM}, sign, expanded key"),
        &key,
        &signature,
    );
    (public_key, signature)
}

/// With `N` entries of Â.
#[inline(never)]
pub fn kept<P: Fips204, const N: usize>(
    part: &str,
    seed: &Seed,
    public_key: &P::PublicKey,
    signature: &P::Signature,
) {
    let mut kept = CachedMatrix::<N>::new();
    let mut seeds = Seeds::new();
    let key = SigningKey::<P, _>::from_seed_in(&mut seeds, seed).keep(&mut kept);
    signs_too(
        format_args!("stream, sign, seed, {part} of A kept"),
        &key,
        signature,
    );
    let mut space = SigningKeySpace::<P>::new();
    let expanded = SigningKeyIn::from_seed_in(&mut space, seed);
    let expanded = expanded.as_expanded_bytes();
    let key = SigningKey::<P, _>::from_expanded_bytes(expanded.as_ref()).unwrap();
    let key = key.keep(&mut kept);
    signs_too(
        format_args!("stream, sign, expanded key, {part} of A kept"),
        &key,
        signature,
    );
    let mut key = VerifyingKey::<P, _>::from_bytes(public_key.as_ref())
        .unwrap()
        .keep(&mut kept);
    verify(
        format_args!("stream, verify, {part} of A kept"),
        &mut key,
        signature,
    );
}

/// The types that have all of Â in memory at once.
#[inline(never)]
pub fn whole<P: Fips204, B: Backend>(
    form: impl Display + Copy,
    backend: B,
    seed: &Seed,
    public_key: &P::PublicKey,
    signature: &P::Signature,
) {
    use moissanite::{Signature, prelude::*};

    let mut space = SigningKeySpace::<P>::new();
    measure::<P>(format_args!("{form}, key from a seed"), || {
        SigningKeyIn::from_seed_in_on(&mut space, backend, seed);
        true
    });
    let key = SigningKeyIn::from_seed_in_on(&mut space, backend, seed);
    let mut made = Signature::zero();
    measure::<P>(format_args!("{form}, sign"), || {
        mu(&key).is_ok_and(|mu| key.on(backend).try_sign_mu_into(&mu, &mut made).is_ok())
    });
    assert!(
        made.as_bytes() == signature && key.verifying_key().as_bytes() == public_key,
        "another key or signature"
    );
    let key = key.verifying_key();
    measure::<P>(format_args!("{form}, verify"), || {
        key.on(backend).verify(b"", &made).is_ok()
    });
}

/// Of the empty message. Not inlined, so that the hash does not stay on the stack.
#[inline(never)]
fn mu<P: Fips204>(key: &SigningKeyIn<&mut SigningKeySpace<P>>) -> Result<Mu, ContextTooLong> {
    key.mu(b"").map(MuBuilder::finish)
}

fn sign<P: Fips204, K: PrivateKey<P>>(
    name: impl Display,
    key: &SigningKey<'_, P, K>,
    signature: &mut P::Signature,
) {
    measure::<P>(name, || {
        key.try_sign_pieces(b"", |_: &mut MuBuilder| (), into(signature.as_mut()))
            .is_ok()
    });
}

/// The result must be this signature.
fn signs_too<P: Fips204, K: PrivateKey<P>>(
    name: impl Display,
    key: &SigningKey<'_, P, K>,
    signature: &P::Signature,
) {
    let mut again = P::Signature::ZERO;
    sign(name, key, &mut again);
    assert!(again == *signature, "another signature");
}

fn verify<P: Fips204, R: ZCache<P>>(
    name: impl Display,
    key: &mut VerifyingKey<'_, P, &[u8], R>,
    signature: &P::Signature,
) {
    measure::<P>(name, || {
        key.verify_pieces(b"", |_: &mut MuBuilder| (), signature.as_ref())
            .is_ok()
    });
}

fn measure<P: Fips204>(name: impl Display, operation: impl FnMut() -> bool) {
    cost::measure(format_args!("{}, {name}", P::NAME), operation);
}
