//! The tests of the published crate, as a project of their own: a package cannot be patched by itself.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::lock;
use super::patch::{self, NAME};
use super::sources::{self, Pinned};
use crate::process;

/// The folder of vectors, as the tests name it.
const VECTORS: &str = "thirdparty/wycheproof/testvectors_v1";
/// What the manifest of the package says about its tests.
const SECTIONS: [&str; 3] = ["[[test]]", "[[bench]]", "[dev-dependencies."];

/// Unpacks the published crate, and replaces its library by an empty one with the examples of its
/// documentation.
pub(super) fn prepare(pinned: &Pinned, vectors: &Pinned, folder: &Path) -> Result<PathBuf> {
    let project = sources::unpack(pinned, folder)?;
    let manifest = project.join("Cargo.toml");
    let own = process::read(&manifest)?;
    std::fs::write(
        &manifest,
        manifest_of_tests(pinned, &own)? + &patch::section()?,
    )?;

    let library = project.join("src/lib.rs");
    let examples = documentation(&process::read(&library)?)?;
    std::fs::remove_dir_all(project.join("src"))?;
    std::fs::create_dir(project.join("src"))?;
    std::fs::write(library, examples)?;

    unpack_vectors(vectors, folder)?;
    lock::write(&project, &process::read(&project.join("Cargo.lock"))?)?;
    Ok(project)
}

/// The manifest of a package with the tests, their dependencies, and the features that they name.
fn manifest_of_tests(pinned: &Pinned, own: &str) -> Result<String> {
    let table: toml::Table = toml::from_str(own).context("Cargo.toml")?;
    let features = table.get("features").and_then(toml::Value::as_table);
    let features = features.context("the package has no features")?.keys();
    let features: Vec<_> = features.filter(|name| *name != "default").collect();
    let mut manifest = format!(
        "[package]\nname = \"{NAME}-tests\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{NAME} = \"={}\"\nsignature = {{ version = \"3\", features = [\"digest\"] }}\n\n\
         [features]\ndefault = {features:?}\n",
        pinned.version
    );
    for feature in &features {
        manifest += &format!("{feature} = [\"{NAME}/{feature}\"]\n");
    }
    let mut kept = false;
    for line in own.lines() {
        if line.starts_with('[') {
            kept = SECTIONS.iter().any(|section| line.starts_with(section));
        }
        if kept {
            manifest = manifest + line + "\n";
        }
    }
    ensure!(manifest.contains(SECTIONS[0]), "the package has no tests");
    Ok(manifest + "\n")
}

/// The documentation of the library, whose examples are tests.
fn documentation(library: &str) -> Result<String> {
    let attributes = ["//!", "#![cfg_attr(feature", "#![cfg_attr(not(feature"];
    let is_kept = |line: &&str| attributes.iter().any(|start| line.starts_with(start));
    let lines: Vec<_> = library.lines().filter(is_kept).collect();
    ensure!(!lines.is_empty(), "the library has no documentation");
    Ok(lines.join("\n") + "\n")
}

/// Unpacks the vectors to the folder where the tests look for them. Some vectors are newer than the tests, which
/// require a message and a key, and sign without randomness. Those of μ, of seeds with a wrong length and of
/// hedged signatures are left out.
fn unpack_vectors(vectors: &Pinned, folder: &Path) -> Result<()> {
    let from = sources::unpack(vectors, folder)?.join("src/data");
    let to = folder.join(VECTORS);
    std::fs::create_dir_all(&to)?;
    for file in process::files(&from)? {
        let name = file.file_name().context("a file")?.to_string_lossy();
        if !name.starts_with("mldsa") || !name.ends_with(".json") {
            continue;
        }
        let mut data: Value = serde_json::from_str(&process::read(&file)?)?;
        let groups = data["testGroups"].as_array_mut().context("no groups")?;
        groups.retain(|group| group["publicKey"] != Value::Null);
        for group in groups {
            let tests = group["tests"].as_array_mut().context("no tests")?;
            tests.retain(|test| test.get("msg").is_some() && test.get("rnd").is_none());
        }
        std::fs::write(to.join(&*name), data.to_string())?;
    }
    Ok(())
}
