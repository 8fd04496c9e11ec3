//! `cargo xtask leftovers` searches the memory of a process for secrets after an operation.
//!
//! The program crates/xtask/probe/src/bin/leftovers runs one operation, wipes its input and waits.
//! This job then searches its memory for eight consecutive bytes of a seed and of the values hashed from
//! it, and for 32 consecutive coefficients of s₁, s₂, t₀ and y, in each representation. The program
//! contains no secret itself: the input of an operation comes through a pipe.

mod memory;
mod needles;
mod secrets;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use moissanite_core::backend;

use crate::process;
use needles::Needles;

const LEVELS: [&str; 3] = ["1", "3", "s"];
/// The operation that leaves a key on purpose, which the search has to find.
const PLANTED: &str = "planted";
/// The number of findings of one run that are printed.
const PRINTED: usize = 6;

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run only at this level of optimisation: 1, 3 or s
    #[arg(long)]
    level: Option<String>,
    /// Run only this scheme, by its name in the table
    #[arg(long)]
    scheme: Option<String>,
    /// Run only operations whose names contain this
    #[arg(long, default_value = "")]
    operation: String,
}

/// A line of the program's list.
struct Operation {
    scheme: String,
    name: String,
    input: String,
    /// The backends that it runs on.
    backends: Vec<&'static str>,
}

/// Runs every operation on every backend at every level, and prints the secrets that are left.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    ensure!(
        cfg!(target_os = "linux"),
        "the memory of a process is read from /proc, as Linux has it"
    );
    let levels = match &arguments.level {
        Some(level) => vec![level.as_str()],
        None => LEVELS.to_vec(),
    };
    let mut needles = BTreeMap::new();
    let (mut runs, mut failures) = (0, 0);
    for level in levels {
        let program = build(level)?;
        for operation in operations(&program, arguments)? {
            for backend in &operation.backends {
                let key = (operation.scheme.clone(), *backend);
                let needles = match needles.entry(key) {
                    std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
                    std::collections::btree_map::Entry::Vacant(new) => {
                        new.insert(secrets::needles(&operation.scheme, backend)?)
                    }
                };
                let left = left(&program, &operation, backend, needles)?;
                runs += 1;
                failures += usize::from(!is_as_expected(level, &operation, backend, &left));
            }
        }
    }
    ensure!(
        failures == 0,
        "{failures} of {runs} runs left secrets, or not the planted one"
    );
    ensure!(runs > 0, "there is no such operation");
    println!("leftovers: {runs} runs left no secret but the planted one");
    Ok(())
}

/// Prints a line of the table, and returns whether the run left nothing, or the planted secret.
fn is_as_expected(level: &str, operation: &Operation, backend: &str, left: &[String]) -> bool {
    let Operation { scheme, name, .. } = operation;
    let planted = name == PLANTED;
    let verdict = match (planted, left.is_empty()) {
        (false, true) => "nothing",
        (true, false) => "the planted secret",
        (true, true) => "THE PLANTED SECRET IS NOT FOUND",
        (false, false) => "SECRETS",
    };
    println!("{level} {scheme:16} {backend:9} {name:24} {verdict}");
    if planted || left.is_empty() {
        return planted != left.is_empty();
    }
    for line in left.iter().take(PRINTED) {
        println!("    {line}");
    }
    if left.len() > PRINTED {
        println!("    and {} more", left.len() - PRINTED);
    }
    false
}

/// Builds the program at a level of optimisation.
fn build(level: &str) -> Result<PathBuf> {
    ensure!(LEVELS.contains(&level), "there is no level {level} here");
    let profile = format!("leftovers-{level}");
    let quoted = if level == "s" { "\"s\"" } else { level };
    let mut cargo = process::cargo(["build", "--quiet", "--locked", "--profile", &profile]);
    cargo.args(["--package", "moissanite-probe", "--features", "leftovers"]);
    cargo.args(["--bin", "leftovers"]);
    for setting in ["inherits = \"release\"", &format!("opt-level = {quoted}")] {
        cargo.args(["--config", &format!("profile.{profile}.{setting}")]);
    }
    process::run(&mut cargo)?;
    Ok(process::target_directory()?.join(profile).join("leftovers"))
}

/// Returns the operations of the program that the arguments choose.
fn operations(program: &Path, arguments: &Arguments) -> Result<Vec<Operation>> {
    let list = process::output(Command::new(program).arg("list"))?;
    let available: Vec<_> = backend::available().collect();
    let mut operations = Vec::new();
    for line in list.lines() {
        let words: Vec<_> = line.split(' ').collect();
        let [scheme, name, input, backends] = words[..] else {
            bail!("this line of the list is malformed: {line}");
        };
        let wanted = arguments
            .scheme
            .as_ref()
            .is_none_or(|wanted| wanted == scheme);
        if !wanted || !name.contains(&arguments.operation) {
            continue;
        }
        operations.push(Operation {
            scheme: scheme.to_owned(),
            name: name.to_owned(),
            input: input.to_owned(),
            backends: match backends {
                "each" => available.clone(),
                _ => available[..1].to_vec(),
            },
        });
    }
    Ok(operations)
}

/// Runs the operation, and describes the secrets that are left in memory.
fn left(
    program: &Path,
    operation: &Operation,
    backend: &str,
    needles: &Needles,
) -> Result<Vec<String>> {
    let Operation {
        scheme,
        name,
        input,
        ..
    } = operation;
    let input = secrets::input(scheme, input)?;
    let mut command = Command::new(program);
    command.args([scheme, name, backend, &input.len().to_string()]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().context("the program cannot be started")?;
    let mut stdin = child.stdin.take().context("a pipe")?;
    let mut stdout = BufReader::new(child.stdout.take().context("a pipe")?);
    stdin.write_all(&input)?;
    let mut line = String::new();
    stdout.read_line(&mut line)?;
    let regions = memory::read(child.id());
    drop(stdin);
    let status = child.wait()?;
    ensure!(
        line == "done\n" && status.success(),
        "{}: {status}",
        process::line(&command)
    );
    let mut left = Vec::new();
    for region in regions? {
        for found in needles.search(&region.bytes) {
            let mut line = format!(
                "{}, from byte {}: {} bytes",
                found.name, found.at, found.len
            );
            let from_end = region.bytes.len() - found.place;
            write!(line, ", at {from_end:#x} before the end of {}", region.name)?;
            left.push(line);
        }
    }
    Ok(left)
}
