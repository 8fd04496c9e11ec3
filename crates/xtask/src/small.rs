//! `cargo xtask small`: what does each operation cost on a small machine? Builds benches/cortex-m,
//! runs it on QEMU's Cortex-M4 and Cortex-M7, and makes of it a table in the page on microcontrollers.
//!
//! Instructions and stack are exact, and the same each time; they depend on the compiler. Cycles are
//! those of a model of the Cortex-M4, which `qemu_count.c` has: of measured code it gave 2 to 4 %
//! fewer than the chip. Both processors execute the same instructions; there is no model of the M7.

pub(crate) mod firmware;
mod table;

use std::path::PathBuf;

use anyhow::{Result, ensure};

use self::firmware::{Cost, Size};
use crate::process;
use crate::recorded::{self, SETS};

const JOB: &str = "small";
const RECORDED: &str = "crates/xtask/small.txt";
/// Columns of a name, and of a number.
const WIDTHS: [usize; 2] = [54, 12];
/// QEMU's names of a Cortex-M4 and a Cortex-M7.
const BOARDS: [&str; 2] = ["mps2-an386", "mps2-an500"];

/// What to do with the numbers.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Record the numbers and write the table of its page, and do not compare
    #[arg(long)]
    write: bool,
    /// Measure nothing: show what a board wrote, whose clock counts cycles
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    from: Option<PathBuf>,
}

/// Measures, prints, and compares with what is recorded, or records.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if let Some(file) = &arguments.from {
        print!("{}", costs(&firmware::parse(&process::read(file)?)?));
        return Ok(());
    }
    let measured = measure()?;
    let sizes = firmware::sizes(&SETS)?;
    let text = format!(
        "By {}\n\n{}\n{}",
        process::version(&process::compiler())?,
        costs(&measured),
        flash(&sizes)
    );
    print!("{text}");
    if !arguments.write {
        let numbers = measured
            .iter()
            .map(|cost| (cost.what.as_str(), cost.numbers()));
        recorded::compare(RECORDED, "cargo xtask small --write", numbers)?;
        let numbers = sizes.iter().map(|size| (size.what.as_str(), size.flash));
        return recorded::compare(RECORDED, "cargo xtask small --write", numbers);
    }
    recorded::write_page(JOB, &table::markdown(&measured, &sizes)?)?;
    recorded::write(RECORDED, &text)
}

/// Known answers and costs of all sets, on both boards.
fn measure() -> Result<Vec<Cost>> {
    let plugin = process::qemu_plugin()?;
    let mut costs = Vec::new();
    for set in SETS {
        let kernels = firmware::build("kernels", "release", &[set])?;
        let wycheproof = firmware::build("wycheproof", "release", &[set])?;
        let program = firmware::build("measure", "release", &[set, "whole"])?;
        let mut first = None;
        for board in BOARDS {
            for program in [&kernels, &wycheproof] {
                let report = firmware::run(board, program, None)?;
                println!("{board}, {set}: {}", report.trim());
            }
            let report = firmware::run(board, &program, Some(&plugin))?;
            let measured = firmware::parse(&report)?;
            ensure!(
                measured.iter().all(|cost| cost.instructions > 0),
                "the plugin did not count"
            );
            ensure!(
                *first.get_or_insert_with(|| measured.clone()) == measured,
                "{set}: {BOARDS:?} do not agree"
            );
        }
        costs.extend(first.into_iter().flatten());
    }
    Ok(costs)
}

fn costs(costs: &[Cost]) -> String {
    let columns = ["stack", "instructions", "cycles", "least", "median", "most"];
    let mut text = recorded::line(WIDTHS, "set, form, operation", columns);
    for cost in costs {
        text += &recorded::line(WIDTHS, &cost.what, cost.numbers());
    }
    text
}

fn flash(sizes: &[Size]) -> String {
    let what = "flash of a program that does only this";
    let mut text = recorded::line(WIDTHS, what, ["opt-level 3", "opt-level s"]);
    for Size { what, flash } in sizes {
        text += &recorded::line(WIDTHS, what, flash);
    }
    text
}
