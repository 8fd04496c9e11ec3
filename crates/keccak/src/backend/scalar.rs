//! One state, with the fastest code for a single state.
use super::{Keccak, sealed};
use crate::state::State;
#[cfg(target_arch = "x86_64")]
use moissanite_cpu::Bmi2;
use moissanite_cpu::Portable;
#[cfg(target_arch = "aarch64")]
use moissanite_cpu::Sha3;

/// One state, with the fastest code for a single state on this CPU: `Bmi2` or `Sha3` if detected,
/// else [`Portable`].
#[derive(Clone, Copy, Debug)]
pub struct Scalar {
    #[cfg(target_arch = "x86_64")]
    bmi2: Option<Bmi2>,
    #[cfg(target_arch = "aarch64")]
    sha3: Option<Sha3>,
}

impl Scalar {
    /// The choice is made once, and adds a predictable branch to each permutation.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            bmi2: Bmi2::detect(),
            #[cfg(target_arch = "aarch64")]
            sha3: Sha3::detect(),
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
        #[cfg(target_arch = "aarch64")]
        if let Some(sha3) = self.sha3 {
            return super::sha3::permute_one(sha3, state);
        }
        Portable.permute(state);
    }
}
