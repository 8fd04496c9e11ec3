//! `moissanite man`.

use clap::{Args, Command};
use clap_mangen::Man;

use crate::error::Error;
use crate::output::{self, Output, Target};

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  moissanite man cert verify > moissanite-cert-verify.1")]
pub(crate) struct Manual {
    /// The subcommand that the page is about, such as `cert verify`; by default the whole command
    #[arg(value_name = "SUBCOMMAND")]
    path: Vec<String>,
}

/// Runs the command. `program` is the definition of the whole command line.
pub(crate) fn run(args: &Manual, mut program: Command) -> Result<(), Error> {
    program.build();
    let mut command = &program;
    for name in &args.path {
        command = command.find_subcommand(name).ok_or_else(|| {
            Error::Usage("there is no such subcommand; `moissanite help` lists them".into())
        })?;
    }
    let mut page = Vec::new();
    let written = Man::new(command.clone()).render(&mut page);
    written.map_err(|error| Error::Fault(error.to_string()))?;
    let output = Output {
        target: Target::Stdout,
        bytes: &page,
        secret: false,
        text: true,
    };
    output::write(&[output], false)
}
