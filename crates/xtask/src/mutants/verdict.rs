//! What the end of a test says of a mutant.

use std::fmt;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use anyhow::Result;
use regex::Regex;

use crate::process;

/// What came of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The test failed by an assertion of its own.
    Killed,
    /// The test passed.
    Survived,
    /// Something else failed.
    NotCounted(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Killed => f.write_str("KILLED"),
            Self::Survived => f.write_str("SURVIVED"),
            Self::NotCounted(why) => write!(f, "NOT COUNTED ({why})"),
        }
    }
}

/// How a test ended.
pub(crate) struct Ended {
    /// None if it was stopped after its time.
    pub(crate) status: Option<ExitStatus>,
    pub(crate) output: String,
    pub(crate) time: Duration,
}

/// The start of the messages of panics that are not assertions, wherever they are.
const CHECKS: [&str; 10] = [
    "attempt to ",
    "byte index ",
    "copy_from_slice: ",
    "index out of bounds",
    "mid > len",
    "range end index ",
    "range start index ",
    "slice index ",
    "source slice length ",
    "unsafe precondition",
];

/// The verdict, if the files of tests are those of this tree and `program`.
pub(crate) fn of(ended: &Ended, tree: &Path, program: Option<&str>) -> Result<Verdict> {
    let not_counted = |why: String| Ok(Verdict::NotCounted(why));
    let Some(status) = ended.status else {
        return not_counted(format!("no end within {} s", ended.time.as_secs()));
    };
    if status.success() {
        return Ok(Verdict::Survived);
    }
    if status.code().is_none() {
        return not_counted(status.to_string());
    }
    let panic = Regex::new(r"(?m)panicked at ([^\n]+):(\d+):\d+:\n([^\n]*)")?;
    // The first is the cause of the others.
    let Some(found) = panic.captures(&ended.output) else {
        return not_counted(format!("{status}, without a panic"));
    };
    let [file, line, message] = [1, 2, 3].map(|i| found.get(i).map_or("", |group| group.as_str()));
    // Packages outside of the workspace have absolute paths.
    let prefix = format!("{}/", tree.display());
    let file = file.strip_prefix(&prefix).unwrap_or(file);
    let is_test = match program {
        Some(program) => program.ends_with(file),
        None => is_test_file(file) || is_in_test_module(&tree.join(file), line.parse()?),
    };
    if !is_test || CHECKS.iter().any(|check| message.starts_with(check)) {
        return not_counted(format!("a panic at {file}:{line}: {message}"));
    }
    Ok(Verdict::Killed)
}

/// Whether a file contains nothing but tests and their helpers.
pub(crate) fn is_test_file(file: &str) -> bool {
    let mut parts = Path::new(file).iter();
    parts.any(|part| part == "tests" || part == "tests.rs")
}

/// Whether a line is in the module of tests with which a file ends.
fn is_in_test_module(path: &Path, line: usize) -> bool {
    let text = process::read(path).unwrap_or_default();
    let start = text
        .lines()
        .position(|line| line.trim_start() == "mod tests {");
    start.is_some_and(|start| line > start)
}
