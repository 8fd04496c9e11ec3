//! `moissanite mu`.

use std::path::PathBuf;

use clap::Args;
use zeroize::Zeroizing;

use super::options::{FramingArgs, warn_of_unused_backend};
use crate::algorithm;
use crate::algorithm::scheme::Algorithm;
use crate::backend::Backend;
use crate::error::Error;
use crate::fingerprint;
use crate::identity;
use crate::input::{Message, Source};
use crate::key_error::What;
use crate::keyfile::{Expected, KeyFile};
use crate::output::{self, Output, Target};
use crate::report::Report;

#[derive(Debug, Args)]
#[command(after_help = "\
mu is the message representative of ML-DSA (FIPS 204, Algorithm 7, line 6): a hash of the public key, the
context and the message, in 64 bytes. A machine with the private key signs it with `sign --mu` and needs
neither the message nor the context. mu is as secret as the message. Without --out, it is printed in hex.

Example:
  moissanite mu --key public.pem --context backup large.img > mu.hex
  moissanite sign --key key.pem --mu-file mu.hex --out large.img.sig
  moissanite verify --key public.pem --context backup large.img")]
pub(crate) struct ComputeMu {
    /// The message
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) file: PathBuf,
    /// The public key
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    #[command(flatten)]
    pub(crate) framing: FramingArgs,
    /// Write mu as raw bytes to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The algorithm of a raw key; required if several algorithms have keys of its length
    #[arg(long, value_name = "ALGORITHM", value_parser = algorithm::parse)]
    pub(crate) algorithm: Option<Algorithm>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
}

/// Runs the command.
pub(crate) fn run(args: &ComputeMu, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let [key, message] = [&args.key, &args.file].map(|path| Source::new(path));
    let target = Target::new(args.out.as_deref());
    let text = args.out.is_none();
    identity::check([key.clone(), message.clone()].into_iter(), &target)?;
    if !text {
        report.check(&target)?;
    }
    output::check(&target, args.force, text)?;
    let expected = Expected::key(What::PublicKey, args.algorithm);
    let key = KeyFile::read(&key, expected)?.public_key(backend)?;
    warn_of_unused_backend(backend, key.algorithm());
    let mu = key.mu(Message::open(&message)?, &args.framing.framing())?;
    let hex = Zeroizing::new(hex::encode(*mu) + "\n");
    report.data("algorithm", key.algorithm().name());
    report.data("fingerprint", fingerprint::of_key(&*key)?);
    report.data("mu", hex.trim_end());
    report.data("file", args.out.as_ref().map(|_| target.place()));
    if text && report.is_json() {
        return Ok(());
    }
    let output = Output {
        target,
        bytes: if text { hex.as_bytes() } else { &*mu },
        secret: false,
        text,
    };
    output::write(&[output], args.force)
}
