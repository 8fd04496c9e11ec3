//! The parts of pages that jobs write.

use std::fs;

use anyhow::{Context, Result};

use crate::process;

/// The parameter sets, by their names in tables.
pub(crate) const SETS: [&str; 3] = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"];
/// The page of the tables of `cortex-m` and `stack`.
const MICROCONTROLLERS: &str = "crates/moissanite/docs/microcontrollers.md";

/// Writes what a job makes of the page on microcontrollers.
pub(crate) fn write_page(job: &str, made: &str) -> Result<()> {
    let path = process::root().join(MICROCONTROLLERS);
    let text = between(&process::read(&path)?, job, made)?;
    fs::write(path, text).context(MICROCONTROLLERS)
}

/// Replaces the text between the marks of a job in a document.
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
