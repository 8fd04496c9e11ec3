//! ML-DSA (FIPS 204) signatures that are easy to use, on anything from a
//! server to a microcontroller.
//!
//! ```
//! use moissanite::{prelude::*, MlDsa65, SigningKey, SysRng};
//!
//! let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
//! let signature = key.try_sign_with_rng(&mut SysRng, b"msg")?;
//! key.verifying_key().verify(b"msg", &signature)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

#[macro_use]
mod macros;
mod context;
mod engine;
mod error;
#[cfg(feature = "hazmat")]
mod hazmat;
mod holder;
mod mu;
mod ops;
#[cfg(feature = "hash-ml-dsa")]
pub mod prehash;
mod sig;
mod signing;
mod verifying;

use core::fmt;

pub use ::signature::{self as signature, rand_core};
#[cfg(feature = "getrandom")]
#[cfg_attr(docsrs, doc(cfg(feature = "getrandom")))]
pub use getrandom::SysRng;
pub use moissanite_core::{Fips204, MlDsa44, MlDsa65, MlDsa87, ParameterSet};

pub use crate::context::WithContext;
pub use crate::error::{ContextTooLong, InvalidDigestLength, InvalidKey, SigningError};
#[cfg(feature = "hazmat")]
#[cfg_attr(docsrs, doc(cfg(feature = "hazmat")))]
pub use crate::hazmat::{Backend, SigningKeyOn, VerifyingKeyOn, backend};
pub use crate::mu::{Mu, MuBuilder};
pub use crate::sig::Signature;
pub use crate::signing::{ExpandedSigningKey, PreparedSigningKey, SigningKey, SigningKeySpace};
pub use crate::verifying::{PreparedVerifyingKey, VerifyingKey, VerifyingKeySpace};

/// The traits, and nothing else: `use moissanite::prelude::*;`.
pub mod prelude {
    pub use signature::{
        Keypair as _, MultipartSigner, MultipartVerifier, RandomizedMultipartSigner,
        RandomizedSigner, SignatureEncoding, Signer, Verifier,
    };
}

/// A name, a parameter set and the first bytes.
fn debug_bytes(f: &mut fmt::Formatter<'_>, name: &str, set: &str, bytes: &[u8]) -> fmt::Result {
    write!(f, "{name}<{set}>(")?;
    for byte in bytes.iter().take(8) {
        write!(f, "{byte:02x}")?;
    }
    f.write_str("...)")
}
