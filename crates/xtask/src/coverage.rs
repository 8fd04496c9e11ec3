//! `cargo xtask coverage` measures which lines and branches the tests reach, or with `--fuzz` each fuzz target
//! after ten minutes, and compares the numbers that they miss with the record.
//!
//! It needs a nightly compiler, which alone counts branches, with the component `llvm-tools`.

mod page;

use std::collections::BTreeMap;
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use cargo_metadata::Message;
use serde::Deserialize;

use crate::baseline::{self, Baseline, OtherCompiler, Section, Sections};
use crate::{document, process};

const BASELINE: Baseline = Baseline {
    job: "coverage",
    file: "crates/xtask/coverage.txt",
    about: "The lines and branches of each crate, and how many of them the tests do not reach; and the\n\
            same of the code in each fuzz target, which ran for ten minutes from its seeds.",
    tolerance: 5,
    other_compiler: OtherCompiler::Nothing,
};
const COLUMNS: [&str; 4] = ["lines", "missed lines", "branches", "missed branches"];
const FLAGS: &str = "-Cinstrument-coverage -Zcoverage-options=branch";
/// Packages of the workspace that are not for users.
const OTHERS: [&str; 3] = ["moissanite-benches", "moissanite-probe", "moissanite-xtask"];
/// The seconds for which a fuzz target runs.
const SECONDS: u32 = 600;

/// The page with the tables of the numbers.
const PAGE: &str = "crates/moissanite/docs/evidence.md";

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run only the tests of this package
    #[arg(long, value_name = "PACKAGE")]
    package: Option<String>,
    /// Measure the fuzz targets instead of the tests: ten minutes each
    #[arg(long, conflicts_with = "package")]
    fuzz: bool,
    /// Measure only this fuzz target
    #[arg(long, requires = "fuzz", value_name = "TARGET")]
    target: Option<String>,
    /// Measure nothing, and write only the tables of the recorded numbers
    #[arg(long, conflicts_with_all = ["package", "fuzz", "baseline"])]
    page: bool,
    #[command(flatten)]
    baseline: baseline::Arguments,
}

/// The tools of the nightly compiler.
struct Tools {
    version: String,
    host: String,
    folder: PathBuf,
}

/// The result of `llvm-cov export`, as far as it is read.
#[derive(Deserialize)]
struct Export {
    data: Vec<Data>,
}

#[derive(Deserialize)]
struct Data {
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    filename: String,
    summary: Summary,
}

#[derive(Deserialize)]
struct Summary {
    lines: Count,
    branches: Count,
}

#[derive(Deserialize)]
struct Count {
    count: u64,
    covered: u64,
}

/// Measures, and compares or records.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.page {
        return write_page();
    }
    let tools = Tools::find()?;
    let mut sections = Sections::new();
    if arguments.fuzz {
        // A section for each target, so that `--target` records one of them.
        for target in fuzz_targets()? {
            if arguments.target.as_ref().is_none_or(|one| *one == target) {
                let crates = fuzz_target(&tools, &target)?;
                sections.insert(format!("fuzz {target}"), tools.section(crates));
            }
        }
    } else {
        let package = arguments.package.as_deref();
        let name = package.map_or("tests".to_owned(), |package| format!("tests of {package}"));
        sections.insert(name, tools.section(tests(&tools, package)?));
    }
    BASELINE.settle(sections, &arguments.baseline)?;
    if arguments.baseline.write {
        write_page()?;
    }
    Ok(())
}

fn write_page() -> Result<()> {
    let tables = page::markdown(&BASELINE.recorded_so_far()?)?;
    document::write_page(PAGE, BASELINE.job, &tables)
}

impl Tools {
    fn find() -> Result<Self> {
        let rustc = |arguments: &[&str]| {
            process::output(Command::new("rustc").arg("+nightly").args(arguments))
        };
        let version = rustc(&["--version"])?;
        let about = rustc(&["--version", "--verbose"])?;
        let mut lines = about.lines();
        let host = lines.find_map(|line| line.strip_prefix("host: "));
        let host = host.context("rustc names its host")?.to_owned();
        let sysroot = PathBuf::from(rustc(&["--print", "sysroot"])?);
        let folder = sysroot.join("lib/rustlib").join(&host).join("bin");
        ensure!(
            folder.join("llvm-cov").exists(),
            "llvm-cov is missing; `rustup component add llvm-tools --toolchain nightly` installs it"
        );
        Ok(Self {
            version,
            host,
            folder,
        })
    }

    fn command(&self, tool: &str) -> Command {
        Command::new(self.folder.join(tool))
    }

    /// Merges the raw profiles of a folder.
    fn merge(&self, profiles: &Path) -> Result<PathBuf> {
        let merged = profiles.with_extension("profdata");
        let mut merge = self.command("llvm-profdata");
        merge.args(["merge", "--sparse", "-o"]).arg(&merged);
        process::run(merge.arg(profiles))?;
        Ok(merged)
    }

    /// The numbers of each crate, without its tests, in these programs.
    fn export(&self, profile: &Path, programs: &[PathBuf]) -> Result<BTreeMap<String, [u64; 4]>> {
        let mut export = self.command("llvm-cov");
        export.args(["export", "--summary-only", "--instr-profile"]);
        export.arg(profile);
        let (first, others) = programs.split_first().context("no program was built")?;
        export.arg(first);
        for other in others {
            export.arg("--object").arg(other);
        }
        let export: Export = serde_json::from_str(&process::output(&mut export)?)?;
        let mut crates: BTreeMap<_, [u64; 4]> = BTreeMap::new();
        for file in export.data.into_iter().flat_map(|data| data.files) {
            let Some(name) = crate_of(&file.filename) else {
                continue;
            };
            let Summary { lines, branches } = file.summary;
            let [all, missed, of_branches, missed_branches] = crates.entry(name).or_default();
            *all += lines.count;
            *missed += lines.count.saturating_sub(lines.covered);
            *of_branches += branches.count;
            *missed_branches += branches.count.saturating_sub(branches.covered);
        }
        Ok(crates)
    }

    fn section(&self, crates: BTreeMap<String, [u64; 4]>) -> Section {
        let mut section = Section::new(self.version.clone(), &COLUMNS);
        let rows = crates.into_iter();
        section.rows = rows.map(|(name, counts)| (name, counts.into())).collect();
        section
    }
}

/// The folder of the crate that a file of the sources belongs to, unless the file has tests.
fn crate_of(file: &str) -> Option<String> {
    let file = Path::new(file).strip_prefix(process::root()).ok()?;
    let file = file.to_str()?.strip_prefix("crates/")?;
    let (name, file) = file.split_once("/src/")?;
    let is_test = file
        .split('/')
        .any(|part| matches!(part, "tests" | "tests.rs"));
    (!is_test).then(|| name.to_owned())
}

/// Runs the tests of a package, or all but those of the tools.
fn tests(tools: &Tools, package: Option<&str>) -> Result<BTreeMap<String, [u64; 4]>> {
    let target = process::target_directory()?.join("coverage");
    let profiles = target.join("profiles");
    if profiles.exists() {
        fs::remove_dir_all(&profiles)?;
    }
    let cargo = |more: &[&str]| {
        let mut cargo = process::cargo(["+nightly", "test", "--tests", "--all-features"]);
        match package {
            Some(package) => cargo.args(["--package", package]),
            None => {
                let others = OTHERS.iter().flat_map(|other| ["--exclude", other]);
                cargo.arg("--workspace").args(others)
            }
        };
        cargo.arg("--locked").args(more);
        cargo
            .env("CARGO_TARGET_DIR", &target)
            .env("RUSTFLAGS", FLAGS);
        cargo.env("LLVM_PROFILE_FILE", profiles.join("%p-%8m.profraw"));
        cargo
    };
    let mut build = cargo(&["--no-run", "--message-format", "json"]);
    let mut build = build.stdout(Stdio::piped()).spawn()?;
    let messages = BufReader::new(build.stdout.take().context("the output of cargo")?);
    let mut programs = Vec::new();
    for message in Message::parse_stream(messages) {
        if let Message::CompilerArtifact(artifact) = message? {
            programs.extend(artifact.executable.map(PathBuf::from));
        }
    }
    ensure!(build.wait()?.success(), "the tests do not build");
    process::run(&mut cargo(&[]))?;
    tools.export(&tools.merge(&profiles)?, &programs)
}

fn fuzz_targets() -> Result<Vec<String>> {
    let mut cargo = process::cargo(["+nightly", "fuzz", "list"]);
    cargo.current_dir(process::root().join("fuzz"));
    let listed = process::captured(&mut cargo)?.stdout;
    Ok(String::from_utf8(listed)?
        .lines()
        .map(str::to_owned)
        .collect())
}

/// Runs a target from its seeds, and then all inputs that it found.
fn fuzz_target(tools: &Tools, target: &str) -> Result<BTreeMap<String, [u64; 4]>> {
    let folder = process::root().join("fuzz");
    let build = process::target_directory()?.join("fuzz-coverage");
    let corpus = build.join("corpus").join(target);
    process::make_empty(&corpus)?;
    let seeds = format!("seeds/{target}");
    let instrumented = build.join("instrumented");
    // `cargo fuzz` ignores `CARGO_TARGET_DIR`.
    let fuzz = |job: &str, build: &Path| {
        let mut cargo = process::cargo(["+nightly", "fuzz", job, "--sanitizer", "none"]);
        cargo.arg("--target-dir").arg(build);
        cargo.arg(target).arg(&corpus).arg(&seeds);
        cargo.current_dir(&folder);
        cargo
    };
    let time = format!("-max_total_time={SECONDS}");
    process::run(fuzz("run", &build).args(["--", &time, "-timeout=10"]))?;
    process::run(fuzz("coverage", &instrumented).env("RUSTFLAGS", FLAGS))?;
    let profile = folder
        .join("coverage")
        .join(target)
        .join("coverage.profdata");
    let program = instrumented.join(&tools.host).join("release").join(target);
    tools.export(&profile, &[program])
}

#[cfg(test)]
mod tests {
    use super::{BASELINE, PAGE, Result, crate_of, document, page, process};

    #[test]
    fn the_page_shows_the_record() -> Result<()> {
        let tables = page::markdown(&BASELINE.recorded_so_far()?)?;
        document::check_page(PAGE, BASELINE.job, &tables)
    }

    #[test]
    fn files_of_tests_do_not_count() {
        for (file, expected) in [
            ("crates/core/src/sign.rs", Some("core")),
            ("crates/core/src/backend/avx2.rs", Some("core")),
            ("crates/core/src/tests.rs", None),
            ("crates/core/src/tests/sign.rs", None),
            ("crates/core/build.rs", None),
            ("kats/src/lib.rs", None),
        ] {
            let path = process::root().join(file).display().to_string();
            assert_eq!(crate_of(&path).as_deref(), expected, "{file}");
        }
        assert_eq!(crate_of("/other/crates/core/src/sign.rs"), None);
    }
}
