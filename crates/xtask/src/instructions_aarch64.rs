//! `cargo xtask instructions-aarch64`: how many instructions each operation executes on AArch64,
//! with and without the SHA-3 instructions.
//!
//! QEMU runs `operations`, and a plugin for it counts: exactly, and the same numbers each time. They
//! depend on the compiler, so that the recorded ones hold for the one that is named there, and for
//! others nearly. Instructions are not cycles; they are what can be had without the machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;
use crate::recorded::{self, SETS};

const TARGET: &str = "aarch64-unknown-linux-gnu";
const PROGRAM: &str = "moissanite-operations";
const RECORDED: &str = "crates/xtask/instructions-aarch64.txt";
/// Columns of a name, and of a number.
const WIDTHS: [usize; 2] = [40, 10];
/// With the SHA-3 instructions, and without.
const CPUS: [&str; 2] = ["max", "cortex-a72"];
/// What the program does with each input, in this order.
const OPERATIONS: [&str; 4] = ["keygen", "sign", "sign, prepared", "verify"];

/// What to do with the numbers.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Record the numbers, and do not compare them
    #[arg(long)]
    record: bool,
}

/// One line of the table.
struct Row {
    what: String,
    mean: u64,
    least: u64,
}

/// Counts, prints, and compares with what is recorded.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let plugin = process::qemu_plugin()?;
    let program = build_program()?;
    let mut rows = Vec::new();
    for cpu in CPUS {
        for set in SETS {
            rows.extend(count(&plugin, &program, cpu, set)?);
        }
    }
    let version = process::version(&process::compiler())?;
    let mut table = format!("Instructions executed, mean and least of 16 inputs, by {version}\n\n");
    let head = "CPU (QEMU's name), set, operation";
    table += &recorded::line(WIDTHS, head, ["mean", "least"]);
    for Row { what, mean, least } in &rows {
        table += &recorded::line(WIDTHS, what, [mean, least]);
    }
    print!("{table}");
    if arguments.record {
        return recorded::write(RECORDED, &table);
    }
    let rows = rows
        .iter()
        .map(|row| (row.what.as_str(), [row.mean, row.least]));
    recorded::compare(RECORDED, "cargo xtask instructions-aarch64 --record", rows)
}

/// Runs the program on all inputs with one set.
fn count(plugin: &Path, program: &Path, cpu: &str, set: &str) -> Result<Vec<Row>> {
    let mut qemu = Command::new("qemu-aarch64");
    // Where the C library for AArch64 is not among the system's own.
    if !Path::new("/lib/ld-linux-aarch64.so.1").exists() {
        qemu.args(["-L", "/usr/aarch64-linux-gnu"]);
    }
    qemu.args(["-cpu", cpu, "-plugin"])
        .arg(plugin)
        .arg(program)
        .arg(set);
    let report = process::report(&mut qemu)?;
    let counts: Result<Vec<u64>, _> = report.lines().map(str::parse).collect();
    let counts = counts.with_context(|| format!("not only numbers: {report}"))?;
    // The first input is there to be first.
    let (inputs, rest) = counts.as_chunks::<{ OPERATIONS.len() }>();
    let inputs = inputs
        .get(1..)
        .filter(|inputs| !inputs.is_empty() && rest.is_empty());
    let inputs = inputs.with_context(|| format!("too few numbers: {report}"))?;
    let row = |(i, operation): (usize, &&str)| {
        let of_each = || inputs.iter().map(|counts| counts[i]);
        Row {
            what: format!("{cpu}, {set}, {operation}"),
            mean: of_each().sum::<u64>().div_ceil(inputs.len() as u64),
            least: of_each().min().unwrap_or(0),
        }
    };
    Ok(OPERATIONS.iter().enumerate().map(row).collect())
}

fn build_program() -> Result<PathBuf> {
    let mut cargo = process::cargo(["build", "--quiet", "--locked", "--release"]);
    process::run(cargo.args(["--target", TARGET, "--package", PROGRAM]))?;
    Ok(process::target_directory()?
        .join(TARGET)
        .join("release")
        .join(PROGRAM))
}
