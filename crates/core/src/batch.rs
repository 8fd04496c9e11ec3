//! Operations on many items at once: the steps of Algorithms 6 to 8, where the items share the
//! lanes of Keccak.
//!
//! The results are the same bytes as for each item alone, and an error in one item does not affect
//! the others. Between hashes, items are processed in groups whose variables stay in the cache.

pub mod generate;
pub mod sign;
pub mod verify;

use moissanite_keccak::Keccak;

use crate::backend::Backend;

/// Returns the number of items that are worth processing at a time: the number of Keccak states.
pub const fn lanes<B: Backend>() -> usize {
    B::Keccak::WIDTH
}
