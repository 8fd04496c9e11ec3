//! `cargo xtask cortex-m` measures the cost of each operation on a Cortex-M: it builds benches/cortex-m,
//! runs it on QEMU's Cortex-M4 and Cortex-M7, and writes the tables of the page on microcontrollers.
//!
//! Instructions and stack are exact and the same in each run; they depend on the compiler. Cycles come
//! from the model of the Cortex-M4 in `qemu_count.c`. Both processors execute the same instructions; there
//! is no model of the M7.

pub(crate) mod firmware;
mod table;

use std::path::PathBuf;

use anyhow::{Result, ensure};

use self::firmware::Cost;
use crate::baseline::{self, Baseline, OtherCompiler, Section, Sections};
use crate::document::{self, SETS};
use crate::process;

pub(crate) const BASELINE: Baseline = Baseline {
    job: "cortex-m",
    file: "crates/xtask/cortex-m.txt",
    about: "Stack, instructions and cycles of each operation on a Cortex-M4, and the bytes of flash of a\n\
            program that does one operation.",
    tolerance: 2,
    other_compiler: OtherCompiler::Tolerance(10),
};
/// QEMU's names of a Cortex-M4 and a Cortex-M7.
const BOARDS: [&str; 2] = ["mps2-an386", "mps2-an500"];

/// The features of the programs that are run, their profiles, and the programs that only check. The kernels of
/// `tiny` are those with which the others are compared.
const FORMS: [(&str, &str, &[&str]); 2] = [
    ("whole", "release", &["kernels", "wycheproof"]),
    ("tiny", "smallest", &["wycheproof"]),
];

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    baseline: baseline::Arguments,
    /// Measure nothing, and print a table of the output of a board, whose clock counts cycles
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    from: Option<PathBuf>,
}

/// Measures, and compares or records.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let compiler = process::version(&process::compiler())?;
    if let Some(file) = &arguments.from {
        let costs = costs(
            "a board".to_owned(),
            &firmware::parse(&process::read(file)?)?,
        );
        print!("{}", costs.text("Cortex-M"));
        return Ok(());
    }
    let measured = measure()?;
    let sizes = firmware::sizes(&SETS)?;
    let mut flash = Section::new(compiler.clone(), &["opt-level 3", "opt-level s"]);
    let rows = sizes
        .iter()
        .map(|size| (size.what.clone(), size.flash.to_vec()));
    flash.rows.extend(rows);
    let sections = Sections::from([
        ("Cortex-M4".to_owned(), costs(compiler, &measured)),
        ("flash".to_owned(), flash),
    ]);
    BASELINE.settle(sections, &arguments.baseline)?;
    if arguments.baseline.write {
        document::write_page(
            document::MICROCONTROLLERS,
            BASELINE.job,
            &table::markdown(&measured, &sizes)?,
        )?;
    }
    Ok(())
}

/// Checks the known answers and measures the costs of all sets on both boards.
fn measure() -> Result<Vec<Cost>> {
    let plugin = process::qemu_plugin()?;
    let mut costs = Vec::new();
    for set in SETS {
        for (form, profile, checks) in FORMS {
            let build = |program: &&str| firmware::build(program, profile, &[set, form]);
            let checks: Vec<_> = checks.iter().map(build).collect::<Result<_>>()?;
            let program = build(&"measure")?;
            let mut first = None;
            for board in BOARDS {
                for program in &checks {
                    let report = firmware::run(board, program, None)?;
                    println!("{board}, {set}, {form}: {}", report.trim());
                }
                let report = firmware::run(board, &program, Some(&plugin))?;
                let measured = firmware::parse(&report)?;
                ensure!(
                    measured.iter().all(|cost| cost.instructions > 0),
                    "the plugin did not count"
                );
                ensure!(
                    *first.get_or_insert_with(|| measured.clone()) == measured,
                    "{set}, {form}: {BOARDS:?} do not agree"
                );
            }
            costs.extend(first.into_iter().flatten());
        }
    }
    Ok(costs)
}

fn costs(compiler: String, costs: &[Cost]) -> Section {
    let columns = ["stack", "instructions", "cycles", "least", "median", "most"];
    let mut section = Section::new(compiler, &columns);
    let rows = costs
        .iter()
        .map(|cost| (cost.what.clone(), cost.numbers().to_vec()));
    section.rows.extend(rows);
    section
}
