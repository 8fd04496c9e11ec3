//! `moissanite completions`.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::error::Error;
use crate::output::{self, Output, Target};

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  moissanite completions bash > ~/.local/share/bash-completion/completions/moissanite")]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

/// Runs the command. `program` is the definition of the whole command line.
pub(crate) fn run(args: &Completions, mut program: Command) -> Result<(), Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "moissanite", &mut script);
    let output = Output {
        target: Target::Stdout,
        bytes: &script,
        secret: false,
        text: true,
    };
    output::write(&[output], false)
}
