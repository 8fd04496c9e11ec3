//! Figures that a job has recorded, and the comparison of later figures with them.
//!
//! A file has a section for each target, with the compiler that the figures are of, and a table: a
//! line for each thing that is measured, and a column for each figure. All jobs that record figures
//! compare by default, and fail where a figure exceeds its tolerance; `--write` records instead.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, ensure};

use crate::process;

/// The arguments of every job that records figures.
#[derive(clap::Args)]
#[group(id = "baseline")]
pub(crate) struct Arguments {
    /// Record the figures and rewrite the tables made of them, instead of comparing
    #[arg(long)]
    pub(crate) write: bool,
}

/// Where a job records its figures, and how it compares them.
pub(crate) struct Baseline {
    /// The job's name on the command line.
    pub(crate) job: &'static str,
    pub(crate) file: &'static str,
    /// The figures, in words, for the first lines of the file.
    pub(crate) about: &'static str,
    /// The per cent by which a figure may exceed the recorded one.
    pub(crate) tolerance: u64,
    pub(crate) other_compiler: OtherCompiler,
}

/// The comparison where another compiler made the recorded figures.
#[derive(Clone, Copy)]
pub(crate) enum OtherCompiler {
    /// Figures may exceed the recorded ones by this percentage.
    Tolerance(u64),
    /// Only this column is compared.
    Column(&'static str),
    /// Nothing is compared.
    Nothing,
}

/// The sections of a file by their names.
pub(crate) type Sections = BTreeMap<String, Section>;

/// The figures of one target, by one compiler.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Section {
    pub(crate) compiler: String,
    pub(crate) columns: Vec<String>,
    /// Names, and a figure for each column.
    pub(crate) rows: Vec<(String, Vec<u64>)>,
}

/// A line for each difference beyond the tolerance.
#[derive(Debug, Default, PartialEq)]
struct Comparison {
    above: Vec<String>,
    below: Vec<String>,
}

impl Baseline {
    /// Prints the figures, and records them or compares them with the recorded ones.
    pub(crate) fn settle(&self, found: Sections, arguments: &Arguments) -> Result<()> {
        let Self { job, file, .. } = self;
        for (name, section) in &found {
            print!("{}", section.text(name));
        }
        let mut recorded = self.recorded_so_far()?;
        if arguments.write {
            recorded.extend(found);
            fs::write(process::root().join(file), self.text(&recorded))
                .with_context(|| (*file).to_owned())?;
            println!("{job}: the figures are written to {file}");
            return Ok(());
        }
        let mut all = Comparison::default();
        for (name, section) in &found {
            let recorded = recorded.get(name);
            let recorded = recorded.with_context(|| format!("{file} has no section {name}"))?;
            let comparison = self.compare(section, recorded);
            let line = |line: String| format!("{name}: {line}");
            all.above.extend(comparison.above.into_iter().map(line));
            all.below.extend(comparison.below.into_iter().map(line));
        }
        for line in &all.below {
            println!("{line}; `cargo xtask {job} --write` records it");
        }
        ensure!(
            all.above.is_empty(),
            "{job}: these figures exceed {file}; if that is intended, `cargo xtask {job} --write` \
             records them:\n{}",
            all.above.join("\n")
        );
        println!("{job}: no figure exceeds {file}");
        Ok(())
    }

    /// The recorded figures.
    pub(crate) fn recorded(&self) -> Result<Sections> {
        let text = process::read(&process::root().join(self.file))?;
        parse(&text).with_context(|| self.file.to_owned())
    }

    /// The recorded figures, or none if the file does not exist yet.
    pub(crate) fn recorded_so_far(&self) -> Result<Sections> {
        match process::root().join(self.file).exists() {
            true => self.recorded(),
            false => Ok(Sections::new()),
        }
    }

    fn text(&self, sections: &Sections) -> String {
        let Self { job, about, .. } = self;
        let mut text = String::new();
        for line in about.lines() {
            text += &format!("# {line}\n");
        }
        text += &format!("# `cargo xtask {job} --write` writes this file.\n");
        for (name, section) in sections {
            text += &format!("\n{}", section.text(name));
        }
        text
    }

    fn compare(&self, found: &Section, recorded: &Section) -> Comparison {
        let mut comparison = Comparison::default();
        let (mut tolerance, mut only) = (self.tolerance, None);
        if found.compiler != recorded.compiler {
            match self.other_compiler {
                OtherCompiler::Tolerance(percent) => tolerance = percent,
                OtherCompiler::Column(column) => only = Some(column),
                OtherCompiler::Nothing => {
                    println!("{} is of {}: not compared", self.file, recorded.compiler);
                    return comparison;
                }
            }
        }
        for (name, figures) in &found.rows {
            if recorded.rows.iter().all(|(known, _)| known != name) {
                comparison.above.push(format!("{name} is not recorded"));
                continue;
            }
            for (column, now) in found.columns.iter().zip(figures) {
                if only.is_some_and(|only| only != column) {
                    continue;
                }
                let Some(before) = recorded.get(name, column) else {
                    let line = format!("{name}, {column}: {now}, which is not recorded");
                    comparison.above.push(line);
                    continue;
                };
                let line = format!("{name}, {column}: {now}, recorded is {before}");
                if now * 100 > before * (100 + tolerance) {
                    comparison.above.push(line);
                } else if now * (100 + tolerance) < before * 100 {
                    comparison.below.push(line);
                }
            }
        }
        let missing = |name: &&String| found.rows.iter().all(|(known, _)| known != *name);
        for name in recorded.rows.iter().map(|(name, _)| name).filter(missing) {
            comparison
                .below
                .push(format!("{name} does not exist any more"));
        }
        comparison
    }
}

impl Section {
    /// An empty table.
    pub(crate) fn new(compiler: String, columns: &[&str]) -> Self {
        Self {
            compiler,
            columns: columns.iter().map(|column| (*column).to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// A figure.
    pub(crate) fn get(&self, name: &str, column: &str) -> Option<u64> {
        let at = self.columns.iter().position(|known| known == column)?;
        let (_, figures) = self.rows.iter().find(|(known, _)| known == name)?;
        figures.get(at).copied()
    }

    /// The table with its heading.
    pub(crate) fn text(&self, name: &str) -> String {
        let names = self.rows.iter().map(|(name, _)| name.chars().count());
        let width = names.max().unwrap_or(0);
        let widths = self.columns.iter().enumerate().map(|(i, column)| {
            let figures = self.rows.iter().filter_map(|(_, figures)| figures.get(i));
            let digits = figures.map(|figure| figure.to_string().len()).max();
            2 + column.len().max(digits.unwrap_or(0))
        });
        let widths: Vec<_> = widths.collect();
        let mut text = format!("[{name}] {}\n", self.compiler);
        // Writing to a string does not fail.
        let _ = write!(text, "{:width$}", "");
        for (column, width) in self.columns.iter().zip(&widths) {
            let _ = write!(text, "{column:>width$}");
        }
        for (name, figures) in &self.rows {
            let _ = write!(text, "\n{name:width$}");
            for (figure, width) in figures.iter().zip(&widths) {
                let _ = write!(text, "{figure:>width$}");
            }
        }
        text + "\n"
    }
}

fn parse(text: &str) -> Result<Sections> {
    let mut sections = Sections::new();
    let mut lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut current = None;
    while let Some(line) = lines.next() {
        if let Some(head) = line.strip_prefix('[') {
            let (name, compiler) = head.split_once("] ").with_context(|| line.to_owned())?;
            let columns = lines.next().context("a section without columns")?;
            let columns = columns
                .split("  ")
                .map(str::trim)
                .filter(|title| !title.is_empty());
            let section = Section::new(compiler.to_owned(), &columns.collect::<Vec<_>>());
            current = Some(sections.entry(name.to_owned()).or_insert(section));
            continue;
        }
        let section = current
            .as_mut()
            .context("a line before the first section")?;
        let mut figures = Vec::new();
        let mut name = line;
        for _ in &section.columns {
            let (rest, figure) = name.trim_end().rsplit_once(' ').unwrap_or_default();
            figures.insert(0, figure.parse().with_context(|| line.to_owned())?);
            name = rest.trim_end();
        }
        ensure!(!name.is_empty(), "this line has no name: {line}");
        section.rows.push((name.to_owned(), figures));
    }
    Ok(sections)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    const BASELINE: Baseline = Baseline {
        job: "job",
        file: "file.txt",
        about: "Figures.",
        tolerance: 2,
        other_compiler: OtherCompiler::Tolerance(10),
    };
    const TEXT: &str = "\
# Figures.
# `cargo xtask job --write` writes this file.

[aarch64] rustc 1
            opt-level 3  opt-level s
sign, seed          100            0

[x86_64] rustc 1
                          calls  stores
Avx2: Ntt<MlDsaField, 4>      1     500
keccak: permute               0      66
";

    #[test]
    fn reads_what_it_writes() {
        assert_eq!(BASELINE.text(&parse(TEXT).unwrap()), TEXT);
        assert!(parse(&TEXT.replace("500", "")).is_err());
        assert!(parse("[x86_64] rustc 1\n  calls\n5\n").is_err());
        assert!(parse("sign  5\n").is_err());
    }

    /// How many figures are above and below, of a section in which a text is replaced.
    fn compare(baseline: &Baseline, from: &str, to: &str) -> (usize, usize) {
        let (found, recorded) = (
            parse(&TEXT.replace(from, to)).unwrap(),
            parse(TEXT).unwrap(),
        );
        let comparison = baseline.compare(&found["x86_64"], &recorded["x86_64"]);
        (comparison.above.len(), comparison.below.len())
    }

    #[test]
    fn tolerances() {
        for (to, expected) in [
            ("500", (0, 0)),
            ("510", (0, 0)),
            ("511", (1, 0)),
            ("499", (0, 0)),
            ("480", (0, 1)),
        ] {
            assert_eq!(compare(&BASELINE, "500", to), expected, "{to}");
        }
        assert_eq!(compare(&BASELINE, "0      66", "1      66"), (1, 0));
        assert_eq!(compare(&BASELINE, "calls", "other"), (2, 0));
        // A new line that is not recorded, and a recorded line that is missing.
        assert_eq!(compare(&BASELINE, "keccak", "other"), (1, 1));
    }

    #[test]
    fn other_compilers() {
        let found = "rustc 2\n                          calls  stores\nAvx2: Ntt<MlDsaField, 4>      1     550";
        let recorded = "rustc 1\n                          calls  stores\nAvx2: Ntt<MlDsaField, 4>      1     500";
        assert_eq!(compare(&BASELINE, recorded, found), (0, 0));
        assert_eq!(
            compare(&BASELINE, recorded, &found.replace("550", "551")),
            (1, 0)
        );
        let calls = Baseline {
            other_compiler: OtherCompiler::Column("calls"),
            ..BASELINE
        };
        assert_eq!(
            compare(&calls, recorded, &found.replace("550", "999")),
            (0, 0)
        );
        assert_eq!(
            compare(&calls, recorded, &found.replace("1     5", "2     5")),
            (1, 0)
        );
        let nothing = Baseline {
            other_compiler: OtherCompiler::Nothing,
            ..BASELINE
        };
        assert_eq!(
            compare(&nothing, recorded, &found.replace("550", "999")),
            (0, 0)
        );
    }
}
