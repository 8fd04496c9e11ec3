//! What the programs share: the board, the set of parameters, and what one call costs.

#![no_std]

pub mod board;
pub mod cost;

use moissanite_core::ParameterSet;
use moissanite_core::params::Dim;

#[cfg(feature = "ml-dsa-44")]
pub use moissanite::MlDsa44 as Set;
#[cfg(feature = "ml-dsa-65")]
pub use moissanite::MlDsa65 as Set;
#[cfg(feature = "ml-dsa-87")]
pub use moissanite::MlDsa87 as Set;

/// Entries of Â.
pub const ENTRIES: usize =
    <<Set as ParameterSet>::K as Dim>::N * <<Set as ParameterSet>::L as Dim>::N;

/// Puts pieces one after another.
pub fn into(bytes: &mut [u8]) -> impl FnMut(&[u8]) -> Result<(), core::convert::Infallible> {
    let mut out = bytes.iter_mut();
    move |piece| {
        for (byte, out) in piece.iter().zip(out.by_ref()) {
            *out = *byte;
        }
        Ok(())
    }
}
