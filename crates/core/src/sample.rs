//! Pseudorandom sampling: FIPS 204, Algorithms 29 to 34.

mod ball;
mod batches;
mod masks;
mod matrix;
mod secrets;

pub(crate) use ball::{fill_ball, sample_in_ball_from};
pub use ball::{insert, sample_in_ball};
pub(crate) use batches::H_RATE;
pub use masks::Masks;
pub(crate) use masks::{expand_masks, mask};
pub use matrix::{HashAlongside, Rows, expand_a};
pub use secrets::expand_s;
pub(crate) use secrets::{reject_bounded, small};
#[cfg(test)]
pub(crate) use {
    ball::bytes,
    batches::{Batch, fill_batch},
    matrix::UNIFORM_LEN,
};
