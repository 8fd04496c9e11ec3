//! `cargo xtask instructions` counts the instructions that each operation executes.
//!
//! The program is crates/xtask/probe/src/bin/instructions.rs. Callgrind counts on x86-64, and a plugin
//! for QEMU on AArch64. The counts depend on the compiler and are the same in each run. They do not
//! include the time that instructions wait for memory. Callgrind does not support AVX-512.
//!
//! The page on speed has a table of the recorded counts on AArch64.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;

use crate::baseline::{self, Baseline, OtherCompiler, Section, Sections};
use crate::document::{self, SETS, SPEED};
use crate::process::{self, NO_SUCH_BACKEND};

const BASELINE: Baseline = Baseline {
    job: "instructions",
    file: "crates/xtask/instructions.txt",
    about: "Instructions that one operation executes on each backend, on average of the keys and\n\
            messages of crates/xtask/probe/src/bin/instructions.rs.",
    tolerance: 2,
    other_compiler: OtherCompiler::Tolerance(10),
};
const PROGRAM: &str = "instructions";
/// Operations by their names in the record and on the page.
const OPERATIONS: [(&str, &str); 5] = [
    ("keygen", "key generation"),
    ("sign", "sign"),
    ("sign, prepared", "sign, prepared key"),
    ("verify", "verify"),
    ("verify, prepared", "verify, prepared key"),
];

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Count on this architecture
    #[arg(long, value_enum, default_value = "x86_64")]
    target: Target,
    #[command(flatten)]
    baseline: baseline::Arguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum Target {
    #[value(name = "x86_64")]
    X86_64,
    #[value(name = "aarch64")]
    Aarch64,
}

impl Target {
    fn triple(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64-unknown-linux-gnu",
            Self::Aarch64 => "aarch64-unknown-linux-gnu",
        }
    }

    fn backends(self) -> &'static [&'static str] {
        match self {
            Self::X86_64 => &["portable", "avx2"],
            Self::Aarch64 => &["portable", "neon", "neon-sha3"],
        }
    }
}

/// Counts on all backends, and compares or records.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let target = arguments.target;
    let mut build = process::cargo(["build", "--quiet", "--locked", "--release"]);
    build.args(["--package", "moissanite-probe", "--bin", PROGRAM]);
    process::run(build.args(["--target", target.triple()]))?;
    let folder = process::target_directory()?.join(target.triple());
    let program = folder.join("release").join(PROGRAM);

    let mut section = Section::new(process::version(&process::compiler())?, &[]);
    for backend in target.backends() {
        let counts = match target {
            Target::X86_64 => callgrind(&program, backend)?,
            Target::Aarch64 => qemu(&program, backend)?,
        };
        let Some(counts) = counts else {
            println!("NOT CHECKED: this CPU has no {backend}");
            continue;
        };
        section.columns.push((*backend).to_owned());
        if section.rows.is_empty() {
            let names = counts.iter().map(|(name, _)| (name.clone(), Vec::new()));
            section.rows = names.collect();
        }
        ensure!(
            section.rows.len() == counts.len(),
            "{backend}: other operations"
        );
        for ((_, figures), (_, count)) in section.rows.iter_mut().zip(counts) {
            figures.push(count);
        }
    }
    let sections = Sections::from([(target.triple().to_owned(), section)]);
    BASELINE.settle(sections, &arguments.baseline)?;
    let made = markdown(&BASELINE.recorded()?)?;
    if arguments.baseline.write {
        document::write_page(SPEED, BASELINE.job, &made)
    } else {
        document::check_page(SPEED, BASELINE.job, &made)
    }
}

/// Returns the table of the page on speed, with the recorded counts on AArch64.
fn markdown(recorded: &Sections) -> Result<String> {
    let triple = Target::Aarch64.triple();
    let section = recorded.get(triple);
    let section = section.with_context(|| format!("{} has no {triple}", BASELINE.file))?;
    let mut text = format!(
        "\nThousands of instructions in QEMU; {}. In each cell: ML-DSA-44 / 65 / 87.\n\n| |",
        section.compiler
    );
    for (_, name) in OPERATIONS {
        write!(text, " {name} |")?;
    }
    writeln!(text, "\n| --- |{}", " ---: |".repeat(OPERATIONS.len()))?;
    for backend in &section.columns {
        let name = match backend.as_str() {
            "portable" => "portable",
            "neon" => "NEON",
            "neon-sha3" => "NEON with the SHA-3 instructions",
            other => other,
        };
        write!(text, "| Moissanite, {name} |")?;
        for (operation, _) in OPERATIONS {
            let thousands = SETS.map(|set| {
                let row = format!("{set} {operation}");
                let count = section.get(&row, backend);
                let count = count.with_context(|| format!("no count of {row}"))?;
                Ok(format!("{:.0}", count as f64 / 1e3))
            });
            let thousands: Result<Vec<_>> = thousands.into_iter().collect();
            write!(text, " {} |", thousands?.join(" / "))?;
        }
        text.push('\n');
    }
    text.push('\n');
    Ok(text)
}

/// The instructions of each operation, or nothing if there is no such backend.
type Counts = Option<Vec<(String, u64)>>;

fn callgrind(program: &Path, backend: &str) -> Result<Counts> {
    let folder = program.with_file_name(format!("callgrind-{backend}"));
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir(&folder)?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--tool=callgrind"]);
    // Two functions, because version 3.19 ignores the first of two options with one pattern.
    valgrind.args([
        "--toggle-collect=*collected*",
        "--dump-before=*stop_counting*",
    ]);
    let out = folder.join("out");
    valgrind.arg(format!("--callgrind-out-file={}", out.display()));
    counts(valgrind.arg(program).arg(backend), |_, i| {
        let dump = process::read(&folder.join(format!("out.{}", i + 1)))?;
        let total = dump.lines().find_map(|line| line.strip_prefix("totals: "));
        Ok(total.context("callgrind wrote no total")?.parse()?)
    })
}

fn qemu(program: &Path, backend: &str) -> Result<Counts> {
    let mut qemu = Command::new("qemu-aarch64");
    let plugin: PathBuf = process::qemu_plugin()?;
    process::with_aarch64_library(&mut qemu)
        .args(["-cpu", "max", "-plugin"])
        .arg(plugin)
        .arg(program);
    counts(qemu.arg(backend), |errors, i| {
        let total = errors.lines().nth(i).context("the plugin did not count")?;
        total
            .parse()
            .with_context(|| format!("not a number: {total}"))
    })
}

/// Runs the program, which prints a line for each operation; `total` finds the instructions of all its
/// repetitions in the text on standard error, or elsewhere.
fn counts(command: &mut Command, total: impl Fn(&str, usize) -> Result<u64>) -> Result<Counts> {
    let output = process::captured(command)?;
    let errors = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => {}
        Some(NO_SUCH_BACKEND) => return Ok(None),
        _ => bail!("{}: {}\n{errors}", process::line(command), output.status),
    }
    let lines = String::from_utf8(output.stdout)?;
    let operations = lines.lines().enumerate().map(|(i, line)| {
        let malformed = || format!("the line of an operation is malformed: {line}");
        let mut words = line.split('\t');
        let mut word = || words.next().with_context(malformed);
        let operation = format!("{} {}", word()?, word()?);
        let times: u64 = word()?.parse()?;
        let total = total(&errors, i)?;
        Ok((operation, total.checked_div(times).with_context(malformed)?))
    });
    operations.collect::<Result<_>>().map(Some)
}
