//! One state, by the fastest code for 64-bit integers.
use super::{Keccak, sealed};
use crate::state::State;
#[cfg(target_arch = "x86_64")]
use moissanite_cpu::Bmi2;
use moissanite_cpu::Portable;

/// One state by the fastest scalar code that this CPU has: `Bmi2` where detected, else
/// [`Portable`].
#[derive(Clone, Copy, Debug)]
pub struct Scalar {
    #[cfg(target_arch = "x86_64")]
    bmi2: Option<Bmi2>,
}

impl Scalar {
    /// Picks once; a permutation then costs a predictable branch more.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            bmi2: Bmi2::detect(),
        }
    }
}

impl Default for Scalar {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl sealed::Sealed for Scalar {}
impl Keccak for Scalar {
    const NAME: &str = "scalar";
    const WIDTH: usize = 1;
    type Lane = [u64; 1];
    type Blocks<const RATE: usize> = [[u8; RATE]; 1];

    #[inline]
    fn blocks<const RATE: usize>() -> [[u8; RATE]; 1] {
        [[0; RATE]]
    }
    #[inline]
    fn permute(self, state: &mut State<[u64; 1]>) {
        #[cfg(target_arch = "x86_64")]
        if let Some(bmi2) = self.bmi2 {
            return bmi2.permute(state);
        }
        Portable.permute(state);
    }
}
