//! Executes the compiled code of all operations on secrets with several secrets, and compares the values
//! that could reveal them: the conditions of branches, the operands of divisions, and the addresses of
//! loads, stores and jumps.
//!
//! A value is explained if it is the same for all secrets. Values that become public on purpose pass
//! through `declassify`. For all secrets, it returns the value that it returned for the first one, so
//! that rejection loops take the same path and whole operations can be compared.

mod code;
mod compare;
mod isa;
mod machine;
mod panics;
mod planted;
mod program;
mod report;
mod trace;
mod watch;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Parser;

use moissanite_emitted_cases::cells::{Cell, cells, is_wanted, sample};
use moissanite_emitted_cases::probe::{self, Build};
use moissanite_emitted_cases::targets::{
    Kind, SCHEMES, Target, chooses_backend, is_claimed, schemes,
};

use compare::compare;
use report::Report;

#[derive(Parser)]
#[command(
    about = "Checks that no branch, division or address in the emitted code depends on a secret"
)]
struct Arguments {
    /// Only these targets; by default all
    #[arg(long)]
    target: Vec<String>,
    /// Only these levels of optimisation: 0, 1, 2, 3, s, z
    #[arg(long)]
    opt_level: Vec<String>,
    /// Only these backends
    #[arg(long)]
    backend: Vec<String>,
    /// Only one pair of a target and a level other than 0, which this text chooses: the name of a commit
    #[arg(long)]
    sample: Option<String>,
    /// All parameter sets at all levels
    #[arg(long)]
    whole: bool,
    /// Compile with assertions and checks for overflow
    #[arg(long)]
    checks: bool,
    /// Plant leaks in a copy of each backend, and check that all of them are found
    #[arg(long)]
    planted: bool,
    /// Check instead that the operations of the core and of the streams cannot panic
    #[arg(long, conflicts_with_all = ["planted", "checks", "whole", "backend"])]
    panics: bool,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let tree = tree.canonicalize().context("the tree")?;
    let folder = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => PathBuf::from(folder).join("emitted"),
        None => tree.join("target/emitted"),
    };
    if arguments.planted {
        return planted::run(&tree, &folder, &arguments.target);
    }
    let mut findings = Vec::new();
    for (target, level) in chosen(&arguments)? {
        if !probe::is_installed(target) {
            println!("NOT CHECKED: there is no library for {}", target.triple);
            continue;
        }
        let build = Build {
            tree: &tree,
            folder: &folder,
            level,
            checks: arguments.checks,
        };
        let lines = if arguments.panics {
            println!("{} {level}", target.name);
            panics::find(&machine::read(
                &build.program("operations", target)?,
                target,
            )?)
        } else {
            cell(build, target, &arguments)?
        };
        let lines = lines.into_iter();
        findings.extend(lines.map(|line| format!("{} {level} {line}", target.name)));
    }
    let (fault, success) = if arguments.panics {
        ("calls of panics", "no operation can panic")
    } else {
        (
            "instructions that show a secret",
            "no branch, no division and no address depends on a secret",
        )
    };
    ensure!(
        findings.is_empty(),
        "{} {fault}:\n{}",
        findings.len(),
        findings.join("\n")
    );
    println!("emitted: {success}");
    Ok(())
}

/// Returns the pairs of targets and levels that the arguments choose.
fn chosen(arguments: &Arguments) -> Result<Vec<Cell>> {
    let mut cells = cells(&arguments.target, &arguments.opt_level)?;
    cells.retain(|(_, level)| !arguments.panics || panics::LEVELS.contains(level));
    if let Some(commit) = &arguments.sample {
        sample(&mut cells, commit)?;
    }
    Ok(cells)
}

/// Checks one target at one level, and returns a line for each finding.
fn cell(build: Build<'_>, target: &Target, arguments: &Arguments) -> Result<Vec<String>> {
    let started = Instant::now();
    let code = build.program("probe", target)?;
    let compiled = started.elapsed();
    let (program, mut machine) = machine::load(&code, target)?;
    let mut lines = Vec::new();
    let last = target.backends.last().map(|(name, _)| *name);
    for (name, number) in target.backends {
        if !is_wanted(&arguments.backend, name) {
            continue;
        }
        let mut report = Report::default();
        let schemes = schemes(build.level, arguments.whole).iter().copied();
        // A scheme that chooses its backend itself runs once, with the last backend.
        let schemes = schemes.filter(|scheme| !chooses_backend(*scheme) || Some(*name) == last);
        let (schemes, left_out): (Vec<_>, Vec<_>) =
            schemes.partition(|scheme| is_claimed(*scheme, target));
        for scheme in left_out {
            let scheme = SCHEMES[scheme as usize];
            println!("{}: {scheme} is not constant-time there", target.name);
        }
        if !compare(
            &program,
            machine.as_mut(),
            (name, *number),
            &schemes,
            &mut report,
        )? {
            // Only a real CPU can lack a backend: emulators support every instruction set of the program.
            ensure!(target.kind == Kind::Native, "{} has no {name}", target.name);
            println!("NOT CHECKED: this machine has no {name}");
            continue;
        }
        println!(
            "{} {} {name}: {}",
            target.name,
            build.level,
            report.sums(&program)
        );
        lines.extend(
            report
                .lines(&program)
                .into_iter()
                .map(|line| format!("{name}: {line}")),
        );
    }
    println!(
        "{} {}: compiled in {:.0} s, executed in {:.0} s",
        target.name,
        build.level,
        compiled.as_secs_f64(),
        (started.elapsed() - compiled).as_secs_f64()
    );
    Ok(lines)
}
