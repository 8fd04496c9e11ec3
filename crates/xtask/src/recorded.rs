//! Files of names and numbers that a later run is compared with.

use std::fs;

use anyhow::{Context, Result, ensure};

use crate::process;

/// Per cent by which a number may be above what is recorded.
const TOLERANCE: u64 = 2;
/// The same, where another compiler made what is recorded.
const OTHER_COMPILER: u64 = 10;

/// No number is more than so many per cent above the one that stands at its place after its name in
/// `file`, which names its compiler, and which a job with `record` writes.
pub(crate) fn compare<'a, const N: usize>(
    file: &str,
    record: &str,
    rows: impl IntoIterator<Item = (&'a str, [u64; N])>,
) -> Result<()> {
    let recorded =
        fs::read_to_string(process::root().join(file)).with_context(|| file.to_owned())?;
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
