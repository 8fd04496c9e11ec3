//! `cargo xtask ct`: does a branch or an address depend on a secret?
//!
//! crates/xtask/probe/src/bin/constant_time.rs marks the secrets as undefined, and valgrind's
//! memcheck reports every branch and every address that depends on undefined memory. The answer is
//! that of one compiler on one machine: a compiler may turn arithmetic into a branch.

use std::process::Command;
use std::thread::ScopedJoinHandle;

use anyhow::{Result, bail, ensure};

use crate::process::{self, NO_SUCH_BACKEND};

/// Memcheck found something.
const FOUND: i32 = 99;

/// Without `--backend`: all whose code differs. The software ones run what NEON (4 lanes) and AVX-512
/// (16 lanes), which valgrind does not know, share with them. Not lanes8, as AVX2 has as many; nor
/// lanes2, which only tests use: there the compiler turns the mask of accepted half-bytes, public one
/// step later, into a branch.
const BACKENDS: [&str; 4] = ["portable", "avx2", "lanes4", "lanes16"];
const LEAKS: [&str; 2] = ["branch", "index"];
const PROFILES: [&str; 2] = ["release", "dev"];

/// What to run.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only this backend: portable, avx2, lanes2, lanes4, lanes8 or lanes16
    #[arg(long)]
    backend: Option<String>,
    /// Only plant this leak (branch or index), and fail as memcheck does
    #[arg(long)]
    leak: Option<String>,
}

/// Runs all backends in all profiles, and shows in each profile that leaks are seen.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    ensure!(
        cfg!(target_os = "linux") && cfg!(target_arch = "x86_64"),
        "the marks on secrets reach valgrind on x86-64 Linux only"
    );
    process::output(Command::new("valgrind").arg("--version"))?;

    let backends = match &arguments.backend {
        Some(name) => std::slice::from_ref(name),
        None => &BACKENDS.map(str::to_owned),
    };
    // At once, as cargo and valgrind mostly keep one core busy.
    std::thread::scope(|scope| {
        // The software ones optimised only: else they take minutes.
        let on_each = |profile| {
            let backends = backends.iter().map(String::as_str);
            let runs = backends.map(move |backend| (profile, backend));
            runs.filter(|(profile, backend)| *profile == "release" || !backend.starts_with("lanes"))
        };
        let run = |(profile, backend)| scope.spawn(move || check(profile, backend, arguments));
        let runs: Vec<_> = PROFILES.into_iter().flat_map(on_each).map(run).collect();
        let ended = |run: ScopedJoinHandle<_>| run.join().unwrap_or_else(|_| bail!("a panic"));
        runs.into_iter().try_for_each(ended)
    })?;
    for profile in PROFILES {
        for leak in LEAKS {
            plant(profile, leak)?;
        }
    }
    println!("ct: no branch and no address depends on a secret; both planted leaks were seen");
    Ok(())
}

/// A run that must find nothing, or else what is planted by hand.
fn check(profile: &str, backend: &str, arguments: &Arguments) -> Result<()> {
    let mut memcheck = memcheck(profile, backend);
    if let Some(leak) = &arguments.leak {
        memcheck.args(["--leak", leak]);
    }
    match process::status(&mut memcheck)?.code() {
        Some(0) => {}
        Some(FOUND) => bail!("{profile}, {backend}: memcheck found what is above"),
        Some(NO_SUCH_BACKEND) if arguments.backend.is_none() => {
            println!("skipped: this CPU has no {backend}");
        }
        status => bail!("{profile}, {backend}: did not run to its end ({status:?})"),
    }
    Ok(())
}

/// A run that must find something.
fn plant(profile: &str, leak: &str) -> Result<()> {
    let output = memcheck(profile, BACKENDS[0])
        .args(["--leak", leak])
        .output()?;
    let report = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.code() == Some(FOUND) && report.contains("plant"),
        "{profile}: a planted {leak} on a secret was not seen:\n{report}"
    );
    println!("{profile}: a planted {leak} on a secret is seen");
    Ok(())
}

/// Cargo, running the program under valgrind.
fn memcheck(profile: &str, backend: &str) -> Command {
    let mut cargo = process::cargo(["run", "--quiet", "--locked", "--profile", profile]);
    cargo.args(["--package", "moissanite-probe", "--features", "memcheck"]);
    cargo.args(["--bin", "constant_time"]);
    for profile in PROFILES {
        // Lines to report, and none of the branches that check what a kernel is given.
        for setting in [
            "debug = 'line-tables-only'",
            "debug-assertions = false",
            "overflow-checks = false",
        ] {
            cargo.args(["--config", &format!("profile.{profile}.{setting}")]);
        }
    }
    // Fewer instructions at a time, as wide kernels are too much for it otherwise.
    let valgrind = format!(
        "['valgrind', '--quiet', '--error-exitcode={FOUND}', '--num-callers=20', \
          '--vex-guest-max-insns=10']"
    );
    cargo.args([
        "--config",
        &format!("target.'cfg(all())'.runner = {valgrind}"),
    ]);
    cargo.args(["--", "--backend", backend]);
    cargo
}
