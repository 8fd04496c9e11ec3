//! The measurement of zkDilithium.

use moissanite::backend::{Backend as CoreBackend, WithBackend};
use moissanite_zk_dilithium::{Seed, SigningKey};

use super::measured::{Effort, Measured, numbered};
use crate::backend::Backend;
use crate::error::Error;

/// Measures all operations.
pub(super) fn measure(backend: Backend, effort: Effort) -> Result<Measured, Error> {
    backend.run(Bench { effort })?
}

struct Bench {
    effort: Effort,
}

impl WithBackend for Bench {
    type Output = Result<Measured, Error>;

    fn call<B: CoreBackend>(self, backend: B) -> Self::Output {
        let generate = |seed: &[u8; 32]| SigningKey::from_seed_on(backend, &Seed::from_bytes(seed));
        let key = generate(&numbered(0));
        let public = key.verifying_key();
        let (prepared, prepared_public) = (key.prepare(), public.prepare());
        Measured::of(
            backend,
            self.effort,
            generate,
            (key.on(backend), prepared.on(backend)),
            (public.on(backend), prepared_public.on(backend)),
            // zkDilithium hashes mostly with Poseidon.
            [None; 5],
        )
    }
}
