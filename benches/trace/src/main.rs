//! Records the trace of all operations on secrets with several secrets, and compares the traces: the
//! addresses of all executed instructions, and the addresses, sizes and directions of all accesses to memory.
//!
//! The program is that of `benches/emitted`, as a program of its own, which replays the values that become
//! public. This processor executes it under `ptrace`, one instruction at a time, and QEMU with a plugin. Both
//! differ from the machines of `benches/emitted`, and so does the comparison: nothing is known here about what
//! instructions compute, apart from the addresses of the operands of x86-64.

mod compare;
mod folders;
mod machine;
mod planted;
mod program;
mod record;
mod x86;

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use moissanite_emitted_cases::cells::{Cell, cells, is_wanted, sample};
use moissanite_emitted_cases::probe::{self, Build, SECRETS};
use moissanite_emitted_cases::targets::{
    Kind, SCHEMES, Target, chooses_backend, is_claimed, schemes,
};

use compare::{Case, Compared};
use folders::Folders;
use program::Program;

#[derive(Parser)]
#[command(
    name = "cargo xtask trace",
    about = "Checks that the executed instructions and the accessed memory do not depend on a secret"
)]
struct Arguments {
    /// All targets at all levels of optimisation
    #[arg(long)]
    all: bool,
    /// One pair of a target and a level other than 0, which the hash of this commit chooses
    #[arg(long, value_name = "COMMIT")]
    sample: Option<String>,
    /// Plant leaks in a copy of each backend, and check that all of them are found
    #[arg(long, conflicts_with_all = ["all", "sample"])]
    planted: bool,
    /// Only these targets: thumbv6m, thumbv7em, riscv32imc, riscv64gc, aarch64, aarch64-sha3 or x86_64
    #[arg(long)]
    target: Vec<String>,
    /// Only these levels of optimisation: 0, 1, 2, 3, s, z
    #[arg(long)]
    opt_level: Vec<String>,
    /// Only these backends
    #[arg(long)]
    backend: Vec<String>,
    /// All parameter sets at all levels
    #[arg(long)]
    whole: bool,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let folders = Folders::find()?;
    if arguments.planted {
        return planted::run(&folders, &arguments.target);
    }
    let mut findings = Vec::new();
    for (target, level) in chosen(&arguments)? {
        findings.extend(cell(&folders, target, level, &arguments)?);
    }
    ensure!(
        findings.is_empty(),
        "{} traces depend on a secret:\n{}",
        findings.len(),
        findings.join("\n")
    );
    println!("trace: no trace depends on a secret");
    Ok(())
}

/// Returns the pairs of targets and levels that the arguments choose.
fn chosen(arguments: &Arguments) -> Result<Vec<Cell>> {
    let filters = [&arguments.target, &arguments.opt_level, &arguments.backend];
    ensure!(
        arguments.all || arguments.sample.is_some() || filters.iter().any(|list| !list.is_empty()),
        "--all, --sample, --planted, --target, --opt-level or --backend says what to execute"
    );
    let mut cells = cells(&arguments.target, &arguments.opt_level)?;
    let has_backend = |target: &Target| {
        let mut backends = target.backends.iter();
        backends.any(|(backend, _)| is_wanted(&arguments.backend, backend))
    };
    cells.retain(|(target, _)| machine::is_supported(target) && has_backend(target));
    if let Some(commit) = &arguments.sample {
        sample(&mut cells, commit)?;
    }
    ensure!(
        !cells.is_empty(),
        "no machine is written for these targets and backends"
    );
    Ok(cells)
}

/// Returns the schemes to execute. Steps take so long that the other parameter sets are left out, and that
/// the sample is the generation and the import of keys.
fn schemes_for(target: &Target, level: &str, arguments: &Arguments) -> &'static [u32] {
    match target.kind {
        Kind::Native if arguments.sample.is_some() => &[8],
        Kind::Native if !arguments.whole => &[0, 4, 7, 8, 9],
        _ => schemes(level, arguments.whole),
    }
}

/// Checks one target at one level, and returns a line for each difference.
fn cell(
    folders: &Folders,
    target: &Target,
    level: &str,
    arguments: &Arguments,
) -> Result<Vec<String>> {
    let name = target.name;
    let started = Instant::now();
    let build = Build {
        tree: &folders.tree,
        folder: &folders.probe,
        level,
        checks: false,
    };
    if !probe::is_installed(target) {
        println!("NOT CHECKED: there is no library for {}", target.triple);
        return Ok(Vec::new());
    }
    let machine = match machine::machine(target, &folders.runs)? {
        Ok(machine) => machine,
        Err(reason) => {
            println!("NOT CHECKED: {name}: {reason}");
            return Ok(Vec::new());
        }
    };
    let program = Program::read(build.program("probe", target)?)?;
    println!(
        "{name} {level}: compiled in {:.0} s",
        started.elapsed().as_secs_f64()
    );
    let mut findings = Vec::new();
    let last = target.backends.last().map(|(backend, _)| *backend);
    for (backend, number) in target.backends {
        if !is_wanted(&arguments.backend, backend) {
            continue;
        }
        for scheme in schemes_for(target, level, arguments).iter().copied() {
            // A scheme that chooses its backend itself runs once, with the last backend.
            let is_repeated = chooses_backend(scheme) && Some(*backend) != last;
            if is_repeated || !is_claimed(scheme, target) {
                continue;
            }
            let case = Case {
                program: &program,
                machine: machine.as_ref(),
                backend: *number,
                scheme,
                secrets: if target.kind == Kind::Native {
                    2
                } else {
                    SECRETS
                },
                limit: None,
            };
            let started = Instant::now();
            let scheme = SCHEMES[scheme as usize];
            let line = format!("{name} {level} {backend} {scheme}");
            match case.compare().with_context(|| line.clone())? {
                Compared::Equal(count) => println!(
                    "{line}: {count} instructions and accesses are equal, in {:.1} s",
                    started.elapsed().as_secs_f64()
                ),
                Compared::Different(difference) => {
                    findings.push(format!("{line}: {}", difference.describe(&program)));
                }
                Compared::NoSuchBackend => {
                    // Only a real CPU can lack a backend: the emulated ones support those of their target.
                    ensure!(target.kind == Kind::Native, "{name} has no {backend}");
                    println!("NOT CHECKED: this machine has no {backend}");
                    break;
                }
            }
        }
    }
    Ok(findings)
}
