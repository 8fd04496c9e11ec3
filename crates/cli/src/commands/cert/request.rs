//! `moissanite cert request`.

use std::path::PathBuf;

use clap::Args;

use super::options::{OutputArgs, SubjectArgs, contents, private_key, write};
use crate::backend::Backend;
use crate::certificate::build;
use crate::error::Error;
use crate::input::Source;
use crate::passphrase::PassphraseArgs;
use crate::report::Report;

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  moissanite cert request --key server.key --subject CN=server --host server.example --out server.csr")]
pub(crate) struct Request {
    /// The private key
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    #[command(flatten)]
    subject: SubjectArgs,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Runs the command.
pub(crate) fn run(args: &Request, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let output = &args.output;
    let key = private_key(
        &Source::new(&args.key),
        &[],
        &args.passphrase,
        output,
        backend,
        report,
    )?;
    let contents = contents(&args.subject, None)?;
    let subject = contents.subject.clone();
    let request = build::request(contents, &*key, output.deterministic)?;
    let public_key = key.public_key();
    write(
        &request,
        "CERTIFICATE REQUEST",
        ("subject", &subject),
        &*public_key,
        output,
        report,
    )
}
