//! `cargo xtask trace` checks that the whole trace of each operation is the same for several secrets: the
//! executed instructions and the accessed memory. benches/trace executes the program of benches/emitted on
//! this CPU and in QEMU; its documentation describes the method.

use anyhow::Result;

use crate::process;

const MANIFEST: &str = "benches/trace/Cargo.toml";

/// The arguments of the job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// `--all`, `--sample HEAD`, `--planted`, or `--target`, `--opt-level` and `--backend` with the names to
    /// execute; `-- --help` describes them
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENTS"
    )]
    arguments: Vec<String>,
}

/// Builds and runs the tracer.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut cargo = process::cargo(["run", "--quiet", "--locked", "--release"]);
    cargo.args(["--manifest-path", MANIFEST, "--"]);
    process::run(cargo.args(&arguments.arguments))
}
