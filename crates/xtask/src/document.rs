//! The parts of pages that jobs write.

use std::fs;

use anyhow::{Context, Result, ensure};

use crate::process;

/// The parameter sets, by their names in tables.
pub(crate) const SETS: [&str; 3] = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"];
/// The page with the tables of `cortex-m` and `stack`.
pub(crate) const MICROCONTROLLERS: &str = "crates/moissanite/docs/microcontrollers.md";
/// The page with the tables of `bench-table` and `instructions`.
pub(crate) const SPEED: &str = "crates/moissanite/docs/speed.md";

/// Writes the part of a page that a job makes.
pub(crate) fn write_page(page: &str, job: &str, made: &str) -> Result<()> {
    let path = process::root().join(page);
    let text = between(&process::read(&path)?, job, made)?;
    fs::write(path, text).with_context(|| page.to_owned())
}

/// Fails if the part of a page is not what the job makes of the recorded figures.
pub(crate) fn check_page(page: &str, job: &str, made: &str) -> Result<()> {
    let text = process::read(&process::root().join(page))?;
    ensure!(
        between(&text, job, made)? == text,
        "{page} does not show the recorded figures; `cargo xtask {job} --write` updates it"
    );
    Ok(())
}

/// Returns a document with another text between the marks of a job.
pub(crate) fn between(text: &str, job: &str, made: &str) -> Result<String> {
    let begin = format!("<!-- Made by `cargo xtask {job}`. -->\n");
    let end = "<!-- End of what is made. -->\n";
    let (before, rest) = text
        .split_once(&begin)
        .with_context(|| format!("no begin mark of {job}"))?;
    let (_, after) = rest
        .split_once(end)
        .with_context(|| format!("no end mark of {job}"))?;
    Ok([before, &begin, made, end, after].concat())
}
