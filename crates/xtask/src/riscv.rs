//! `cargo xtask riscv` counts the instructions of each operation on a RISC-V core with words of 32 bits, and measures
//! its stack: it builds benches/cortex-m for RV32IMAC and runs it in QEMU, where known answers are checked.
//!
//! There is no model of the cycles of a core.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::baseline::{self, Baseline, OtherCompiler, Section};
use crate::cortex_m::firmware::{self, Cost};
use crate::document::{self, SETS};
use crate::process;

pub(crate) const BASELINE: Baseline = Baseline {
    job: "riscv",
    file: "crates/xtask/riscv.txt",
    about: "Stack and instructions of each operation on RV32IMAC.",
    tolerance: 2,
    other_compiler: OtherCompiler::Tolerance(10),
};
pub(crate) const SECTION: &str = "RV32IMAC";
const TARGET: &str = "riscv32imac-unknown-none-elf";
const QEMU: [&str; 7] = [
    "-M",
    "virt",
    "-bios",
    "none",
    "-cpu",
    "rv32,f=false,d=false",
    "-plugin",
];
/// The features of the programs, and their profiles.
const FORMS: [(&str, &str); 2] = [("whole", "release"), ("tiny", "smallest")];
const COLUMNS: [&str; 5] = ["stack", "instructions", "least", "median", "most"];

/// Measures, and compares or records.
pub(crate) fn run(arguments: &baseline::Arguments) -> Result<()> {
    let compiler = process::version(&process::compiler())?;
    let plugin = process::qemu_plugin()?;
    let mut section = Section::new(compiler, &COLUMNS);
    for set in SETS {
        for (form, profile) in FORMS {
            let program = firmware::build_for(TARGET, "measure", profile, &[set, form])?;
            let costs = firmware::parse(&measure(&program, &plugin)?)?;
            ensure!(
                costs.iter().all(|cost| cost.instructions > 0),
                "the plugin did not count"
            );
            section.rows.extend(costs.iter().map(row));
        }
    }
    let table = markdown(&section);
    BASELINE.settle([(SECTION.to_owned(), section)].into(), arguments)?;
    if arguments.write {
        document::write_page(document::MICROCONTROLLERS, BASELINE.job, &table)?;
    }
    Ok(())
}

/// Runs the program, which checks its results, and returns its output.
fn measure(program: &Path, plugin: &Path) -> Result<String> {
    let mut qemu = Command::new("qemu-system-riscv32");
    qemu.args(QEMU).arg(plugin);
    qemu.args(process::SEMIHOSTING).arg("-kernel").arg(program);
    process::report(&mut qemu)
}

/// The plugin counts instructions only, in place of cycles too.
fn row(cost: &Cost) -> (String, Vec<u64>) {
    let [stack, instructions, _, least, median, most] = cost.numbers();
    let figures = vec![stack, instructions, least, median, most];
    (cost.what.clone(), figures)
}

/// Returns the table of the page, with all sets in each cell.
fn markdown(section: &Section) -> String {
    let mut text = String::from(
        "\n| RV32IMAC | instructions, mean | least | median | most | stack, KiB |\n\
         | --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let [first, ..] = SETS;
    let names = section.rows.iter().filter_map(|(what, _)| {
        let name = what.strip_prefix(first)?.strip_prefix(", ")?;
        (!name.contains("portable,")).then_some(name)
    });
    for name in names {
        let cells = |column: &str, divisor: f64| {
            let cell = |set| section.get(&format!("{set}, {name}"), column).unwrap_or(0) as f64;
            SETS.map(|set| format!("{:.1}", cell(set) / divisor))
                .join(" / ")
        };
        let counts: Vec<_> = COLUMNS
            .into_iter()
            .skip(1)
            .map(|column| cells(column, 1e6))
            .collect();
        let stack = cells("stack", 1024.0);
        text.push_str(&format!("| {name} | {} | {stack} |\n", counts.join(" | ")));
    }
    text + "\n"
}
