//! The command `moissanite`: arguments and files, around the crate of that name.

#![forbid(unsafe_code)]

mod algorithm;
mod args;
mod backend;
mod certificate;
mod commands;
mod composite;
mod ed25519;
mod error;
mod hash;
mod identity;
mod keyfile;
mod lattice;
mod message;
mod output;
mod pem;
mod report;
mod standard;
mod zk_dilithium;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::args::{Cli, Command};
use crate::backend::Backend;
use crate::error::Error;
use crate::report::one_line;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(error),
    };
    match run(&cli) {
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
        Command::Inspect(args) => commands::inspect::run(args, backend),
        Command::Convert(args) => commands::convert::run(args, backend),
        Command::Algorithms => commands::algorithms::run(),
        Command::Acvp(args) => commands::acvp::run(args, backend),
        Command::Bench(args) => commands::bench::run(args, backend),
        Command::Cert(args) => commands::cert::run(args, backend),
        Command::Demo(args) => commands::demo::run(args, backend),
    }
}

/// Help goes to standard output; all else is an error, on one line.
fn usage(error: clap::Error) -> ExitCode {
    let error = without_secrets(error);
    let text = error.to_string();
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        return match output::print(&text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                complain(&error.to_string());
                ExitCode::from(error.status())
            }
        };
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        complain("a subcommand is missing; `moissanite help` lists them");
        return ExitCode::from(2);
    }
    // Clap's paragraphs, up to the one that shows the usage.
    let mut lines: Vec<_> = text.lines().map(str::trim).collect();
    let rest = lines
        .iter()
        .position(|line| line.starts_with("Usage:") || line.starts_with("For more information"));
    lines.truncate(rest.unwrap_or(lines.len()));
    lines.retain(|line| !line.is_empty());
    let text = lines.join(" ");
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    complain(&format!("{text}; `moissanite help` shows how"));
    ExitCode::from(2)
}

/// Clap repeats what it does not take, which could be a key.
fn without_secrets(mut error: clap::Error) -> clap::Error {
    // Other than for an unknown one, this is how the help calls an argument.
    let argument = (error.kind() == ErrorKind::UnknownArgument).then_some(ContextKind::InvalidArg);
    let repeated = [ContextKind::InvalidSubcommand, ContextKind::InvalidValue];
    for kind in repeated.into_iter().chain(argument) {
        if let Some(ContextValue::String(text)) = error.get(kind) {
            let shown = ContextValue::String(report::value(text));
            error.insert(kind, shown);
        }
    }
    // Advice that repeats it once more.
    error.remove(ContextKind::Suggested);
    error
}

/// One line on standard error. Where that is closed, the exit status has to do.
fn complain(text: &str) {
    let line = format!("moissanite: {}\n", one_line(text));
    drop(io::stderr().write_all(line.as_bytes()));
}

/// What somebody should know who did not choose it.
fn note(text: &str) {
    complain(&format!("note: {text}"));
}

/// A remark on standard error, for what is done all the same.
fn warn(text: &str) {
    complain(&format!("warning: {text}"));
}
