//! `moissanite ssh`, and the signatures of `ssh-keygen -Y`.

pub(crate) mod keygen;
pub(crate) mod signatures;

use clap::Subcommand;

use crate::error::Error;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Ssh {
    /// Generate a key of OpenSSH: ssh-mldsa44-ed25519
    Keygen(keygen::Keygen),
}

/// Runs the command.
pub(crate) fn run(command: &Ssh) -> Result<(), Error> {
    match command {
        Ssh::Keygen(args) => keygen::run(args),
    }
}
