//! Many items at once: the steps of Algorithms 6 to 8, with Keccak's lanes filled across items.
//!
//! Each item is as if it stood alone: the same bytes, and what is wrong with one changes nothing
//! for another. Between hashes, items are taken in groups whose variables stay in the cache.

pub mod generate;
pub mod sign;
pub mod verify;

use moissanite_keccak::Keccak;

use crate::backend::Backend;

/// How many items are worth having in the making at a time: as many as there are Keccak states.
pub const fn lanes<B: Backend>() -> usize {
    B::Keccak::WIDTH
}
