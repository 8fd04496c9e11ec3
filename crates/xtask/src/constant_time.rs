//! `cargo xtask ct` checks that no branch and no address depends on a secret.
//!
//! crates/xtask/probe/src/bin/constant_time marks the secrets as undefined, and valgrind's memcheck
//! reports every branch and every address that depends on undefined memory. The result holds for one
//! compiler on one machine, as a compiler may turn arithmetic into a branch.

use std::process::Command;
use std::thread::ScopedJoinHandle;

use anyhow::{Result, bail, ensure};

use crate::process::{self, NO_SUCH_BACKEND};

/// Values in dependencies that are public although they depend on a secret, with the reasons.
const SUPPRESSIONS: &str = "crates/xtask/constant_time.supp";
/// The exit status if memcheck has found an error.
const FOUND: i32 = 99;

/// The levels of optimisation. At 0, assertions and overflow checks are on, as they are in a debug
/// build of a program that depends on the library. They are off in dependencies, whose checks
/// branch on secrets and never fail.
const LEVELS: [&str; 5] = ["3", "0", "1", "s", "z"];
/// The backends without `--backend`: those whose code differs, at each of these levels. At level 3, the
/// software backends run the code that they share with NEON (4 lanes) and AVX-512 (16 lanes), which
/// valgrind does not know. AVX2 covers lanes8, and only tests use lanes2.
const BACKENDS: [&str; 2] = ["portable", "avx2"];
const SOFTWARE: [&str; 2] = ["lanes4", "lanes16"];
const LEAKS: [&str; 2] = ["branch", "index"];
/// What both of [`BACKENDS`] run, one of which a sample takes at level 0. All of it takes many minutes there.
const PARTS: [&str; 4] = ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "zk-dilithium"];

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run only this backend: portable, avx2, lanes2, lanes4, lanes8 or lanes16
    #[arg(long)]
    backend: Option<String>,
    /// Run only at this level of optimisation: 0, 1, 3, s or z
    #[arg(long, value_parser = LEVELS)]
    level: Option<String>,
    /// Run only this part: a parameter set, streams, facade or composite
    #[arg(long)]
    only: Option<String>,
    /// Run at level 3, and one backend at one other level that the hash of the commit chooses; at level 0, one part
    #[arg(long, conflicts_with_all = ["level", "only"])]
    sample: bool,
    /// Plant this leak (branch or index), and fail as memcheck does
    #[arg(long)]
    leak: Option<String>,
}

/// Runs all backends at all levels, and checks at each level that memcheck reports planted leaks.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    ensure!(
        cfg!(target_os = "linux") && cfg!(target_arch = "x86_64"),
        "the marks on secrets reach valgrind on x86-64 Linux only"
    );
    process::output(Command::new("valgrind").arg("--version"))?;

    let only = arguments.only.as_deref();
    let all_at = |level: &'static str| match &arguments.backend {
        Some(name) => (level, vec![name.as_str()], only),
        None if level == "3" => (level, [BACKENDS, SOFTWARE].concat(), only),
        None => (level, BACKENDS.to_vec(), only),
    };
    let runs: Vec<(&str, Vec<&str>, Option<&str>)> = match &arguments.level {
        Some(asked) => {
            let at_level = LEVELS.into_iter().filter(|level| level == asked);
            at_level.map(all_at).collect()
        }
        None if arguments.sample => {
            let [first, others @ ..] = LEVELS;
            let mut choices: Vec<(&str, &str, Option<&str>)> = Vec::new();
            for level in others {
                for backend in BACKENDS {
                    match level {
                        "0" => choices.extend(PARTS.map(|part| (level, backend, Some(part)))),
                        _ => choices.push((level, backend, None)),
                    }
                }
            }
            let (level, backend, only) = process::chosen_by_commit(&choices)?;
            let backend = arguments.backend.as_deref().unwrap_or(backend);
            vec![all_at(first), (level, vec![backend], only)]
        }
        None => LEVELS.into_iter().map(all_at).collect(),
    };
    for (level, backends, only) in &runs {
        // The program is built once, and then runs beside itself.
        process::run(&mut cargo("build", level))?;
        std::thread::scope(|scope| {
            let check = |backend| scope.spawn(move || check(level, backend, *only, arguments));
            let runs: Vec<_> = backends.iter().map(|backend| check(backend)).collect();
            let ended = |run: ScopedJoinHandle<_>| run.join().unwrap_or_else(|_| bail!("a panic"));
            runs.into_iter().try_for_each(ended)
        })?;
        for leak in LEAKS {
            plant(level, leak)?;
        }
    }
    println!(
        "ct: no branch and no address depends on a secret at opt-levels {}; both planted leaks were \
         reported at each",
        runs.iter()
            .map(|(level, ..)| *level)
            .collect::<Vec<_>>()
            .join(", ")
    );
    Ok(())
}

/// Runs a backend; memcheck must report nothing but a leak that `--leak` plants.
fn check(level: &str, backend: &str, only: Option<&str>, arguments: &Arguments) -> Result<()> {
    let mut memcheck = memcheck(level, backend, only);
    if let Some(leak) = &arguments.leak {
        memcheck.args(["--leak", leak]);
    }
    match process::status(&mut memcheck)?.code() {
        Some(0) => {}
        Some(FOUND) => bail!("opt-level {level}, {backend}: memcheck reported the errors above"),
        Some(NO_SUCH_BACKEND) if arguments.backend.is_none() => {
            println!("NOT CHECKED: this CPU has no {backend}");
        }
        status => bail!("opt-level {level}, {backend}: ended early ({status:?})"),
    }
    Ok(())
}

/// Runs one part with a planted leak, which memcheck must report.
fn plant(level: &str, leak: &str) -> Result<()> {
    let output = memcheck(level, BACKENDS[0], Some(PARTS[0]))
        .args(["--leak", leak])
        .output()?;
    let report = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.code() == Some(FOUND) && report.contains("plant"),
        "opt-level {level}: a planted {leak} on a secret was not reported:\n{report}"
    );
    println!("opt-level {level}: a planted {leak} on a secret is reported");
    Ok(())
}

/// Cargo, which runs the program under valgrind.
fn memcheck(level: &str, backend: &str, only: Option<&str>) -> Command {
    let mut cargo = cargo("run", level);
    // Valgrind translates fewer instructions at a time, as wide kernels exceed its limits otherwise.
    let valgrind = format!(
        "['valgrind', '--quiet', '--error-exitcode={FOUND}', '--num-callers=20', \
          '--vex-guest-max-insns=10', '--suppressions={SUPPRESSIONS}']"
    );
    cargo.args([
        "--config",
        &format!("target.'cfg(all())'.runner = {valgrind}"),
    ]);
    cargo.args(["--", "--backend", backend]);
    if let Some(part) = only {
        cargo.args(["--only", part]);
    }
    cargo
}

/// Cargo, with the program at a level of optimisation.
fn cargo(command: &str, level: &str) -> Command {
    let profile = if level == "0" { "dev" } else { "release" };
    let value = level
        .parse::<u8>()
        .map_or(format!("'{level}'"), |n| n.to_string());
    let mut cargo = process::cargo([command, "--quiet", "--locked", "--profile", profile]);
    cargo.args(["--package", "moissanite-probe", "--features", "memcheck"]);
    cargo.args(["--bin", "constant_time"]);
    let settings = [
        format!("opt-level = {value}"),
        "debug = 'line-tables-only'".to_owned(),
    ];
    let of_others = ["debug-assertions", "overflow-checks"]
        .map(|checks| format!("package.'*'.{checks} = false"));
    for setting in settings.iter().chain(&of_others) {
        cargo.args(["--config", &format!("profile.{profile}.{setting}")]);
    }
    cargo
}
