//! The manifests of folders, as `sign --recursive` writes and `verify --recursive` reads them.

use std::path::{Path, PathBuf};

use super::message;
use crate::manifest::{Folder, Manifest, compare, record};

/// A manifest that was read.
pub struct Listed {
    manifest: Manifest,
    /// The manifest as `sign --recursive` writes it.
    pub written: Vec<u8>,
}

impl Listed {
    /// Reads a manifest.
    ///
    /// # Errors
    /// It is not one that `sign --recursive` writes.
    pub fn read(text: &[u8]) -> Result<Self, String> {
        let manifest = Manifest::from_bytes(text).map_err(message)?;
        let written = manifest.to_bytes().map_err(message)?;
        Ok(Self { manifest, written })
    }

    /// The manifest of a folder as it is now.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn record(folder: &Path) -> Result<Self, String> {
        let manifest = record(&Folder::open(folder).map_err(message)?).map_err(message)?;
        let written = manifest.to_bytes().map_err(message)?;
        Ok(Self { manifest, written })
    }

    /// The paths that `verify --recursive` opens below the folder.
    pub fn paths(&self) -> impl Iterator<Item = PathBuf> {
        self.manifest.names().map(|name| name.to_path())
    }

    /// The names of what differs in a folder, in the order of their bytes.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn differences(&self, folder: &Path) -> Result<Vec<Vec<u8>>, String> {
        let folder = Folder::open(folder).map_err(message)?;
        Ok(compare(&folder, &self.manifest).into_keys().collect())
    }
}
