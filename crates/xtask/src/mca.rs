//! `cargo xtask mca` estimates the cycles of the loops of the NEON kernels on a Cortex-A72.
//!
//! llvm-mca runs each innermost loop a hundred times through LLVM's model of the processor, without cache
//! misses and mispredicted branches, and executes every line of the loop each time. The estimate is not a
//! measurement; it shows which of two versions of a loop stalls less. Other versions of LLVM have other
//! models.

use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::baseline::{self, Baseline, OtherCompiler, Section, Sections};
use crate::{codegen, process};

const TARGET: &str = "aarch64-unknown-linux-gnu";
const CPU: &str = "cortex-a72";
const BASELINE: Baseline = Baseline {
    job: "mca",
    file: "crates/xtask/mca.txt",
    about: "Instructions of each loop of the NEON kernels, and cycles of a hundred rounds of it by\n\
            llvm-mca's model of the processor.",
    tolerance: 2,
    other_compiler: OtherCompiler::Nothing,
};
/// The prefixes of the functions that run on this processor.
const FUNCTIONS: [&str; 2] = ["Neon: ", "keccak: permute_neon"];

/// Estimates the cycles of all loops, and compares or records them.
pub(crate) fn run(arguments: &baseline::Arguments) -> Result<()> {
    let Ok(version) = process::output(Command::new("llvm-mca").arg("--version")) else {
        println!("NOT CHECKED: llvm-mca is missing; `apt-get install llvm` installs it");
        return Ok(());
    };
    let version = version.lines().find_map(|line| line.split_once("version "));
    let (_, version) = version.context("a version of llvm-mca")?;
    let Some((compiler, loops)) = codegen::loops(TARGET)? else {
        println!("NOT CHECKED: no compiler here has the library for {TARGET}");
        return Ok(());
    };
    let by = format!("{compiler}, llvm-mca {}", version.trim());
    let mut section = Section::new(by, &["instructions", "cycles"]);
    for (function, loops) in loops {
        if FUNCTIONS.iter().any(|wanted| function.starts_with(wanted)) {
            for (i, text) in loops.iter().enumerate() {
                let name = format!("{function}, loop {}", i + 1);
                let figures = estimate(text).with_context(|| name.clone())?;
                section.rows.push((name, figures.to_vec()));
            }
        }
    }
    ensure!(!section.rows.is_empty(), "no loops found");
    BASELINE.settle(Sections::from([(CPU.to_owned(), section)]), arguments)
}

/// Returns the instructions of a loop, and the cycles of a hundred rounds.
fn estimate(text: &str) -> Result<[u64; 2]> {
    let mut mca = Command::new("llvm-mca");
    mca.args(["-mtriple=aarch64-linux-gnu", "-iterations=100"]);
    mca.arg(format!("-mcpu={CPU}"));
    mca.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut mca = mca.spawn()?;
    let mut input = mca.stdin.take().context("standard input")?;
    input.write_all(text.as_bytes())?;
    input.write_all(b"\n")?;
    drop(input);
    let output = mca.wait_with_output()?;
    ensure!(
        output.status.success(),
        "llvm-mca: {}\n{text}",
        output.status
    );
    let report = String::from_utf8(output.stdout)?;
    let number = |name: &str| -> Result<u64> {
        let line = report.lines().find_map(|line| line.strip_prefix(name));
        Ok(line.with_context(|| name.to_owned())?.trim().parse()?)
    };
    Ok([text.lines().count() as u64, number("Total Cycles:")?])
}
