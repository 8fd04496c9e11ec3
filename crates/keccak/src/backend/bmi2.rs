//! One state in plain 64-bit integers, with `andn` for chi and `rorx` for rho.
//!
//! The compiler selects both for the portable code if the features are enabled.
#![allow(unsafe_code, reason = "a call into a #[target_feature] function")]
use super::{Keccak, sealed};
use crate::permutation::permute;
use crate::state::State;
use moissanite_cpu::{Bmi2, Portable};

impl sealed::Sealed for Bmi2 {}
impl Keccak for Bmi2 {
    const NAME: &str = Bmi2::NAME;
    const WIDTH: usize = 1;
    type Lane = [u64; 1];
    type Blocks<const RATE: usize> = [[u8; RATE]; 1];

    #[inline]
    fn blocks<const RATE: usize>() -> [[u8; RATE]; 1] {
        [[0; RATE]]
    }
    #[inline]
    fn permute(self, state: &mut State<[u64; 1]>) {
        // SAFETY: the token `self` proves that the CPU has bmi1 and bmi2.
        unsafe { permute_bmi2(state) }
    }
}

#[target_feature(enable = "bmi1,bmi2")]
fn permute_bmi2(state: &mut State<[u64; 1]>) {
    permute(Portable, state);
}
