//! All packages of the lock file: their manifests, their sources and their checksums.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use cargo_metadata::{MetadataCommand, Package, Target};
use serde::Deserialize;

use crate::linked::Id;
use crate::process;

/// A package with the checksum of its archive, which crates of the tree do not have.
#[derive(Debug)]
pub(crate) struct Locked {
    pub(crate) package: Package,
    pub(crate) checksum: Option<String>,
}

/// The lock file, as far as it is read.
#[derive(Deserialize)]
struct LockFile {
    package: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
    version: String,
    checksum: Option<String>,
}

impl Locked {
    pub(crate) fn is_macro(&self) -> bool {
        self.package.targets.iter().any(Target::is_proc_macro)
    }
}

/// Returns every package of the workspace's lock file. Cargo fetches the sources that the machine lacks.
pub(crate) fn all() -> Result<BTreeMap<Id, Locked>> {
    let text = process::read(&process::root().join("Cargo.lock"))?;
    let lock: LockFile = toml::from_str(&text).context("Cargo.lock")?;
    let entries = lock.package.into_iter().map(|entry| {
        let (name, version) = (entry.name, entry.version);
        (Id { name, version }, entry.checksum)
    });
    let mut checksums: BTreeMap<_, _> = entries.collect();
    let metadata = MetadataCommand::new()
        .current_dir(process::root())
        .features(cargo_metadata::CargoOpt::AllFeatures)
        .other_options(["--locked".to_owned()])
        .exec()
        .context("cargo metadata")?;
    let packages = metadata.packages.into_iter().map(|package| {
        let id = Id {
            name: package.name.to_string(),
            version: package.version.to_string(),
        };
        let checksum = checksums.remove(&id).flatten();
        (id, Locked { package, checksum })
    });
    Ok(packages.collect())
}
