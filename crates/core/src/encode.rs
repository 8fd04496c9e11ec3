//! Encodings as bytes: FIPS 204, Algorithms 16 to 28.

pub mod bits;
pub mod hint;
pub mod keys;
pub mod signature;
