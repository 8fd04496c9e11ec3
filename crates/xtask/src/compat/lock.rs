//! Lock files of projects with the patch, in which every version is pinned.
//!
//! A package of the registry contains a lock file. That of this tree pins the packages that only the crate of
//! this tree needs. Cargo keeps the versions of both, so that the result is the same on each machine.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use super::patch::NAME;
use crate::linked::{self, Edges};
use crate::process;

/// A lock file, as far as it is read.
#[derive(Deserialize)]
struct Lock {
    package: Vec<Package>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Package {
    name: String,
    version: String,
    source: Option<String>,
    checksum: Option<String>,
    #[serde(default)]
    dependencies: Vec<String>,
}

impl Package {
    fn id(&self) -> (String, String) {
        (self.name.clone(), self.version.clone())
    }
}

/// Writes the lock file of a project, and lets cargo complete it.
///
/// # Errors
/// The project does not use the patch, or cargo chose a version that neither lock file has.
pub(super) fn write(project: &Path, own: &str) -> Result<()> {
    let file = project.join("Cargo.lock");
    let mut tree = read(&process::read(&process::root().join("Cargo.lock"))?)?;
    let needed = linked::tree(NAME, &["--all-features"], Edges::WithBuild)?.nodes;
    let needed = needed.into_keys().map(|id| (id.name, id.version)).collect();
    let needed = with_weak(needed, &tree);
    tree.retain(|package| needed.contains(&package.id()));
    let pinned = join(read(own)?, tree);
    std::fs::write(&file, text(&pinned))?;
    let mut fetch = process::cargo(["fetch", "--quiet"]);
    process::run(fetch.current_dir(project))?;
    check(&read(&process::read(&file)?)?, &pinned)
}

/// Adds the dependencies of the packages of the registry that only the lock file names. For a feature such as
/// `block-buffer?/zeroize`, cargo locks a version of `block-buffer` even if nothing compiles it.
fn with_weak(
    mut needed: BTreeSet<(String, String)>,
    lock: &[Package],
) -> BTreeSet<(String, String)> {
    loop {
        let of_registry = lock.iter().filter(|package| package.source.is_some());
        let named = of_registry
            .filter(|package| needed.contains(&package.id()))
            .flat_map(|package| &package.dependencies)
            .filter_map(|dependency| dependency.split_once(' '))
            .map(|(name, version)| (name.to_owned(), version.to_owned()));
        let new: Vec<_> = named.filter(|id| !needed.contains(id)).collect();
        if new.is_empty() {
            return needed;
        }
        needed.extend(new);
    }
}

/// Reads a lock file, and adds the version to each dependency that has only a name, because this is ambiguous
/// in another lock file.
fn read(lock: &str) -> Result<Vec<Package>> {
    let Lock { mut package } = toml::from_str(lock).context("a lock file")?;
    let versions: BTreeMap<_, _> = package.iter().map(Package::id).collect();
    for dependency in package.iter_mut().flat_map(|one| &mut one.dependencies) {
        if let Some(version) = versions.get(dependency) {
            *dependency = format!("{dependency} {version}");
        }
    }
    Ok(package)
}

/// All packages of the registry in either lock file; of a package in both, the dependencies that the project
/// pins. The version of the package that is patched is not kept,
/// because cargo would prefer it to the patch.
fn join(own: Vec<Package>, tree: Vec<Package>) -> Vec<Package> {
    let of_registry = |package: &Package| package.source.is_some() && package.name != NAME;
    let packages = tree.into_iter().chain(own).filter(of_registry);
    // Of two with the same key, the last one is kept.
    let joined: BTreeMap<_, _> = packages.map(|package| (package.id(), package)).collect();
    joined.into_values().collect()
}

fn text(packages: &[Package]) -> String {
    let mut text = String::from("version = 4\n");
    for package in packages {
        let Package { name, version, .. } = package;
        let _ = write!(
            text,
            "\n[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n"
        );
        for (key, value) in [("source", &package.source), ("checksum", &package.checksum)] {
            if let Some(value) = value {
                let _ = writeln!(text, "{key} = \"{value}\"");
            }
        }
        let _ = writeln!(text, "dependencies = {:?}", package.dependencies);
    }
    text
}

/// Checks that the patch is used, and that every version is one of those that were pinned.
fn check(lock: &[Package], pinned: &[Package]) -> Result<()> {
    let patched: Vec<_> = lock.iter().filter(|package| package.name == NAME).collect();
    match patched[..] {
        [one] if one.source.is_none() => {}
        [] => bail!("the project does not depend on {NAME} with these features"),
        _ => bail!("cargo does not use the patch, because the project requires another version"),
    }
    let pinned: BTreeSet<_> = pinned.iter().map(Package::id).collect();
    let of_registry = lock.iter().filter(|package| package.source.is_some());
    let chosen: Vec<_> = of_registry
        .map(Package::id)
        .filter(|id| !pinned.contains(id))
        .collect();
    ensure!(
        chosen.is_empty(),
        "neither lock file pins these versions, which cargo chose: {chosen:?}"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = r#"
        [[package]]
        name = "a"
        version = "1.0.0"
        source = "registry"
        checksum = "00"
        dependencies = ["ml-dsa"]
        [[package]]
        name = "ml-dsa"
        version = "0.1.0"
        source = "registry"
        [[package]]
        name = "project"
        version = "0.0.1"
        dependencies = ["a"]
    "#;
    const TREE: &str = r#"
        [[package]]
        name = "a"
        version = "1.0.0"
        source = "registry"
        dependencies = ["b"]
        [[package]]
        name = "a"
        version = "1.1.0"
        source = "registry"
        [[package]]
        name = "ml-dsa"
        version = "0.1.2"
    "#;
    const PATCHED: &str = "[[package]]\nname = \"ml-dsa\"\nversion = \"0.1.2\"\n";

    fn locked(extra: &str) -> Result<Vec<Package>> {
        read(&format!("{PATCHED}\n{extra}"))
    }

    #[test]
    fn lock_files_are_joined() -> Result<()> {
        let joined = join(read(OWN)?, read(TREE)?);
        let ids: Vec<_> = joined.iter().map(Package::id).collect();
        let id = |version: &str| ("a".to_owned(), version.to_owned());
        assert_eq!(ids, [id("1.0.0"), id("1.1.0")]);
        assert_eq!(joined[0].dependencies, ["ml-dsa 0.1.0"]);
        assert_eq!(read(&text(&joined))?, joined);
        Ok(())
    }

    #[test]
    fn dependencies_that_only_a_lock_file_names_are_found() -> Result<()> {
        let extra = "[[package]]\nname = \"b\"\nversion = \"2.0.0\"\nsource = \"registry\"\n\
            dependencies = [\"c\"]\n[[package]]\nname = \"c\"\nversion = \"3.0.0\"\n";
        let tree = read(&format!("{TREE}\ndependencies = [\"b\"]\n{extra}"))?;
        let id = |name: &str, version: &str| (name.to_owned(), version.to_owned());
        let needed = with_weak([id("a", "1.0.0")].into(), &tree);
        let all = [id("a", "1.0.0"), id("b", "2.0.0"), id("c", "3.0.0")];
        assert_eq!(needed, all.into());
        // Those of a package of the tree itself include what its tests need.
        let needed = with_weak([id("ml-dsa", "0.1.2")].into(), &tree);
        assert_eq!(needed, [id("ml-dsa", "0.1.2")].into());
        Ok(())
    }

    #[test]
    fn unpinned_versions_and_unused_patches_are_found() -> Result<()> {
        let pinned = join(read(OWN)?, read(TREE)?);
        check(&locked("")?, &pinned)?;
        let of_registry = "[[package]]\nname = \"a\"\nversion = \"1.2.0\"\nsource = \"registry\"\n";
        assert!(check(&locked(of_registry)?, &pinned).is_err());
        assert!(check(&read(OWN)?, &pinned).is_err());
        assert!(check(&locked(OWN)?, &pinned).is_err());
        assert!(check(&pinned, &pinned).is_err());
        Ok(())
    }
}
