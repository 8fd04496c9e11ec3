//! `cargo xtask dudect` checks that no operation takes longer for some secrets than for others.
//!
//! benches/dudect times kernels and whole signatures with a fixed secret and with random ones. Below
//! 10, Welch's t shows no difference beyond chance and the noise of a busy machine. One case leaks on
//! purpose; its t must be above the limit, which shows that the clock can tell the classes apart.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use moissanite_core::backend::available;
use regex::Regex;

use crate::process;

const MANIFEST: &str = "benches/dudect/Cargo.toml";
const RESULTS: &str = "benches/dudect/results.md";
const PLANTED: &str = "planted_leak";
const LIMIT: f64 = 10.0;

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The number of measurements of each operation on each backend
    #[arg(long, default_value_t = 1_000_000)]
    measurements: u32,
    /// Measure only operations whose names contain this
    #[arg(long)]
    filter: Option<String>,
    /// Write the results to benches/dudect/results.md
    #[arg(long)]
    write: bool,
}

/// The largest |t| of each operation on each backend.
type Results = BTreeMap<String, BTreeMap<&'static str, f64>>;

/// Measures on every backend of this CPU, and fails where one class is slower.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut results = Results::new();
    let mut wrong = Vec::new();
    for backend in available() {
        for (operation, t) in measure(backend, arguments)? {
            if (operation == PLANTED) != (t.abs() >= LIMIT) {
                wrong.push(format!("{operation} on {backend}: t = {t:.1}"));
            }
            results.entry(operation).or_default().insert(backend, t);
        }
    }
    ensure!(!results.is_empty(), "nothing was measured");
    if arguments.write {
        std::fs::write(process::root().join(RESULTS), text(&results, arguments)?)?;
        println!("written to {RESULTS}");
    }
    ensure!(
        wrong.is_empty(),
        "dudect: these times depend on the secret, or the planted leak was not found:\n{}",
        wrong.join("\n")
    );
    println!("dudect: t is below {LIMIT} for all operations but the planted leak");
    Ok(())
}

/// Runs the program on one backend, and prints its output.
fn measure(backend: &str, arguments: &Arguments) -> Result<Vec<(String, f64)>> {
    let result = Regex::new(r"^bench (\S+) .*: n == .*, max t = ([-+.0-9]+),")?;
    let mut cargo = process::cargo(["run", "--quiet", "--locked", "--release"]);
    cargo.args(["--manifest-path", MANIFEST, "--", backend]);
    cargo.arg(arguments.measurements.to_string());
    cargo.args(&arguments.filter).stdout(Stdio::piped());
    let mut child = cargo.spawn().context("cannot start cargo")?;
    let output = child.stdout.take().context("no output")?;
    let mut found = Vec::new();
    for line in BufReader::new(output).lines() {
        let line = line?;
        if let Some(result) = result.captures(&line) {
            println!("{backend}: {line}");
            found.push((result[1].to_owned(), result[2].parse()?));
        }
    }
    let status = child.wait()?;
    ensure!(status.success(), "{MANIFEST}: {status}");
    Ok(found)
}

/// The page of results.
fn text(results: &Results, arguments: &Arguments) -> Result<String> {
    let rustc = process::version(&process::compiler())?;
    let mut text = format!(
        "# Fixed against random secrets\n\n\
         `cargo xtask dudect --write` writes this file. The table has the largest Welch's t of {} \
         measurements of each operation on each backend, over all thresholds above which \
         dudect-bencher discards slow measurements. Below {LIMIT}, the t-test does not distinguish \
         the two classes of secrets; `{PLANTED}` shows a t for classes that differ.\n\n{}; {rustc}.\n\n| |",
        arguments.measurements,
        processor()
    );
    let backends: Vec<_> = available().collect();
    for backend in &backends {
        write!(text, " {backend} |")?;
    }
    write!(text, "\n| --- |{}", " ---: |".repeat(backends.len()))?;
    for (operation, ts) in results {
        write!(text, "\n| {operation} |")?;
        for backend in &backends {
            match ts.get(backend) {
                Some(t) => write!(text, " {t:+.1} |")?,
                None => text += " |",
            }
        }
    }
    Ok(text + "\n")
}

/// The name of the CPU, if the system gives it.
fn processor() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = cpuinfo.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(": ")?.1.to_owned())
    };
    let number = |name| field(name).unwrap_or_else(|| "unknown".to_owned());
    format!(
        "{}, family {}, model {}",
        number("model name"),
        number("cpu family"),
        number("model\t")
    )
}
