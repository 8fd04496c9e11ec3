//! The operations of this crate for microcontrollers: with 3 to 9 KiB of stack, without a heap, and with
//! keys, messages and signatures that are read and written in pieces.
//!
//! ```
//! use moissanite::{InvalidKey, MlDsa44, Seed, SysRng, stream};
//!
//! /// Returns whether a firmware image comes from the vendor. All three inputs stay in flash.
//! fn is_genuine(vendor: &[u8], image: &[u8], signature: &[u8]) -> Result<bool, InvalidKey> {
//!     let mut vendor = stream::VerifyingKey::<MlDsa44, _>::from_bytes(vendor)?;
//!     let message = |message: &mut moissanite::MuBuilder| {
//!         image.chunks(256).for_each(|block| message.update(block));
//!     };
//!     Ok(vendor.verify_pieces(b"firmware", message, signature).is_ok())
//! }
//!
//! // The vendor keeps a seed, and sends the pieces of a signature as they are written.
//! let mut seed = Seed::zero();
//! seed.try_fill(&mut SysRng)?;
//! let mut seeds = stream::Seeds::new();
//! let key = stream::SigningKey::<MlDsa44, _>::from_seed_in(&mut seeds, &seed);
//! let mut signature = Vec::new();
//! let message = |message: &mut moissanite::MuBuilder| message.update(b"image");
//! key.try_sign_pieces(b"firmware", message, |piece| {
//!     signature.extend_from_slice(piece);
//!     Ok::<_, std::convert::Infallible>(())
//! })?;
//!
//! let vendor = moissanite::SigningKey::<MlDsa44>::from_seed(&seed);
//! let vendor = vendor.verifying_key().as_bytes();
//! assert!(is_genuine(vendor, b"image", &signature)?);
//! assert!(!is_genuine(vendor, b"emage", &signature)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How much memory
//!
//! On a Cortex-M4, for all sets, the operations use this much stack below the caller: 3 KiB to
//! generate a key and to verify, 5 to 8 KiB to sign with an expanded key, and 6 to 9 KiB to sign
//! with a seed. The figures include the contents of these types, but not keys, messages and
//! signatures. The page `docs/microcontrollers.md` has a table with stack, cycles and flash, and
//! names the command that measures them.
//!
//! Each attempt to sign computes the entries of Â, and s₁, s₂ and y, again when it needs them; with
//! a seed, also t₀. [`crate::SigningKey`] computes all of them once, in 44, 66 or 103 KiB, and
//! therefore signs in the fewest cycles. [`CachedMatrix`] is between the two: it keeps as many
//! entries of Â as the memory allows, at 768 bytes each. [`VerifyingKey::cache_z`] verifies in
//! fewer cycles, with 8 to 11 KiB. All variants give the same bytes and the same verdicts.

pub mod hardened;
mod signing;
mod verifying;

pub use moissanite_core::secret::Held;
pub use moissanite_core::stream::key::{Encoded, PrivateKey, Seeds};
pub use moissanite_core::stream::matrix::CachedMatrix;
pub use moissanite_core::stream::verify::{Cached, Recomputed, ZCache};
pub use moissanite_core::stream::{EndOfSlice, Packed as MatrixEntry, Source};
pub use signing::{SignError, SigningKey};
pub use verifying::{Verifier, VerifyError, VerifyingKey};
