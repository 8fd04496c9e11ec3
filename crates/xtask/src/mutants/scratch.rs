//! A copy of the tree, in which mutants are tried, with a target directory of its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::list::Mutant;
use crate::process;

/// The copy.
pub(crate) struct Scratch {
    folder: PathBuf,
    /// Cargo's jobs, of all the copies that compile at a time.
    pub(crate) jobs: usize,
}

/// The share of each worker of this machine's processors.
pub(crate) fn jobs(workers: usize) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    processors.checked_div(workers).unwrap_or(1).max(1)
}

impl Scratch {
    /// A copy in this folder, which need not exist yet.
    pub(crate) fn new(folder: PathBuf, jobs: usize) -> Self {
        Self { folder, jobs }
    }

    /// The root of the copy.
    pub(crate) fn tree(&self) -> PathBuf {
        self.folder.join("tree")
    }

    /// Cargo's target directory.
    pub(crate) fn target(&self) -> PathBuf {
        self.folder.join("target")
    }

    /// The file that the output of a test goes to.
    pub(crate) fn output(&self) -> PathBuf {
        self.folder.join("output")
    }

    /// Copies these files of a tree, and removes all others. Files that are the same already stay as they are,
    /// with their times, so that cargo does not compile them again.
    pub(crate) fn copy(&self, root: &Path, files: &[&str]) -> Result<()> {
        let tree = self.tree();
        fs::create_dir_all(&tree).with_context(|| tree.display().to_string())?;
        let mut listed = BTreeSet::new();
        for file in files {
            let from = root.join(file);
            // What is deleted and not committed is still listed.
            if !from.is_file() {
                continue;
            }
            let to = tree.join(file);
            let bytes = fs::read(&from).with_context(|| from.display().to_string())?;
            if fs::read(&to).ok().as_ref() != Some(&bytes) {
                let parent = to.parent().unwrap_or(&tree);
                fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
                fs::write(&to, bytes).with_context(|| to.display().to_string())?;
            }
            listed.insert(to);
        }
        for path in process::files(&tree)? {
            if !listed.contains(&path) {
                fs::remove_file(&path).with_context(|| path.display().to_string())?;
            }
        }
        Ok(())
    }

    /// Puts a mutant into the copy, until what this returns is dropped.
    pub(crate) fn patched(&self, mutant: &Mutant) -> Result<Patched> {
        let path = self.tree().join(&mutant.file);
        let text = process::read(&path)?;
        let changed = mutant.patch(&text)?;
        fs::write(&path, changed).with_context(|| path.display().to_string())?;
        Ok(Patched { path, text })
    }
}

/// A file with a mutant. Its text is restored, with a new time, so that cargo compiles it again.
pub(crate) struct Patched {
    path: PathBuf,
    text: String,
}

impl Drop for Patched {
    fn drop(&mut self) {
        // If this fails, the next copy of the tree restores the text.
        let _ = fs::write(&self.path, &self.text);
    }
}
