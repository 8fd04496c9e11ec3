//! Vectors that others published, which are not in this package.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

/// The environment variable that names the directory of these vectors.
pub const DIRECTORY: &str = "MOISSANITE_KATS";

/// Returns the directory of others' vectors. Without one, prints that the tests which read `name` skip
/// it, and returns `None`.
#[must_use]
pub fn directory(name: &str) -> Option<PathBuf> {
    let directory: Option<OsString> = std::env::var_os(DIRECTORY);
    if directory.is_none() {
        // The test harness hides what a test that passes prints, but not this.
        let _ = writeln!(
            std::io::stderr().lock(),
            "SKIPPED: {name} is read only where {DIRECTORY} names the directory that contains it"
        );
    }
    directory.map(PathBuf::from)
}

/// Reads a file of others' vectors. Returns `None` where there is no [`directory`].
///
/// # Panics
///
/// The directory is there, but not the file: nothing is skipped once the variable is set.
#[must_use]
pub fn file(name: &str) -> Option<Vec<u8>> {
    let path = directory(name)?.join(name);
    match std::fs::read(&path) {
        Ok(bytes) => Some(bytes),
        Err(error) => panic!("{DIRECTORY} is set, but {}: {error}", path.display()),
    }
}

/// [`file()`], of a text.
///
/// # Panics
///
/// As [`file()`], and where the text is not UTF-8.
#[must_use]
pub fn text(name: &str) -> Option<String> {
    let text = String::from_utf8(file(name)?);
    Some(text.unwrap_or_else(|error| panic!("{name}: {error}")))
}
