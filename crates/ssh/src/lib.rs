//! OpenSSH keys and signatures of files with ML-DSA-44 and Ed25519: `ssh-mldsa44-ed25519`.
//!
//! ```
//! use moissanite_ssh::{AllowedSigners, Hash, Instant, MessageHash, PrivateKey, SshSignature, SysRng};
//!
//! // What `ssh-keygen -t mldsa44-ed25519` makes.
//! let key = PrivateKey::try_generate(&mut SysRng)?.with_comment("alice@example.com")?;
//! let private_file = key.to_openssh()?;
//! let public_file: String = key.public_key().to_openssh();
//!
//! // What `ssh-keygen -Y sign -n file` makes.
//! let key = PrivateKey::from_openssh(&private_file)?;
//! let hash = MessageHash::of(Hash::Sha512, b"message");
//! let signature: String = key.try_sign_with_rng(&mut SysRng, "file", &hash)?.to_pem()?;
//!
//! // What `ssh-keygen -Y verify -n file -I alice@example.com` does.
//! let signers = AllowedSigners::parse(&format!("alice@example.com {public_file}"))?;
//! let signature = SshSignature::from_pem(&signature)?;
//! let now = Instant::utc("20261123150000Z".parse()?);
//! signers.verify("alice@example.com", "file", &hash, &signature, now)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The algorithm is the composite of ML-DSA-44 and Ed25519 in [`moissanite_composite`] with an empty context
//! (draft-miller-sshm-mldsa44-ed25519-composite-sigs), which OpenSSH has since version 10.4, by default since
//! version 10.6. Its key and signature have these lengths in bytes:
//!
//! | | in the protocol | as text |
//! | --- | --- | --- |
//! | public key | 1,371 | 1,850 |
//! | private key | 1,640 | 2,300 |
//! | signature | 3,927 | 5,300 |
//!
//! # What is checked
//!
//! Each input has one interpretation, or is refused with an [`Error`] that says why: nothing follows the end, the
//! parts of a file agree with each other, a private key yields the public key beside it, the padding is that of
//! OpenSSH, the reserved field of a signature is empty, and inputs are not longer than the [`limits`].
//!
//! A signature contains the key that verifies it. [`AllowedSigners::verify`] checks whose key that is;
//! [`SshSignature::verify`] does not.
//!
//! # What is not implemented
//!
//! Other algorithms, certificates, the agent and the SSH protocol itself.
//!
//! # What is secret
//!
//! Private keys, passphrases and what is computed from them. Keys are wiped when they are dropped, `Debug` shows none
//! of them, and [`PrivateKey::to_openssh`] returns memory that wipes itself. The crates that decode, derive and
//! encrypt leave parts of these values on the stack, which is overwritten afterwards to a depth of 32 KiB. If a file
//! ends inside of its private section, a part of that can remain in memory. The texts and passphrases that the
//! caller passes are the caller's to wipe.
//!
//! bcrypt reads its tables at addresses that depend on the passphrase, as in OpenSSH.
//!
//! # Features
//!
//! `encryption` and `getrandom` are on by default. The crate is `no_std` and needs an allocator. `encryption`
//! adds private keys with a passphrase, and `getrandom` adds [`SysRng`].

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod algorithm;
mod allowed_signers;
mod date;
#[cfg(feature = "encryption")]
mod encryption;
mod error;
mod file;
pub mod limits;
mod message;
mod patterns;
mod pem;
mod private;
mod public;
mod signature;
mod wire;

pub use crate::algorithm::Algorithm;
pub use crate::allowed_signers::{AllowedSigners, LineError};
pub use crate::date::{Date, Instant};
pub use crate::error::Error;
pub use crate::message::{Hash, Message, MessageHash};
pub use crate::private::PrivateKey;
pub use crate::public::PublicKey;
pub use crate::signature::SshSignature;
#[cfg(feature = "getrandom")]
#[cfg_attr(docsrs, doc(cfg(feature = "getrandom")))]
pub use moissanite_composite::SysRng;
pub use moissanite_composite::{Seed, rand_core};

/// The blocks of Rust in the README.
#[cfg(all(doctest, feature = "encryption", feature = "getrandom"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// Signatures of commits, tags and files.
#[cfg(feature = "getrandom")]
pub mod guide {
    #![doc = include_str!("../docs/guides/git.md")]
}
