//! `cargo xtask kats` checks that kats/README.md lists the vectors of its folder, which are JSON files.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use regex::Regex;
use sha2::{Digest, Sha256};

use crate::process;

/// Compares the first cells of the README's tables with the files, in both directions.
pub(crate) fn run() -> Result<()> {
    let kats = process::root().join("kats");
    let readme = std::fs::read_to_string(kats.join("README.md")).context("kats/README.md")?;
    let listed = listed(&readme)?;
    let mut there = BTreeSet::new();
    for path in process::files(&kats)? {
        let file = path
            .strip_prefix(&kats)?
            .to_string_lossy()
            .replace('\\', "/");
        if file.ends_with(".json") {
            let bytes = std::fs::read(&path)?;
            println!(
                "{} {:9} {file}",
                hex::encode(Sha256::digest(&bytes)),
                bytes.len()
            );
            there.insert(file);
        }
    }
    let unlisted: Vec<_> = there.difference(&listed).collect();
    ensure!(
        unlisted.is_empty(),
        "kats/README.md does not list {unlisted:?}"
    );
    let missing: Vec<_> = listed.difference(&there).collect();
    ensure!(
        missing.is_empty(),
        "kats/README.md lists {missing:?}, which do not exist"
    );
    println!("kats: {} files, all listed", there.len());
    Ok(())
}

/// Returns the texts between backquotes in the first cell of each row.
fn listed(readme: &str) -> Result<BTreeSet<String>> {
    let (cell, name) = (Regex::new(r"(?m)^\|([^|]*)\|")?, Regex::new("`([^`]+)`")?);
    let cells = cell
        .captures_iter(readme)
        .map(|row| row.extract::<1>().1[0]);
    let names = cells.flat_map(|cell| {
        name.captures_iter(cell)
            .map(|name| name.extract::<1>().1[0])
    });
    Ok(names.map(str::to_owned).collect())
}
