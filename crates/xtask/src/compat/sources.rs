//! Packages from the registry, which cargo fetches.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::process;

/// A package of a certain version.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Pinned {
    pub(super) name: String,
    pub(super) version: String,
    /// The SHA-256 hash of its archive, as in lock files.
    pub(super) checksum: String,
}

impl fmt::Display for Pinned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

/// Returns what cargo says if it cannot ask the registry for a package that exists.
pub(super) fn unreachable(pinned: &Pinned) -> Result<Option<String>> {
    let output = process::captured(&mut fetch(pinned))?;
    let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Ok((!output.status.success()).then_some(message))
}

/// Unpacks a package into a folder of its name, and returns the folder.
pub(super) fn unpack(pinned: &Pinned, folder: &Path) -> Result<PathBuf> {
    let archive = archive(pinned)?;
    let bytes = std::fs::read(&archive).with_context(|| archive.display().to_string())?;
    let checksum = hex::encode(Sha256::digest(&bytes));
    ensure!(
        checksum == pinned.checksum,
        "the checksum of {pinned} is {checksum}, and the table has another"
    );
    let project = folder.join(&pinned.name);
    if project.exists() {
        std::fs::remove_dir_all(&project)?;
    }
    std::fs::create_dir_all(&project)?;
    let mut tar = Command::new("tar");
    tar.args(["--strip-components=1", "-xzf"]).arg(&archive);
    process::run(tar.arg("-C").arg(&project))?;
    Ok(project)
}

/// The archive in cargo's folder, which cargo fetches if it is missing.
fn archive(pinned: &Pinned) -> Result<PathBuf> {
    if let Some(archive) = cached(pinned)? {
        return Ok(archive);
    }
    process::run(&mut fetch(pinned))?;
    cached(pinned)?.with_context(|| format!("cargo has not kept the archive of {pinned}"))
}

/// Returns a command that fetches a package if it is missing. It runs outside of this tree, where the name
/// means the package of the registry.
fn fetch(pinned: &Pinned) -> Command {
    let package = format!("{}@{}", pinned.name, pinned.version);
    let mut cargo = process::cargo(["info", "--quiet", "--registry", "crates-io", &package]);
    cargo.current_dir(std::env::temp_dir());
    cargo
}

fn cached(pinned: &Pinned) -> Result<Option<PathBuf>> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let cache = home.context("cargo's folder")?.join("registry/cache");
    let file = format!("{}-{}.crate", pinned.name, pinned.version);
    let Ok(registries) = std::fs::read_dir(&cache) else {
        return Ok(None);
    };
    for registry in registries {
        let archive = registry?.path().join(&file);
        if archive.is_file() {
            return Ok(Some(archive));
        }
    }
    Ok(None)
}
