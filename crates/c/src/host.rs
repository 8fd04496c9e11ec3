//! Keys on the heap, for programs on an operating system.

mod batch;
mod document;
mod handle;
mod private_key;
mod public_key;
mod self_test;
mod set;
mod sign;
mod sign_batch;
mod signing_key;
mod verify;
mod verifying_key;
