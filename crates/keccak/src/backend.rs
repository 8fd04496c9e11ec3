//! The instructions that permute the states, and the only `unsafe` code of the permutation.
//!
//! A backend is a token. It defines its registers (`Simd64`), and has the one `#[target_feature]`
//! function inside which the permutation is compiled. A new kind of register needs one new file in
//! this directory.
#[cfg(armv7)]
mod armv7;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod bmi2;
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
mod scalar;
#[cfg(target_arch = "aarch64")]
mod sha3;
#[cfg(target_feature = "simd128")]
mod simd128;

use crate::lane::Lane;
use crate::state::State;
pub use lanes::Lanes;
pub use scalar::Scalar;

/// Permutes [`WIDTH`](Self::WIDTH) states at once. The trait is sealed.
pub trait Keccak: Copy + sealed::Sealed {
    /// The name in tests, benches and the command.
    const NAME: &str;
    /// The number of states.
    const WIDTH: usize;
    /// One lane of each state.
    type Lane: Lane;
    /// `LEN` bytes of each state: `[[u8; LEN]; WIDTH]`.
    type Blocks<const LEN: usize>: Clone + AsRef<[[u8; LEN]]> + AsMut<[[u8; LEN]]>;

    /// Returns zeroed memory for squeezed bytes.
    #[must_use]
    fn blocks<const LEN: usize>() -> Self::Blocks<LEN>;

    /// Keccak-f\[1600\] on every state.
    fn permute(self, state: &mut State<Self::Lane>);

    /// Keccak-f\[1600\] on at least the first `count` states. The contents of the others are then
    /// unspecified.
    #[inline]
    fn permute_first(self, count: usize, state: &mut State<Self::Lane>) {
        let _ = count;
        self.permute(state);
    }
}

mod sealed {
    pub trait Sealed {}
}
