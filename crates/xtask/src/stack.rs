//! `cargo xtask stack`: how much stack does each operation take below its caller, without keys, message
//! and signature? The program `stack` of benches/cortex-m paints the stack before each call and looks
//! how far the paint is gone, on a Cortex-M4 in QEMU and on this machine.

use std::fmt::Write;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::process;
use crate::recorded::{self, SETS};
use crate::small::firmware::{self, TARGET};

const JOB: &str = "stack";
const RECORDED: &str = "crates/xtask/stack.txt";
/// Columns of a name, and of a number.
const WIDTHS: [usize; 2] = [70, 12];
const BOARD: &str = "mps2-an386";
/// Targets, and what they are in a table.
const TARGETS: [(&str, &str); 2] = [
    (TARGET, "Cortex-M4"),
    ("x86_64-unknown-linux-gnu", "x86-64"),
];
/// Cargo's profiles, and what they are in a table.
const PROFILES: [(&str, &str); 3] = [
    ("release", "opt-level 3"),
    ("size", "opt-level s"),
    ("dev", "debug"),
];

/// What to do with the numbers.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Record the numbers and write the table of its page, and do not compare
    #[arg(long)]
    write: bool,
}

/// The stack that an operation takes.
struct Row {
    /// Processor, set, form, operation.
    what: String,
    /// In bytes, for each profile.
    bytes: [u64; PROFILES.len()],
}

/// Measures, prints, and compares with what is recorded, or records.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut rows = Vec::new();
    for (target, processor) in TARGETS {
        if target != TARGET && !target.starts_with(std::env::consts::ARCH) {
            println!("NOT CHECKED: this machine is no {processor}");
            continue;
        }
        rows.extend(measure(target, processor)?);
    }
    let version = process::version(&process::compiler())?;
    let mut text = format!("Bytes of stack, by {version}\n\n");
    let profiles = PROFILES.map(|(_, profile)| profile);
    text += &recorded::line(WIDTHS, "processor, set, form, operation", profiles);
    for Row { what, bytes } in &rows {
        text += &recorded::line(WIDTHS, what, bytes);
    }
    print!("{text}");
    if !arguments.write {
        let rows = rows.iter().map(|row| (row.what.as_str(), row.bytes));
        return recorded::compare(RECORDED, "cargo xtask stack --write", rows);
    }
    recorded::write_page(JOB, &markdown(&rows)?)?;
    recorded::write(RECORDED, &text)
}

/// Every operation of every set on one processor.
fn measure(target: &str, processor: &str) -> Result<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    for (column, (profile, _)) in PROFILES.iter().enumerate() {
        // The program has all sets; the feature is that of others.
        let program = firmware::build_for(target, "stack", profile, &[SETS[0]])?;
        let report = if target == TARGET {
            firmware::run(BOARD, &program, None)?
        } else {
            process::report(&mut Command::new(&program))?
        };
        let costs = firmware::parse(&report)?;
        if rows.is_empty() {
            rows.extend(costs.iter().map(|cost| Row {
                what: format!("{processor}, {}", cost.what),
                bytes: [0; _],
            }));
        }
        ensure!(rows.len() == costs.len(), "{profile}: other operations");
        for (row, cost) in rows.iter_mut().zip(&costs) {
            row.bytes[column] = cost.stack;
        }
    }
    Ok(rows)
}

/// A line for each form and operation, with all sets in each cell.
fn markdown(rows: &[Row]) -> Result<String> {
    let mut text = String::from("\n| stack, KiB |");
    for (_, processor) in TARGETS {
        for (_, profile) in PROFILES {
            write!(text, " {processor}, {profile} |")?;
        }
    }
    write!(
        text,
        "\n| --- |{}",
        " ---: |".repeat(TARGETS.len() * PROFILES.len())
    )?;
    let find = |processor: &str, set: &str, name: &str| {
        let what = format!("{processor}, {set}, {name}");
        rows.iter().find(|row| row.what == what)
    };
    let [.., (_, most)] = TARGETS;
    let prefix = format!("{most}, {}, ", SETS[0]);
    for name in rows.iter().filter_map(|row| row.what.strip_prefix(&prefix)) {
        write!(text, "\n| {name} |")?;
        for (_, processor) in TARGETS {
            for column in 0..PROFILES.len() {
                let cells = SETS.iter().filter_map(|set| find(processor, set, name));
                let cells = cells.map(|row| format!("{:.1}", row.bytes[column] as f64 / 1024.0));
                write!(text, " {} |", cells.collect::<Vec<_>>().join(" / "))?;
            }
        }
    }
    text.push_str("\n\n");
    Ok(text)
}
