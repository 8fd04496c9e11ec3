//! The modules that the programs share: the board, the parameter set, the operations, and the cost of one
//! call.

#![cfg_attr(target_os = "none", no_std)]

#[cfg(all(target_os = "none", target_arch = "arm"))]
pub mod board;
#[cfg(all(target_os = "none", target_arch = "riscv32"))]
#[path = "virt.rs"]
pub mod board;
#[cfg(not(target_os = "none"))]
#[path = "host.rs"]
pub mod board;
pub mod components;
pub mod cost;
pub mod operations;
pub mod pieces;
#[cfg(target_os = "none")]
mod semihosting;

use moissanite_core::ParameterSet;
use moissanite_core::shape::Dim;

#[cfg(feature = "ml-dsa-44")]
pub use moissanite::MlDsa44 as Set;
#[cfg(feature = "ml-dsa-65")]
pub use moissanite::MlDsa65 as Set;
#[cfg(feature = "ml-dsa-87")]
pub use moissanite::MlDsa87 as Set;

/// The number of entries of Â.
pub const fn entries<P: ParameterSet>() -> usize {
    P::K::N * P::L::N
}
