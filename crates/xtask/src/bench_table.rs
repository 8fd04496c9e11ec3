//! `cargo xtask bench-table` compares the speed with that of other implementations: it runs
//! benches/peers, records the times, and writes the table and chart of the page on speed.

mod chart;
mod run;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use self::run::Run;
use crate::document::{self, SPEED};
use crate::process;

/// The records of the runs that the page shows, one for each CPU. The chart is that of the first.
const RECORDED: [&str; 2] = [
    "benches/results/intel-xeon.jsonl",
    "benches/results/amd-epyc.jsonl",
];
const CHART: &str = "crates/moissanite/docs/speed.svg";

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure, record the run, and write tables and chart, instead of comparing them with the recorded runs
    #[arg(long)]
    write: bool,
    /// Measure nothing: write tables and chart of the recorded runs
    #[arg(long, requires = "write")]
    recorded: bool,
    /// Leave out the implementations that need a C toolchain: OpenSSL, liboqs, BoringSSL and AWS-LC
    #[arg(long, requires = "write")]
    quick: bool,
    /// The number of messages to sign, and of seeds of keys
    #[arg(long, default_value_t = 1000, requires = "write")]
    messages: u32,
    /// The number of measurements of each message
    #[arg(long, default_value_t = 5, requires = "write")]
    rounds: u32,
    /// The file in which the run is recorded: one for each CPU, whose tables the page shows if it is in the list
    /// of this job
    #[arg(long, value_name = "FILE", default_value = RECORDED[0], requires = "write")]
    out: PathBuf,
}

/// Compares tables and chart with the recorded runs, or measures and writes them.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let root = process::root();
    if arguments.write && !arguments.recorded {
        let lines = run::peers(arguments.quick, arguments.messages, arguments.rounds)?;
        write(&root.join(&arguments.out), &lines)?;
    }
    let mut runs = Vec::new();
    for record in RECORDED {
        let text = process::read(&root.join(record))?;
        runs.push(Run::parse(&text).context(record)?);
    }
    let tables: Result<Vec<_>> = runs.iter().map(table::markdown).collect();
    let page = root.join(SPEED);
    let old = fs::read_to_string(&page)?;
    for (path, new) in [
        (
            page,
            document::between(&old, "bench-table", &tables?.concat())?,
        ),
        (root.join(CHART), chart::svg(&runs[0])?),
    ] {
        if !arguments.write {
            let there = fs::read_to_string(&path).unwrap_or_default();
            ensure!(
                there == new,
                "{} is not what the records give: `cargo xtask bench-table --write --recorded`",
                path.display()
            );
        } else {
            write(&path, &new)?;
        }
    }
    let done = if arguments.write {
        "made from"
    } else {
        "are those of"
    };
    println!(
        "bench-table: {SPEED} and {CHART} {done} {}",
        RECORDED.join(", ")
    );
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text).with_context(|| path.display().to_string())
}
