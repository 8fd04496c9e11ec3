//! The operations of zkDilithium.

use moissanite_core::backend::{Backend, WithBackend};
use moissanite_zk_dilithium::{Seed, SigningKey};

use super::{Measured, numbered};
use crate::error::Error;

/// Measures all operations.
pub(crate) struct Bench {
    n: usize,
}

impl Bench {
    pub(crate) fn new(n: usize) -> Self {
        Self { n }
    }
}

impl WithBackend for Bench {
    type Output = Result<Measured, Error>;

    fn call<B: Backend>(self, backend: B) -> Self::Output {
        let generate = |seed: &[u8; 32]| SigningKey::from_seed_on(backend, &Seed::from_bytes(seed));
        let key = generate(&numbered(0));
        let public = key.verifying_key();
        let (prepared, prepared_public) = (key.prepare(), public.prepare());
        Measured::of(
            backend,
            self.n,
            generate,
            (key.on(backend), prepared.on(backend)),
            (public.on(backend), prepared_public.on(backend)),
            // Most of its hashing is Poseidon.
            [None; 5],
        )
    }
}
