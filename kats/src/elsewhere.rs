//! Vectors of other projects, which are not in this package.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

/// The environment variable that names the directory of these vectors.
pub const DIRECTORY: &str = "MOISSANITE_KATS";

/// Returns the directory of these vectors. If it is not set, prints that `name` is skipped, and
/// returns `None`.
#[must_use]
pub fn directory(name: &str) -> Option<PathBuf> {
    let directory: Option<OsString> = std::env::var_os(DIRECTORY);
    if directory.is_none() {
        // The test harness hides the output of passing tests, but not this line.
        let _ = writeln!(
            std::io::stderr().lock(),
            "SKIPPED: {name} is read only where {DIRECTORY} names the directory that contains it"
        );
    }
    directory.map(PathBuf::from)
}

/// Reads a file of these vectors. Returns `None` if there is no [`directory`].
///
/// # Panics
///
/// The variable is set, but the file does not exist: no file is skipped if the variable is set.
#[must_use]
pub fn file(name: &str) -> Option<Vec<u8>> {
    let path = directory(name)?.join(name);
    match std::fs::read(&path) {
        Ok(bytes) => Some(bytes),
        Err(error) => panic!("{DIRECTORY} is set, but {}: {error}", path.display()),
    }
}

/// The same as [`file()`], for a text.
///
/// # Panics
///
/// The same as [`file()`]; also if the text is not UTF-8.
#[must_use]
pub fn text(name: &str) -> Option<String> {
    let text = String::from_utf8(file(name)?);
    Some(text.unwrap_or_else(|error| panic!("{name}: {error}")))
}
