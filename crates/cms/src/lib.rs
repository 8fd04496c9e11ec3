//! CMS SignedData ([RFC 5652]) with ML-DSA ([RFC 9882]): signed files and messages, with certificates of X.509.
//!
//! [RFC 5652]: https://www.rfc-editor.org/rfc/rfc5652
//! [RFC 9882]: https://www.rfc-editor.org/rfc/rfc9882
//!
//! ```
//! # mod issue { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/issue.rs")); }
//! # use issue::certificate;
//! use moissanite_cms::{
//!     Content, Message, MlDsa65, SignedData, Signer, SigningKey, SysRng, TrustedSigner,
//! };
//!
//! let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
//! # let certificate = certificate(&key)?;
//! // `certificate` is a `Certificate` with the public key.
//! let signer = Signer::new(&key, certificate.clone())?;
//! let signed = signer.try_sign_with_rng(&mut SysRng, &Message::detached(b"a file"))?;
//! let pem = signed.to_pem()?;
//!
//! // The recipient has validated the certificate.
//! let trusted = TrustedSigner::from_certificate(&certificate)?;
//! let signed = SignedData::from_pem(pem)?;
//! let verified = signed.verify(Content::Detached(b"a file"), &trusted)?;
//! assert_eq!(verified.signers().len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | |
//! | --- | --- |
//! | sign | [`Signer::try_sign_with_rng`], [`Signer::try_sign`], [`Message`] |
//! | sign with several keys | [`SignedDataBuilder`] |
//! | read and write | [`SignedData::from_der`], [`SignedData::from_pem`], [`SignedData::as_der`], [`SignedData::to_pem`] |
//! | see whom a message names | [`SignedData::unverified_signers`], [`SignedData::untrusted_certificates`] |
//! | verify | [`TrustedSigner`], [`SignedData::verify`], [`SignedData::verify_all`] |
//! | hash a large content in pieces | [`ContentDigest`], [`Message::detached_digest`], [`Content::DetachedDigest`] |
//!
//! # What is checked
//!
//! Each input has one interpretation, or is refused with an [`Error`] that says why:
//!
//! - The message is DER without trailing data. BER that is not DER is refused.
//! - The versions are those of RFC 5652, sections 5.1 and 5.3.
//! - The signature algorithm is that of the trusted key and has no parameters; the context is empty.
//! - The digest algorithm is one of RFC 9882, Table 1, for the parameter set, and listed in the message.
//! - The signed attributes have one content type, which is that of the message, and one digest, which is that of
//!   the content. CMSAlgorithmProtection (RFC 6211), if it is there, names the algorithms of the signer.
//! - Signed attributes are there if the content is not id-data. A content that is an encoding of signed attributes
//!   is refused if there are none, because the signature could have been made for those attributes.
//! - The message names the trusted certificate, whose key usage, if there is one, permits signatures.
//! - Inputs are not longer than the [`limits`].
//!
//! # What is not checked
//!
//! Paths of certificates: a caller that trusts an authority, and not the certificate of the signer, takes the
//! certificates from [`SignedData::untrusted_certificates`] and validates a path, with a crate such as
//! `rustls-webpki` or with the command `moissanite cert verify`. CRLs in a message and unsigned attributes, with
//! countersignatures, are ignored. The signing time is what the signer states.
//!
//! # What is secret
//!
//! The key in a [`Signer`], which is wiped when it is dropped. Messages and certificates are public, except that a
//! detached content is as secret as the caller wants; a [`ContentDigest`] is as secret as the content.
//!
//! # Features
//!
//! `getrandom`, which adds [`SysRng`], is on by default. Without it, the crate needs an allocator only. The crate
//! `cms`, which defines some of the structures, is a release candidate, because its stable version depends on an
//! older `der`; no type of it is in the API.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod attributes;
mod certificate;
mod digest;
mod encoding;
mod error;
pub mod limits;
mod message;
mod pem;
mod signed_data;
mod signer;
mod trusted;
mod verify;

pub use crate::certificate::Certificate;
pub use crate::digest::{ContentDigest, DigestAlgorithm};
pub use crate::encoding::DATA;
pub use crate::error::Error;
pub use crate::message::Message;
pub use crate::signed_data::{SignedData, SignerIdentifier, SignerInfo};
pub use crate::signer::{SignedDataBuilder, Signer};
pub use crate::trusted::TrustedSigner;
pub use crate::verify::{Content, InvalidSigners, Verified, VerifyAllError};
pub use der::asn1::ObjectIdentifier;
#[cfg(feature = "getrandom")]
#[cfg_attr(docsrs, doc(cfg(feature = "getrandom")))]
pub use moissanite::SysRng;
pub use moissanite::{
    Fips204, MlDsa44, MlDsa65, MlDsa87, Seed, SigningError, SigningKey, VerifyingKey, rand_core,
};
pub use x509_cert;

/// The blocks of Rust in the README.
#[cfg(all(doctest, feature = "getrandom"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// Signatures of files.
#[cfg(feature = "getrandom")]
pub mod guide {
    #![doc = include_str!("../docs/guides/cms.md")]
}
