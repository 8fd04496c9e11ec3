//! `cargo xtask instructions`: what does each operation cost, counted and not timed?
//!
//! Callgrind counts the instructions of crates/xtask/probe/src/bin/instructions.rs, operation by
//! operation, the same in every run. A change that costs more than it should shows here on any
//! machine, however busy. It counts, so it does not see what waits; and it does not know AVX-512.

mod record;

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::process::{self, NO_SUCH_BACKEND};
use record::{Operation, Record};

const BACKENDS: [&str; 2] = ["portable", "avx2"];
const RECORD: &str = "crates/xtask/instructions.txt";

/// What to do with what is found.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Fail where an operation takes 2 % more than crates/xtask/instructions.txt says
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Write what is found to crates/xtask/instructions.txt
    #[arg(long)]
    write: bool,
}

/// Counts, prints, and compares.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let path = process::root().join(RECORD);
    let mut build = process::cargo(["build", "--quiet", "--locked", "--release"]);
    process::run(build.args(["--package", "moissanite-probe", "--bin", "instructions"]))?;
    let program = process::target_directory()?.join("release/instructions");

    let mut found = Record::new(process::version(&process::compiler())?);
    for backend in BACKENDS {
        match count(&program, backend)? {
            Some(counts) => found.add(backend, counts),
            None => println!("skipped: this CPU has no {backend}"),
        }
    }
    if arguments.write {
        std::fs::write(&path, found.text())?;
        println!("written to {RECORD}");
        return Ok(());
    }
    let text = std::fs::read_to_string(&path).with_context(|| format!("{RECORD} is missing"))?;
    let recorded = Record::parse(&text)?;
    let comparison = found.compare(&recorded);
    print!("{}", comparison.table);
    if !found.same_compiler(&recorded) {
        println!("another compiler than that of {RECORD}: only for information");
    } else if arguments.check {
        ensure!(
            comparison.more.is_empty(),
            "more instructions than in {RECORD}:\n{}\n`cargo xtask instructions --write` if it is worth it",
            comparison.more.join("\n")
        );
        println!("instructions: no operation takes 2 % more than in {RECORD}");
    }
    Ok(())
}

/// Instructions of each operation, or nothing if there is no such backend.
fn count(program: &Path, backend: &str) -> Result<Option<Vec<(Operation, u64)>>> {
    let folder = program.with_file_name(format!("callgrind-{backend}"));
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir(&folder)?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--tool=callgrind"]);
    // Two functions, as of two options with one pattern version 3.19 forgets the first.
    valgrind.args(["--toggle-collect=*collected*", "--dump-before=*written*"]);
    valgrind.arg(format!(
        "--callgrind-out-file={}",
        folder.join("out").display()
    ));
    let output = process::captured(valgrind.arg(program).arg(backend))?;
    match output.status.code() {
        Some(0) => {}
        Some(NO_SUCH_BACKEND) => return Ok(None),
        status => bail!(
            "{backend}: did not run to its end ({status:?})\n{}",
            String::from_utf8_lossy(&output.stderr)
        ),
    }
    let lines = String::from_utf8(output.stdout)?;
    let operations = lines.lines().enumerate().map(|(i, line)| {
        let strange = || format!("what is this line: {line}");
        let mut words = line.split('\t');
        let mut word = || words.next().with_context(strange);
        let operation = format!("{} {}", word()?, word()?);
        let times: u64 = word()?.parse()?;
        let total = total(&folder.join(format!("out.{}", i + 1)))?;
        Ok((operation, total.checked_div(times).with_context(strange)?))
    });
    operations.collect::<Result<_>>().map(Some)
}

/// What callgrind counted up to one dump.
fn total(dump: &Path) -> Result<u64> {
    let text = process::read(dump)?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
    Ok(total.context("callgrind wrote no total")?.parse()?)
}
