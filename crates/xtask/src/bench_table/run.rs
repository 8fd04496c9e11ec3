//! Starts benches/peers, and reads its output.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::json;

use crate::process;

/// The times of a run, and the machine that it ran on.
pub(crate) struct Run {
    pub(crate) compiler: Compiler,
    pub(crate) machine: Machine,
    pub(crate) rows: Vec<Row>,
}

/// The compiler.
#[derive(Deserialize)]
pub(crate) struct Compiler {
    pub(crate) rustc: String,
    pub(crate) rustflags: String,
}

/// The CPU, and the numbers of messages and rounds.
#[derive(Deserialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) features: Vec<String>,
    pub(crate) messages: u32,
    pub(crate) rounds: u32,
}

/// One peer's times of one operation, in µs.
#[derive(Deserialize)]
pub(crate) struct Row {
    pub(crate) peer: String,
    pub(crate) level: String,
    pub(crate) op: String,
    pub(crate) key: String,
    pub(crate) random: bool,
    #[serde(rename = "min_us")]
    pub(crate) min: f64,
    #[serde(rename = "median_us")]
    pub(crate) median: f64,
    #[serde(rename = "mean_us")]
    pub(crate) mean: f64,
    #[serde(rename = "max_us")]
    pub(crate) max: f64,
    /// The time that is compared.
    #[serde(rename = "typical_us")]
    pub(crate) typical: f64,
    #[serde(rename = "budget_us")]
    pub(crate) budget: Option<f64>,
    /// The time of the fastest other implementation.
    #[serde(rename = "rival_us")]
    pub(crate) rival_time: Option<f64>,
}

/// A line of the record. The descriptions of peers are for readers only.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Compiler { compiler: Compiler },
    Machine { run: Machine },
    Row(Row),
    About { about: String },
}

impl Run {
    /// Reads the lines that [`peers`] gave.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let (mut compiler, mut machine, mut rows) = (None, None, Vec::new());
        for (number, line) in text.lines().enumerate() {
            match serde_json::from_str(line).with_context(|| format!("line {}", number + 1))? {
                Line::Compiler { compiler: read } => compiler = Some(read),
                Line::Machine { run } => machine = Some(run),
                Line::Row(row) => rows.push(row),
                Line::About { about } => ensure!(!about.is_empty(), "line {}", number + 1),
            }
        }
        ensure!(!rows.is_empty(), "nothing was measured");
        Ok(Self {
            compiler: compiler.context("no line names the compiler")?,
            machine: machine.context("no line names the machine")?,
            rows,
        })
    }

    /// The names of the peers that sign, each once, by the time that this takes at `level`.
    pub(crate) fn peers(&self, level: &str) -> Vec<&str> {
        let signs = |row: &&Row| (&*row.level, &*row.op, &*row.key) == (level, "sign", "encoded");
        let mut rows: Vec<&Row> = self.rows.iter().filter(signs).collect();
        rows.sort_by(|a, b| a.typical.total_cmp(&b.typical));
        rows.iter().map(|row| &*row.peer).collect()
    }

    /// Whether a peer is this project.
    pub(crate) fn is_ours(&self, peer: &str) -> bool {
        let mut rows = self.rows.iter().filter(|row| row.peer == peer);
        rows.any(|row| row.budget.is_some())
    }

    /// A peer's times of an operation at a level.
    pub(crate) fn row(&self, peer: &str, level: &str, op: (&str, &str)) -> Option<&Row> {
        let wanted = (peer, level, op.0, op.1);
        self.rows
            .iter()
            .find(|row| (&*row.peer, &*row.level, &*row.op, &*row.key) == wanted)
    }
}

/// Builds and runs benches/peers, on one CPU if `taskset` exists. Returns a line with the compiler, and then
/// the output.
pub(crate) fn peers(quick: bool, messages: u32, rounds: u32) -> Result<String> {
    let folder = process::root().join("benches/peers");
    let mut build = process::cargo(["build", "--release", "--locked"]);
    build.current_dir(&folder);
    if !quick {
        build.args(["--workspace", "--features", "c"]);
    }
    build.env("CARGO_TARGET_DIR", "target");
    process::run(&mut build)?;

    let program = folder.join("target/release/moissanite-peers");
    // This is not the first CPU, because that one handles most interrupts.
    let pinned = ["taskset", "--cpu-list", "1"];
    let can_pin = Command::new(pinned[0])
        .args(&pinned[1..])
        .arg("true")
        .output();
    let mut run = if can_pin.is_ok_and(|output| output.status.success()) {
        let mut run = Command::new(pinned[0]);
        run.args(&pinned[1..]).arg(program);
        run
    } else {
        Command::new(program)
    };
    run.args([
        "--json",
        "--messages",
        &messages.to_string(),
        "--rounds",
        &rounds.to_string(),
    ]);
    println!("$ {}", process::line(&run));
    let output = run.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("benches/peers: {}", output.status);
    }
    let compiler = json!({ "compiler": {
        "rustc": process::version(&process::compiler())?,
        "rustflags": std::env::var("RUSTFLAGS").unwrap_or_default(),
    } });
    Ok(format!("{compiler}\n{}", String::from_utf8(output.stdout)?))
}
