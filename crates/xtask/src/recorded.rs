//! Files of names and numbers that a later run is compared with, and the tables in the pages.

use std::fmt::Display;
use std::fs;

use anyhow::{Context, Result, ensure};

use crate::process;

/// The parameter sets, as tables name them.
pub(crate) const SETS: [&str; 3] = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"];
/// The page of the tables of `small` and `stack`.
const MICROCONTROLLERS: &str = "crates/moissanite/docs/microcontrollers.md";
/// Per cent by which a number may be above what is recorded.
const TOLERANCE: u64 = 2;
/// The same, where another compiler made what is recorded.
const OTHER_COMPILER: u64 = 10;

/// A line: a name, and what stands in the columns after it, so wide.
pub(crate) fn line(
    [name, column]: [usize; 2],
    what: &str,
    cells: impl IntoIterator<Item = impl Display>,
) -> String {
    let cells = cells.into_iter().map(|cell| format!(" {cell:>column$}"));
    format!("{what:name$}{}\n", cells.collect::<String>())
}

/// Writes a file of the project.
pub(crate) fn write(file: &str, text: &str) -> Result<()> {
    fs::write(process::root().join(file), text).with_context(|| file.to_owned())
}

/// Writes what a job makes of the page on microcontrollers.
pub(crate) fn write_page(job: &str, made: &str) -> Result<()> {
    let page = process::read(&process::root().join(MICROCONTROLLERS))?;
    write(MICROCONTROLLERS, &process::between(&page, job, made)?)
}

/// No number is more than so many per cent above the one that stands at its place after its name in
/// `file`, which names its compiler, and which a job with `record` writes.
pub(crate) fn compare<'a, const N: usize>(
    file: &str,
    record: &str,
    rows: impl IntoIterator<Item = (&'a str, [u64; N])>,
) -> Result<()> {
    let recorded = process::read(&process::root().join(file))?;
    let tolerance = if recorded.contains(&process::version(&process::compiler())?) {
        TOLERANCE
    } else {
        OTHER_COMPILER
    };
    for (what, numbers) in rows {
        let after = recorded.lines().filter_map(|line| line.strip_prefix(what));
        let then = after.filter_map(numbers_of::<N>).next();
        let then = then.with_context(|| format!("{file}: there is no {what}"))?;
        for (now, then) in numbers.into_iter().zip(then) {
            ensure!(
                now * 100 <= then * (100 + tolerance),
                "{what}: {now}, more than {tolerance} % above the {then} recorded in {file}; if \
                 that is meant, `{record}`"
            );
        }
    }
    println!("none is more than {tolerance} % above {file}");
    Ok(())
}

/// `N` numbers and nothing else.
fn numbers_of<const N: usize>(text: &str) -> Option<[u64; N]> {
    let numbers: Result<Vec<u64>, _> = text.split_whitespace().map(str::parse).collect();
    numbers.ok()?.try_into().ok()
}
