//! Every test is a function that is generic over the token, and runs with all tokens of this CPU.

#[cfg(not(armv7))]
mod compact;
mod idle_lane;
mod many;
mod miri;
mod parallel;
mod permutation;
mod shake;
mod wiping;

use crate::{Keccak, Lanes, Scalar};
use moissanite_cpu::Portable;
use std::vec::Vec;

/// A test of one token.
trait OnToken {
    fn run<K: Keccak>(&self, keccak: K);
}

/// A test of one token that permutes a single state.
trait OnOneState {
    fn run<K: Keccak<Lane = [u64; 1]>>(&self, keccak: K);
}

fn on_every_token(test: &impl OnToken) {
    struct Narrow<'a, T>(&'a T);
    impl<T: OnToken> OnOneState for Narrow<'_, T> {
        fn run<K: Keccak<Lane = [u64; 1]>>(&self, keccak: K) {
            self.0.run(keccak);
        }
    }
    on_every_one_state_token(&Narrow(test));
    test.run(Lanes::<2>);
    // Miri takes half a second for each state, and the other widths are the same code.
    if !cfg!(miri) {
        test.run(Lanes::<4>);
        test.run(Lanes::<8>);
    }
    #[cfg(target_arch = "x86_64")]
    {
        match moissanite_cpu::Avx2::detect() {
            Some(avx2) => test.run(avx2),
            None => std::println!("missing on this CPU, not tested: avx2"),
        }
        match moissanite_cpu::Avx512::detect() {
            Some(avx512) => test.run(avx512),
            None => std::println!("missing on this CPU, not tested: avx512"),
        }
    }
    #[cfg(target_arch = "aarch64")]
    {
        match moissanite_cpu::Neon::detect() {
            Some(neon) => test.run(neon),
            None => std::println!("missing on this CPU, not tested: neon"),
        }
        match moissanite_cpu::Sha3::detect() {
            Some(sha3) => test.run(sha3),
            None => std::println!("missing on this CPU, not tested: neon-sha3"),
        }
    }
    #[cfg(target_feature = "simd128")]
    if let Some(simd128) = moissanite_cpu::Simd128::detect() {
        test.run(simd128);
    }
}

fn on_every_one_state_token(test: &impl OnOneState) {
    test.run(Portable);
    test.run(Scalar::new());
    test.run(Lanes::<1>);
    #[cfg(target_arch = "x86_64")]
    match moissanite_cpu::Bmi2::detect() {
        Some(bmi2) => test.run(bmi2),
        None => std::println!("missing on this CPU, not tested: bmi2"),
    }
}

/// Bytes of a linear congruential generator, in which a misplaced word is visible.
fn bytes(length: usize) -> Vec<u8> {
    let mut x = 1_u32;
    let step = || {
        x = x.wrapping_mul(0x0019_660D).wrapping_add(0x3C6E_F35F);
        x.to_be_bytes()[0]
    };
    core::iter::repeat_with(step).take(length).collect()
}
