//! Firmware images in the format of [mcuboot], signed with ML-DSA (FIPS 204).
//!
//! [mcuboot]: https://docs.mcuboot.com/design
//!
//! A boot loader reads an image from flash in pieces of at most 84 bytes, and verifies it without an allocator, by
//! [`moissanite::stream`]. With the feature `alloc`, [`Draft`] makes images.
//!
//! ```
//! use moissanite::{MlDsa44, SigningKey, SysRng, prelude::*};
//! use moissanite_mcuboot::{Requirements, Version, verify};
//! # #[cfg(feature = "alloc")] {
//! use moissanite_mcuboot::Draft;
//!
//! // The vendor.
//! let key = SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
//! let draft = Draft::new(b"the program", Version::new(1, 4, 2, 0), 7)?;
//! let image = draft.try_sign(&key, &mut SysRng)?;
//!
//! // The device, which reads its flash with a function.
//! let slot = |offset: usize, piece: &mut [u8]| {
//!     let bytes = image.get(offset..offset + piece.len()).ok_or("outside of flash")?;
//!     Ok::<(), &str>(piece.copy_from_slice(bytes))
//! };
//! let public_key = key.verifying_key().to_bytes();
//! let requirements = Requirements { minimum_counter: 7, address: None };
//! let verified = verify::<MlDsa44, _, _>(slot, image.len(), &public_key[..], &requirements)?;
//! assert_eq!(verified.version(), Version::new(1, 4, 2, 0));
//! assert_eq!(verified.body().len(), 11);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Layout
//!
//! Numbers are in little-endian order. H is the size of the header, and N that of the program.
//!
//! | offset | bytes | content |
//! | --- | --- | --- |
//! | 0 | 4 | [`format::MAGIC`], 0x96f3b83d |
//! | 4 | 4 | load address: the address of the slot with [`format::ROM_FIXED`], otherwise 0 |
//! | 8 | 2 | H, 32 or more |
//! | 10 | 2 | size of the protected area, 48 |
//! | 12 | 4 | N, 1 or more |
//! | 16 | 4 | flags: 0 or [`format::ROM_FIXED`], 0x100 |
//! | 20 | 1, 1, 2, 4 | version: major, minor, revision, build |
//! | 28 | 4 | 0 |
//! | 32 | H − 32 | padding, any bytes |
//! | H | N | the program |
//! | H + N | 2, 2 | [`format::PROTECTED_MAGIC`], 0x6908; 48 |
//! | H + N + 4 | 2, 2, 4 | [`format::COUNTER`], 0x0050; 4; the rollback counter |
//! | H + N + 12 | 2, 2, 32 | [`format::VENDOR`], 0x4da0; 32; the first 32 bytes of SHAKE256 of the public key |
//! | H + N + 48 | 2, 2 | [`format::MAGIC_OF_AREA`], 0x6907; size of this area with these four bytes |
//! | then | 2, 2, 32 | [`format::DIGEST`], 0x0010; 32; SHA-256 of the bytes 0 to H + N + 47. Optional; not checked here |
//! | then | 2, 2, L | the type of the signature; L; the signature |
//!
//! The types of the signature are 0x4da1 for ML-DSA-44 (L is 2,420), 0x4da2 for ML-DSA-65 (3,309) and 0x4da3
//! for ML-DSA-87 (4,627): [`ImageSet::SIGNATURE_TYPE`]. mcuboot leaves the types xxA0 to xxFF to vendors. The
//! entries of each area may be in any order.
//!
//! # What is signed
//!
//! The message is the bytes 0 to H + N + 47: the header, the program and the protected area. It is signed with
//! pure ML-DSA and the context [`format::CONTEXT`], so that a signature that the same key made for another
//! purpose is not one of an image. The streams hash the message in pieces of any size. A digest, signed in its
//! place, would need a second hash function in the boot loader, and the signature would be no stronger than
//! its collision resistance.
//!
//! # What is checked
//!
//! Each image has one interpretation, or is refused with an error that says why. The areas contain these
//! entries, each once, and nothing else: an entry of another type, which could demand something that this
//! crate does not know, is refused, as are all flags except [`format::ROM_FIXED`]. The digest is not signed,
//! and nothing depends on it.
//!
//! [`verify`] compares the vendor, the counter and the address with those of the device. The header and the
//! protected area are read once, and hashed from the memory from which they were compared.
//!
//! # What is not checked
//!
//! - The bytes of the slot after the image. A file that must end with the image is compared with [`Image::len`].
//! - The program: whether its vectors are within it, and whether the board can run it.
//! - The slot must not change during the verification and after it, for example by DMA or by an attacker at an
//!   external chip. Otherwise, copy the image to memory of the processor first.
//! - A key for each product: the format has no field for the product. An image of one product is accepted by
//!   all devices with the same key and a counter that is not higher.
//!
//! The device keeps the lowest accepted counter, [`Requirements::minimum_counter`], and raises it once a new
//! image has proved itself.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "alloc")]
mod draft;
mod error;
pub mod format;
mod header;
mod parser;
mod protected;
mod requirements;
mod verify;

#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub use draft::{Draft, DraftError};
pub use error::{Error, Malformed, Refused};
pub use format::ImageSet;
pub use header::{Header, Version};
pub use moissanite::stream::Source;
pub use parser::{Image, Parser};
pub use protected::Protected;
pub use requirements::{Requirements, vendor_hash};
pub use verify::verify;

#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// Images of a vendor, and a device that accepts them.
#[cfg(feature = "alloc")]
pub mod guide {
    #![doc = include_str!("../docs/guides/firmware_images.md")]
}
