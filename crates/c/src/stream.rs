//! Verification and signing in a few KiB of memory, without a heap, for firmware. Keys, messages and signatures are
//! read and written by callbacks.

pub(crate) mod callbacks;
pub(crate) mod expanded;
mod self_test;
mod set;
pub(crate) mod signing;
pub(crate) mod verifying;
