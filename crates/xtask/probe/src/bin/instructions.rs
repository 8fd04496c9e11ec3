//! Runs every operation on one backend, so that `cargo xtask instructions` can count the instructions:
//! `instructions BACKEND`.
//!
//! Prints a line for each operation: the set, the operation, and the number of runs by [`collected`]. Keys and
//! messages are the same in every run, and so is the number of attempts that a signature takes.

use std::hint::black_box;
use std::process::ExitCode;

use moissanite::backend::{Backend, WithBackend, dispatch_to};
use moissanite::signature::Error;
use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87, Signature, SigningKey, prelude::*};

/// The number of signatures of each set, enough for the number of attempts to be close to its average.
const MESSAGES: u8 = 32;

fn main() -> ExitCode {
    let backend = std::env::args().nth(1).unwrap_or_default();
    match dispatch_to(&backend, All) {
        Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(error)) => {
            eprintln!("instructions: {error}");
            ExitCode::FAILURE
        }
        // The CPU that valgrind emulates does not support this backend.
        None => ExitCode::from(3),
    }
}

/// Runs all sets.
struct All;

impl WithBackend for All {
    type Output = Result<(), Error>;
    fn call<B: Backend>(self, backend: B) -> Self::Output {
        // Work that is done once in a process, such as the detection of CPU features, is not counted.
        black_box(SigningKey::<MlDsa44>::from_seed_on(
            backend,
            &[0; 32].into(),
        ));
        set::<MlDsa44, B>(backend)?;
        set::<MlDsa65, B>(backend)?;
        set::<MlDsa87, B>(backend)
    }
}

fn set<P: Fips204, B: Backend>(backend: B) -> Result<(), Error> {
    count::<P>("keygen", 4, |seed| {
        black_box(SigningKey::<P>::from_seed_on(backend, &[seed; 32].into()));
        Ok(())
    })?;
    let key = SigningKey::<P>::from_seed_on(backend, &[0; 32].into());
    let mut signatures: Vec<Signature<P>> = Vec::new();
    count::<P>("sign", MESSAGES, |message| {
        signatures.push(key.on(backend).try_sign(&[message])?);
        Ok(())
    })?;
    let prepared = key.prepare();
    count::<P>("sign, prepared", MESSAGES, |message| {
        black_box(prepared.on(backend).try_sign(&[message])?);
        Ok(())
    })?;
    let public = key.verifying_key();
    let prepared = public.prepare();
    let mut signed = signatures.iter().cycle().zip((0..MESSAGES).cycle());
    let mut next = || signed.next().ok_or_else(Error::new);
    count::<P>("verify", 8, |_| {
        let (signature, message) = next()?;
        public.on(backend).verify(&[message], signature)
    })?;
    count::<P>("verify, prepared", 8, |_| {
        let (signature, message) = next()?;
        prepared.on(backend).verify(&[message], signature)
    })
}

fn count<P: Fips204>(
    operation: &str,
    times: u8,
    mut run: impl FnMut(u8) -> Result<(), Error>,
) -> Result<(), Error> {
    println!("{}\t{operation}\t{times}", P::NAME);
    let mut result = Ok(());
    start_counting();
    collected(&mut || result = (0..times).try_for_each(&mut run));
    stop_counting();
    result
}

/// The function in which callgrind counts.
#[inline(never)]
fn collected(run: &mut dyn FnMut()) {
    run();
    // With code after the call, the compiler does not replace the call by a jump.
    black_box(());
}

/// The function after which the plugin `qemu_count.c` begins to count.
#[inline(never)]
fn start_counting() {
    black_box("start");
}

/// The function before which that plugin and callgrind write their counts.
#[inline(never)]
fn stop_counting() {
    black_box("stop");
}
