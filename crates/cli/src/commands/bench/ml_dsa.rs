//! The measurement of ML-DSA and of round-3 Dilithium.

use std::marker::PhantomData;

use moissanite::backend::{Backend as CoreBackend, WithBackend};
use moissanite::{ParameterSet, Seed, SigningKey};

use super::hashing::Hashing;
use super::measured::{Effort, Measured, numbered};
use crate::backend::Backend;
use crate::error::Error;

/// Measures all operations of a parameter set.
pub(super) fn measure<P: ParameterSet>(
    backend: Backend,
    effort: Effort,
) -> Result<Measured, Error> {
    let set = PhantomData::<P>;
    backend.run(Bench { effort, set })?
}

struct Bench<P> {
    effort: Effort,
    set: PhantomData<P>,
}

impl<P: ParameterSet> WithBackend for Bench<P> {
    type Output = Result<Measured, Error>;

    fn call<B: CoreBackend>(self, backend: B) -> Self::Output {
        let generate =
            |seed: &[u8; 32]| SigningKey::<P>::from_seed_on(backend, &Seed::from_bytes(seed));
        let key = generate(&numbered(0));
        let public = key.verifying_key();
        let (prepared, prepared_public) = (key.prepare(), public.prepare());
        let hashing = Hashing::of::<P>();
        Measured::of(
            backend,
            self.effort,
            generate,
            (key.on(backend), prepared.on(backend)),
            (public.on(backend), prepared_public.on(backend)),
            [
                hashing.keygen(),
                hashing.sign(),
                hashing.sign_prepared(),
                hashing.verify(),
                hashing.verify_prepared(),
            ]
            .map(Some),
        )
    }
}
