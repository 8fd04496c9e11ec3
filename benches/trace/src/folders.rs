//! The folders of the tree and of the files that are made.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub(crate) struct Folders {
    pub(crate) tree: PathBuf,
    /// The target folder of the probe, as that of `benches/emitted`.
    pub(crate) probe: PathBuf,
    /// The plugin, the programs, and their outputs.
    pub(crate) runs: PathBuf,
}

impl Folders {
    pub(crate) fn find() -> Result<Self> {
        let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let tree = tree.canonicalize().context("the tree")?;
        let folder = std::env::var_os("CARGO_TARGET_DIR");
        let folder = folder.map_or_else(|| tree.join("target"), PathBuf::from);
        let runs = folder.join("trace");
        std::fs::create_dir_all(&runs).with_context(|| runs.display().to_string())?;
        let folder = folder.canonicalize()?;
        Ok(Self {
            probe: folder.join("emitted"),
            runs: folder.join("trace"),
            tree,
        })
    }
}
