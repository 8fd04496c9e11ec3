//! Every operation of every set, each on the same inputs, between two functions that
//! `qemu_count.c` knows by their names: what `cargo xtask instructions-aarch64` runs.

use std::hint::black_box;

use moissanite::{
    Fips204, MlDsa44, MlDsa65, MlDsa87, ParameterSet, Signature, SigningKey, VerifyingKey,
    prelude::*,
};

/// Seeds and messages; 0 up to this.
const INPUTS: u8 = 16;
/// One before, which is not counted: the first to ask what the CPU has and for memory.
const FIRST: u8 = 250;

/// Counting starts when it returns.
#[inline(never)]
fn start_counting() {
    black_box("start");
}

/// Counting has stopped when it is called.
#[inline(never)]
fn stop_counting() {
    black_box("stop");
}

fn counted<T>(operation: impl FnOnce() -> T) -> T {
    start_counting();
    let result = operation();
    stop_counting();
    black_box(result)
}

/// Seed and message number `i`.
fn input(i: u8) -> ([u8; 32], [u8; 59]) {
    let seed = core::array::from_fn(|j| i.wrapping_mul(37).wrapping_add(j as u8));
    let message = core::array::from_fn(|j| i.wrapping_mul(101).wrapping_add((7 * j) as u8));
    (seed, message)
}

/// Keygen, signing with a key in bytes, signing with a prepared one, verifying.
fn operations<P: Fips204>(i: u8) -> Result<(), moissanite::signature::Error> {
    let (seed, message) = black_box(input(i));
    let seed = seed.into();
    let key = counted(|| SigningKey::<P>::from_seed(&seed));
    let signature = counted(|| key.try_sign(&message))?;
    let prepared = key.prepare();
    assert!(counted(|| prepared.try_sign(&message))? == signature);
    let (public, signature) = (key.verifying_key().to_bytes(), signature.to_bytes());
    let (public, signature) = (black_box(public), black_box(signature));
    counted(|| {
        let public = VerifyingKey::<P>::from_bytes(public.as_ref());
        let signature = Signature::from_bytes(signature.as_ref());
        match (public, signature) {
            (Ok(public), Ok(signature)) => public.verify(&message, &signature),
            _ => Err(moissanite::signature::Error::new()),
        }
    })
}

fn all<P: Fips204>(inputs: impl Iterator<Item = u8>) -> Result<(), moissanite::signature::Error> {
    inputs.into_iter().try_for_each(operations::<P>)
}

fn main() -> Result<(), moissanite::signature::Error> {
    let set = std::env::args().nth(1);
    let inputs = core::iter::once(FIRST).chain(0..INPUTS);
    match set.as_deref() {
        Some(MlDsa44::NAME) => all::<MlDsa44>(inputs),
        Some(MlDsa65::NAME) => all::<MlDsa65>(inputs),
        Some(MlDsa87::NAME) => all::<MlDsa87>(inputs),
        _ => Err(moissanite::signature::Error::new()),
    }
}
