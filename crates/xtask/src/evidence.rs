//! `cargo xtask evidence` checks that each test, mutant, theorem and command in the table of defects on the
//! page on evidence exists.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use regex::Regex;

use crate::mutants;
use crate::process;

const PAGE: &str = "crates/moissanite/docs/evidence.md";
/// The first line of the table.
const HEAD: &str = "| defect | found in | tests | mutants | theorems and commands |\n";
/// The files that name the theorems of the prover.
const THEOREMS: [&str; 2] = [
    "benches/prover/src/theorems.rs",
    "benches/prover/src/theorems/permutations.rs",
];
/// The file that lists the commands of CI.
const STEPS: &str = ".ci/run";

/// What exists in the tree.
struct Known {
    mutants: BTreeSet<String>,
    theorems: String,
    steps: String,
}

/// Checks every row of the table.
pub(crate) fn run() -> Result<()> {
    let read = |file: &str| process::read(&process::root().join(file));
    let theorems: Result<String> = THEOREMS.into_iter().map(read).collect();
    let known = Known {
        mutants: mutants::names(process::root())?,
        theorems: theorems?,
        steps: read(STEPS)?,
    };
    let page = read(PAGE)?;
    let rows = rows(&page)?;
    for row in &rows {
        check(row, &known, &read).with_context(|| format!("{PAGE}: {row}"))?;
    }
    println!(
        "evidence: {} defects, each with what detects it",
        rows.len()
    );
    Ok(())
}

/// The rows of the table, without its head.
fn rows(page: &str) -> Result<Vec<&str>> {
    let (_, table) = page
        .split_once(HEAD)
        .with_context(|| format!("{PAGE} has no table that begins with {HEAD}"))?;
    let rows = table.lines().skip(1);
    let rows: Vec<_> = rows.take_while(|line| line.starts_with('|')).collect();
    ensure!(!rows.is_empty(), "{PAGE}: the table of defects is empty");
    Ok(rows)
}

/// Checks that what a row names exists, and that it names something.
fn check(row: &str, known: &Known, read: &dyn Fn(&str) -> Result<String>) -> Result<()> {
    let cells: Vec<_> = row.split('|').map(str::trim).collect();
    let ["", _, _, tests, mutants, theorems, ""] = cells[..] else {
        anyhow::bail!("a row has five cells");
    };
    // Tests of one file are separated by commas, and files by semicolons.
    for group in tests.split("; ").filter(|group| !group.is_empty()) {
        let (names, file) = group
            .rsplit_once(" in ")
            .context("tests are named as: `test` in `file`")?;
        let text = read(file.trim_matches('`'))?;
        for name in codes(names) {
            let function = Regex::new(&format!(r"\bfn {name}\b"))?;
            ensure!(function.is_match(&text), "{file} has no test {name}");
        }
        ensure!(!codes(names).is_empty(), "no test of {file} is named");
    }
    for name in codes(mutants) {
        ensure!(known.mutants.contains(name), "there is no mutant {name}");
    }
    for name in codes(theorems) {
        // Names of theorems can end with the number of a parameter set or a width.
        let theorem = [format!("\"{name}\""), format!("\"{name}{{")];
        let exists = match name.starts_with("cargo xtask ") {
            true => known.steps.contains(name),
            false => theorem.iter().any(|quoted| known.theorems.contains(quoted)),
        };
        ensure!(
            exists,
            "there is no theorem, and no command in {STEPS}, {name}"
        );
    }
    ensure!(
        !codes(tests).is_empty() || !codes(theorems).is_empty(),
        "nothing detects this defect"
    );
    Ok(())
}

/// The texts between backquotes.
fn codes(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_do_not_exist_are_found() {
        let known = Known {
            mutants: ["a-mutant".to_owned()].into_iter().collect(),
            theorems: "(\"ntt\", format!(\"use-hint{set}\"))".to_owned(),
            steps: "cargo xtask ct --sample".to_owned(),
        };
        let read = |file: &str| {
            ensure!(file == "a.rs", "there is no {file}");
            Ok("fn first() {}\nfn second<P>() {}".to_owned())
        };
        let passes = |row: &str| check(row, &known, &read).is_ok();
        assert!(passes(
            "| d | s | `first`, `second` in `a.rs` | `a-mutant` | `use-hint`, `ntt` |"
        ));
        assert!(passes("| d | s | | | `cargo xtask ct` |"));
        for row in [
            "| d | s | `firs` in `a.rs` | | |",
            "| d | s | `first` in `b.rs` | | |",
            "| d | s | `first` | | |",
            "| d | s | `first` in `a.rs` | `another-mutant` | |",
            "| d | s | `first` in `a.rs` | | `use-hin` |",
            "| d | s | | | `cargo xtask dudect` |",
            "| d | s | | `a-mutant` | |",
            "| d | s | `first` in `a.rs` | |",
        ] {
            assert!(!passes(row), "{row}");
        }
    }
}
