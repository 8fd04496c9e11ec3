//! The same keys and signatures on a microcontroller: in 3 to 9 KiB of stack, without a heap, and
//! with keys, messages and signatures read and written in pieces.
//!
//! ```
//! use moissanite::{InvalidKey, MlDsa44, Seed, SysRng, stream};
//!
//! /// Whether a firmware image comes from the vendor. All three are in flash and stay there.
//! fn is_genuine(vendor: &[u8], image: &[u8], signature: &[u8]) -> Result<bool, InvalidKey> {
//!     let mut vendor = stream::VerifyingKey::<MlDsa44, _>::from_bytes(vendor)?;
//!     let message = |message: &mut moissanite::MuBuilder| {
//!         image.chunks(256).for_each(|block| message.update(block));
//!     };
//!     Ok(vendor.verify_pieces(b"firmware", message, signature).is_ok())
//! }
//!
//! // The other side keeps a seed, and sends signatures as they come.
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
//! Below the caller on a Cortex-M4, with any set, 3 KiB of stack to make a key and to verify; 5 to 8
//! to sign with an expanded key, and 6 to 9 with a seed. That is with all that these types hold, and
//! without keys, messages and signatures. The page on microcontrollers has a table,
//! with cycles and flash: `docs/microcontrollers.md`.
//!
//! An entry of Â is made when it is needed, in each attempt to sign anew, and so are s₁, s₂ and y;
//! from a seed, t₀ too. [`crate::SigningKey`] makes all of it once, in 44, 66 or 103 KiB, and so signs
//! in the fewest cycles. Between the two is [`CachedMatrix`]: as many entries of Â as there is memory for,
//! 768 bytes each. To verify, the fewest cycles take 8 to 11 KiB: [`VerifyingKey::cache_z`]. All give
//! the same bytes, and the same verdicts.

mod signing;
mod verifying;

pub use moissanite_core::secret::Held;
pub use moissanite_core::stream::key::{Encoded, PrivateKey, Seeds};
pub use moissanite_core::stream::matrix::CachedMatrix;
pub use moissanite_core::stream::verify::{Cached, Recomputed, ZCache};
pub use moissanite_core::stream::{EndOfSlice, Source};
pub use signing::{SignError, SigningKey};
pub use verifying::{Verifier, VerifyError, VerifyingKey};
