//! `moissanite verify`.

mod files;
mod folder;
mod trust;
mod verifier;

use std::path::{Path, PathBuf};

use clap::Args;

use self::verifier::{Verifier, VerifierArgs};
use super::options::MuArgs;
use crate::backend::Backend;
use crate::error::Error;
use crate::input::{Message, Source};
use crate::report::Report;
use crate::signature::SignatureFile;

#[derive(Debug, Args)]
#[command(after_help = "\
The signature of FILE is in FILE.sig or --signature. It is raw, armored by `sign --armor`, or in base64 or
hex. Every FILE gets a line. --context and --prehash must have the values that the signer used.

--recursive verifies the signature DIR/SHA512SUMS.sig of the list DIR/SHA512SUMS, and then prints every file
and symbolic link that was changed, is missing or is new.

Exit status: 0 if all signatures are valid and no file differs; 1 if a signature is not valid or has the wrong
length, if the chain of --certificate is not valid, or if a file differs; 2 for any other error, such as a
damaged key.

The report names the key that verified the signature. With several keys, those whose signatures have the
length of this one are tried; the message is read once and hashed for each of them.

The chain of --certificate is verified as by `moissanite cert verify`. The key usage of the certificate, if it
has one, has to include digitalSignature or nonRepudiation, and its purposes, if it has any, one of
emailProtection, codeSigning and documentSigning.

Examples:
  moissanite verify --key public.pem letter.txt photo.png
  moissanite verify --key public.pem --signature letter.sig --in letter.txt
  moissanite verify --key alice.pem --key bob.pem --signature letter.sig --in letter.txt
  moissanite verify --root root.pem --certificate alice.crt --signature letter.sig --in letter.txt
  moissanite verify --key public.pem --recursive folder")]
pub(crate) struct Verify {
    /// The messages
    #[arg(value_name = "FILE", conflicts_with_all = ["input", "recursive"])]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) verifier: VerifierArgs,
    /// The signature [default: FILE.sig]
    #[arg(long, value_name = "FILE", required_unless_present_any = ["files", "recursive"], conflicts_with = "recursive")]
    pub(crate) signature: Option<PathBuf>,
    /// The message [default: -, if there is no FILE]
    #[arg(long = "in", value_name = "FILE", conflicts_with = "recursive")]
    pub(crate) input: Option<PathBuf>,
    /// Verify all files below this folder, which `sign --recursive` signed
    #[arg(long, value_name = "DIR")]
    pub(crate) recursive: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) mu: MuArgs,
}

/// Runs the command.
pub(crate) fn run(args: &Verify, backend: Backend, report: &mut Report) -> Result<(), Error> {
    if let Some(folder) = &args.recursive {
        return folder::run(&args.verifier, folder, backend, report);
    }
    if !args.files.is_empty() {
        return files::run(
            &args.verifier,
            &args.files,
            args.signature.as_deref(),
            backend,
            report,
        );
    }
    // The parser requires it.
    let signature = args.signature.as_deref().unwrap_or(Path::new("-"));
    let signature = Source::new(signature);
    let message = Source::new(args.input.as_deref().unwrap_or(Path::new("-")));
    let input = match args.mu.is_given() {
        true => args.mu.source(),
        false => Some(message.clone()),
    };
    let inputs: Vec<_> = [signature.clone()].into_iter().chain(input).collect();
    let verifier = Verifier::new(&args.verifier, &inputs, backend)?;
    let signature = SignatureFile::read(&signature)?;
    let signer = match args.mu.read()? {
        Some(mu) => verifier.check_mu(&signature, &mu)?,
        None => verifier.check_message(&signature, Message::open(&message)?)?,
    };
    report.valid()?;
    signer.report(report)
}
