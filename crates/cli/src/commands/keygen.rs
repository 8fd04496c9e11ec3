//! `moissanite keygen`.

use std::path::PathBuf;

use clap::Args;
use moissanite::keys::PrivateKeyForm;
use zeroize::Zeroizing;

use super::options::{parse_hex, warn_of_unused_backend};
use crate::algorithm;
use crate::algorithm::scheme::{Algorithm, random_seed};
use crate::backend::Backend;
use crate::diagnostics::{note, warn};
use crate::error::Error;
use crate::fingerprint;
use crate::identity;
use crate::input::Source;
use crate::key_error::KeyError;
use crate::keyfile::{Encoding, encode_private, encode_public};
use crate::output::{self, Output, Target};
use crate::passphrase::{FILE_OPTION, for_encryption};
use crate::report::Report;

#[derive(Debug, Args)]
#[command(after_help = "\
A private key is written as its seed in PEM and DER, and in expanded form in raw format. Only its owner
can read its file (mode 0600). Without --out, the private key is written to standard output; a warning
is printed if that is a file that others can read. Both files are written, or neither.

With a passphrase, the private key is encrypted with AES-256-CBC and scrypt (PKCS#8 with PBES2), which takes
16 MiB of memory. OpenSSL and other programs can read it.

Examples:
  moissanite keygen ml-dsa-65 --out key.pem --public-out public.pem
  moissanite keygen ml-dsa-65 --passphrase --out key.pem --public-out public.pem")]
pub(crate) struct Keygen {
    /// An algorithm that `moissanite algorithms` lists, such as ml-dsa-65
    #[arg(value_parser = algorithm::parse)]
    pub(crate) algorithm: Algorithm,
    /// Generate the key from this seed: 64 hex digits, or 128 for a composite. The history of the shell
    /// keeps the seed
    #[arg(long, value_name = "HEX", value_parser = parse_hex)]
    pub(crate) seed: Option<Zeroizing<Vec<u8>>>,
    /// The file of the private key
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The file of the public key
    #[arg(long, value_name = "FILE")]
    pub(crate) public_out: Option<PathBuf>,
    /// Encrypt the private key with a passphrase, for which the terminal asks
    #[arg(long)]
    pub(crate) passphrase: bool,
    /// Encrypt the private key with the first line of this file; '-' is standard input, and /dev/fd/3 the
    /// descriptor 3
    #[arg(long, value_name = "FILE", conflicts_with = "passphrase")]
    pub(crate) passphrase_file: Option<PathBuf>,
    /// The format of the keys; by default pem, or raw if the algorithm has no other format
    #[arg(long, value_enum)]
    pub(crate) format: Option<Encoding>,
    /// Overwrite existing files
    #[arg(long)]
    pub(crate) force: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Keygen, backend: Backend, report: &mut Report) -> Result<(), Error> {
    let out = Target::new(args.out.as_deref());
    let public_out = args
        .public_out
        .as_deref()
        .map(|path| Target::new(Some(path)));
    if out == Target::Stdout && public_out == Some(Target::Stdout) {
        return Err(Error::Usage(
            "standard output cannot take both keys; name a file with --out or --public-out".into(),
        ));
    }
    if let Some(public_out) = &public_out {
        identity::refuse_same(&out, public_out)?;
    }
    for target in [Some(&out), public_out.as_ref()].into_iter().flatten() {
        report.check(target)?;
    }
    if let Some(path) = &args.passphrase_file {
        for target in [Some(&out), public_out.as_ref()].into_iter().flatten() {
            identity::refuse_inputs(&[&Source::new(path)], target)?;
        }
    }
    let seed = match &args.seed {
        Some(seed) => {
            warn(
                "a seed on the command line stays in the history of the shell and is visible to other users while the command runs",
            );
            check_seed(seed, args.algorithm)?;
            seed.clone()
        }
        None => random_seed(args.algorithm)?,
    };
    warn_of_unused_backend(backend, args.algorithm);
    let key = args.algorithm.private_from_seed(backend, &seed)?;
    let format = args.format.unwrap_or(Encoding::default_for(args.algorithm));
    let wrong = |error: KeyError| match error {
        KeyError::NoDocument(_) | KeyError::RawEncrypted => Error::Usage(error.to_string()),
        _ => Error::Fault(error.to_string()),
    };
    let form = match format {
        Encoding::Raw => PrivateKeyForm::Expanded,
        Encoding::Pem | Encoding::Der => PrivateKeyForm::Seed,
    };
    let passphrase = for_encryption(
        args.passphrase,
        args.passphrase_file.as_deref(),
        FILE_OPTION,
    )?;
    let passphrase = passphrase.as_deref().map(String::as_str);
    let private = encode_private(&*key, form, format, passphrase).map_err(wrong)?;
    let public = encode_public(&*key.public_key(), format).map_err(wrong)?;

    let fingerprint = fingerprint::of_key(&*key.public_key())?;
    report.data("algorithm", args.algorithm.name());
    report.data("fingerprint", fingerprint.as_str());
    report.data("private_key", out.place());
    report.data("public_key", public_out.as_ref().map(Target::place));
    report.data("encoding", format.name());
    report.data("encrypted", passphrase.is_some());

    let text = format == Encoding::Pem;
    let mut outputs = Vec::new();
    if let Some(target) = public_out {
        outputs.push(Output {
            target,
            bytes: &public,
            secret: false,
            text,
        });
    }
    outputs.push(Output {
        target: out,
        bytes: &private,
        secret: true,
        text,
    });
    output::write(&outputs, args.force)?;
    note(&format!("the fingerprint is {fingerprint}"));
    Ok(())
}

fn check_seed(seed: &[u8], algorithm: Algorithm) -> Result<(), Error> {
    let (expected, actual) = (2 * algorithm.seed_len(), 2 * seed.len());
    if actual == expected {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "--seed takes {expected} hex digits for this algorithm, and has {actual}"
    )))
}
