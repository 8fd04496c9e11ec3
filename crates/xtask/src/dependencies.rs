//! `cargo xtask dependencies` checks that the facade has only the dependencies that are listed.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Result, ensure};

use crate::process;

/// The list, with a line for each choice of features: the packages that a program then depends on, on
/// any target.
const WRITTEN: &str = "crates/xtask/dependencies.txt";

/// Compares the dependencies with the list, in both directions.
pub(crate) fn run() -> Result<()> {
    let mut text = String::new();
    for features in [
        "--no-default-features",
        "--features=default",
        "--all-features",
    ] {
        text += &format!("{features}: {}\n", names(features)?.join(" "));
    }
    let written = fs::read_to_string(process::root().join(WRITTEN))?;
    ensure!(
        text == written,
        "the facade depends on other packages than {WRITTEN} lists; if that is intended, the file has \
         to list\n{text}"
    );
    println!("dependencies: the facade depends on the packages in {WRITTEN}");
    Ok(())
}

fn names(features: &str) -> Result<Vec<String>> {
    let arguments = "tree --locked --package moissanite --edges normal --target all --prefix none";
    let mut cargo = process::cargo(arguments.split(' '));
    let tree = process::output(cargo.args(["--format", "{p}", features]))?;
    let name = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let names: BTreeSet<_> = tree.lines().map(name).collect();
    Ok(names.into_iter().collect())
}
