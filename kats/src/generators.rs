//! Random number generators whose output a test determines.

use std::convert::Infallible;
use std::fmt;

use rand_core::{TryCryptoRng, TryRng};

/// A generator that returns recorded bytes, once and all at once.
pub struct Recorded<'a>(pub &'a [u8]);

impl TryRng for Recorded<'_> {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("signing reads bytes")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("signing reads bytes")
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        assert_eq!(bytes.len(), self.0.len(), "all at once");
        bytes.copy_from_slice(self.0);
        self.0 = &[];
        Ok(())
    }
}
impl TryCryptoRng for Recorded<'_> {}

/// A generator that always returns zeros.
pub struct Stuck;

impl TryRng for Stuck {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("signing reads bytes")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("signing reads bytes")
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill(0);
        Ok(())
    }
}
impl TryCryptoRng for Stuck {}

/// A generator that fails after it has written half of the bytes.
pub struct Failing;

/// The error of [`Failing`].
#[derive(Debug, PartialEq)]
pub struct Failure;
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no entropy")
    }
}
impl std::error::Error for Failure {}

impl TryRng for Failing {
    type Error = Failure;
    fn try_next_u32(&mut self) -> Result<u32, Failure> {
        Err(Failure)
    }
    fn try_next_u64(&mut self) -> Result<u64, Failure> {
        Err(Failure)
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Failure> {
        let half = bytes.len() >> 1;
        bytes[..half].fill(1);
        Err(Failure)
    }
}
impl TryCryptoRng for Failing {}
