//! Firmware updates with [`embassy_boot`] that are accepted only with an ML-DSA signature of their vendor.
//!
//! The image in the DFU partition has the format of [`moissanite_mcuboot`]: header, program, rollback counter,
//! hash of the vendor's key, and signature. A program without a header, signed apart from it, would leave the
//! counter and the vendor unsigned, and the boot loader could not verify the image again after the swap, because
//! the signature would not move with it.
//!
//! | to | |
//! | --- | --- |
//! | verify an update and have it swapped in | [`blocking::verify_and_mark_updated`], [`asynch::verify_and_mark_updated`] |
//! | verify the active image in the boot loader | [`blocking::verify_partition`] |
//!
//! The vectors of the program are behind the header, so the boot loader starts `ACTIVE + header size`, and the
//! program is linked for this address.
//!
//! # What the caller must do
//!
//! - Give the size of the *active* partition: the DFU partition is at least one page larger, and an image that
//!   fits only this one could not be swapped in.
//! - Require a counter that is at least the one of the running image, so that an older image is not accepted,
//!   and keep the counter where an attacker cannot lower it.
//! - Verify the active image in the boot loader too. After [`embassy_boot`] has swapped, nobody else does.
//! - Not turn on the features `ed25519-dalek` and `ed25519-salty` of `embassy-boot`: with them, it has no
//!   `mark_updated`, so that this crate does not compile.
//!
//! # Power loss
//!
//! `embassy-boot` swaps page by page and records its progress, so that it continues after a reset. It assumes
//! that a write of `WRITE_SIZE` bytes is complete or does not happen. `tests/power.rs` cuts the power at each
//! word of each write and erasure of an update, also with torn bytes, and checks that the device always starts
//! the old or the new image.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod asynch;
pub mod blocking;
mod error;
mod window;

pub use embassy_boot;
pub use error::UpdateError;
pub use moissanite_mcuboot::{self as mcuboot, Image, ImageSet, Requirements, Source};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// A vendor, and a device that takes its updates.
pub mod guide {
    #![doc = include_str!("../docs/guides/embassy_updates.md")]
}
