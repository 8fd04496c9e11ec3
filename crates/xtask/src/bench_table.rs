//! `cargo xtask bench-table`: how fast is it beside the others? Runs benches/peers, keeps what it said, and
//! makes of it the table and chart of the page on speed.

mod chart;
mod run;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use self::run::Run;
use crate::process;

/// The page with the figures, what they come from, and the chart.
const PAGE: &str = "crates/moissanite/docs/speed.md";
const RECORDED: &str = "benches/results/speed.jsonl";
const CHART: &str = "crates/moissanite/docs/speed.svg";

/// What to run.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run nothing: take what an earlier run recorded
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Run nothing and write nothing: are table and chart what the recorded run gives?
    #[arg(long, conflicts_with = "from")]
    check: bool,
    /// Leave out what takes a C toolchain: OpenSSL, liboqs, BoringSSL and AWS-LC
    #[arg(long)]
    quick: bool,
    /// Messages to sign, and seeds of keys
    #[arg(long, default_value_t = 1000)]
    messages: u32,
    /// How often each message is measured
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Where the run is recorded
    #[arg(long, value_name = "FILE", default_value = RECORDED)]
    out: PathBuf,
}

/// Measures unless told not to, and writes table and chart, or compares them.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let root = process::root();
    let record = match &arguments.from {
        Some(file) => std::path::absolute(file)?,
        None if arguments.check => root.join(RECORDED),
        None => {
            let record = root.join(&arguments.out);
            let lines = run::peers(arguments.quick, arguments.messages, arguments.rounds)?;
            write(&record, &lines)?;
            record
        }
    };
    let text = process::read(&record)?;
    let run = Run::parse(&text).with_context(|| record.display().to_string())?;
    let page = root.join(PAGE);
    let old = fs::read_to_string(&page)?;
    for (path, new) in [
        (
            page,
            process::between(&old, "bench-table", &table::markdown(&run)?)?,
        ),
        (root.join(CHART), chart::svg(&run)?),
    ] {
        if arguments.check {
            let there = fs::read_to_string(&path).unwrap_or_default();
            ensure!(
                there == new,
                "{} is not what {RECORDED} gives: `cargo xtask bench-table --from {RECORDED}`",
                path.display()
            );
        } else {
            write(&path, &new)?;
        }
    }
    let done = if arguments.check {
        "are those of"
    } else {
        "made from"
    };
    println!(
        "bench-table: {PAGE} and {CHART} {done} {}",
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
