//! `cargo xtask mca`: how many cycles would a Cortex-A72 take for the loops of the NEON kernels?
//!
//! llvm-mca runs each innermost loop a hundred times through LLVM's model of the processor: no cache
//! misses, no branches guessed wrong, every line of the loop each time. That is no measurement; it
//! shows which of two versions of a loop waits less. Another version of LLVM has another model.

use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::{codegen, process, recorded};

const TARGET: &str = "aarch64-unknown-linux-gnu";
const CPU: &str = "cortex-a72";
const RECORDED: &str = "crates/xtask/mca-cortex-a72.txt";
/// Columns of a name, and of a number.
const WIDTHS: [usize; 2] = [60, 10];
/// What runs there: the names of functions begin so.
const FUNCTIONS: [&str; 2] = ["Neon: ", "keccak: permute_neon"];

/// What to do with the numbers.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Record the numbers, and do not compare them
    #[arg(long)]
    write: bool,
}

/// Estimates, prints, and compares with what is recorded, or records.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
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
    let mut rows = Vec::new();
    for (function, loops) in loops {
        if FUNCTIONS.iter().any(|wanted| function.starts_with(wanted)) {
            for (i, text) in loops.iter().enumerate() {
                let what = format!("{function}, loop {}", i + 1);
                let numbers = estimate(text).with_context(|| what.clone())?;
                rows.push((what, numbers));
            }
        }
    }
    ensure!(!rows.is_empty(), "no loops found");
    let by = format!("by llvm-mca {}, of {compiler}", version.trim());
    let mut table = format!(
        "Instructions of a loop, and cycles of a hundred rounds of it on a {CPU},\n{by}\n\n"
    );
    for (what, numbers) in &rows {
        table += &recorded::line(WIDTHS, what, numbers);
    }
    print!("{table}");
    if arguments.write {
        return recorded::write(RECORDED, &table);
    }
    if !process::read(&process::root().join(RECORDED)).is_ok_and(|recorded| recorded.contains(&by))
    {
        println!("{RECORDED} is not {by}: only for information");
        return Ok(());
    }
    let rows = rows.iter().map(|(what, numbers)| (what.as_str(), *numbers));
    recorded::compare(RECORDED, "cargo xtask mca --write", rows)
}

/// Instructions of a loop, and cycles of a hundred rounds.
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
