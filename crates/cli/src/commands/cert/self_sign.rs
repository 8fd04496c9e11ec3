//! `moissanite cert self-sign`.

use std::path::PathBuf;

use clap::Args;

use super::options::{GrantArgs, OutputArgs, SubjectArgs, contents, private_key, write};
use crate::backend::Backend;
use crate::certificate::build::Issuer;
use crate::error::Error;
use crate::input::Source;
use crate::passphrase::PassphraseArgs;
use crate::report::Report;

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  moissanite cert self-sign --key root.key --subject CN=Root --ca --days 3650 --out root.pem")]
pub(crate) struct SelfSign {
    /// The private key
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    #[command(flatten)]
    subject: SubjectArgs,
    #[command(flatten)]
    grant: GrantArgs,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Runs the command.
pub(crate) fn run(args: &SelfSign, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let output = &args.output;
    let source = Source::new(&args.key);
    let key = private_key(&source, &[], &args.passphrase, output, backend, report)?;
    let contents = contents(&args.subject, Some(&args.grant))?;
    let issuer = Issuer {
        name: contents.subject.clone(),
        key_identifier: None,
        key: &*key,
        deterministic: output.deterministic,
    };
    let spki = key.public_key().to_spki();
    let spki = spki.map_err(|error| Error::file(source.place(), error))?;
    let subject = contents.subject.clone();
    let certificate = issuer.certificate(contents, &spki, args.grant.validity()?)?;
    let public_key = key.public_key();
    write(
        &certificate,
        "CERTIFICATE",
        ("subject", &subject),
        &*public_key,
        output,
        report,
    )
}
