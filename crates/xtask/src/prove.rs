//! `cargo xtask prove` proves that the machine code of the kernels computes what the standards say.
//! benches/prover executes the code symbolically; its documentation describes the method.

use anyhow::Result;

use crate::process;

const MANIFEST: &str = "benches/prover/Cargo.toml";

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The command of the prover and its options, such as `prove --target aarch64 --opt-level s`,
    /// `cosimulate`, `mutate --seed 1 --count 200` or `help`; without one, `prove`
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    command: Vec<String>,
}

/// Builds and runs the prover.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut cargo = process::cargo(["run", "--quiet", "--locked", "--release"]);
    cargo.args(["--manifest-path", MANIFEST]);
    let command = arguments.command.first().map(String::as_str);
    // The proofs need no emulator; the comparisons of the model with other processors do.
    if command.is_some_and(|command| command != "prove" && command != "list") {
        cargo.args(["--features", "unicorn"]);
    }
    cargo.arg("--").arg(command.unwrap_or("prove"));
    cargo.args(arguments.command.iter().skip(1));
    process::run(&mut cargo)
}
