//! Manifests: the SHA-512 hashes of all files below a folder, in the format of `sha512sum`.

mod compare;
mod error;
mod folder;
mod format;
mod hashes;
mod name;

pub(crate) use compare::{Difference, compare, record};
pub(crate) use error::ManifestError;
pub(crate) use folder::Folder;
pub(crate) use format::{LIMIT, Manifest};
pub(crate) use name::{MANIFEST, SIGNATURE, shown};
