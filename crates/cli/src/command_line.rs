//! The command line, and the exit status.

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};

use crate::backend::Backend;
use crate::commands::ssh::signatures::{self, Signatures};
use crate::error::Error;
use crate::report::complain;
use crate::{commands, output, report};

/// Post-quantum signatures: ML-DSA (FIPS 204) and related schemes
#[derive(Debug, Parser)]
#[command(
    name = "moissanite",
    version,
    after_help = "\
Examples:
  moissanite keygen ml-dsa-65 --out key.pem --public-out public.pem
  moissanite sign --key key.pem --in letter.txt --out letter.sig
  moissanite verify --key public.pem --signature letter.sig --in letter.txt
  moissanite demo letter.txt

Exit status: 0 on success or if a signature is valid, 1 if a signature is not valid, 2 for wrong usage or
wrong input. '-' means standard input or output. An output is written completely or not at all, and
never replaces an input.

Limits: 1 MiB for a key, a certificate or a request, 64 KiB for a signature, 32 MiB for an ACVP prompt.
A message can have any size. Ed25519 keeps a message that is not a regular file in memory, up to 64 MiB."
)]
struct Cli {
    /// Use this backend, one of those that `moissanite bench` lists [env: MOISSANITE_BACKEND]
    #[arg(long, global = true, value_name = "NAME")]
    backend: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Generate a key
    Keygen(commands::keygen::Keygen),
    /// Sign a file of any size
    Sign(commands::sign::Sign),
    /// Verify a signature; exit status 1 if it is not valid
    Verify(commands::verify::Verify),
    /// Compute mu, the hash of a message and a public key that ML-DSA signs
    Mu(commands::mu::ComputeMu),
    /// Describe a key, a signature, a certificate or a request, and check its consistency
    Inspect(commands::inspect::Inspect),
    /// Convert a key to another form or format
    Convert(commands::convert::Convert),
    /// Create, request, issue and verify certificates (X.509)
    #[command(subcommand)]
    Cert(commands::cert::Cert),
    /// Generate a key of OpenSSH, with which git signs commits
    #[command(subcommand)]
    Ssh(commands::ssh::Ssh),
    /// List the algorithms with their categories and sizes in bytes
    Algorithms,
    /// Answer NIST's ACVP test vectors for ML-DSA
    Acvp(commands::acvp::Acvp),
    /// Measure all operations on every backend of this CPU
    Bench(commands::bench::Bench),
    /// Print a manual page
    Man(commands::man::Manual),
    /// Print a script that completes the command line in a shell
    Completions(commands::completions::Completions),
    /// Generate a key, sign a file, verify the signature, and see it fail after one bit is changed
    Demo(commands::demo::Demo),
}

/// Runs the command with the arguments of this process, and returns its exit status.
pub fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    let done = if signatures::is_meant(&arguments) {
        Signatures::try_parse_from(arguments).map(|args| signatures::run(&args))
    } else {
        Cli::try_parse_from(arguments).map(|cli| run(&cli))
    };
    match done {
        Ok(done) => exit(done),
        Err(error) => usage(error),
    }
}

/// Reports an error, and returns the exit status.
fn exit(done: Result<(), Error>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error.to_string());
            ExitCode::from(error.status())
        }
    }
}

fn run(cli: &Cli) -> Result<(), Error> {
    let backend = Backend::choose(cli.backend.as_deref())?;
    match &cli.command {
        Command::Keygen(args) => commands::keygen::run(args, backend),
        Command::Sign(args) => commands::sign::run(args, backend),
        Command::Verify(args) => commands::verify::run(args, backend),
        Command::Mu(args) => commands::mu::run(args, backend),
        Command::Inspect(args) => commands::inspect::run(args, backend),
        Command::Convert(args) => commands::convert::run(args, backend),
        Command::Algorithms => commands::algorithms::run(),
        Command::Acvp(args) => commands::acvp::run(args, backend),
        Command::Bench(args) => commands::bench::run(args, backend),
        Command::Cert(args) => commands::cert::run(args, backend),
        Command::Ssh(args) => commands::ssh::run(args),
        Command::Man(args) => commands::man::run(args, Cli::command()),
        Command::Completions(args) => commands::completions::run(args, Cli::command()),
        Command::Demo(args) => commands::demo::run(args, backend),
    }
}

/// Prints help to standard output, and any other result of the parser as an error on one line.
fn usage(error: clap::Error) -> ExitCode {
    let error = without_secrets(error);
    let text = error.to_string();
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        return exit(output::print(&text));
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        complain("a subcommand is missing; `moissanite help` lists them");
        return ExitCode::from(2);
    }
    // The error is all of clap's text before the usage.
    let mut lines: Vec<_> = text.lines().map(str::trim).collect();
    let rest = lines
        .iter()
        .position(|line| line.starts_with("Usage:") || line.starts_with("For more information"));
    lines.truncate(rest.unwrap_or(lines.len()));
    lines.retain(|line| !line.is_empty());
    let text = lines.join(" ").replace(" tip: ", "; ");
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    complain(&format!("{text}; `moissanite help` shows how"));
    ExitCode::from(2)
}

/// Removes possible key material: clap repeats a wrong value, which could be a key.
fn without_secrets(mut error: clap::Error) -> clap::Error {
    // For any other kind of error, this context is the name of the argument in the help text.
    let argument = (error.kind() == ErrorKind::UnknownArgument).then_some(ContextKind::InvalidArg);
    let is_seed = matches!(error.get(ContextKind::InvalidArg),
        Some(ContextValue::String(argument)) if argument.starts_with("--seed"));
    let repeated = [ContextKind::InvalidSubcommand, ContextKind::InvalidValue];
    for kind in repeated.into_iter().chain(argument) {
        if let Some(ContextValue::String(text)) = error.get(kind) {
            let shown = if is_seed {
                report::hidden(text.chars().count())
            } else {
                report::value(text)
            };
            let shown = ContextValue::String(shown);
            error.insert(kind, shown);
        }
    }
    // A suggestion can repeat the value.
    error.remove(ContextKind::Suggested);
    error
}
