//! `moissanite verify`.

use std::path::PathBuf;

use clap::Args;

use super::options::{FramingArgs, sources, warn_of_unused_backend};
use crate::algorithm::scheme::Algorithm;
use crate::algorithm::{self, ALL};
use crate::backend::Backend;
use crate::error::Error;
use crate::fingerprint;
use crate::input::Message;
use crate::key_error::What;
use crate::keyfile::{Expected, KeyFile};
use crate::pem;
use crate::report::Report;

/// The number of bytes that are read of a signature. Every signature is shorter.
const LIMIT: usize = 1 << 16;

#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if the signature is valid; 1 if it is not valid or has the wrong length; 2 for any other
error, such as a damaged key. --context and --prehash must have the values that the signer used.

Example:
  moissanite verify --key public.pem --signature letter.sig --in letter.txt")]
pub(crate) struct Verify {
    /// The public key
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// The signature
    #[arg(long, value_name = "FILE")]
    pub(crate) signature: PathBuf,
    /// The message
    #[arg(long = "in", value_name = "FILE", default_value = "-")]
    pub(crate) input: PathBuf,
    #[command(flatten)]
    pub(crate) framing: FramingArgs,
    /// The algorithm of a raw key; required if several algorithms have keys of its length
    #[arg(long, value_name = "ALGORITHM", value_parser = algorithm::parse)]
    pub(crate) algorithm: Option<Algorithm>,
}

/// Runs the command.
pub(crate) fn run(args: &Verify, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let framing = args.framing.framing();
    let [key, signature, message] = sources([&args.key, &args.signature, &args.input])?;
    let expected = Expected::key(What::PublicKey, args.algorithm);
    let place = key.place();
    let key = KeyFile::read(&key, expected)?.public_key(backend)?;
    warn_of_unused_backend(backend, key.algorithm());
    let bytes = signature.read_at_most(LIMIT as u64)?;
    let message = Message::open(&message)?;
    check_length(&bytes, key.algorithm(), &signature.place())?;
    if key.verify(message, &framing, &bytes)? {
        report.valid()?;
        report.field("key", place)?;
        report.field("algorithm", key.algorithm().name())?;
        report.field("fingerprint", fingerprint::of_key(&*key)?)
    } else {
        Err(Error::NotValid(format!(
            "{} is not a signature of this message by this key in this context",
            signature.place()
        )))
    }
}

/// Checks the length of the signature. The error says what the file may hold instead.
fn check_length(bytes: &[u8], algorithm: Algorithm, place: &str) -> Result<(), Error> {
    let expected = algorithm.sizes().signature;
    if bytes.len() == expected {
        return Ok(());
    }
    let of = ALL
        .iter()
        .find(|other| other.sizes().signature == bytes.len());
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
    Err(Error::NotValid(format!(
        "{place} {found}; a signature of {} has {expected}",
        algorithm.name()
    )))
}
