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

/// The record of the run that the page shows.
const RECORDED: &str = "benches/results/speed.jsonl";
const CHART: &str = "crates/moissanite/docs/speed.svg";

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure, record the run, and write table and chart, instead of comparing them with the recorded run
    #[arg(long)]
    write: bool,
    /// Measure nothing: write table and chart of this earlier run
    #[arg(long, value_name = "FILE", requires = "write")]
    from: Option<PathBuf>,
    /// Leave out the implementations that need a C toolchain: OpenSSL, liboqs, BoringSSL and AWS-LC
    #[arg(long, requires = "write")]
    quick: bool,
    /// The number of messages to sign, and of seeds of keys
    #[arg(long, default_value_t = 1000, requires = "write")]
    messages: u32,
    /// The number of measurements of each message
    #[arg(long, default_value_t = 5, requires = "write")]
    rounds: u32,
    /// The file in which the run is recorded
    #[arg(long, value_name = "FILE", default_value = RECORDED, requires = "write")]
    out: PathBuf,
}

/// Compares table and chart with the recorded run, or measures and writes them.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let root = process::root();
    let record = match &arguments.from {
        Some(file) => std::path::absolute(file)?,
        None if !arguments.write => root.join(RECORDED),
        None => {
            let record = root.join(&arguments.out);
            let lines = run::peers(arguments.quick, arguments.messages, arguments.rounds)?;
            write(&record, &lines)?;
            record
        }
    };
    let text = process::read(&record)?;
    let run = Run::parse(&text).with_context(|| record.display().to_string())?;
    let page = root.join(SPEED);
    let old = fs::read_to_string(&page)?;
    for (path, new) in [
        (
            page,
            document::between(&old, "bench-table", &table::markdown(&run)?)?,
        ),
        (root.join(CHART), chart::svg(&run)?),
    ] {
        if !arguments.write {
            let there = fs::read_to_string(&path).unwrap_or_default();
            ensure!(
                there == new,
                "{} is not what {RECORDED} gives: `cargo xtask bench-table --write --from {RECORDED}`",
                path.display()
            );
        } else {
            write(&path, &new)?;
        }
    }
    let done = if !arguments.write {
        "are those of"
    } else {
        "made from"
    };
    println!(
        "bench-table: {SPEED} and {CHART} {done} {}",
        record.display()
    );
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text).with_context(|| path.display().to_string())
}
