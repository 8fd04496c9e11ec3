//! `cargo xtask compat` checks that programs that use RustCrypto's `ml-dsa` work with the crate that takes
//! its place: the tests of the published crate, and published crates that depend on it.
//!
//! The table `compat.toml` pins the packages. Cargo fetches them, and they are unpacked and tested in
//! `target/compat`, with the lines for `[patch]` that the README of `crates/ml-dsa-compat` shows.

mod lock;
mod patch;
mod published;
mod sources;

use std::path::Path;

use anyhow::{Context, Result, ensure};
use regex::Regex;
use serde::Deserialize;

use self::patch::{CRATE, NAME};
use self::sources::Pinned;
use crate::process;

const TABLE: &str = "crates/xtask/compat.toml";

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Check this package only
    #[arg(long, value_name = "PACKAGE")]
    only: Option<String>,
}

/// The table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    published: Published,
    dependent: Vec<Dependent>,
}

/// The crate whose place the crate of this tree takes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    #[serde(flatten)]
    pinned: Pinned,
    /// The package with the vectors that its tests read.
    vectors: Pinned,
    /// How many tests pass.
    tests: usize,
    /// What is not checked.
    missing: Vec<String>,
}

/// A published crate that depends on it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dependent {
    #[serde(flatten)]
    pinned: Pinned,
    /// What it does with signatures.
    purpose: String,
    /// The arguments of `cargo test`.
    arguments: Vec<String>,
    /// How many tests pass; 0 if the package only builds, because it contains no tests.
    tests: usize,
}

/// Tests every package of the table, and fails if a test fails or if another number of tests has run.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let table = process::read(&process::root().join(TABLE))?;
    let table: Table = toml::from_str(&table).context(TABLE)?;
    if let Some(reason) = sources::unreachable(&table.published.pinned)? {
        println!("NOT CHECKED: the registry of packages cannot be reached: {reason}");
        return Ok(());
    }
    let folder = process::target_directory()?.join("compat");
    let asked = |name: &str| arguments.only.as_deref().is_none_or(|only| only == name);
    let (mut checked, mut faults) = (0, Vec::new());
    let mut report = |name: &Pinned, about: &str, result: Result<usize>, expected: usize| {
        checked += 1;
        match result {
            Ok(0) if expected == 0 => println!("compat: {name}: builds: {about}"),
            Ok(passed) if passed == expected => {
                println!("compat: {name}: {passed} tests pass: {about}");
            }
            Ok(passed) => faults.push(format!(
                "{name}: {passed} tests pass, and {TABLE} says {expected}"
            )),
            Err(error) => faults.push(format!("{name}: {error:#}")),
        }
    };

    let published = &table.published;
    if asked(NAME) {
        patch::check_repository(&folder).context("the patch with a repository")?;
        println!("compat: cargo takes {CRATE} from a repository");
        let result = published::prepare(&published.pinned, &published.vectors, &folder)
            .and_then(|project| test(&project, &folder, &["--tests", "--benches"]))
            .and_then(|passed| {
                let project = folder.join(NAME);
                Ok(passed + test(&project, &folder, &["--doc"])?)
            });
        report(&published.pinned, "its own tests", result, published.tests);
        for missing in &published.missing {
            println!("compat: {}: not checked: {missing}", published.pinned);
        }
    }
    for dependent in &table.dependent {
        let pinned = &dependent.pinned;
        if asked(&pinned.name) {
            let arguments: Vec<_> = dependent.arguments.iter().map(String::as_str).collect();
            let result =
                prepare(pinned, &folder).and_then(|project| test(&project, &folder, &arguments));
            report(pinned, &dependent.purpose, result, dependent.tests);
        }
    }
    ensure!(checked > 0, "{TABLE} has no such package");
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    println!("compat: {checked} packages work with {CRATE}");
    Ok(())
}

/// Unpacks a package, and adds the line for `[patch]`.
fn prepare(pinned: &Pinned, folder: &Path) -> Result<std::path::PathBuf> {
    let project = sources::unpack(pinned, folder)?;
    let manifest = project.join("Cargo.toml");
    let own = process::read(&manifest)?;
    std::fs::write(&manifest, format!("{own}\n{}", patch::section()?))?;
    lock::write(&project, &process::read(&project.join("Cargo.lock"))?)?;
    Ok(project)
}

/// Runs the tests of a project, and returns how many pass.
fn test(project: &Path, folder: &Path, arguments: &[&str]) -> Result<usize> {
    let mut cargo = process::cargo(["test", "--locked", "--no-fail-fast"]);
    cargo.args(arguments).current_dir(project);
    cargo.env("CARGO_TARGET_DIR", folder.join("target"));
    // Unoptimised kernels are tens of times slower.
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    println!("$ {}", process::line(&cargo));
    let output = process::captured(&mut cargo)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(
        output.status.success(),
        "{}: {}\n{text}\n{messages}",
        process::line(&cargo),
        output.status
    );
    passed(&text)
}

/// The sum of the tests that passed, from the lines with the results of each program.
fn passed(output: &str) -> Result<usize> {
    let result = Regex::new(r"(?m)^test result: ok\. (\d+) passed; 0 failed;")?;
    let mut sum = 0;
    for line in result.captures_iter(output) {
        sum += line[1].parse::<usize>()?;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read() -> Result<()> {
        let table = process::read(&process::root().join(TABLE))?;
        let table: Table = toml::from_str(&table)?;
        assert!(table.dependent.len() >= 4);
        // The crate of this tree has the version of the published one, so that cargo accepts it.
        let metadata = process::metadata()?;
        let own = metadata
            .packages
            .iter()
            .find(|package| package.name == NAME);
        let own = own.context(CRATE)?;
        assert_eq!(own.version.to_string(), table.published.pinned.version);
        assert_eq!(own.publish.as_deref(), Some(&[][..]));
        Ok(())
    }

    #[test]
    fn results_are_summed() -> Result<()> {
        let output = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored\n\
            test result: ok. 11 passed; 0 failed; 1 ignored\ntest result: FAILED. 1 passed; 1 failed;";
        assert_eq!(passed(output)?, 13);
        Ok(())
    }
}
