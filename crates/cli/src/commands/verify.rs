//! `moissanite verify`.

mod trust;

use std::path::PathBuf;

use clap::Args;

use self::trust::TrustArgs;
use super::options::FramingArgs;
use crate::algorithm::ALL;
use crate::algorithm::scheme::Algorithm;
use crate::backend::Backend;
use crate::error::Error;
use crate::identity;
use crate::input::{Message, Source};
use crate::pem;
use crate::report::Report;

/// The number of bytes that are read of a signature. Every signature is shorter.
const LIMIT: usize = 1 << 16;

#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if the signature is valid; 1 if it is not valid or has the wrong length, or if the chain of
--certificate is not valid; 2 for any other error, such as a damaged key. --context and --prehash must have
the values that the signer used.

The report names the key that verified the signature. With several keys, those whose signatures have the
length of this one are tried; the message is read once and hashed for each of them.

The chain of --certificate is verified as by `moissanite cert verify`. The key usage of the certificate, if it
has one, has to include digitalSignature or nonRepudiation, and its purposes, if it has any, one of
emailProtection, codeSigning and documentSigning.

Examples:
  moissanite verify --key public.pem --signature letter.sig --in letter.txt
  moissanite verify --key alice.pem --key bob.pem --signature letter.sig --in letter.txt
  moissanite verify --root root.pem --certificate alice.crt --signature letter.sig --in letter.txt")]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
    /// The signature
    #[arg(long, value_name = "FILE")]
    pub(crate) signature: PathBuf,
    /// The message
    #[arg(long = "in", value_name = "FILE", default_value = "-")]
    pub(crate) input: PathBuf,
    #[command(flatten)]
    pub(crate) framing: FramingArgs,
}

/// Runs the command.
pub(crate) fn run(args: &Verify, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let framing = args.framing.framing();
    let [signature, message] = [&args.signature, &args.input].map(|path| Source::new(path));
    let inputs = args.trust.sources();
    let inputs: Vec<_> = inputs.chain([signature.clone(), message.clone()]).collect();
    identity::refuse_shared(&inputs)?;
    let trust = args.trust.read(backend)?;
    let bytes = signature.read_at_most(LIMIT as u64)?;
    let message = Message::open(&message)?;
    check_length(&bytes, &trust.algorithms(), &signature.place())?;
    match trust.verify(message, &framing, &bytes)? {
        Some(signer) => {
            report.valid()?;
            signer.report(report)
        }
        None => Err(Error::NotValid(format!(
            "{} is not a signature of this message by {} in this context",
            signature.place(),
            trust.described()
        ))),
    }
}

/// Checks that the signature has the length of one by these algorithms. The error says what the file may
/// hold instead.
fn check_length(bytes: &[u8], algorithms: &[Algorithm], place: &str) -> Result<(), Error> {
    let length = |algorithm: &Algorithm| algorithm.sizes().signature;
    if algorithms.iter().any(|one| length(one) == bytes.len()) {
        return Ok(());
    }
    let of = ALL.iter().find(|other| length(other) == bytes.len());
    let found = match of {
        _ if pem::is_pem(bytes) => "is PEM text".into(),
        Some(other) => format!(
            "has {} bytes, the length of a signature of {}",
            bytes.len(),
            other.name()
        ),
        None if bytes.len() == LIMIT => format!("has {LIMIT} bytes or more"),
        None => format!("has {} bytes", bytes.len()),
    };
    let expected = algorithms
        .iter()
        .map(|one| format!("a signature of {} has {}", one.name(), length(one)));
    let expected: Vec<_> = expected.collect();
    Err(Error::NotValid(format!(
        "{place} {found}; {}",
        expected.join(", ")
    )))
}
