//! `cargo xtask dependencies`: does the facade bring more than what is written down?

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Result, ensure};

use crate::process;

/// A line for each choice of features: the packages that a user's program gets with them, on any
/// target.
const WRITTEN: &str = "crates/xtask/dependencies.txt";

/// Compares them, in both directions.
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
        "the facade depends on other packages than {WRITTEN} says; if that is meant, it has to \
         say\n{text}"
    );
    println!("dependencies: the facade has those in {WRITTEN}");
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
