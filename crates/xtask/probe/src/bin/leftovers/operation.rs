//! The definition of an operation, and what all operations share.

use std::convert::Infallible;
use std::hint::black_box;

use moissanite::Seed;
use rand_core::{TryCryptoRng, TryRng};

pub(crate) const MESSAGE: &[u8] = b"message";

/// An operation on a secret.
pub(crate) struct Operation {
    pub(crate) scheme: &'static str,
    pub(crate) name: &'static str,
    /// The kind of input.
    pub(crate) input: &'static str,
    /// Whether the operation runs on the named backend. Otherwise it runs on the best one.
    pub(crate) on_backend: bool,
    pub(crate) run: fn(&Input<'_>),
}

impl Operation {
    pub(crate) fn new(
        scheme: &'static str,
        name: &'static str,
        input: &'static str,
        on_backend: bool,
        run: fn(&Input<'_>),
    ) -> Self {
        Self {
            scheme,
            name,
            input,
            on_backend,
            run,
        }
    }
}

/// The input of an operation.
pub(crate) struct Input<'a> {
    /// The name of the operation.
    pub(crate) operation: &'a str,
    pub(crate) bytes: &'a [u8],
    pub(crate) backend: &'a str,
}

/// Copies the input into a seed.
pub(crate) fn seed<const LEN: usize>(input: &[u8]) -> Box<Seed<LEN>> {
    let mut seed = Box::new(Seed::zero());
    seed.set(input.first_chunk().unwrap_or(&[0; LEN]));
    seed
}

/// A generator that returns these bytes, and then bytes of value 7.
pub(crate) struct Given<'a>(pub(crate) &'a [u8]);

impl TryRng for Given<'_> {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(7)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(7)
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        let (given, rest) = bytes.split_at_mut(bytes.len().min(self.0.len()));
        given.copy_from_slice(&self.0[..given.len()]);
        self.0 = &self.0[given.len()..];
        rest.fill(7);
        Ok(())
    }
}
impl TryCryptoRng for Given<'_> {}

/// Leaves a copy of a secret in the stack, which the search must find.
#[inline(never)]
pub(crate) fn plant(secret: &[u8]) {
    let mut copy = [0; 4096];
    let len = secret.len().min(copy.len());
    copy[..len].copy_from_slice(&secret[..len]);
    black_box(&mut copy);
}
