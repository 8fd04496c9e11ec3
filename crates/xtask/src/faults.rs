//! `cargo xtask faults` executes boot loaders on a Cortex-M4 in Unicorn with one fault at a time, and counts how
//! often they accept an invalid signature. benches/emitted/faults has the program, and benches/emitted/firmware
//! the boot loaders.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::baseline::{self, Baseline, OtherCompiler, Section, Sections};
use crate::{document, process};

const BASELINE: Baseline = Baseline {
    job: "faults",
    file: "crates/xtask/faults.txt",
    about: "The number of faults that were injected into the verification of invalid signatures on a\n\
            Cortex-M4, by what the boot loader does.",
    tolerance: 2,
    other_compiler: OtherCompiler::Column("accepted"),
};
const PAGE: &str = "crates/moissanite/docs/faults.md";
const MANIFEST: &str = "benches/emitted/Cargo.toml";
const TARGET: &str = "thumbv7em-none-eabi";
const SETS: [&str; 3] = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"];
const COLUMNS: [&str; 5] = ["no effect", "refused", "crashed", "hung", "accepted"];
/// The program that must not accept, and those that show that the job finds acceptances.
const HARDENED: &str = "hardened";
const OTHERS: [&str; 2] = ["single_branch", "ordinary"];
/// The flaw whose verification is the shortest, which the other programs verify.
const SHORT: &str = "rest of the hint";
const FLAWS: [&str; 7] = [
    "message",
    "key",
    "c~",
    "z too long",
    "order of the hint",
    SHORT,
    "count of the hint",
];

/// The name of the instructions, the stack and the flash of a verification.
const COST: &str = "cost";
/// The program that signs, in which instructions are skipped.
const SIGN: &str = "sign";

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only this parameter set: ML-DSA-44, ML-DSA-65 or ML-DSA-87
    #[arg(long)]
    set: Option<String>,
    /// Only this flaw of the signature, for example `c~`; `sign` for signing, or `cost`
    #[arg(long)]
    flaw: Option<String>,
    /// The number of executions of each instruction of the loops over bytes and coefficients in code that decides
    #[arg(long, default_value_t = 4)]
    loops: usize,
    /// The number of random faults in the arithmetic, for each invalid signature; for a malformed hint, a fifth.
    /// For signing, the number of random skips is that of one signature
    #[arg(long, default_value_t = 25_000)]
    samples: usize,
    /// Inject few faults, for one set and one invalid signature, which this commit chooses; nothing is recorded
    #[arg(long, value_name = "COMMIT", conflicts_with_all = ["set", "flaw", "write"])]
    sample: Option<String>,
    #[command(flatten)]
    baseline: baseline::Arguments,
}

/// Injects, and compares or records.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if let Some(commit) = &arguments.sample {
        return sample(commit);
    }
    let compiler = process::version(&process::compiler())?;
    let mut sections = Sections::new();
    for set in SETS {
        if arguments.set.as_ref().is_some_and(|only| only != set) {
            continue;
        }
        let injection = Injection {
            set,
            executions: None,
            loops: arguments.loops,
            samples: arguments.samples,
            seed: 1,
        };
        for flaw in FLAWS {
            if arguments.flaw.as_ref().is_some_and(|only| only != flaw) {
                continue;
            }
            let mut section = Section::new(compiler.clone(), &COLUMNS);
            let injection = injection.for_flaw(flaw);
            section.rows = injection.counts(HARDENED, flaw)?;
            if flaw == SHORT {
                for program in OTHERS {
                    section.rows.extend(injection.counts(program, flaw)?);
                }
            }
            check(&section)?;
            sections.insert(format!("{set}, {flaw}"), section);
        }
        if arguments.flaw.as_deref().is_none_or(|asked| asked == COST) {
            let mut section = Section::new(compiler.clone(), &["instructions", "stack", "flash"]);
            for program in [HARDENED, "ordinary"] {
                section
                    .rows
                    .extend(injection.run(program, "c~", &["--cost"])?);
            }
            sections.insert(format!("{set}, {COST}"), section);
            let mut section = Section::new(compiler.clone(), &["instructions"]);
            section.rows = injection.run(SIGN, "", &["--cost"])?;
            sections.insert(format!("{set}, {COST} of signing"), section);
        }
        let asked = arguments.flaw.as_deref().unwrap_or(SIGN);
        if set == SETS[0] && asked == SIGN {
            let mut section = Section::new(compiler.clone(), &["skips"]);
            section.rows = injection.counts(SIGN, "")?;
            sections.insert(format!("{set}, {SIGN}"), section);
        }
    }
    ensure!(!sections.is_empty(), "there is no such set or flaw");
    BASELINE.settle(sections, &arguments.baseline)?;
    if arguments.baseline.write {
        document::write_page(PAGE, BASELINE.job, &markdown(&BASELINE.recorded()?))?;
    }
    Ok(())
}

/// Injects few faults, which a commit chooses.
fn sample(commit: &str) -> Result<()> {
    let hash = process::output(Command::new("git").args(["rev-parse", "--short=8", commit]))?;
    let seed = u64::from_str_radix(hash.trim(), 16).context("the hash of a commit")?;
    let set = SETS[seed as usize & 1];
    let flaw = ["message", "key", "c~", "z too long"][(seed >> 1) as usize & 3];
    let injection = Injection {
        set,
        executions: Some(1),
        loops: 1,
        samples: 500,
        seed,
    };
    let mut section = Section::new(String::new(), &COLUMNS);
    section.rows = injection.counts(HARDENED, SHORT)?;
    let few = Injection {
        samples: 2000,
        executions: Some(0),
        loops: 0,
        ..injection
    };
    for (name, counts) in few.counts(HARDENED, flaw)? {
        section.rows.push((format!("{name} of {flaw}"), counts));
    }
    let others = Injection {
        samples: 10,
        executions: Some(1),
        ..few
    };
    for program in OTHERS {
        section.rows.extend(others.counts(program, SHORT)?);
    }
    print!("{}", section.text(set));
    check(&section)
}

/// One way to inject faults.
#[derive(Clone, Copy)]
struct Injection<'a> {
    set: &'a str,
    /// At most this number of executions of each instruction of the decision code, or all.
    executions: Option<usize>,
    loops: usize,
    samples: usize,
    seed: u64,
}

impl Injection<'_> {
    /// The verification of a malformed hint has little arithmetic, of which a fifth of the samples is taken.
    fn for_flaw(&self, flaw: &str) -> Self {
        let samples = if flaw.ends_with("hint") {
            self.samples.wrapping_div(5)
        } else {
            self.samples
        };
        Self { samples, ..*self }
    }

    /// Returns the counts for the verification of one invalid signature.
    fn counts(&self, program: &str, flaw: &str) -> Result<Vec<(String, Vec<u64>)>> {
        self.run(program, flaw, &[])
    }

    /// Returns the lines of the output.
    fn run(&self, program: &str, flaw: &str, more: &[&str]) -> Result<Vec<(String, Vec<u64>)>> {
        let mut command = process::cargo(["run", "--quiet", "--locked", "--release"]);
        command.args([
            "--manifest-path",
            MANIFEST,
            "--package",
            "moissanite-emitted-faults",
        ]);
        let firmware = firmware(self.set, program)?;
        command.arg("--").arg("--firmware").arg(firmware);
        command.args(["--set", self.set, "--program", program, "--flaw", flaw]);
        if let Some(executions) = self.executions {
            command.args(["--executions", &executions.to_string()]);
        }
        command.args(["--loops", &self.loops.to_string()]);
        command.args(["--samples", &self.samples.to_string()]);
        command.args(["--seed", &self.seed.to_string()]);
        let output = process::output(command.args(more))?;
        let rows: Result<Vec<_>> = output.lines().map(row).collect();
        let rows = rows?;
        ensure!(!rows.is_empty(), "the injector has no output");
        Ok(rows)
    }
}

/// Reads a line of the output: a name, and the counts in the order of the columns.
fn row(line: &str) -> Result<(String, Vec<u64>)> {
    let (name, counts) = line.split_once('\t').with_context(|| line.to_owned())?;
    let counts: Result<Vec<_>, _> = counts.split('\t').map(str::parse).collect();
    Ok((name.to_owned(), counts.with_context(|| line.to_owned())?))
}

/// Fails if the hardened boot loader accepts, or another one does not: then, the job would not find it.
fn check(section: &Section) -> Result<()> {
    let accepted = |program: &str| -> u64 {
        let rows = section.rows.iter();
        let rows = rows.filter(|(name, _)| name.split(',').next() == Some(program));
        rows.filter_map(|(name, _)| section.get(name, "accepted"))
            .sum()
    };
    if accepted(HARDENED) > 0 {
        bail!("faults: the hardened boot loader accepts an invalid signature");
    }
    let programs = section
        .rows
        .iter()
        .filter_map(|(name, _)| name.split(',').next());
    for program in programs.filter(|program| *program != HARDENED) {
        ensure!(
            accepted(program) > 0,
            "faults: no fault makes the boot loader {program} accept, as one must"
        );
    }
    Ok(())
}

/// Builds a boot loader, with the profile of a user's firmware.
fn firmware(set: &str, program: &str) -> Result<PathBuf> {
    let target = process::target_directory()?.join("faults").join(set);
    let mut cargo = process::cargo(["build", "--quiet", "--locked", "--release"]);
    cargo.args(["--manifest-path", MANIFEST, "--target", TARGET]);
    cargo.args(["--package", "moissanite-emitted-firmware"]);
    cargo.args(["--features", &set.to_lowercase()]);
    cargo
        .arg("--target-dir")
        .arg(&target)
        .env_remove("RUSTFLAGS");
    cargo.env("MOISSANITE_PROGRAM", program);
    cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "s");
    cargo.env("CARGO_PROFILE_RELEASE_LTO", "fat");
    cargo.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
    process::run(&mut cargo)?;
    Ok(target
        .join(TARGET)
        .join("release/moissanite-emitted-firmware"))
}

/// Returns the tables of the page: one for the sections with the same columns.
fn markdown(sections: &Sections) -> String {
    let mut tables: Vec<(&[String], String)> = Vec::new();
    for (name, section) in sections {
        let columns = &section.columns[..];
        let known = tables.iter().position(|(known, _)| *known == columns);
        let known = known.unwrap_or_else(|| {
            let head = format!("\n| | {} |\n| --- |", columns.join(" | "));
            tables.push((columns, head + &" ---: |".repeat(columns.len())));
            tables.len() - 1
        });
        for (row, counts) in &section.rows {
            let counts: Vec<_> = counts.iter().map(u64::to_string).collect();
            let row = row.replace('_', " ");
            tables[known].1 += &format!("\n| {name}: {row} | {} |", counts.join(" | "));
        }
    }
    let tables: Vec<_> = tables.into_iter().map(|(_, table)| table).collect();
    tables.join("\n") + "\n\n"
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn section(hardened: u64, single: u64, ordinary: u64) -> Section {
        let mut section = Section::new(String::new(), &COLUMNS);
        for (name, accepted) in [
            ("hardened, decision", hardened),
            ("single_branch, decision", single),
            ("ordinary, decision", ordinary),
        ] {
            let line = format!("{name}\t1\t2\t3\t4\t{accepted}");
            section.rows.push(row(&line).unwrap());
        }
        section
    }

    #[test]
    fn acceptances_of_the_hardened_boot_loader_alone_are_errors() {
        assert!(check(&section(0, 1, 1)).is_ok());
        assert!(check(&section(1, 1, 1)).is_err());
        assert!(check(&section(0, 0, 1)).is_err());
        assert!(check(&section(0, 1, 0)).is_err());
    }
}
