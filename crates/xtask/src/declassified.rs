//! `cargo xtask declassified` lists the places where a secret value becomes public, with the reason that the
//! code states, in the page on the threat model.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use regex::Regex;

use crate::{baseline, document, process};

const PAGE: &str = "crates/moissanite/docs/threat_model.md";
const JOB: &str = "declassified";
/// The file that defines the functions.
const DEFINITIONS: &str = "crates/core/src/secret.rs";

/// The files of each reason.
type Reasons = BTreeMap<String, BTreeMap<String, usize>>;

/// Compares the list on the page with the code, or writes it.
pub(crate) fn run(arguments: &baseline::Arguments) -> Result<()> {
    let mut reasons = Reasons::new();
    for package in process::published()? {
        let folder = package
            .manifest_path
            .parent()
            .context("a package's folder")?;
        collect(folder.join("src").as_std_path(), &mut reasons)?;
    }
    ensure!(
        !reasons.is_empty(),
        "no secret value becomes public anywhere"
    );
    let table = table(&reasons)?;
    if arguments.write {
        document::write_page(PAGE, JOB, &table)?;
    }
    document::check_page(PAGE, JOB, &table)?;
    let places: usize = reasons.values().flat_map(BTreeMap::values).sum();
    println!("{JOB}: {places} places, {} reasons", reasons.len());
    Ok(())
}

/// Adds the calls in the files of a folder, without those of tests.
fn collect(folder: &Path, reasons: &mut Reasons) -> Result<()> {
    let call = Regex::new(r#"(?s)\bdeclassify(?:_mask|_in_place)?\([^;{]*?"([^"]+)",?\s*\)"#)?;
    let any = Regex::new(r"(?m)^[^/\n]*\bdeclassify(?:_mask|_in_place)?\(")?;
    for path in process::files(folder)? {
        let file = path
            .strip_prefix(process::root())?
            .to_string_lossy()
            .into_owned();
        if file.contains("/tests") || file == DEFINITIONS {
            continue;
        }
        let text = process::read(&path)?;
        let found: Vec<_> = call
            .captures_iter(&text)
            .map(|call| call[1].to_owned())
            .collect();
        ensure!(
            found.len() == any.find_iter(&text).count(),
            "{file} has a call of `declassify` without a reason in quotation marks"
        );
        for reason in found {
            *reasons
                .entry(reason)
                .or_default()
                .entry(file.clone())
                .or_default() += 1;
        }
    }
    Ok(())
}

fn table(reasons: &Reasons) -> Result<String> {
    let mut table = "| what becomes public, and why | where |\n| --- | --- |\n".to_owned();
    for (reason, files) in reasons {
        let files: Vec<_> = files
            .iter()
            .map(|(file, count)| match count {
                1 => format!("`{file}`"),
                _ => format!("`{file}` ({count} places)"),
            })
            .collect();
        writeln!(table, "| {reason} | {} |", files.join(", "))?;
    }
    Ok(table)
}
