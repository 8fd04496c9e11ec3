//! The names of files in a manifest.

use std::borrow::Borrow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::error::ManifestError;
use crate::display::one_line;

/// The file of the manifest, in the folder.
pub(crate) const MANIFEST: &str = "SHA512SUMS";

/// The file of its signature.
pub(crate) const SIGNATURE: &str = "SHA512SUMS.sig";

/// The path of a file from the folder of the manifest, with `/` between its parts. No part is empty, `.` or
/// `..`, and it is not the manifest or its signature.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name(Vec<u8>);

impl Name {
    /// Checks a name.
    pub(crate) fn new(bytes: Vec<u8>) -> Option<Self> {
        let is_part = |part: &[u8]| {
            let separates =
                part.contains(&0) || (cfg!(windows) && part.iter().any(|b| b"\\:".contains(b)));
            !separates && !matches!(part, b"" | b"." | b"..")
        };
        let is_own = [MANIFEST, SIGNATURE]
            .iter()
            .any(|own| own.as_bytes() == bytes);
        let is_name = !is_own && bytes.split(|byte| *byte == b'/').all(is_part);
        is_name.then_some(Self(bytes))
    }

    /// The bytes.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The names of the folders in which it is, from the outermost one.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &[u8]> {
        let ends = self.0.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        ends.filter_map(|(end, _)| self.0.get(..end))
    }

    /// The path of the file from the folder of the manifest.
    pub(crate) fn to_path(&self) -> PathBuf {
        path(&self.0).into()
    }
}

impl Borrow<[u8]> for Name {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

/// The bytes of a path or of a part of one.
#[cfg(unix)]
pub(super) fn bytes(text: &OsStr) -> Result<Vec<u8>, ManifestError> {
    use std::os::unix::ffi::OsStrExt;

    Ok(text.as_bytes().to_vec())
}

#[cfg(not(unix))]
pub(super) fn bytes(text: &OsStr) -> Result<Vec<u8>, ManifestError> {
    let text = text.to_str().ok_or(ManifestError::NotUnicode)?;
    Ok(text.as_bytes().to_vec())
}

#[cfg(unix)]
fn path(bytes: &[u8]) -> &Path {
    use std::os::unix::ffi::OsStrExt;

    Path::new(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> &Path {
    Path::new(std::str::from_utf8(bytes).unwrap_or_default())
}

/// A name as messages show it, on one line: bytes that are not Unicode are escaped. A name that looks like a key is shown,
/// because names in hex are usual, and this one is not from the command line.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text += chunk.valid();
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    one_line(&text)
}
