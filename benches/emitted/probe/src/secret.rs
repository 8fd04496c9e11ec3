//! Secrets, and the randomness of hedged signing, which is secret too.

use core::convert::Infallible;

use moissanite::rand_core::{TryCryptoRng, TryRng};

/// A source of secrets.
#[derive(Clone, Copy)]
pub(crate) struct Secret(u32);

impl Secret {
    /// Returns the source with this number.
    pub(crate) fn of(number: u32) -> Self {
        Self(number)
    }

    /// Returns 32 bytes that differ for each number.
    pub(crate) fn seed(self, number: u8) -> [u8; 32] {
        let mut state = self.0.wrapping_mul(0x9e37_79b9) ^ u32::from(number);
        core::array::from_fn(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
    }
}

/// The secret randomness of hedged signing.
pub(crate) struct Hedge(pub(crate) Secret);

impl TryRng for Hedge {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.0)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.0.into())
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for (byte, random) in bytes.iter_mut().zip(self.0.seed(100)) {
            *byte = random;
        }
        Ok(())
    }
}
impl TryCryptoRng for Hedge {}
