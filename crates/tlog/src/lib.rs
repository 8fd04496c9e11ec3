//! Signed notes, checkpoints of transparency logs and their ML-DSA-44 cosignatures, as C2SP specifies them in
//! [signed-note], [tlog-checkpoint] and [tlog-cosignature].
//!
//! [signed-note]: https://c2sp.org/signed-note
//! [tlog-checkpoint]: https://c2sp.org/tlog-checkpoint
//! [tlog-cosignature]: https://c2sp.org/tlog-cosignature
//!
//! ```
//! use moissanite_tlog::{Checkpoint, Cosigner, CosignerKey, SigningKey, SysRng};
//!
//! // The log and a witness make keys and publish their texts.
//! let log = Cosigner::new("example.com/log", SigningKey::try_generate(&mut SysRng)?)?;
//! let witness = Cosigner::new("witness.example/w1", SigningKey::try_generate(&mut SysRng)?)?;
//! let (log_vkey, witness_vkey) = (log.key().to_vkey(), witness.key().to_vkey());
//!
//! // The log signs its checkpoint, and the witness adds a cosignature.
//! let checkpoint = Checkpoint::new("example.com/log", 42, [1; 32])?;
//! let note = checkpoint.to_note(vec![
//!     log.try_cosign_with_rng(&mut SysRng, &checkpoint, 1_795_392_000)?,
//!     witness.try_cosign_with_rng(&mut SysRng, &checkpoint, 1_795_392_001)?,
//! ])?;
//! let text = note.to_string();
//!
//! // The client knows both keys, and requires both signatures.
//! let keys = [CosignerKey::from_vkey(&log_vkey)?, CosignerKey::from_vkey(&witness_vkey)?];
//! let opened = Checkpoint::open(&text, "example.com/log", &[&keys[0], &keys[1]])?;
//! assert_eq!(opened.count(), 2);
//! assert_eq!(opened.content().size(), 42);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | |
//! | --- | --- |
//! | make and read keys | [`Cosigner::new`], [`CosignerKey::from_vkey`], [`CosignerKey::to_vkey`] |
//! | sign a checkpoint | [`Cosigner::try_cosign_with_rng`], [`Cosigner::try_cosign`] |
//! | read and verify a checkpoint | [`Checkpoint::open`] |
//! | read and verify a note of any text | [`Note::parse`], [`Note::verify`] |
//! | verify many cosignatures | [`verify_batch`] |
//! | sign and verify a subtree | [`Cosigner::try_cosign_subtree_with_rng`], [`CosignerKey::verify_subtree`] |
//! | verify signatures of Ed25519 keys | [`Ed25519Key`] (feature `ed25519`) |
//!
//! # What is checked
//!
//! Each input has one interpretation, or is refused with an [`Error`] that says why:
//!
//! - All signatures of known keys have to be valid, and there has to be one. Signatures of other keys are
//!   ignored. The caller decides how many keys must have signed ([`Verified::count`],
//!   [`Verified::is_signed_by`]).
//! - base64 has its padding, no other characters and no bits that encode nothing.
//! - Sizes have no leading zeros. Notes have no control characters other than line breaks.
//! - The ID of a key is that of its name and its bytes.
//! - An ML-DSA-44 cosignature does not cover the extension lines of a checkpoint, so a checkpoint with such lines
//!   is neither signed nor accepted by these keys.
//! - Inputs are not longer than the [`limits`].
//!
//! # What is not checked
//!
//! A checkpoint can be older than one that was seen before, and its tree inconsistent with it: the caller compares
//! the sizes and checks a consistency proof. The time of a cosignature can be in the future.
//!
//! # What is secret
//!
//! The key in a [`Cosigner`], which is wiped when it is dropped. Notes, checkpoints and names are public.
//!
//! # Features
//!
//! `ed25519` and `getrandom` are on by default. Without `getrandom`, which adds [`SysRng`], the crate needs an
//! allocator only.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod checkpoint;
mod cosignature;
mod cosigner;
#[cfg(feature = "ed25519")]
mod ed25519;
mod error;
mod key_id;
pub mod limits;
mod note;

pub use crate::checkpoint::{Checkpoint, HASH_LEN, Subtree};
pub use crate::cosignature::{COSIGNATURE_LEN, Cosignature};
pub use crate::cosigner::{Cosigner, CosignerKey, Item, verify_batch};
#[cfg(feature = "ed25519")]
#[cfg_attr(docsrs, doc(cfg(feature = "ed25519")))]
pub use crate::ed25519::Ed25519Key;
pub use crate::error::Error;
pub use crate::key_id::KeyId;
pub use crate::note::{Note, NoteVerifier, SignatureLine, Verified};
#[cfg(feature = "getrandom")]
#[cfg_attr(docsrs, doc(cfg(feature = "getrandom")))]
pub use moissanite::SysRng;
pub use moissanite::batch::VerifyBatchError;
pub use moissanite::{Seed, SigningError, rand_core};

/// The private key of a cosigner before it has a name: an ML-DSA-44 key of the crate `moissanite`.
pub type SigningKey = moissanite::SigningKey<moissanite::MlDsa44>;
/// The public key of a cosigner before it has a name.
pub type VerifyingKey = moissanite::VerifyingKey<moissanite::MlDsa44>;

/// The blocks of Rust in the README.
#[cfg(all(doctest, feature = "getrandom"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// Checkpoints of a log that witnesses cosign.
#[cfg(feature = "getrandom")]
pub mod guide {
    #![doc = include_str!("../docs/guides/transparency_logs.md")]
}
