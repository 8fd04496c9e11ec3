//! Verification and signing in a few KiB of memory, without a heap, for firmware. Keys, messages and signatures are
//! read and written by callbacks.

mod callbacks;
mod self_test;
mod set;
mod signing;
mod verifying;
