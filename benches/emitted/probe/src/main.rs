//! Every operation on secrets of every scheme, on each backend of the target.
//!
//! The tracer calls `probe` with several secrets. All public values are the same for all secrets, or are
//! replayed, so the control flow and its conditions must also be the same. The module `start` lets the probe
//! run as a program of its own.
#![no_std]
#![no_main]

extern crate alloc;

mod composite;
mod documents;
mod entry;
mod heap;
mod lattice;
mod runtime;
mod secret;
#[cfg(any(
    target_arch = "aarch64",
    target_arch = "arm",
    target_arch = "riscv32",
    target_arch = "riscv64",
    target_arch = "x86_64"
))]
mod start;
mod step;
mod streams;
mod zk_dilithium;
