//! Which instructions permute the states, and the only place that has to be believed.
//!
//! A backend is a token. It says how its register works (`Simd64`) and holds the one named
//! `#[target_feature]` function inside which the permutation is compiled for it. A new kind of
//! register is one new file here.
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

use crate::lane::Lane;
use crate::state::State;
pub use lanes::Lanes;
pub use scalar::Scalar;

/// Permutes [`WIDTH`](Self::WIDTH) states at once. Sealed.
pub trait Keccak: Copy + sealed::Sealed {
    /// What tests, benches and the command call it.
    const NAME: &str;
    /// How many states.
    const WIDTH: usize;
    /// One lane of each state.
    type Lane: Lane;
    /// `LEN` bytes of each state: `[[u8; LEN]; WIDTH]`.
    type Blocks<const LEN: usize>: Clone + AsRef<[[u8; LEN]]> + AsMut<[[u8; LEN]]>;

    /// Room to squeeze into, all zero.
    #[must_use]
    fn blocks<const LEN: usize>() -> Self::Blocks<LEN>;

    /// Keccak-f\[1600\] on every state.
    fn permute(self, state: &mut State<Self::Lane>);

    /// Keccak-f\[1600\] on the first `count` states at least. The others are then of no use.
    #[inline]
    fn permute_first(self, count: usize, state: &mut State<Self::Lane>) {
        let _ = count;
        self.permute(state);
    }
}

mod sealed {
    pub trait Sealed {}
}
