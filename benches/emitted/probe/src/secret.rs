//! Secrets, which the tracer varies.

use core::convert::Infallible;

use moissanite::rand_core::{TryCryptoRng, TryRng};

/// What secrets are made of.
#[derive(Clone, Copy)]
pub(crate) struct Secret(pub(crate) u32);

impl Secret {
    /// 32 bytes, of which there are as many different ones as there are numbers.
    pub(crate) fn seed(self, number: u8) -> [u8; 32] {
        let mut state = self.0.wrapping_mul(0x9e37_79b9) ^ u32::from(number);
        core::array::from_fn(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
    }
}

/// Secret randomness of hedged signing.
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
