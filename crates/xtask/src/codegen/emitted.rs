//! Checks that no branch, no division and no address depends on a secret in the code that handles
//! secrets, and that the operations contain no panic. benches/emitted executes and reads this code for each
//! target at each level of optimisation; its documentation describes the method.

use anyhow::Result;

use crate::process;

const MANIFEST: &str = "benches/emitted/Cargo.toml";

/// The arguments that choose what is executed.
#[derive(clap::Args)]
#[group(id = "emitted")]
pub(super) struct Arguments {
    /// Execute the code for every target at every level of optimisation with several secrets, and
    /// compare the branches, divisions and addresses
    #[arg(long)]
    all: bool,
    /// Execute the code for one pair of target and level, which the hash of a commit chooses
    #[arg(long, value_name = "COMMIT", conflicts_with_all = ["all", "planted"])]
    sample: Option<String>,
    /// Check that leaks which are planted in a copy of each backend are found
    #[arg(long, conflicts_with = "all")]
    planted: bool,
    /// Execute only the code for this target: thumbv6m, thumbv7m, thumbv7em, riscv32imc, riscv64gc,
    /// aarch64, aarch64-sha3, i686, x86_64 or wasm32; or, with the feature `tiny`, thumbv6m-tiny, thumbv7em-tiny
    /// or riscv32imc-tiny
    #[arg(long)]
    target: Vec<String>,
    /// Execute only the code at this level of optimisation: 0, 1, 2, 3, s or z
    #[arg(long)]
    opt_level: Vec<String>,
    /// Execute only the code of this backend
    #[arg(long)]
    backend: Vec<String>,
    /// Check instead that no operation of the core and of the streams can panic, at levels 2 and 3
    #[arg(long, conflicts_with_all = ["all", "planted", "backend", "whole", "checks"])]
    panics: bool,
    /// Execute all parameter sets at all levels
    #[arg(long)]
    whole: bool,
    /// Compile with assertions and checks for overflow, as in the profile `dev`
    #[arg(long)]
    checks: bool,
}

impl Arguments {
    /// Whether an argument asks for the execution of code.
    pub(super) fn is_asked_for(&self) -> bool {
        let filters = [&self.target, &self.opt_level, &self.backend];
        self.all
            || self.planted
            || self.panics
            || self.sample.is_some()
            || filters.iter().any(|filter| !filter.is_empty())
    }
}

/// Builds and runs the tracer.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let mut cargo = process::cargo(["run", "--quiet", "--locked", "--release"]);
    cargo.args(["--manifest-path", MANIFEST, "--"]);
    if let Some(commit) = &arguments.sample {
        cargo.args(["--sample", commit]);
    }
    for (name, set) in [
        ("--planted", arguments.planted),
        ("--panics", arguments.panics),
        ("--whole", arguments.whole),
        ("--checks", arguments.checks),
    ] {
        if set {
            cargo.arg(name);
        }
    }
    for (name, values) in [
        ("--target", &arguments.target),
        ("--opt-level", &arguments.opt_level),
        ("--backend", &arguments.backend),
    ] {
        for value in values {
            cargo.args([name, value]);
        }
    }
    process::run(&mut cargo)
}
