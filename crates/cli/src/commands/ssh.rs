//! `moissanite ssh`, and the signatures of `ssh-keygen -Y`.

pub(crate) mod keygen;
pub(crate) mod signatures;

use clap::Subcommand;

use crate::error::Error;
use crate::report::Report;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Ssh {
    /// Generate a key of OpenSSH: ssh-mldsa44-ed25519
    Keygen(keygen::Keygen),
}

/// Runs the command.
pub(crate) fn run(command: &Ssh, report: &mut Report) -> Result<(), Error> {
    match command {
        Ssh::Keygen(args) => keygen::run(args, report),
    }
}
