//! The line of cargo's `[patch]` that replaces the published crate by that of this tree.

use crate::process;

/// The crate that takes the place of the published one.
pub(super) const CRATE: &str = "crates/ml-dsa-compat";
/// The name of both.
pub(super) const NAME: &str = "ml-dsa";

/// The section that users add, and one that keeps the project apart from the workspace of this tree.
pub(super) fn section() -> String {
    let folder = process::root().join(CRATE);
    let folder = folder.display();
    format!("[workspace]\n\n[patch.crates-io]\n{NAME} = {{ path = \"{folder}\" }}\n")
}
