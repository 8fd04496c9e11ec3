//! JSON Web Keys and JSON Web Signatures.

pub(crate) mod base64url;
pub(crate) mod compact;
pub(crate) mod header;
pub(crate) mod json;
pub(crate) mod jwk;
pub(crate) mod serialization;
