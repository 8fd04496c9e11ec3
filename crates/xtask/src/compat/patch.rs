//! The lines of cargo's `[patch]` that replace the published crate by that of this tree, as the README of the latter
//! shows them.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::guides::blocks;
use crate::process;

/// The crate that takes the place of the published one.
pub(super) const CRATE: &str = "crates/ml-dsa-compat";
/// The name of both.
pub(super) const NAME: &str = "ml-dsa";
/// The copy of the tree, the repository and the commit in the README.
const COPY: &str = "../moissanite";
const REPOSITORY: &str = "https://git.example/moissanite";
const COMMIT: &str = "COMMIT";

/// The section that users add, with the path of this tree, and one that keeps the project apart from the workspace
/// of this tree.
pub(super) fn section() -> Result<String> {
    let root = process::root().display().to_string();
    Ok(format!("[workspace]\n\n{}", lines(COPY, &root)?))
}

/// Checks that cargo takes the crate from the repository, in an empty project.
pub(super) fn check_repository(folder: &Path) -> Result<()> {
    let project = folder.join("repository");
    process::make_empty(&project)?;
    fs::create_dir(project.join("src"))?;
    fs::write(project.join("src/lib.rs"), "")?;
    let head = process::output(Command::new("git").args(["rev-parse", "HEAD"]))?;
    let repository = format!("file://{}", process::root().display());
    let lines = lines(REPOSITORY, &repository)?.replace(COMMIT, &head);
    let package = "[package]\nname = \"program\"\nedition = \"2024\"\n[workspace]\n";
    let manifest = format!("{package}[dependencies]\n{NAME} = \"0.1\"\n{lines}");
    fs::write(project.join("Cargo.toml"), manifest)?;
    let lock = process::root().join("Cargo.lock");
    fs::copy(lock, project.join("Cargo.lock"))?;
    let mut tree = process::cargo(["tree", "--quiet", "--invert", NAME]);
    let output = process::captured(tree.current_dir(&project))?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    ensure!(
        output.status.success() && text.contains(&repository),
        "cargo does not use the patch: {text}"
    );
    Ok(())
}

/// The lines of the README that contain a text, with another one in its place.
fn lines(text: &str, replacement: &str) -> Result<String> {
    let readme = process::read(&process::root().join(CRATE).join("README.md"))?;
    let blocks = blocks(&readme, &["toml"]);
    let block = blocks.iter().find(|block| block.contains(text));
    let block = block.with_context(|| format!("{CRATE}/README.md has no lines with {text}"))?;
    Ok(block.replace(text, replacement))
}
