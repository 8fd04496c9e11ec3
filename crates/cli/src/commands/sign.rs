//! `moissanite sign`.

use std::path::PathBuf;

use clap::Args;

use super::options::{FramingArgs, warn_of_unused_backend};
use crate::algorithm;
use crate::algorithm::scheme::Algorithm;
use crate::backend::Backend;
use crate::diagnostics::note;
use crate::error::Error;
use crate::fingerprint;
use crate::identity;
use crate::input::{Message, Source};
use crate::key_error::What;
use crate::keyfile::{Expected, KeyFile};
use crate::output::{self, Output, Target};
use crate::passphrase::PassphraseArgs;
use crate::report::Report;

#[derive(Debug, Args)]
#[command(after_help = "\
A signature is written as raw bytes. Signing is hedged: each signature depends on fresh randomness, so
two signatures of the same file differ. The private key is in PEM, DER or raw format; a warning is
printed if others can read its file. In PEM text, spaces or the two characters \\n can replace the line breaks, and
the line breaks can be missing.

Examples:
  moissanite sign --key key.pem --in letter.txt --out letter.sig
  tar c folder | moissanite sign --key key.pem --context backup > folder.sig")]
pub(crate) struct Sign {
    /// The private key
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// The message
    #[arg(long = "in", value_name = "FILE", default_value = "-")]
    pub(crate) input: PathBuf,
    /// The file of the signature
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) framing: FramingArgs,
    /// Sign without randomness: the same inputs give the same signature. Hedged signing resists fault
    /// attacks better
    #[arg(long)]
    pub(crate) deterministic: bool,
    /// The algorithm of a raw key; required if several algorithms have keys of its length, as for a seed
    #[arg(long, value_name = "ALGORITHM", value_parser = algorithm::parse)]
    pub(crate) algorithm: Option<Algorithm>,
    #[command(flatten)]
    pub(crate) passphrase: PassphraseArgs,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Sign, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let framing = args.framing.framing();
    let [key, message] = [&args.key, &args.input].map(|path| Source::new(path));
    let target = Target::new(Some(&args.out));
    report.check(&target)?;
    let inputs = [key.clone(), message.clone()].into_iter();
    identity::check(inputs.chain(args.passphrase.source()), &target)?;
    output::check(&target, args.force, false)?;
    let expected = Expected::key(What::PrivateKey, args.algorithm);
    let file = KeyFile::read(&key, expected.with_passphrase(&args.passphrase))?;
    let (key, _) = file.private_key(backend)?;
    warn_of_unused_backend(backend, file.algorithm);
    let message = Message::open(&message)?;
    let signature = key.sign(message, &framing, args.deterministic)?;
    let fingerprint = fingerprint::of_key(&*key.public_key())?;
    report.data("algorithm", file.algorithm.name());
    report.data("fingerprint", fingerprint.as_str());
    report.data("signature", target.place());
    report.data("signature_length", signature.len());
    let output = Output {
        target,
        bytes: &signature,
        secret: false,
        text: false,
    };
    output::write(&[output], args.force)?;
    note(&format!("signed by the key {fingerprint}"));
    Ok(())
}
