//! `cargo xtask stack` measures the stack that each operation uses below its caller, without keys,
//! message and signature. The program `stack` of benches/cortex-m fills the stack with a pattern before each
//! call and finds the bytes that have changed, on a Cortex-M4 in QEMU and on this machine.

use std::fmt::Write;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::baseline::{self, Baseline, OtherCompiler, Section, Sections};
use crate::cortex_m::firmware::{self, TARGET};
use crate::document::{self, SETS};
use crate::process;

const BASELINE: Baseline = Baseline {
    job: "stack",
    file: "crates/xtask/stack.txt",
    about: "Bytes of stack that each operation uses below its caller.",
    tolerance: 2,
    other_compiler: OtherCompiler::Tolerance(10),
};
const BOARD: &str = "mps2-an386";
/// The targets, and their names in tables.
const TARGETS: [(&str, &str); 2] = [
    (TARGET, "Cortex-M4"),
    ("x86_64-unknown-linux-gnu", "x86-64"),
];
/// Cargo's profiles, and their names in tables.
const PROFILES: [(&str, &str); 3] = [
    ("release", "opt-level 3"),
    ("size", "opt-level s"),
    ("dev", "debug"),
];

/// The stack of an operation.
struct Row {
    processor: &'static str,
    /// Set, form, operation.
    what: String,
    /// The number of bytes for each profile.
    bytes: [u64; PROFILES.len()],
}

/// Measures on both processors, and compares or records.
pub(crate) fn run(arguments: &baseline::Arguments) -> Result<()> {
    let version = process::version(&process::compiler())?;
    let (mut rows, mut sections) = (Vec::new(), Sections::new());
    for (target, processor) in TARGETS {
        if target != TARGET && !target.starts_with(std::env::consts::ARCH) {
            println!("NOT CHECKED: this machine has another architecture than {processor}");
            continue;
        }
        let mut section = Section::new(version.clone(), &PROFILES.map(|(_, profile)| profile));
        let measured = measure(target, processor)?;
        let figures = measured
            .iter()
            .map(|row| (row.what.clone(), row.bytes.to_vec()));
        section.rows.extend(figures);
        sections.insert(processor.to_owned(), section);
        rows.extend(measured);
    }
    BASELINE.settle(sections, arguments)?;
    if arguments.write {
        document::write_page(document::MICROCONTROLLERS, BASELINE.job, &markdown(&rows)?)?;
    }
    Ok(())
}

/// Measures every operation of every set on one processor.
fn measure(target: &str, processor: &'static str) -> Result<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    for (column, (profile, _)) in PROFILES.iter().enumerate() {
        // The program contains all sets. Other programs of the package need the feature.
        let program = firmware::build_for(target, "stack", profile, &[SETS[0]])?;
        let report = if target == TARGET {
            firmware::run(BOARD, &program, None)?
        } else {
            process::report(&mut Command::new(&program))?
        };
        let costs = firmware::parse(&report)?;
        if rows.is_empty() {
            rows.extend(costs.iter().map(|cost| Row {
                processor,
                what: cost.what.clone(),
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

/// Returns a table with a line for each form and operation, and all sets in each cell.
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
        let what = format!("{set}, {name}");
        rows.iter()
            .find(|row| row.processor == processor && row.what == what)
    };
    let [.., (_, most)] = TARGETS;
    let prefix = format!("{}, ", SETS[0]);
    let names = rows.iter().filter(|row| row.processor == most);
    for name in names.filter_map(|row| row.what.strip_prefix(&prefix)) {
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
